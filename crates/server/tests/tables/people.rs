//! What changes about a person reaches the tables and sockets that are open: a name, a mute, a
//! session or a token that is over, a ban.

use crate::common::{Client, Server, Socket};
use crate::support::*;
use serde_json::{Value, json};

/// The names on the seats, as an info has them.
fn names(info: &Value) -> Vec<String> {
    let name = |seat: &Value| seat["sitter"]["name"].as_str().unwrap_or_default().to_owned();
    info["seats"].as_array().unwrap().iter().map(name).collect()
}

/// Another name that nobody has.
fn new_name() -> String {
    format!("n{}", server::ids::new_id())
}

/// Waits for the end of a socket.
async fn until_closed(mut socket: Socket) {
    while socket.next().await.is_some() {}
}

#[tokio::test]
async fn a_new_name_is_at_the_table_at_once() {
    let server = quick_server().await;
    let (guest, other, id) = game_for_two(&server, json!({})).await;
    let mut watcher = SocketPlayer::sit(&other, &id).await;
    let path = format!("/api/games/{id}/chat");
    guest.post(&path, &json!({"text": "as a guest"})).await.ok();
    // A guest who registers in the middle of a game stays where they sit.
    let first = new_name();
    let body = json!({"name": first, "password": "a long password"});
    guest.post("/api/register", &body).await.ok();
    while names(&watcher.info)[0] != first {
        watcher.next().await;
    }
    let mut speaker = SocketPlayer::sit(&guest, &id).await;
    let second = new_name();
    let body = json!({"password": "a long password", "new_name": second});
    guest.patch("/api/me", &body).await.ok();
    while names(&watcher.info)[0] != second {
        watcher.next().await;
    }
    assert_eq!(watcher.info["host"]["name"], second.as_str());
    // Also what is said over a socket that was open before.
    speaker.ask(&json!({"type": "chat", "id": 1, "text": "as a user"})).await;
    assert_eq!(watcher.next_of("chat").await["line"]["name"], second.as_str());
    let chat = state(&other, &id).await["chat"].clone();
    assert!(chat.as_array().unwrap().iter().all(|line| line["name"] == second.as_str()), "{chat}");
    let server = server.restart().await;
    let again = state(&other.moved_to(server.address), &id).await;
    assert_eq!((&again["chat"], &names(&again["info"])[0]), (&chat, &second));
}

#[tokio::test]
async fn a_mute_counts_at_once_and_everywhere() {
    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let mut reader = SocketPlayer::sit(&other, &id).await;
    let name = host.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let say = async |text: &str| {
        host.post(&format!("/api/games/{id}/chat"), &json!({"text": text})).await.ok();
    };
    let mute = async |method: reqwest::Method| {
        let request = other.request(method, &format!("/api/mutes/{name}"));
        crate::common::Answer::of(request).await.ok();
    };
    say("before").await;
    assert_eq!(reader.next_of("chat").await["line"]["text"], "before");
    mute(reqwest::Method::PUT).await;
    say("muted").await;
    assert_eq!(state(&other, &id).await["chat"], json!([]), "over HTTP too");
    mute(reqwest::Method::DELETE).await;
    say("after").await;
    assert_eq!(reader.next_of("chat").await["line"]["text"], "after");
    mute(reqwest::Method::PUT).await;
    let server = server.restart().await;
    assert_eq!(state(&other.moved_to(server.address), &id).await["chat"], json!([]));
}

/// A running game with a socket of its player, by the client's token or cookie.
async fn at_a_table(client: &Client) -> Socket {
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]});
    let id = new_game(client, &body).await;
    SocketPlayer::sit(client, &id).await.socket
}

#[tokio::test]
async fn what_is_over_is_over_for_open_sockets_and_streams_too() {
    let server = quick_server().await;
    let owner = registered(&server).await;
    let made = owner.post("/api/me/tokens", &json!({"label": "bot", "bot": true})).await.value();
    let program = owner.with_token(made["token"].as_str().unwrap());
    let by_token = at_a_table(&program).await;
    let by_cookie = at_a_table(&owner).await;
    let stream = program.request(reqwest::Method::GET, "/api/stream").send().await.unwrap();
    let path = format!("/api/me/tokens/{}", made["info"]["id"].as_str().unwrap());
    owner.delete(&path, &json!({})).await.ok();
    until_closed(by_token).await;
    stream.text().await.expect("the stream comes to its end");
    owner.post("/api/logout", &json!({})).await.ok();
    until_closed(by_cookie).await;
}

#[tokio::test]
async fn a_ban_closes_open_sockets() {
    let server: Server = quick_server().await;
    let client = registered(&server).await;
    let socket = at_a_table(&client).await;
    let name = client.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    server::staff::admin::ban(&server.app.db, &name, true).await.unwrap();
    until_closed(socket).await;
    assert_eq!(client.get("/api/me").await.refused(403), "forbidden");
}

#[tokio::test]
async fn an_invitation_keeps_nobody_from_leaving_for_good() {
    let server = quick_server().await;
    let (host, invited) = (server.guest().await, registered(&server).await);
    let name = invited.get("/api/me").await.value()["name"].clone();
    let seats = json!([{"kind": "me"}, {"kind": "user", "name": name}]);
    let id = new_game(
        &host,
        &json!({"game": "carcassonne", "seats": seats,
        "shuffle_seats": false}),
    )
    .await;
    invited.delete("/api/me", &json!({"password": "a long password"})).await.ok();
    let seat = state(&host, &id).await["info"]["seats"][1]["sitter"].clone();
    assert_eq!(seat, json!({"kind": "open"}), "the seat is free for others");
}
