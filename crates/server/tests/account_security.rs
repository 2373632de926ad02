//! Coming in against strangers: names that mislead, passwords that are guessed, the second factor,
//! what tokens may do.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{Answer, Client, Server};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::{Value, json};
use server::wire::{CreatedToken, Me, Registered, TokenInfo, TokenScope};

const PASSWORD: &str = "correct horse";

async fn register(client: &Client, name: &str) -> Registered {
    client.post("/api/register", &json!({"name": name, "password": PASSWORD})).await.json()
}

async fn name_of(client: &Client) -> String {
    client.get("/api/me").await.json::<Me>().name
}

/// Moves everything that was noted about names into the past.
async fn pass_days(server: &Server, days: i64) {
    let sql = "UPDATE freed_names SET at = at - $1";
    let past = sqlx::query(sql).bind(days * server::time::DAY).execute(&server.app.db.pool).await;
    past.expect("a row can be changed");
}

#[tokio::test]
async fn a_freed_name_is_kept_for_its_owner() {
    let server = Server::start().await;
    let (ada, eve) = (server.client(), server.client());
    register(&ada, "Ada").await;
    register(&eve, "Eve").await;
    let rename = |name: &str| json!({"password": PASSWORD, "new_name": name});
    ada.patch("/api/me", &rename("Countess")).await.ok();
    let taken = json!({"name": "ADA", "password": PASSWORD});
    assert_eq!(server.client().post("/api/register", &taken).await.refused(409), "conflict");
    assert_eq!(eve.patch("/api/me", &rename("ada")).await.refused(409), "conflict");
    let back: Me = ada.patch("/api/me", &rename("Ada")).await.json();
    assert_eq!(back.name, "Ada", "the owner may have it back");
    ada.delete("/api/me", &json!({"password": PASSWORD})).await.ok();
    for name in ["Ada", "Countess"] {
        let wanted = json!({"name": name, "password": PASSWORD});
        let refused = server.client().post("/api/register", &wanted).await;
        assert_eq!(refused.refused(409), "conflict", "{name}");
    }
    pass_days(&server, 31).await;
    register(&server.client(), "Ada").await;
    let countess: Me = eve.patch("/api/me", &rename("Countess")).await.json();
    assert_eq!(countess.name, "Countess");
    server.stop().await;
}

#[tokio::test]
async fn a_name_is_not_changed_every_day() {
    let server = Server::start_with(|config| config.limits = true).await;
    let ada = server.client();
    register(&ada, "Ada").await;
    let rename = |name: &str| json!({"password": PASSWORD, "new_name": name});
    for name in ["Ada-1", "Ada-2", "ada-2", "Ada-3"] {
        ada.patch("/api/me", &rename(name)).await.ok();
    }
    let refused = ada.patch("/api/me", &rename("Ada-4")).await;
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(refused.refused(429), "too_many_requests");
    assert_eq!(name_of(&ada).await, "Ada-3");
    pass_days(&server, 31).await;
    ada.patch("/api/me", &rename("Ada-4")).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn a_guest_does_not_change_names_all_day() {
    let server = Server::start_with(|config| config.limits = true).await;
    let guest = server.guest().await;
    for name in ["Bee-1", "Bee-2", "Bee-3", "Bee-4", "Bee-5"] {
        guest.patch("/api/me", &json!({"new_name": name})).await.ok();
    }
    let refused = guest.patch("/api/me", &json!({"new_name": "Bee-6"})).await;
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(refused.refused(429), "too_many_requests");
    assert_eq!(name_of(&guest).await, "Bee-5");
    let sql = "UPDATE name_history SET given_up = given_up - $1";
    let hour = 60 * 60 * 1000_i64;
    sqlx::query(sql).bind(hour).execute(&server.app.db.pool).await.expect("rows can be changed");
    guest.patch("/api/me", &json!({"new_name": "Bee-6"})).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn nobody_passes_for_one_of_our_bots() {
    let server = Server::start().await;
    let levels = bots::levels::LEVELS.iter().map(|level| level.name.to_owned());
    let engines = bots::roster::NAMES.iter().chain(&bots::tinytown_players::NAMES);
    let engines = engines.map(|(name, _)| (*name).to_owned());
    let alike = ["Sh3pherd", "SHEPHERD", "sheph-erd", "Rnaster", "mas0n", "Mason_1", "optima1"];
    let guest = server.guest().await;
    for name in levels.chain(engines).chain(alike.map(str::to_owned)) {
        let wanted = json!({"name": name, "password": PASSWORD});
        let refused = server.client().post("/api/register", &wanted).await;
        assert_eq!(refused.refused(400), "bad_request", "{name}");
        let chosen = guest.patch("/api/me", &json!({"new_name": name})).await;
        assert_eq!(chosen.refused(400), "bad_request", "{name}");
    }
    for name in ["chess-master", "Mason-Lee", "Stewart", "Pilgrims", "Nettie"] {
        register(&server.client(), name).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn nobody_passes_for_the_staff() {
    let server = Server::start().await;
    for name in [
        "Admin",
        "adm1n",
        "4dmin",
        "\u{e0}dmin",
        "\u{e3}dm\u{ed}n",
        "ad-min",
        "a_d_m_i_n",
        "Admin2",
        "admin-team",
        "the_admin",
        "Moderat0r",
        "m0derat0r",
        "rnoderator",
        "MODERAT\u{d6}R",
        "M\u{f6}derat\u{f6}r",
        "5upport",
        "5y5tem",
        "8astide",
        "ba5t1de",
        "Bastlde",
        "BastideSupport",
        "server_1",
        "r00t",
        "staff",
        "0fficial",
        "official",
    ] {
        let wanted = json!({"name": name, "password": PASSWORD});
        let refused = server.client().post("/api/register", &wanted).await;
        assert_eq!(refused.refused(400), "bad_request", "{name}");
    }
    let boss = server.client();
    register(&boss, "Guillaume").await;
    let staff = "UPDATE users SET role = 'moderator' WHERE name = 'Guillaume'";
    sqlx::query(staff).execute(&server.app.db.pool).await.unwrap();
    for name in ["Gui11aume", "GUlLLAUME", "guill-aume", "Gu\u{ef}llaume", "Guillaum3"] {
        let wanted = json!({"name": name, "password": PASSWORD});
        let refused = server.client().post("/api/register", &wanted).await;
        assert_eq!(refused.refused(409), "conflict", "{name}");
    }
    for name in [
        "Ada",
        "Adamin",
        "Minerva",
        "Roots",
        "Observer",
        "Bastien",
        "Supper",
        "Moritz",
        "Guillemette",
    ] {
        register(&server.client(), name).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn strangers_cannot_lock_an_account() {
    let server = Server::start_with(|config| {
        config.limits = true;
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    let send = |client: &Client, from: &str, path: &str, password: &str| {
        let body = json!({"name": "Ada", "password": password});
        let request = client.request(Method::POST, path).header("x-forwarded-for", from);
        Answer::of(request.json(&body))
    };
    let ada = server.client();
    send(&ada, "198.51.100.1", "/api/register", PASSWORD).await.ok();
    ada.post("/api/logout", &json!({})).await.ok();
    let strangers = server.client();
    // More than the account may be tried from everywhere, from many networks and addresses.
    let mut refused = 0;
    for n in 0..150 {
        let from = format!("203.0.{}.{}", n % 30, n);
        let answer = send(&strangers, &from, "/api/login", "wrong horse").await;
        refused += u32::from(answer.status == 429);
    }
    assert!(refused > 50, "guessing is bounded: {refused}");
    // The device is known; it does not matter where it is, nor who else is there.
    for from in ["198.51.100.1", "203.0.7.7", "203.0.8.8"] {
        send(&ada, from, "/api/login", PASSWORD).await.ok();
    }
    // A device that is not, with the right password, from where nobody guessed.
    send(&server.client(), "198.51.100.77", "/api/login", PASSWORD).await.ok();
    // A cookie of somebody else's device is worth nothing.
    let eve = server.client();
    let body = json!({"name": "Eve", "password": PASSWORD});
    let request = eve.request(Method::POST, "/api/register").header("x-forwarded-for", "203.0.9.9");
    Answer::of(request.json(&body)).await.ok();
    let mut tried = 0;
    while send(&eve, "203.0.9.9", "/api/login", "wrong horse").await.status != 429 {
        tried += 1;
        assert!(tried < 5, "a device is known for its own accounts only");
    }
    // A known device does not make guessing free.
    let mut tried = 0;
    while send(&ada, "198.51.100.1", "/api/login", "wrong horse").await.status != 429 {
        tried += 1;
        assert!(tried < 15, "a known device guesses without end");
    }
    server.stop().await;
}

#[tokio::test]
async fn recovery_ends_tokens_unless_asked_not_to() {
    let server = Server::start().await;
    let ada = server.client();
    let codes = register(&ada, "Ada").await.recovery_codes;
    let token: CreatedToken = ada.post("/api/me/tokens", &json!({"label": "x"})).await.json();
    let program = server.client().with_token(&token.token);
    let kept = json!({"name": "Ada", "code": codes[0], "password": PASSWORD, "end_tokens": false});
    ada.post("/api/recover", &kept).await.ok();
    assert_eq!(name_of(&program).await, "Ada");
    let code = json!({"name": "Ada", "code": codes[1], "password": PASSWORD});
    ada.post("/api/recover", &code).await.ok();
    assert_eq!(program.get("/api/me").await.refused(401), "not_logged_in");
    server.stop().await;
}

/// What an authenticator shows, some steps of 30 seconds from now.
fn shown(secret: &str, steps: i64) -> String {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in secret.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            _ => letter - b'2' + 26,
        };
        bits = (bits << 5) | u32::from(value);
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    let step = server::time::now() / 30_000 + steps;
    let mut mac = Hmac::<sha1::Sha1>::new_from_slice(&bytes).expect("a key of any length");
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let at = usize::from(hash[19] & 0xf);
    let four: [u8; 4] = hash[at..at + 4].try_into().expect("four bytes");
    format!("{:06}", (u32::from_be_bytes(four) & 0x7fff_ffff) % 1_000_000)
}

/// Sets a second factor up; the secret and the recovery codes.
async fn second_factor(client: &Client) -> (String, Vec<String>) {
    let body = json!({"password": PASSWORD});
    let setup = client.post("/api/me/second-factor", &body).await.value();
    let secret = setup["secret"].as_str().expect("a secret").to_owned();
    let uri = setup["uri"].as_str().expect("a URI");
    assert!(uri.starts_with("otpauth://totp/Bastide:") && uri.contains(&secret), "{uri}");
    let code = json!({"code": shown(&secret, -1)});
    let made = client.post("/api/me/second-factor/confirm", &code).await.value();
    let codes = made["recovery_codes"].as_array().expect("codes").iter();
    (secret, codes.map(|code| code.as_str().expect("a text").to_owned()).collect())
}

async fn log_in(client: &Client, code: Option<&str>) -> Answer {
    let body = json!({"name": "Ada", "password": PASSWORD, "code": code});
    client.post("/api/login", &body).await
}

#[tokio::test]
async fn a_second_factor_is_asked_for_and_each_code_is_good_once() {
    let server = Server::start().await;
    let (ada, other) = (server.client(), server.client());
    register(&ada, "Ada").await;
    log_in(&other, None).await.ok();
    let (secret, codes) = second_factor(&ada).await;
    assert_eq!(codes.len(), 8);
    assert!(ada.get("/api/me").await.json::<Me>().second_factor);
    assert_eq!(other.get("/api/me").await.refused(401), "not_logged_in", "other sessions end");
    let stranger = server.client();
    assert_eq!(log_in(&stranger, None).await.refused(401), "second_factor_needed");
    assert_eq!(log_in(&stranger, Some("")).await.refused(401), "second_factor_needed");
    for wrong in ["000000x", "1", "abcd-efgh", "\0", &shown(&secret, 5), &shown(&secret, -3)] {
        assert_eq!(log_in(&stranger, Some(wrong)).await.refused(401), "wrong_code", "{wrong:?}");
    }
    let confirmed = shown(&secret, -1);
    assert_eq!(log_in(&stranger, Some(&confirmed)).await.refused(401), "wrong_code", "used");
    let now = shown(&secret, 0);
    log_in(&stranger, Some(&format!("{} {}", &now[..3], &now[3..]))).await.ok();
    assert_eq!(log_in(&server.client(), Some(&now)).await.refused(401), "wrong_code", "a replay");
    let wrong_password =
        json!({"name": "Ada", "password": "wrong horse", "code": shown(&secret, 1)});
    let refused = server.client().post("/api/login", &wrong_password).await;
    assert_eq!(refused.refused(401), "not_logged_in");
    server.stop().await;
}

#[tokio::test]
async fn two_logins_with_one_code_are_one() {
    let server = Server::start().await;
    let ada = server.client();
    register(&ada, "Ada").await;
    let (secret, _) = second_factor(&ada).await;
    let code = shown(&secret, 0);
    let clients: Vec<Client> = (0..8).map(|_| server.client()).collect();
    let answers = clients.iter().map(|client| log_in(client, Some(&code)));
    let answers = futures_util::future::join_all(answers).await;
    let passed = answers.iter().filter(|answer| answer.status.is_success()).count();
    assert_eq!(passed, 1);
    server.stop().await;
}

#[tokio::test]
async fn recovery_codes_stand_in_for_either_factor_and_work_once() {
    let server = Server::start().await;
    let ada = server.client();
    let old = register(&ada, "Ada").await.recovery_codes;
    let (secret, codes) = second_factor(&ada).await;
    let lost = server.client();
    assert_eq!(log_in(&lost, Some(&old[0])).await.refused(401), "wrong_code", "old ones are void");
    let me: Me = log_in(&lost, Some(&codes[0].to_uppercase())).await.json();
    assert_eq!(me.recovery_codes_left, 7);
    assert_eq!(log_in(&server.client(), Some(&codes[0])).await.refused(401), "wrong_code");
    let recover = |code: &str, second: Option<&str>| json!({"name": "Ada", "code": code, "password": PASSWORD, "second": second});
    let alone = lost.post("/api/recover", &recover(&codes[1], None)).await;
    assert_eq!(alone.refused(401), "second_factor_needed");
    let twice = lost.post("/api/recover", &recover(&codes[1], Some(&codes[1]))).await;
    assert_eq!(twice.refused(401), "wrong_code", "one code is not two");
    lost.post("/api/recover", &recover(&codes[1], Some(&shown(&secret, 0)))).await.ok();
    lost.post("/api/recover", &recover(&codes[2], Some(&codes[3]))).await.ok();
    assert_eq!(lost.get("/api/me").await.json::<Me>().recovery_codes_left, 4);
    server.stop().await;
}

#[tokio::test]
async fn a_second_factor_is_removed_with_both_or_by_who_runs_the_server() {
    let server = Server::start().await;
    let ada = server.client();
    register(&ada, "Ada").await;
    let guest = server.guest().await;
    let begin = json!({"password": PASSWORD});
    assert_eq!(guest.post("/api/me/second-factor", &begin).await.refused(403), "forbidden");
    let wrong = json!({"password": "wrong horse"});
    assert_eq!(ada.post("/api/me/second-factor", &wrong).await.refused(403), "wrong_password");
    let early = ada.post("/api/me/second-factor/confirm", &json!({"code": "123456"})).await;
    assert_eq!(early.refused(401), "wrong_code", "there is nothing to confirm");
    ada.post("/api/me/second-factor", &begin).await.ok();
    log_in(&server.client(), None).await.ok();
    let (secret, _) = second_factor(&ada).await;
    assert_eq!(ada.post("/api/me/second-factor", &begin).await.refused(409), "conflict");
    let remove = |password: &str, code: &str| json!({"password": password, "code": code});
    let path = "/api/me/second-factor";
    let code = shown(&secret, 0);
    let refused = ada.delete(path, &remove("wrong horse", &code)).await;
    assert_eq!(refused.refused(403), "wrong_password");
    assert_eq!(ada.delete(path, &remove(PASSWORD, "000000x")).await.refused(401), "wrong_code");
    ada.delete(path, &remove(PASSWORD, &code)).await.ok();
    log_in(&server.client(), None).await.ok();
    second_factor(&ada).await;
    assert!(server::staff::admin::show(&server.app.db, "ada").await.unwrap().second_factor);
    server::staff::admin::remove_second_factor(&server.app.db, "ada").await.unwrap();
    assert!(server::staff::admin::remove_second_factor(&server.app.db, "ada").await.is_err());
    log_in(&server.client(), None).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn codes_cannot_be_guessed() {
    let server = Server::start_with(|config| config.limits = true).await;
    let ada = server.client();
    register(&ada, "Ada").await;
    let (secret, codes) = second_factor(&ada).await;
    let wrong = if shown(&secret, 0) == "123456" { "654321" } else { "123456" };
    let stranger = server.client();
    let mut tried = 0;
    while log_in(&stranger, Some(wrong)).await.status == 401 {
        tried += 1;
        assert!(tried < 10, "codes are guessed without end");
    }
    assert!(tried >= 4, "{tried}");
    // Neither a browser that is known nor a recovery code is kept out by that.
    log_in(&ada, Some(&shown(&secret, 0))).await.ok();
    log_in(&server.client(), Some(&codes[0])).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn a_token_that_reads_does_not_play_and_one_that_expired_does_nothing() {
    let server = Server::start().await;
    let ada = server.client();
    register(&ada, "Ada").await;
    let wanted = json!({"label": "statistics", "scope": "read", "expires_in_days": 7});
    let made: CreatedToken = ada.post("/api/me/tokens", &wanted).await.json();
    assert_eq!(made.info.scope, TokenScope::Read);
    let week = made.info.expires.unwrap() - server::time::now();
    assert!((6 * server::time::DAY..=7 * server::time::DAY).contains(&week), "{week}");
    let reader = server.client().with_token(&made.token);
    assert_eq!(name_of(&reader).await, "Ada");
    let game = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    assert_eq!(reader.post("/api/games", &game).await.refused(403), "forbidden");
    let id = ada.post("/api/games", &game).await.value()["info"]["id"].as_str().unwrap().to_owned();
    reader.get(&format!("/api/games/{id}")).await.ok();
    for path in ["join", "leave", "resign", "abort"] {
        let answer = reader.post(&format!("/api/games/{id}/{path}"), &json!({})).await;
        assert_eq!(answer.refused(403), "forbidden", "{path}");
    }
    let socket = reader.try_socket(&format!("/api/games/{id}/socket"), &[]).await;
    let refused = socket.err().map(|error| error.to_string());
    assert!(refused.as_ref().is_some_and(|text| text.contains("403")), "{refused:?}");
    let sql = "UPDATE tokens SET expires = $1";
    let past = sqlx::query(sql).bind(server::time::now() - 1);
    past.execute(&server.app.db.pool).await.unwrap();
    assert_eq!(reader.get("/api/me").await.refused(401), "not_logged_in");
    let listed: Vec<TokenInfo> = ada.get("/api/me/tokens").await.json();
    assert_eq!(listed.len(), 1, "its owner still sees why it fails");
    for odd in [
        json!({"label": "x", "expires_in_days": 0}),
        json!({"label": "x", "expires_in_days": 9999}),
        json!({"label": "x", "expires_in_days": -1}),
        json!({"label": "x", "scope": "account"}),
    ] {
        assert_eq!(ada.post("/api/me/tokens", &odd).await.refused(400), "bad_request", "{odd}");
    }
    let player: CreatedToken = ada.post("/api/me/tokens", &json!({"label": "bot"})).await.json();
    assert_eq!((player.info.scope, player.info.expires), (TokenScope::Play, None));
    let player = server.client().with_token(&player.token);
    player.post("/api/games", &game).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn secrets_of_devices_and_authenticators_are_not_given_out() {
    let server = Server::start().await;
    let ada = server.client();
    let answer = ada.post("/api/register", &json!({"name": "Ada", "password": PASSWORD})).await;
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    let device = cookies.iter().find(|cookie| cookie.to_str().unwrap().contains("-device="));
    let device = device.expect("a device").to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/api/login"] {
        assert!(device.contains(part), "{device}");
    }
    let secret = device.split(['=', ';']).nth(1).unwrap();
    let stored: Vec<String> = sqlx::query_scalar("SELECT hash FROM devices")
        .fetch_all(&server.app.db.pool)
        .await
        .unwrap();
    assert!(stored.len() == 1 && stored[0] != secret);
    let (secret, _) = second_factor(&ada).await;
    for path in ["/api/me", "/api/session", "/api/me/sessions", "/api/me/tokens"] {
        let text = ada.get(path).await.ok().text;
        assert!(!text.contains(&secret), "{path}: {text}");
    }
    let listed: Value = ada.get("/api/me").await.value();
    assert_eq!(listed["second_factor"], true);
    server.stop().await;
}
