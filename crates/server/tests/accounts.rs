//! Accounts as clients see them.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{Answer, Client, Server};
use reqwest::Method;
use serde_json::{Value, json};
use server::wire::{CreatedToken, Me, Registered, SessionInfo, TokenInfo};

const PASSWORD: &str = "correct horse";

async fn register(client: &Client, name: &str) -> Registered {
    client.post("/api/register", &json!({"name": name, "password": PASSWORD})).await.json()
}

async fn login(client: &Client, name: &str, password: &str) -> Answer {
    client.post("/api/login", &json!({"name": name, "password": password})).await
}

async fn name_of(client: &Client) -> String {
    client.get("/api/me").await.json::<Me>().name
}

#[tokio::test]
async fn a_guest_plays_at_once_and_stays_the_same() {
    let server = Server::start().await;
    let client = server.client();
    assert_eq!(client.get("/api/me").await.refused(401), "not_logged_in");
    let nobody: Option<Me> = client.get("/api/session").await.json();
    assert!(nobody.is_none(), "being nobody is no error");
    let me: Me = client.post("/api/guest", &json!({})).await.json();
    assert!(me.guest && me.name.starts_with("Guest-"), "{me:?}");
    let again: Me = client.post("/api/guest", &json!({"name": "Ada"})).await.json();
    assert_eq!((again.id, again.name), (me.id, me.name));
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_is_the_same_person() {
    let server = Server::start().await;
    let client = server.guest().await;
    let guest: Me = client.get("/api/me").await.json();
    let old_cookie = client.cookie().unwrap();
    let made = register(&client, "Ada").await;
    assert_eq!((made.me.id.as_str(), made.me.guest), (guest.id.as_str(), false));
    assert_eq!((made.recovery_codes.len(), made.me.recovery_codes_left), (8, 8));
    assert_eq!(name_of(&client).await, "Ada");
    let old = server.client().request(Method::GET, "/api/me").header("cookie", old_cookie);
    assert_eq!(Answer::of(old).await.refused(401), "not_logged_in");
    let twice = client.post("/api/register", &json!({"name": "Bob", "password": PASSWORD})).await;
    assert_eq!(twice.refused(409), "conflict");
    server.stop().await;
}

#[tokio::test]
async fn nobody_gets_in_by_knowing_a_name() {
    let server = Server::start().await;
    register(&server.client(), "Ada").await;
    let stranger = server.client();
    for name in ["Ada", "ada", "ADA", "nobody"] {
        let refused = login(&stranger, name, "wrong horse").await;
        assert!(refused.headers.get("set-cookie").is_none());
        assert_eq!(refused.refused(401), "not_logged_in");
    }
    let taken = json!({"name": "aDA", "password": PASSWORD});
    assert_eq!(stranger.post("/api/register", &taken).await.refused(409), "conflict");
    let guest: Me = stranger.post("/api/guest", &json!({"name": "Ada"})).await.json();
    assert_ne!(guest.name, "Ada");
    let guest_login = login(&server.client(), &guest.name, "").await;
    assert_eq!(guest_login.refused(401), "not_logged_in");
    server.stop().await;
}

#[tokio::test]
async fn the_same_answer_tells_nobody_which_names_exist() {
    let server = Server::start().await;
    register(&server.client(), "Ada").await;
    let known = login(&server.client(), "Ada", "wrong horse").await;
    let unknown = login(&server.client(), "Eve", "wrong horse").await;
    assert_eq!((known.status, known.text), (unknown.status, unknown.text));
    server.stop().await;
}

#[tokio::test]
async fn forged_and_foreign_credentials_are_worth_nothing() {
    let server = Server::start().await;
    let ada = server.client();
    let id = register(&ada, "Ada").await.me.id;
    let cookie = ada.cookie().unwrap();
    let mut flipped = cookie.clone();
    let last = if flipped.pop() == Some('0') { '1' } else { '0' };
    flipped.push(last);
    for forged in [flipped, "bastide=".into(), format!("bastide={id}"), "bastide=Ada".into()] {
        let request = server.client().request(Method::GET, "/api/me").header("cookie", &forged);
        assert_eq!(Answer::of(request).await.refused(401), "not_logged_in", "{forged}");
    }
    let secret = cookie.split_once('=').unwrap().1;
    for token in [secret, "", "Ada", &id, "bastide_0"] {
        let refused = server.client().with_token(token).get("/api/me").await;
        assert_eq!(refused.refused(401), "not_logged_in", "{token}");
    }
    for header in ["Basic QWRhOmFkYQ==", "Bearer", "bearer\tx", "x"] {
        let request = server.client().request(Method::GET, "/api/me");
        let request = request.header("authorization", header);
        assert_eq!(Answer::of(request).await.refused(401), "not_logged_in", "{header}");
    }
    server.stop().await;
}

#[tokio::test]
async fn log_out_means_out() {
    let server = Server::start().await;
    let client = server.client();
    register(&client, "Ada").await;
    let cookie = client.cookie().unwrap();
    client.post("/api/logout", &json!({})).await.ok();
    assert_eq!(client.cookie(), None);
    let old = server.client().request(Method::GET, "/api/me").header("cookie", cookie);
    assert_eq!(Answer::of(old).await.refused(401), "not_logged_in");
    login(&client, "ada", PASSWORD).await.ok();
    assert_eq!(name_of(&client).await, "Ada");
    server.stop().await;
}

#[tokio::test]
async fn sessions_are_seen_and_ended_by_their_owner_only() {
    let server = Server::start().await;
    let (here, there, eve) = (server.client(), server.client(), server.client());
    register(&here, "Ada").await;
    register(&eve, "Eve").await;
    let agent = there.request(Method::POST, "/api/login").header("user-agent", "Phone/1");
    Answer::of(agent.json(&json!({"name": "Ada", "password": PASSWORD}))).await.ok();
    let sessions: Vec<SessionInfo> = here.get("/api/me/sessions").await.json();
    assert_eq!(sessions.iter().filter(|session| session.current).count(), 1);
    let phone = sessions.iter().find(|session| session.agent == "Phone/1").unwrap();
    let path = format!("/api/me/sessions/{}", phone.id);
    assert_eq!(eve.delete(&path, &json!({})).await.refused(404), "not_found");
    assert_eq!(name_of(&there).await, "Ada");
    here.delete(&path, &json!({})).await.ok();
    assert_eq!(there.get("/api/me").await.refused(401), "not_logged_in");
    login(&there, "Ada", PASSWORD).await.ok();
    here.delete("/api/me/sessions", &json!({})).await.ok();
    assert_eq!(there.get("/api/me").await.refused(401), "not_logged_in");
    assert_eq!(name_of(&here).await, "Ada");
    server.stop().await;
}

#[tokio::test]
async fn a_new_password_ends_other_sessions_and_needs_the_old_one() {
    let server = Server::start().await;
    let (here, there) = (server.client(), server.client());
    register(&here, "Ada").await;
    login(&there, "Ada", PASSWORD).await.ok();
    let wrong = json!({"password": "not my horse", "new_password": "better horse"});
    assert_eq!(here.patch("/api/me", &wrong).await.refused(403), "wrong_password");
    let short = json!({"password": PASSWORD, "new_password": "short"});
    assert_eq!(here.patch("/api/me", &short).await.refused(400), "bad_request");
    let right = json!({"password": PASSWORD, "new_password": "better horse"});
    here.patch("/api/me", &right).await.ok();
    assert_eq!(there.get("/api/me").await.refused(401), "not_logged_in");
    assert_eq!(name_of(&here).await, "Ada");
    assert_eq!(login(&there, "Ada", PASSWORD).await.refused(401), "not_logged_in");
    login(&there, "Ada", "better horse").await.ok();
    server.stop().await;
}

#[tokio::test]
async fn a_new_name_is_checked_as_the_first_one() {
    let server = Server::start().await;
    let (ada, bob) = (server.client(), server.client());
    register(&ada, "Ada").await;
    register(&bob, "Bob").await;
    let rename = |name: &str| json!({"password": PASSWORD, "new_name": name});
    assert_eq!(ada.patch("/api/me", &rename("bob")).await.refused(409), "conflict");
    for odd in ["a", "Ad\u{430}", "Ada\u{202e}", "a\0bc", "Guest-77", &"n".repeat(1000)] {
        assert_eq!(ada.patch("/api/me", &rename(odd)).await.refused(400), "bad_request", "{odd}");
    }
    let me: Me = ada.patch("/api/me", &rename("Łucja")).await.json();
    assert_eq!(me.name, "Łucja");
    ada.patch("/api/me", &rename("łucja")).await.ok();
    login(&server.client(), "ŁUCJA", PASSWORD).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn odd_names_and_passwords_are_refused_in_words() {
    let server = Server::start().await;
    let long = "p".repeat(129);
    for (name, password) in [
        ("Ada", "short"),
        ("Ada", &long),
        ("", PASSWORD),
        ("\u{1f600}\u{1f600}\u{1f600}", PASSWORD),
        ("ada lovelace", PASSWORD),
        ("admin", PASSWORD),
    ] {
        let wanted = json!({"name": name, "password": password});
        let refused = server.client().post("/api/register", &wanted).await;
        assert_eq!(refused.refused(400), "bad_request", "{name} {password}");
    }
    let huge = "x".repeat(200_000);
    assert_eq!(login(&server.client(), "Ada", &huge).await.refused(401), "not_logged_in");
    let odd = "пароль 🏰 \u{0}\u{202e}";
    let client = server.client();
    client.post("/api/register", &json!({"name": "Ada", "password": odd})).await.ok();
    login(&server.client(), "Ada", odd).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn a_recovery_code_works_once_and_for_its_owner() {
    let server = Server::start().await;
    let (ada, eve) = (server.client(), server.client());
    let codes = register(&ada, "Ada").await.recovery_codes;
    let of_eve = register(&eve, "Eve").await.recovery_codes;
    let recover = |code: &str| json!({"name": "Ada", "code": code, "password": "found horse"});
    let lost = server.client();
    for code in ["", "0000-0000-0000-0000", &of_eve[0]] {
        assert_eq!(lost.post("/api/recover", &recover(code)).await.refused(401), "not_logged_in");
    }
    let typed = codes[0].to_uppercase().replace('-', " ");
    let me: Me = lost.post("/api/recover", &recover(&typed)).await.json();
    assert_eq!((me.name.as_str(), me.recovery_codes_left), ("Ada", 7));
    assert_eq!(ada.get("/api/me").await.refused(401), "not_logged_in");
    let again = server.client().post("/api/recover", &recover(&codes[0])).await;
    assert_eq!(again.refused(401), "not_logged_in");
    login(&ada, "Ada", "found horse").await.ok();
    let body = json!({"password": "found horse"});
    let new: Value = ada.post("/api/me/recovery-codes", &body).await.json();
    assert_eq!(new["recovery_codes"].as_array().unwrap().len(), 8);
    let void = server.client().post("/api/recover", &recover(&codes[1])).await;
    assert_eq!(void.refused(401), "not_logged_in");
    server.stop().await;
}

#[tokio::test]
async fn a_token_lets_a_program_play_but_not_change_the_account() {
    let server = Server::start().await;
    let (ada, eve) = (server.client(), server.client());
    register(&ada, "Ada").await;
    register(&eve, "Eve").await;
    let guest = server.guest().await;
    let wanted = json!({"label": "my bot", "bot": true});
    assert_eq!(guest.post("/api/me/tokens", &wanted).await.refused(403), "forbidden");
    let made: CreatedToken = ada.post("/api/me/tokens", &wanted).await.json();
    assert!(made.info.bot);
    let program = server.client().with_token(&made.token);
    assert_eq!(name_of(&program).await, "Ada");
    for path in ["/api/me/tokens", "/api/me/sessions"] {
        assert_eq!(program.get(path).await.refused(403), "forbidden");
    }
    let change = json!({"password": PASSWORD, "new_name": "Mallory"});
    assert_eq!(program.patch("/api/me", &change).await.refused(403), "forbidden");
    assert_eq!(
        program.delete("/api/me", &json!({"password": PASSWORD})).await.refused(403),
        "forbidden"
    );
    let listed = ada.get("/api/me/tokens").await.ok().text;
    assert!(!listed.contains(&made.token), "a token is shown once");
    let listed: Vec<TokenInfo> = serde_json::from_str(&listed).unwrap();
    assert!(listed[0].seen.is_some());
    let path = format!("/api/me/tokens/{}", made.info.id);
    assert_eq!(eve.delete(&path, &json!({})).await.refused(404), "not_found");
    assert_eq!(name_of(&program).await, "Ada");
    ada.delete(&path, &json!({})).await.ok();
    assert_eq!(program.get("/api/me").await.refused(401), "not_logged_in");
    for label in ["", "   ", "a\nb", &"l".repeat(61)] {
        let refused = ada.post("/api/me/tokens", &json!({"label": label})).await;
        assert_eq!(refused.refused(400), "bad_request", "{label:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn nothing_secret_is_stored_or_returned() {
    let server = Server::start().await;
    let client = server.client();
    let made = register(&client, "Ada").await;
    let token: CreatedToken = client.post("/api/me/tokens", &json!({"label": "x"})).await.json();
    let secret = client.cookie().unwrap().split_once('=').unwrap().1.to_owned();
    let mut stored = String::new();
    for sql in [
        "SELECT name || ' ' || COALESCE(password, '') FROM users",
        "SELECT hash || ' ' || id || ' ' || agent FROM sessions",
        "SELECT hash || ' ' || id || ' ' || label FROM tokens",
        "SELECT hash FROM recovery_codes",
    ] {
        let rows: Vec<String> =
            sqlx::query_scalar(sql).fetch_all(&server.app.db.pool).await.unwrap();
        assert!(!rows.is_empty(), "{sql}");
        stored.push_str(&rows.join("\n"));
    }
    for hidden in [PASSWORD, &secret, &token.token, &made.recovery_codes[0]] {
        assert!(!stored.contains(hidden), "{hidden} is stored");
    }
    assert!(stored.contains("$argon2id$"));
    let me = client.get("/api/me").await.ok().text;
    assert!(!me.contains("argon2") && !me.contains(&secret), "{me}");
    server.stop().await;
}

#[tokio::test]
async fn an_account_that_is_deleted_leaves_no_way_in_and_no_name() {
    let server = Server::start().await;
    let client = server.client();
    let me = register(&client, "Ada").await.me;
    let token: CreatedToken = client.post("/api/me/tokens", &json!({"label": "x"})).await.json();
    finished_game_of(&server, &me.id).await;
    let wrong = client.delete("/api/me", &json!({"password": "wrong horse"})).await;
    assert_eq!(wrong.refused(403), "wrong_password");
    assert_eq!(client.delete("/api/me", &json!({})).await.refused(403), "wrong_password");
    let cookie = client.cookie().unwrap();
    client.delete("/api/me", &json!({"password": PASSWORD})).await.ok();
    let old = server.client().request(Method::GET, "/api/me").header("cookie", cookie);
    assert_eq!(Answer::of(old).await.refused(401), "not_logged_in");
    let program = server.client().with_token(&token.token);
    assert_eq!(program.get("/api/me").await.refused(401), "not_logged_in");
    assert_eq!(login(&client, "Ada", PASSWORD).await.refused(401), "not_logged_in");
    let name: String = sqlx::query_scalar("SELECT name FROM seats WHERE user_id = $1")
        .bind(&me.id)
        .fetch_one(&server.app.db.pool)
        .await
        .unwrap();
    assert!(name.starts_with("Deleted-"), "{name}");
    server.guest().await.delete("/api/me", &json!({})).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn who_sits_in_a_running_game_is_not_deleted() {
    let server = Server::start().await;
    let client = server.client();
    let me = register(&client, "Ada").await.me;
    finished_game_of(&server, &me.id).await;
    let open = "UPDATE games SET status = 'playing'";
    sqlx::query(open).execute(&server.app.db.pool).await.unwrap();
    let refused = client.delete("/api/me", &json!({"password": PASSWORD})).await;
    assert!(refused.text.contains("game1"), "{}", refused.text);
    assert_eq!(refused.refused(409), "conflict");
    assert_eq!(name_of(&client).await, "Ada");
    server.stop().await;
}

async fn finished_game_of(server: &Server, user: &str) {
    let game = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
                pass_and_play, host, seed, seed_given, commitment, created) VALUES ('game1', \
                'tinytown', '', '{}', 'over', 0, 'public', '{}', 0, $1, '', 0, '', 0)";
    let seat = "INSERT INTO seats (game_id, seat, kind, user_id, name, nonce) \
                VALUES ('game1', 0, 'user', $1, 'Ada', '')";
    for sql in [game, seat] {
        sqlx::query(sql)
            .bind(user)
            .execute(&server.app.db.pool)
            .await
            .expect("a row can be written");
    }
}

#[tokio::test]
async fn who_is_banned_stays_out_until_let_in_again() {
    let server = Server::start().await;
    let client = server.client();
    let made = register(&client, "Ada").await;
    let token: CreatedToken = client.post("/api/me/tokens", &json!({"label": "x"})).await.json();
    let program = server.client().with_token(&token.token);
    server::staff::admin::ban(&server.app.db, "Ada", true).await.unwrap();
    assert_eq!(client.get("/api/me").await.refused(403), "forbidden");
    assert_eq!(program.get("/api/me").await.refused(403), "forbidden");
    assert_eq!(login(&server.client(), "Ada", PASSWORD).await.refused(403), "forbidden");
    let code = json!({"name": "Ada", "code": made.recovery_codes[0], "password": "found horse"});
    assert_eq!(server.client().post("/api/recover", &code).await.refused(403), "forbidden");
    server::staff::admin::ban(&server.app.db, "Ada", false).await.unwrap();
    assert_eq!(name_of(&client).await, "Ada");
    let code = server.client().post("/api/recover", &code).await;
    assert!(code.status.is_success(), "a refused code is not used up");
    server.stop().await;
}

#[tokio::test]
async fn old_sessions_and_forgotten_guests_are_removed() {
    let server = Server::start().await;
    let (old, young) = (server.guest().await, server.guest().await);
    let id = old.get("/api/me").await.json::<Me>().id;
    let long_ago = server::time::now() - 61 * server::time::DAY;
    for sql in [
        "UPDATE sessions SET seen = $1 WHERE user_id = $2",
        "UPDATE users SET seen = $1 WHERE id = $2",
    ] {
        let update = sqlx::query(sql).bind(long_ago).bind(&id);
        update.execute(&server.app.db.pool).await.unwrap();
    }
    assert_eq!(old.get("/api/me").await.refused(401), "not_logged_in");
    server::people::accounts::remove_old(&server.app.db, 60).await.unwrap();
    for sql in ["SELECT COUNT(*) FROM sessions", "SELECT COUNT(*) FROM users"] {
        let left: i64 = sqlx::query_scalar(sql).fetch_one(&server.app.db.pool).await.unwrap();
        assert_eq!(left, 1, "{sql}");
    }
    young.get("/api/me").await.ok();
    server.stop().await;
}

#[tokio::test]
async fn accounts_and_sessions_survive_a_restart() {
    let server = Server::start().await;
    let client = server.client();
    register(&client, "Ada").await;
    let cookie = client.cookie().unwrap();
    let server = server.restart().await;
    let request = server.client().request(Method::GET, "/api/me").header("cookie", cookie);
    assert_eq!(Answer::of(request).await.json::<Me>().name, "Ada");
    server.stop().await;
}

#[tokio::test]
async fn settings_are_kept_with_the_account_and_only_known_ones() {
    let server = Server::start().await;
    let put = async |client: &Client, body: &Value| {
        Answer::of(client.request(Method::PUT, "/api/me/settings").json(body)).await
    };
    assert_eq!(server.client().get("/api/me/settings").await.refused(401), "not_logged_in");
    let guest = server.guest().await;
    assert_eq!(put(&guest, &json!({"volume": 5})).await.refused(403), "forbidden");

    let ada = server.client();
    register(&ada, "Ada").await;
    let fresh: Value = ada.get("/api/me/settings").await.json();
    assert_eq!((&fresh["confirm"], &fresh["volume"]), (&json!(true), &json!(100)));
    let wanted = json!({"confirm": false, "volume": 30, "board": "oak", "animation": "fast"});
    put(&ada, &wanted).await.ok();
    // On another device it is the same.
    let elsewhere = server.client();
    login(&elsewhere, "Ada", PASSWORD).await.ok();
    let kept: Value = elsewhere.get("/api/me/settings").await.json();
    for (key, value) in wanted.as_object().unwrap() {
        assert_eq!(&kept[key], value, "{key}");
    }
    assert_eq!(kept["coordinates"], json!(true), "what was not named keeps its default");

    let long = "x".repeat(100_000);
    for wrong in [
        json!({"volume": 101}),
        json!({"volume": -1}),
        json!({"volume": "loud"}),
        json!({"animation": "warp"}),
        json!({"confirm": null}),
        json!({"unknown": 1}),
        json!({ long: true }),
        json!([]),
    ] {
        let status = put(&ada, &wrong).await.status.as_u16();
        assert!((400..500).contains(&status), "{status} {}", wrong.to_string().len());
    }
    assert_eq!(ada.get("/api/me/settings").await.json::<Value>(), kept, "nothing was changed");

    ada.delete("/api/me", &json!({"password": PASSWORD})).await.ok();
    assert_eq!(ada.get("/api/me/settings").await.refused(401), "not_logged_in");
    server.stop().await;
}
