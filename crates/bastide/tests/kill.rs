//! `kill -9` in the middle of many games: every acknowledged move is there after a restart, the
//! games go on, and nobody's clock ran meanwhile.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../../server/tests/common/client.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
mod client;
mod live;

use client::Client;
use game::Random;
use live::{Live, Place};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long the server is down.
const OUTAGE: Duration = Duration::from_secs(4);

/// How long the players of some games think: longer than what a turn may take for nothing.
const THINKING: Duration = Duration::from_millis(350);

/// What all clock games begin with.
const INITIAL_MS: u64 = 3_600_000;

/// A move that the server acknowledged.
#[derive(Clone, Debug)]
struct Acknowledged {
    game: String,
    /// The version for which it was sent; its first entry in the log has this number.
    sent: u64,
    moves: Vec<String>,
    /// The version after it.
    now: u64,
}

/// What a player left behind when the server died.
struct Left {
    game: String,
    /// The last update that came.
    seen: Value,
    /// The last one of an earlier version.
    before: Value,
    acknowledged: Vec<Acknowledged>,
    /// Sent, but never answered.
    unanswered: Option<(u64, Vec<String>)>,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_move_survives_kill_9() {
    let live = start(Place::new());
    let (games, players) = many_games(address(&live)).await;
    let watcher = guest(address(&live)).await;
    let count = Arc::new(AtomicUsize::new(0));
    let mut playing = Vec::new();
    for (number, player) in players.iter().cloned().enumerate() {
        let count = count.clone();
        playing.push(tokio::spawn(async move {
            // Some over the socket, some over HTTP only.
            if number % 3 == 2 {
                over_http(&player, number as u64, &count).await
            } else {
                over_socket(&player, number as u64, &count).await
            }
        }));
    }
    while count.load(Ordering::Relaxed) < 150 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (status, log, place) = live.stop("KILL");
    assert!(!status.success() && !log.contains("everything is written"), "it was killed: {log}");
    let mut left = Vec::new();
    for player in playing {
        left.push(player.await.expect("a player does not fail"));
    }
    tokio::time::sleep(OUTAGE).await;

    let back = Instant::now();
    let live = start(place);
    let watcher = watcher.moved_to(address(&live));
    let mut compared = 0;
    for game in &games {
        let state = check_moves(&watcher, game, &left).await;
        compared += check_clocks(&state, &left, back.elapsed());
    }
    assert!(compared > 0, "no game stood where a player saw it last");
    let mut tasks = Vec::new();
    for (player, left) in players.into_iter().zip(left) {
        let client = player.client.moved_to(address(&live));
        tasks.push(tokio::spawn(go_on(client, player.game, left)));
    }
    for task in tasks {
        task.await.expect("the game goes on");
    }
    for game in &games {
        let over = until_over(&watcher, game).await;
        assert_eq!(over["info"]["result"]["reason"], "normal");
    }
}

fn start(place: Place) -> Live {
    let flags =
        ["--limits", "false", "--bot-time-ms", "10", "--bot-pause-ms", "0", "--log", "error"];
    Live::start_in(place, &flags)
}

fn address(live: &Live) -> SocketAddr {
    live.url().trim_start_matches("http://").parse().expect("an address")
}

/// Somebody at a table.
#[derive(Clone)]
struct Player {
    game: String,
    client: Client,
    /// How long they think about each turn.
    thinks: Duration,
}

/// Games of people, of people and bots, and of bots alone; with who plays where.
async fn many_games(server: SocketAddr) -> (Vec<String>, Vec<Player>) {
    let mut games = Vec::new();
    let mut players = Vec::new();
    for number in 0..9 {
        let (game, people) = match number {
            0..=4 => new_game(server, json!([{"kind": "me"}, {"kind": "open"}])).await,
            5..=7 => {
                let bot = json!({"kind": "bot", "bot": "shepherd"});
                new_game(server, json!([{"kind": "me"}, bot, {"kind": "open"}, bot])).await
            }
            _ => {
                let bot = json!({"kind": "bot", "bot": "best"});
                new_game(server, json!([bot, bot, {"kind": "bot", "bot": "mason"}])).await
            }
        };
        let thinks = if number < 2 { THINKING } else { Duration::ZERO };
        let player = |client| Player { game: game.clone(), client, thinks };
        players.extend(people.into_iter().map(player));
        games.push(game);
    }
    (games, players)
}

/// Everything that was acknowledged is in the game, at its place. Gives the game as it is.
async fn check_moves(watcher: &Client, game: &str, left: &[Left]) -> Value {
    let state = watcher.get(&format!("/api/games/{game}")).await.value();
    let record = watcher.get(&format!("/api/games/{game}/record")).await.ok().text;
    let lines = record.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let moves: Vec<&str> = lines
        .filter(|line| !line.is_empty())
        .skip(1)
        .flat_map(|line| line.split(';').map(str::trim))
        .collect();
    let mut latest = 0;
    for ack in left.iter().flat_map(|left| &left.acknowledged).filter(|ack| ack.game == game) {
        let first = ack.sent as usize - 1;
        let sent: Vec<&str> = ack.moves.iter().map(String::as_str).collect();
        assert_eq!(moves.get(first..first + sent.len()), Some(sent.as_slice()), "{ack:?}");
        latest = latest.max(ack.now);
    }
    assert!(state["update"]["version"].as_u64().unwrap() >= latest, "{game}");
    state
}

/// The clocks are where the last move left them, less what the server has been back for: nothing
/// is charged for the outage, nothing of earlier turns is given back. The number of seats that
/// could be compared, with time they had used before.
fn check_clocks(state: &Value, left: &[Left], back: Duration) -> usize {
    let (game, update) = (&state["info"]["id"], &state["update"]);
    let seen = |left: &&Left| {
        left.game == *game && left.seen["version"] == update["version"] && update["turn"].is_u64()
    };
    let Some(left) = left.iter().find(seen) else { return 0 };
    let ms = |clocks: &Value| -> Vec<u64> {
        clocks["left_ms"].as_array().unwrap().iter().map(|ms| ms.as_u64().unwrap()).collect()
    };
    let (before, now) = (ms(&left.seen["clocks"]), ms(&update["clocks"]));
    let back = back.as_millis() as u64;
    for (seat, (before, now)) in before.iter().zip(&now).enumerate() {
        // A turn that was not over begins anew, with what its seat had after the turn before.
        let running = left.seen["clocks"]["running"] == seat;
        let earlier = left.before["clocks"]["left_ms"][seat].as_u64().unwrap_or(INITIAL_MS);
        let most = if running { earlier } else { *before };
        assert!(*now <= most, "{game}: time was given back: {most}, {before} then {now}");
        assert!(now + back >= *before, "{game}: the outage was charged: {before} then {now}");
    }
    before.iter().filter(|before| **before < INITIAL_MS).count()
}

async fn guest(server: SocketAddr) -> Client {
    let client = Client::new(server);
    client.post("/api/guest", &json!({})).await.ok();
    client
}

/// A game with its people.
async fn new_game(server: SocketAddr, seats: Value) -> (String, Vec<Client>) {
    let host = guest(server).await;
    let clock = json!({"kind": "game", "initial_ms": INITIAL_MS, "increment_ms": 0});
    let body = json!({"game": "carcassonne", "seats": seats, "clock": clock});
    let made = host.post("/api/games", &body).await.value();
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    let wanted = seats.as_array().unwrap();
    let has = |kind: &str| wanted.iter().any(|seat| seat["kind"] == kind);
    let mut people = Vec::new();
    if has("open") {
        let other = guest(server).await;
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
        people.push(other);
    }
    if has("me") {
        people.push(host);
    }
    (id, people)
}

fn pick_turn(update: &Value, random: &mut Random) -> Option<Vec<String>> {
    let first = random.pick(update["legal"].as_array()?)?;
    let second = random.pick(first["then"].as_array()?);
    let text = |m: &Value| m.as_str().map(str::to_owned);
    [Some(&first["move"]), second].into_iter().flatten().map(text).collect()
}

impl Left {
    fn nothing(player: &Player) -> Self {
        let game = player.game.clone();
        let (seen, before) = (Value::Null, Value::Null);
        Self { game, seen, before, acknowledged: Vec::new(), unanswered: None }
    }

    fn sees(&mut self, update: &Value) {
        let seen = std::mem::replace(&mut self.seen, update.clone());
        if seen["version"] != update["version"] {
            self.before = seen;
        }
    }
}

async fn over_socket(player: &Player, seed: u64, count: &AtomicUsize) -> Left {
    let Player { game: id, client, thinks } = player;
    let mut left = Left::nothing(player);
    let mut random = Random::new(seed);
    let mut socket = client.socket(&format!("/api/games/{id}/socket")).await;
    let mut update = socket.next().await.expect("a welcome")["update"].clone();
    left.sees(&update);
    let mut done = 0;
    loop {
        let version = update["version"].as_u64().unwrap();
        if let Some(moves) = pick_turn(&update, &mut random).filter(|_| version > done) {
            done = version;
            tokio::time::sleep(*thinks).await;
            left.unanswered = Some((version, moves.clone()));
            use futures_util::SinkExt;
            let play = json!({"type": "play", "id": version, "version": version, "moves": moves});
            let text = tokio_tungstenite::tungstenite::Message::text(play.to_string());
            if socket.0.send(text).await.is_err() {
                return left;
            }
        }
        let Some(message) = socket.next().await else { return left };
        match message["type"].as_str() {
            Some("update") => {
                update = message["update"].clone();
                left.sees(&update);
            }
            Some("done") => {
                let (sent, moves) = left.unanswered.take().expect("it answers what was sent");
                let now = message["played"]["version"].as_u64().unwrap();
                left.acknowledged.push(Acknowledged { game: id.clone(), sent, moves, now });
                count.fetch_add(1, Ordering::Relaxed);
            }
            Some("refused") => panic!("{message}"),
            _ => {}
        }
    }
}

async fn over_http(player: &Player, seed: u64, count: &AtomicUsize) -> Left {
    let Player { game: id, client, thinks } = player;
    let mut left = Left::nothing(player);
    let mut random = Random::new(seed);
    let (mut version, mut from) = (0, 0);
    loop {
        let path = format!("/api/games/{id}/updates?from={from}&wait=20");
        let Ok(answer) = client.request(reqwest::Method::GET, &path).send().await else {
            return left;
        };
        let Ok(text) = answer.text().await else { return left };
        let update: Value = serde_json::from_str(&text).unwrap_or_default();
        version = update["version"].as_u64().unwrap_or(version);
        from = version;
        if update.is_object() {
            left.sees(&update);
        }
        let Some(moves) = pick_turn(&update, &mut random) else { continue };
        tokio::time::sleep(*thinks).await;
        left.unanswered = Some((version, moves.clone()));
        let body = json!({"version": version, "moves": moves});
        let play = client.request(reqwest::Method::POST, &format!("/api/games/{id}/play"));
        let Ok(answer) = play.json(&body).send().await else { return left };
        assert!(answer.status().is_success(), "{:?}", answer.text().await);
        let Ok(played) = answer.json::<Value>().await else { return left };
        let (sent, moves) = left.unanswered.take().expect("it answers what was sent");
        let now = played["version"].as_u64().unwrap();
        left.acknowledged.push(Acknowledged { game: id.clone(), sent, moves, now });
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Sends again what was not answered, and plays to the end.
async fn go_on(client: Client, id: String, left: Left) {
    let path = format!("/api/games/{id}/play");
    if let Some((version, moves)) = left.unanswered {
        let body = json!({"version": version, "moves": moves});
        let again = client.post(&path, &body).await;
        // Written before the end or played now: either way it is one move.
        assert!(again.status.is_success(), "{} {}", again.status, again.text);
    }
    let mut random = Random::new(99);
    let mut from = 0;
    loop {
        let answer = client.get(&format!("/api/games/{id}/updates?from={from}&wait=30")).await;
        let update: Value = serde_json::from_str(&answer.text).unwrap_or_default();
        if update["result"].is_object() {
            return;
        }
        from = update["version"].as_u64().unwrap_or(from);
        if let Some(moves) = pick_turn(&update, &mut random) {
            client.post(&path, &json!({"version": from, "moves": moves})).await.ok();
        }
    }
}

async fn until_over(client: &Client, id: &str) -> Value {
    loop {
        let state = client.get(&format!("/api/games/{id}")).await.value();
        if state["info"]["status"] == "over" {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
