//! Sanctions: they act at once, on those on whom they may be laid, and end.

use crate::common::Server;
use crate::support::*;
use serde_json::json;
use server::people::accounts::Role;

#[tokio::test]
async fn who_is_silenced_says_nothing_until_it_is_over() {
    let server = Server::start().await;
    let (loud, name) = registered(&server).await;
    let (other, _) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let game = game_of(&loud, &other).await;
    let mut socket = loud.socket(&format!("/api/games/{game}/socket")).await;
    socket.next_of("welcome").await;
    say(&loud, &game, "one").await.ok();
    let timeout = json!({"kind": "chat_timeout", "reason": "insults", "minutes": 60});
    let laid = punish(&moderator, &name, &timeout).await.value();
    assert_eq!(say(&loud, &game, "two").await.refused(403), "forbidden");
    socket.send(&json!({"type": "chat", "id": 1, "text": "three"})).await;
    let refused = socket.next_of("refused").await;
    assert!(refused["problem"]["message"].as_str().unwrap().contains(" minutes"), "{refused}");
    // Everything else goes on.
    loud.post(&format!("/api/games/{game}/draw"), &json!({"accept": true})).await.ok();
    let server = server.restart().await;
    let (loud, moderator) = (loud.moved_to(server.address), moderator.moved_to(server.address));
    assert_eq!(say(&loud, &game, "four").await.refused(403), "forbidden");
    let lift = format!("/api/moderation/sanctions/{}/lift", laid["id"].as_str().unwrap());
    moderator.post(&lift, &json!({"reason": "apologised"})).await.ok();
    say(&loud, &game, "five").await.ok();
    assert_eq!(moderator.post(&lift, &json!({"reason": "twice"})).await.refused(409), "conflict");
    punish(&moderator, &name, &timeout).await.ok();
    let past = "UPDATE sanctions SET ends = 1 WHERE kind = 'chat_timeout'";
    sqlx::query(past).execute(&server.app.db.pool).await.unwrap();
    let server = server.restart().await;
    say(&loud.moved_to(server.address), &game, "six").await.ok();
    assert_eq!(chat(&other.moved_to(server.address), &game).await, ["one", "five", "six"]);
}

#[tokio::test]
async fn a_timed_ban_acts_at_once_says_why_and_ends_by_itself() {
    let server = Server::start().await;
    let (user, name) = registered(&server).await;
    let (other, _) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let made = user.post("/api/me/tokens", &json!({"label": "x"})).await.value();
    let program = user.with_token(made["token"].as_str().unwrap());
    let game = game_of(&user, &other).await;
    let mut socket = user.socket(&format!("/api/games/{game}/socket")).await;
    let mut by_token = program.socket(&format!("/api/games/{game}/socket")).await;
    let stream = program.request(reqwest::Method::GET, "/api/stream").send().await.unwrap();
    let ban = json!({"kind": "ban", "reason": "several accounts", "minutes": 3 * 24 * 60});
    punish(&moderator, &name, &ban).await.ok();
    while socket.next().await.is_some() {}
    while by_token.next().await.is_some() {}
    stream.text().await.expect("the stream comes to its end");
    for client in [&user, &program] {
        let answer = client.get("/api/me").await;
        assert!(answer.text.contains("several accounts"), "{}", answer.text);
        assert!(answer.text.contains("for 2 days"), "{}", answer.text);
        assert_eq!(answer.refused(403), "forbidden");
    }
    let login = json!({"name": name, "password": "a long password"});
    assert_eq!(server.client().post("/api/login", &login).await.refused(403), "forbidden");
    // Who comes back finds the game as it was.
    let playing = other.get(&format!("/api/games/{game}")).await.value();
    assert_eq!(playing["info"]["status"], "playing");
    let db = &server.app.db;
    for sql in
        ["UPDATE sanctions SET ends = 1", "UPDATE users SET banned_until = 1 WHERE banned = 1"]
    {
        sqlx::query(sql).execute(&db.pool).await.unwrap();
    }
    for _ in 0..600 {
        if user.get("/api/me").await.status.is_success() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    user.get("/api/me").await.ok();
    program.get("/api/me").await.ok();
}

#[tokio::test]
async fn a_ban_without_an_end_gives_up_the_games() {
    let server = Server::start().await;
    let (user, name) = registered(&server).await;
    let (other, _) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let playing = game_of(&user, &other).await;
    let waiting = new_game(&user, json!([{"kind": "me"}, {"kind": "open"}])).await;
    let ban = json!({"kind": "ban", "reason": "engine"});
    let laid = punish(&moderator, &name, &ban).await.value();
    let over = other.get(&format!("/api/games/{playing}")).await.value();
    assert_eq!(over["info"]["result"]["reason"], "resign");
    assert_eq!(over["info"]["result"]["winners"], json!([1]));
    let called_off = other.get(&format!("/api/games/{waiting}")).await.value();
    assert_eq!(called_off["info"]["status"], "over");
    // Two bans: lifting one leaves the other.
    let second = punish(&moderator, &name, &ban).await.value();
    let lift =
        |id: &serde_json::Value| format!("/api/moderation/sanctions/{}/lift", id.as_str().unwrap());
    moderator.post(&lift(&laid["id"]), &json!({"reason": "mistake"})).await.ok();
    assert_eq!(user.get("/api/me").await.refused(403), "forbidden");
    moderator.post(&lift(&second["id"]), &json!({"reason": "mistake"})).await.ok();
    user.get("/api/me").await.ok();
    let history = history(&moderator, &name).await;
    assert_eq!(history["sanctions"].as_array().unwrap().len(), 2);
    assert_eq!(history["sanctions"][0]["active"], false);
}

#[tokio::test]
async fn who_is_kept_out_is_not_played_against_by_what_they_offered_before() {
    let server = Server::start().await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    for (kind, minutes) in [("ban", Some(60)), ("ban", None), ("closed", None)] {
        let (user, name) = registered(&server).await;
        let (other, _) = registered(&server).await;
        let over = game_of(&user, &other).await;
        other.post(&format!("/api/games/{over}/resign"), &json!({})).await.ok();
        let rematch = format!("/api/games/{over}/rematch");
        user.post(&rematch, &json!({"accept": true})).await.ok();
        let waiting = new_game(&user, json!([{"kind": "me"}, {"kind": "open"}])).await;
        let sanction = json!({"kind": kind, "reason": "a test", "minutes": minutes});
        punish(&moderator, &name, &sanction).await.ok();
        let accepted = other.post(&rematch, &json!({"accept": true})).await;
        assert_eq!(accepted.refused(409), "conflict", "{kind} {minutes:?}");
        assert_eq!(join(&other, &waiting).await.refused(409), "conflict", "{kind} {minutes:?}");
    }
}

#[tokio::test]
async fn a_closed_account_is_gone_until_it_is_opened_again() {
    let server = Server::start().await;
    let (user, name) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let laid =
        punish(&moderator, &name, &json!({"kind": "closed", "reason": "a bot farm"})).await.value();
    assert_eq!(user.get("/api/me").await.refused(401), "not_logged_in", "sessions are gone");
    assert_eq!(server.client().get(&format!("/api/users/{name}")).await.refused(404), "not_found");
    let login = json!({"name": name, "password": "a long password"});
    assert_eq!(user.post("/api/login", &login).await.refused(403), "forbidden");
    let lift = format!("/api/moderation/sanctions/{}/lift", laid["id"].as_str().unwrap());
    moderator.post(&lift, &json!({"reason": "another one was meant"})).await.ok();
    user.post("/api/login", &login).await.ok();
    server.client().get(&format!("/api/users/{name}")).await.ok();
}

#[tokio::test]
async fn moderators_act_on_users_and_administrators_on_all_but_themselves() {
    let server = Server::start().await;
    let (moderator, moderator_name) = with_role(&server, Role::Moderator).await;
    let (_, other_moderator) = with_role(&server, Role::Moderator).await;
    let (administrator, administrator_name) = with_role(&server, Role::Administrator).await;
    let (_, user) = registered(&server).await;
    let ban = json!({"kind": "ban", "reason": "a test"});
    for name in [&moderator_name, &other_moderator, &administrator_name] {
        assert_eq!(punish(&moderator, name, &ban).await.refused(403), "forbidden", "{name}");
        assert_eq!(history(&moderator, name).await["may_act"], false);
        assert_eq!(history(&moderator, name).await["addresses"], json!([]));
    }
    assert_eq!(
        punish(&administrator, &administrator_name, &ban).await.refused(403),
        "forbidden",
        "not on oneself"
    );
    let laid = punish(&administrator, &other_moderator, &ban).await.value();
    let lift = format!("/api/moderation/sanctions/{}/lift", laid["id"].as_str().unwrap());
    let reason = json!({"reason": "a friend of mine"});
    assert_eq!(moderator.post(&lift, &reason).await.refused(403), "forbidden");
    // Nor what an administrator laid on a user.
    let (_, kept_out) = registered(&server).await;
    let laid = punish(&administrator, &kept_out, &ban).await.value();
    let lift = format!("/api/moderation/sanctions/{}/lift", laid["id"].as_str().unwrap());
    assert_eq!(moderator.post(&lift, &reason).await.refused(403), "forbidden");
    administrator.post(&lift, &reason).await.ok();
    for odd in [
        json!({"kind": "ban", "reason": ""}),
        json!({"kind": "ban", "reason": " \u{200b} "}),
        json!({"kind": "ban", "reason": "r".repeat(501)}),
        json!({"kind": "ban", "reason": "x", "minutes": 0}),
        json!({"kind": "ban", "reason": "x", "minutes": 4_000_000}),
        json!({"kind": "closed", "reason": "x", "minutes": 5}),
        json!({"kind": "annulled", "reason": "x"}),
        json!({"kind": "address_ban", "reason": "x"}),
        json!({"kind": "ban", "reason": "x", "address": "abc"}),
    ] {
        assert_eq!(punish(&moderator, &user, &odd).await.refused(400), "bad_request", "{odd}");
    }
    assert_eq!(history(&moderator, &user).await["sanctions"], json!([]));
}

#[tokio::test]
async fn nobody_is_taken_for_another_by_a_name_that_is_an_id() {
    let server = Server::start().await;
    let (victim, _) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let id = id_of(&victim).await;
    let sly = server.client();
    let credentials = json!({"name": id, "password": "a long password"});
    sly.post("/api/register", &credentials).await.ok();
    let ban = json!({"kind": "ban", "reason": "a misleading name"});
    punish(&moderator, &id, &ban).await.ok();
    victim.get("/api/me").await.ok();
    assert_eq!(sly.get("/api/me").await.refused(403), "forbidden");
    assert_eq!(history(&moderator, &format!("id:{id}")).await["user"]["id"], id.as_str());
}

#[tokio::test]
async fn names_of_before_are_in_the_history() {
    let server = Server::start().await;
    let (user, first) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let second = format!("n{}", server::ids::new_id());
    let change = json!({"password": "a long password", "new_name": second});
    user.patch("/api/me", &change).await.ok();
    assert_eq!(history(&moderator, &second).await["names"][0]["name"], first.as_str());
}
