//! Reports: what is kept of a line of chat, who sees them, what their maker learns.

use crate::common::{Client, Server};
use crate::support::*;
use serde_json::{Value, json};
use server::people::accounts::Role;

async fn queue(moderator: &Client, part: &str) -> Vec<Value> {
    let path = format!("/api/moderation/reports?part={part}");
    moderator.get(&path).await.value()["reports"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_line_of_chat_is_reported_and_handled() {
    let server = Server::start().await;
    let (rude, _) = registered(&server).await;
    let (victim, _) = registered(&server).await;
    let (moderator, moderator_name) = with_role(&server, Role::Moderator).await;
    let game = game_of(&rude, &victim).await;
    for text in ["hello", "you play like an oaf", "sorry"] {
        say(&rude, &game, text).await.ok();
    }
    let report = json!({"game": game, "line": 2, "reason": "abuse", "words": "He insults me."});
    let made = victim.post("/api/reports", &report).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text);
    assert_eq!(victim.post("/api/reports", &report).await.refused(409), "conflict");
    // What happens to the chat later does not matter.
    sqlx::query("UPDATE chat SET text = 'have a nice day'")
        .execute(&server.app.db.pool)
        .await
        .unwrap();
    let open = queue(&moderator, "open").await;
    assert_eq!(open.len(), 1);
    assert_eq!(open[0]["subject"]["id"], id_of(&rude).await.as_str());
    assert_eq!(open[0]["game"], game.as_str());
    let texts: Vec<&str> = open[0]["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["hello", "you play like an oaf", "sorry"]);

    let path = format!("/api/moderation/reports/{}", open[0]["id"].as_str().unwrap());
    moderator.post(&format!("{path}/take"), &json!({})).await.ok();
    assert!(queue(&moderator, "open").await.is_empty());
    assert_eq!(queue(&moderator, "mine").await.len(), 1);
    let (second, _) = with_role(&server, Role::Moderator).await;
    assert_eq!(queue(&second, "others").await.len(), 1);
    assert_eq!(second.post(&format!("{path}/take"), &json!({})).await.refused(409), "conflict");
    let how = json!({"outcome": "acted", "note": "A first warning."});
    moderator.post(&format!("{path}/close"), &how).await.ok();
    assert_eq!(moderator.post(&format!("{path}/take"), &json!({})).await.refused(409), "conflict");
    let done = queue(&second, "done").await;
    assert_eq!(done[0]["taken_by"]["name"], moderator_name.as_str());
    // Who made the report learns that it was handled, and nothing else.
    let own = victim.get("/api/reports").await.value();
    assert_eq!(own[0]["handled"], true);
    let text = own.to_string();
    assert!(
        !text.contains("warning") && !text.contains("acted") && !text.contains("done"),
        "{text}"
    );
    // A new one may be made, and the log has it all.
    victim.post("/api/reports", &report).await.ok();
    let log = moderator.get("/api/moderation/audit").await.value().to_string();
    assert!(log.contains("take_report") && log.contains("close_report"), "{log}");
}

#[tokio::test]
async fn only_moderators_come_to_their_desk() {
    let server = Server::start().await;
    let (user, name) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let made = moderator.post("/api/me/tokens", &json!({"label": "x"})).await.value();
    let token = moderator.with_token(made["token"].as_str().unwrap());
    let guest = server.guest().await;
    let nobody = server.client();
    let reason = json!({"reason": "because"});
    let ban = json!({"kind": "ban", "reason": "because"});
    let close = json!({"outcome": "acted"});
    let person = format!("/api/moderation/people/{name}");
    let sanctions = format!("{person}/sanctions");
    let posts = [
        ("/api/moderation/reports/x/take", &reason),
        ("/api/moderation/reports/x/release", &reason),
        ("/api/moderation/reports/x/close", &close),
        (sanctions.as_str(), &ban),
        ("/api/moderation/sanctions/x/lift", &reason),
        ("/api/moderation/games/x/annul", &reason),
    ];
    let gets =
        ["/api/moderation/reports", &person, "/api/moderation/sanctions", "/api/moderation/audit"];
    for client in [&user, &token, &guest] {
        for (path, body) in posts {
            assert_eq!(client.post(path, body).await.refused(403), "forbidden", "{path}");
        }
        for path in gets {
            assert_eq!(client.get(path).await.refused(403), "forbidden", "{path}");
        }
    }
    for (path, body) in posts {
        assert_eq!(nobody.post(path, body).await.refused(401), "not_logged_in", "{path}");
    }
    for path in gets {
        moderator.get(path).await.ok();
    }
    // Who is no moderator any more is none at once.
    let (was, was_name) = with_role(&server, Role::Administrator).await;
    was.get("/api/moderation/audit").await.ok();
    server::staff::admin::set_role(&server.app.db, &was_name, Role::User).await.unwrap();
    assert_eq!(was.get("/api/moderation/audit").await.refused(403), "forbidden");
}

#[tokio::test]
async fn reports_name_what_their_maker_can_see() {
    let server = Server::start().await;
    let (host, host_name) = registered(&server).await;
    let (player, player_name) = registered(&server).await;
    let (stranger, _) = registered(&server).await;
    let game = game_of(&host, &player).await;
    say(&player, &game, "among players").await.ok();
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": player_name}]);
    let body = json!({"game": "carcassonne", "seats": seats, "visibility": "private"});
    let private = host.post("/api/games", &body).await.value();
    let private = private["info"]["id"].as_str().unwrap().to_owned();
    let report = |more: Value| {
        let mut body = json!({"reason": "abuse"});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        body
    };
    for (body, status) in [
        (report(json!({"game": game, "line": 1})), 400), // spectators do not read it
        (report(json!({"game": game, "line": 99})), 400),
        (report(json!({"game": game, "line": u64::MAX})), 400),
        (report(json!({"game": private, "user": host_name})), 400),
        (report(json!({"game": "nonesuch", "user": host_name})), 400),
        (report(json!({"line": 1})), 400),
        (report(json!({})), 400),
        (report(json!({"user": "nobody-at-all"})), 400),
        (report(json!({"user": "a\0b"})), 400),
        (report(json!({"user": host_name, "words": "w".repeat(501)})), 400),
        (report(json!({"user": host_name, "words": "left\u{202e}right"})), 400),
    ] {
        let answer = stranger.post("/api/reports", &body).await;
        assert_eq!(answer.status.as_u16(), status, "{body}: {}", answer.text);
    }
    let odd = json!({"user": host_name, "reason": "dislike"});
    assert!(stranger.post("/api/reports", &odd).await.status.is_client_error());
    let own = host.get("/api/me").await.value()["name"].clone();
    let answer = host.post("/api/reports", &report(json!({"user": own}))).await;
    assert_eq!(answer.refused(400), "bad_request");
    let other_game = new_game(&stranger, json!([{"kind": "me"}, {"kind": "open"}])).await;
    let answer = stranger
        .post("/api/reports", &report(json!({"game": other_game, "user": host_name})))
        .await;
    assert_eq!(answer.refused(400), "bad_request", "who does not play a game is not shown by it");
    let good = report(json!({"game": game, "user": player_name, "words": "x".repeat(500)}));
    assert_eq!(stranger.post("/api/reports", &good).await.status.as_u16(), 201);
}

/// A private game of two that has begun, and the second player's name.
async fn private_game(host: &Client, other: &Client, more: Value) -> (String, String) {
    let name = other.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": name}]);
    let mut body = json!({"game": "carcassonne", "seats": seats, "visibility": "private"});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    let made = host.post("/api/games", &body).await.value();
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    join(other, &id).await.ok();
    (id, name)
}

#[tokio::test]
async fn a_moderator_looks_into_a_private_game_that_is_evidence() {
    let server = Server::start().await;
    let (victim, _) = registered(&server).await;
    let (rude, _) = registered(&server).await;
    let (stranger, _) = registered(&server).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let made = moderator.post("/api/me/tokens", &json!({"label": "x"})).await.value();
    let token = moderator.with_token(made["token"].as_str().unwrap());
    let (game, rude_name) = private_game(&victim, &rude, json!({})).await;
    let path = format!("/api/games/{game}");
    let looks =
        ["", "/record", "/replay", "/view", "/updates?wait=0"].map(|end| format!("{path}{end}"));
    let none = async |client: &Client| {
        for look in &looks {
            assert_eq!(client.get(look).await.refused(404), "not_found", "{look}");
        }
    };
    none(&moderator).await;
    let report = json!({"user": rude_name, "game": game, "reason": "stalling"});
    victim.post("/api/reports", &report).await.ok();
    for look in &looks {
        moderator.get(look).await.ok();
    }
    let mut socket = moderator.socket(&format!("{path}/socket")).await;
    assert_eq!(socket.next_of("welcome").await["info"]["id"], game.as_str());
    // They look on; everybody else, and a program of theirs, still sees no game.
    assert_eq!(say(&moderator, &game, "hello").await.refused(404), "not_found");
    none(&token).await;
    none(&stranger).await;
    rude.post(&format!("{path}/resign"), &json!({})).await.ok();
    moderator.get(&format!("{path}/fairness")).await.ok();
    none(&stranger).await;
}

#[tokio::test]
async fn private_games_are_looked_into_where_they_count_and_by_whom_the_report_is_for() {
    let server = Server::start().await;
    let (user, _) = registered(&server).await;
    let (accused, _) = with_role(&server, Role::Moderator).await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let (administrator, _) = with_role(&server, Role::Administrator).await;
    let (game, name) = private_game(&user, &accused, json!({})).await;
    let report = json!({"user": name, "game": game, "reason": "abuse"});
    user.post("/api/reports", &report).await.ok();
    let path = format!("/api/games/{game}");
    assert_eq!(moderator.get(&path).await.refused(404), "not_found", "about a moderator");
    administrator.get(&path).await.ok();
    // A rated game changes a list that everybody reads.
    let clock = json!({"kind": "game", "initial_ms": 600_000, "increment_ms": 0});
    let (other, _) = registered(&server).await;
    let rated = json!({"rated": true, "clock": clock});
    let (game, _) = private_game(&user, &other, rated).await;
    moderator.get(&format!("/api/games/{game}")).await.ok();
    moderator.get(&format!("/api/games/{game}/record")).await.ok();
    let (stranger, _) = registered(&server).await;
    assert_eq!(stranger.get(&format!("/api/games/{game}")).await.refused(404), "not_found");
}

#[tokio::test]
async fn reports_are_limited() {
    let server = Server::start_with(|config| config.limits = true).await;
    let reporter = server.guest().await;
    for n in 0..6 {
        let guest = server.guest().await;
        let name = guest.get("/api/me").await.value()["name"].clone();
        let answer = reporter.post("/api/reports", &json!({"user": name, "reason": "spam"})).await;
        assert_eq!(answer.status.as_u16(), if n < 5 { 201 } else { 429 }, "{}", answer.text);
    }
}

#[tokio::test]
async fn a_report_about_a_moderator_is_for_administrators() {
    let server = Server::start().await;
    let (user, _) = registered(&server).await;
    let (first, name) = with_role(&server, Role::Moderator).await;
    let (second, _) = with_role(&server, Role::Moderator).await;
    let (administrator, _) = with_role(&server, Role::Administrator).await;
    let report = json!({"user": name, "reason": "abuse", "words": "He abuses his power."});
    user.post("/api/reports", &report).await.ok();
    assert!(queue(&first, "open").await.is_empty());
    assert!(queue(&second, "open").await.is_empty());
    let open = queue(&administrator, "open").await;
    let path = format!("/api/moderation/reports/{}/take", open[0]["id"].as_str().unwrap());
    assert_eq!(first.post(&path, &json!({})).await.refused(404), "not_found");
    assert_eq!(history(&first, &name).await["reports"], json!([]));
    assert_eq!(history(&second, &name).await["reports"], json!([]));
    assert_eq!(history(&administrator, &name).await["reports"].as_array().unwrap().len(), 1);
    administrator.post(&path, &json!({})).await.ok();
}
