//! People of all roles, and tables for two.

use crate::common::{Client, Server};
use serde_json::{Value, json};
use server::people::accounts::Role;

/// A client with an account, and its name.
pub(crate) async fn registered(server: &Server) -> (Client, String) {
    let client = server.client();
    let name = format!("u{}", server::ids::new_id());
    let credentials = json!({"name": name, "password": "a long password"});
    client.post("/api/register", &credentials).await.ok();
    (client, name)
}

/// A client with an account of a role, and its name.
pub(crate) async fn with_role(server: &Server, role: Role) -> (Client, String) {
    let (client, name) = registered(server).await;
    server::staff::admin::set_role(&server.app.db, &name, role).await.unwrap();
    (client, name)
}

/// A client's id.
pub(crate) async fn id_of(client: &Client) -> String {
    client.get("/api/me").await.value()["id"].as_str().unwrap().to_owned()
}

/// Makes a game and gives its id.
pub(crate) async fn new_game(host: &Client, seats: Value) -> String {
    let body = json!({"game": "carcassonne", "seats": seats, "shuffle_seats": false});
    let made = host.post("/api/games", &body).await.value();
    made["info"]["id"].as_str().unwrap().to_owned()
}

/// A game of two that has begun.
pub(crate) async fn game_of(host: &Client, other: &Client) -> String {
    let id = new_game(host, json!([{"kind": "me"}, {"kind": "open"}])).await;
    join(other, &id).await.ok();
    id
}

/// Sits down at a table.
pub(crate) async fn join(client: &Client, game: &str) -> crate::common::Answer {
    client.post(&format!("/api/games/{game}/join"), &json!({})).await
}

/// Says something at a table.
pub(crate) async fn say(client: &Client, game: &str, text: &str) -> crate::common::Answer {
    client.post(&format!("/api/games/{game}/chat"), &json!({"text": text})).await
}

/// The texts of the chat that a client reads at a table.
pub(crate) async fn chat(client: &Client, game: &str) -> Vec<String> {
    let state = client.get(&format!("/api/games/{game}")).await.value();
    let lines = state["chat"].as_array().unwrap().iter();
    lines.map(|line| line["text"].as_str().unwrap().to_owned()).collect()
}

/// Lays a sanction on a person.
pub(crate) async fn punish(
    moderator: &Client,
    name: &str,
    sanction: &Value,
) -> crate::common::Answer {
    moderator.post(&format!("/api/moderation/people/{name}/sanctions"), sanction).await
}

/// What moderators know of a person.
pub(crate) async fn history(moderator: &Client, name: &str) -> Value {
    moderator.get(&format!("/api/moderation/people/{name}")).await.value()
}
