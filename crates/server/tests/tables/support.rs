//! Clients that play: they choose among the moves that the server offers.

use crate::common::{Client, Server, Socket};
use game::Random;
use serde_json::{Value, json};
use server::config::TableSettings;
use std::time::Duration;

/// A server whose bots do not dawdle.
pub(crate) async fn quick_server() -> Server {
    server_with(|_| {}).await
}

/// A quick server with other settings for its tables.
pub(crate) async fn server_with(change: impl FnOnce(&mut TableSettings)) -> Server {
    Server::start_with(|config| {
        config.tables.bot_pause = Duration::ZERO;
        config.tables.bot_time = Duration::from_millis(20);
        config.bot_threads = 1;
        change(&mut config.tables);
    })
    .await
}

/// Who a client is.
pub(crate) async fn user_id(client: &Client) -> String {
    client.get("/api/me").await.value()["id"].as_str().expect("an id").to_owned()
}

/// Makes a game and gives its id.
pub(crate) async fn new_game(host: &Client, body: &Value) -> String {
    let made = host.post("/api/games", body).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text);
    made.value()["info"]["id"].as_str().expect("an id").to_owned()
}

/// A game for two guests: the host on seat 0, the other on seat 1.
pub(crate) async fn game_for_two(server: &Server, more: Value) -> (Client, Client, String) {
    let (host, other) = (server.guest().await, server.guest().await);
    let mut body = json!({
        "game": "carcassonne",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "shuffle_seats": false,
    });
    for (key, value) in more.as_object().expect("an object") {
        body[key] = value.clone();
    }
    let id = new_game(&host, &body).await;
    other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    (host, other, id)
}

/// The whole state as a client sees it.
pub(crate) async fn state(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/games/{id}")).await.value()
}

/// A turn among those that an update offers.
pub(crate) fn pick_turn(update: &Value, random: &mut Random) -> Vec<String> {
    let legal = update["legal"].as_array().expect("the legal turns of the player to move");
    let first = random.pick(legal).expect("a legal move");
    let then = first["then"].as_array().expect("a list");
    let second = random.pick(then);
    [Some(&first["move"]), second]
        .into_iter()
        .flatten()
        .map(|m| m.as_str().expect("a move").to_owned())
        .collect()
}

/// Plays a turn over HTTP for whoever of the clients is to move; gives the answer.
pub(crate) async fn play_turn(clients: &[&Client], id: &str, random: &mut Random) -> Value {
    for client in clients {
        let update = state(client, id).await["update"].clone();
        if update["legal"].is_array() {
            let body = json!({"version": update["version"], "moves": pick_turn(&update, random)});
            return client.post(&format!("/api/games/{id}/play"), &body).await.value();
        }
    }
    panic!("none of them is to move in {id}");
}

/// Plays whole turns until the game is over or so many are played.
pub(crate) async fn play_turns(clients: &[&Client], id: &str, turns: usize, random: &mut Random) {
    for _ in 0..turns {
        play_turn(clients, id, random).await;
    }
}

/// Waits until a game is over; gives its last state.
pub(crate) async fn until_over(client: &Client, id: &str) -> Value {
    until(client, id, |state| state["info"]["status"] == "over").await
}

/// Waits until something holds of a game. The machine may be slow: the wait is long.
pub(crate) async fn until(client: &Client, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1200 {
        let now = state(client, id).await;
        if holds(&now) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came: {}", state(client, id).await["info"]);
}

/// A player at a socket.
pub(crate) struct SocketPlayer {
    pub(crate) socket: Socket,
    pub(crate) update: Value,
    pub(crate) info: Value,
    pub(crate) number: u64,
}

impl SocketPlayer {
    pub(crate) async fn sit(client: &Client, id: &str) -> Self {
        Self::sit_from(client, id, None).await
    }

    pub(crate) async fn sit_from(client: &Client, id: &str, from: Option<u64>) -> Self {
        let from = from.map_or_else(String::new, |from| format!("?from={from}"));
        let mut socket = client.socket(&format!("/api/games/{id}/socket{from}")).await;
        let welcome = socket.next().await.expect("a welcome");
        assert_eq!(welcome["type"], "welcome");
        let (update, info) = (welcome["update"].clone(), welcome["info"].clone());
        Self { socket, update, info, number: 100 }
    }

    /// Takes the next message; keeps updates and infos.
    pub(crate) async fn next(&mut self) -> Value {
        let message = self.socket.next().await.expect("the socket is open");
        match message["type"].as_str() {
            Some("update") => self.update = message["update"].clone(),
            Some("info") => self.info = message["info"].clone(),
            _ => {}
        }
        message
    }

    /// Takes messages until one is of a type.
    pub(crate) async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Sends a play and gives its answer: `done` or `refused`.
    pub(crate) async fn play(&mut self, version: u64, moves: &[String]) -> Value {
        self.number += 1;
        let id = self.number;
        let message = json!({"type": "play", "id": id, "version": version, "moves": moves});
        let answer = self.ask(&message).await;
        // The acknowledgement may overtake the update.
        while answer["played"]["version"].as_u64().is_some_and(|now| now > self.version()) {
            self.next().await;
        }
        answer
    }

    /// Sends a message with a number and gives its answer.
    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        self.socket.send(message).await;
        loop {
            let answer = self.next().await;
            let kind = answer["type"].as_str();
            if matches!(kind, Some("done" | "refused")) && answer["id"] == message["id"] {
                return answer;
            }
        }
    }

    pub(crate) fn version(&self) -> u64 {
        self.update["version"].as_u64().expect("a version")
    }

    pub(crate) fn to_move(&self) -> bool {
        self.update["legal"].is_array()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.update["result"].is_object()
    }
}

/// A client with an account.
pub(crate) async fn registered(server: &Server) -> Client {
    let client = server.client();
    let name = format!("user{}", server::ids::new_id());
    let credentials = json!({"name": name, "password": "a long password"});
    client.post("/api/register", &credentials).await.ok();
    client
}

/// A program with a bot token of a new account.
pub(crate) async fn bot_account(server: &Server) -> (Client, String) {
    let owner = registered(server).await;
    let made = owner.post("/api/me/tokens", &json!({"label": "a bot", "bot": true})).await.value();
    let token = made["token"].as_str().expect("a token").to_owned();
    (owner.with_token(&token), token)
}

/// A rated game for two accounts, with a clock that no test waits for.
pub(crate) async fn rated_game(server: &Server, more: Value) -> (Client, Client, String) {
    let (host, other) = (registered(server).await, registered(server).await);
    let mut body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}],
        "shuffle_seats": false, "rated": true,
        "clock": {"kind": "game", "initial_ms": 600_000, "increment_ms": 0}});
    for (key, value) in more.as_object().expect("an object") {
        body[key] = value.clone();
    }
    let id = new_game(&host, &body).await;
    other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    (host, other, id)
}
