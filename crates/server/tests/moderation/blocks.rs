//! Blocks: two people who have nothing to do with each other any more.

use crate::common::{Client, Server};
use crate::support::*;
use serde_json::{Value, json};

async fn block(client: &Client, name: &str, blocked: bool) -> crate::common::Answer {
    let method = if blocked { reqwest::Method::PUT } else { reqwest::Method::DELETE };
    crate::common::Answer::of(client.request(method, &format!("/api/blocks/{name}"))).await
}

async fn waiting(client: &Client) -> Vec<String> {
    let lobby: Value = client.get("/api/lobby").await.value();
    let games = lobby["waiting"].as_array().unwrap().iter();
    games.map(|game| game["info"]["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn who_is_blocked_neither_invites_nor_joins_nor_is_read() {
    let server = Server::start().await;
    let (calm, calm_name) = registered(&server).await;
    let (pest, pest_name) = registered(&server).await;
    let game = game_of(&calm, &pest).await;
    let mut reader = calm.socket(&format!("/api/games/{game}/socket")).await;
    reader.next_of("welcome").await;
    say(&pest, &game, "before").await.ok();
    assert_eq!(reader.next_of("chat").await["line"]["text"], "before");
    let open = new_game(&pest, json!([{"kind": "me"}, {"kind": "open"}])).await;
    assert_eq!(waiting(&calm).await, std::slice::from_ref(&open));

    block(&calm, &pest_name, true).await.ok();
    block(&calm, &pest_name, true).await.ok();
    assert_eq!(calm.get("/api/blocks").await.value()[0]["name"], pest_name.as_str());
    assert_eq!(pest.get("/api/blocks").await.value(), json!([]), "a list of one's own");
    // Chat, either way.
    say(&pest, &game, "hidden").await.ok();
    say(&calm, &game, "hidden too").await.ok();
    assert_eq!(chat(&calm, &game).await, ["hidden too"]);
    assert_eq!(chat(&pest, &game).await, ["before", "hidden"]);
    // Invitations, either way.
    for (host, name) in [(&pest, &calm_name), (&calm, &pest_name)] {
        let seats = json!([{"kind": "me"}, {"kind": "user", "name": name}]);
        let body = json!({"game": "carcassonne", "seats": seats});
        assert_eq!(host.post("/api/games", &body).await.refused(403), "forbidden");
    }
    // Open games, either way: neither offered nor joined.
    assert_eq!(waiting(&calm).await, Vec::<String>::new());
    assert_eq!(join(&calm, &open).await.refused(403), "forbidden");
    let own = new_game(&calm, json!([{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])).await;
    assert_eq!(waiting(&pest).await, Vec::<String>::new());
    assert_eq!(join(&pest, &own).await.refused(403), "forbidden");
    // A third person sees both, and may bring neither to the other's table.
    let (third, _) = registered(&server).await;
    assert_eq!(waiting(&third).await.len(), 2);
    let shared =
        new_game(&third, json!([{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])).await;
    join(&pest, &shared).await.ok();
    assert_eq!(join(&calm, &shared).await.refused(403), "forbidden");
    // No rematch.
    let path = format!("/api/games/{game}");
    calm.post(&format!("{path}/resign"), &json!({})).await.ok();
    for client in [&pest, &calm] {
        let again = client.post(&format!("{path}/rematch"), &json!({"accept": true})).await;
        assert_eq!(again.refused(403), "forbidden");
    }
    // After a restart too, until it is taken back.
    let server = server.restart().await;
    let (calm, pest) = (calm.moved_to(server.address), pest.moved_to(server.address));
    assert_eq!(join(&calm, &open).await.refused(403), "forbidden");
    block(&calm, &pest_name, false).await.ok();
    assert_eq!(calm.get("/api/blocks").await.value(), json!([]));
    join(&calm, &open).await.ok();
    assert_eq!(chat(&calm, &game).await, ["before", "hidden", "hidden too"]);
    drop(pest);
}

#[tokio::test]
async fn an_invitation_of_before_is_not_shown_and_not_taken() {
    let server = Server::start().await;
    let (calm, calm_name) = registered(&server).await;
    let (pest, pest_name) = registered(&server).await;
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": calm_name}]);
    let game = new_game(&pest, seats).await;
    let invited = |lobby: Value| lobby["invitations"].as_array().unwrap().len();
    assert_eq!(invited(calm.get("/api/lobby").await.value()), 1);
    block(&calm, &pest_name, true).await.ok();
    assert_eq!(invited(calm.get("/api/lobby").await.value()), 0);
    assert_eq!(join(&calm, &game).await.refused(403), "forbidden");
}

#[tokio::test]
async fn nobody_blocks_themselves_or_nobody() {
    let server = Server::start().await;
    let (client, name) = registered(&server).await;
    assert_eq!(block(&client, &name, true).await.refused(400), "bad_request");
    assert_eq!(block(&client, "nobody-at-all", true).await.refused(404), "not_found");
    assert_eq!(block(&server.client(), &name, true).await.refused(401), "not_logged_in");
}
