//! `kill -9` in the middle of many games: every acknowledged move is there after a restart, the
//! games go on, and nobody's clock ran meanwhile.

//!
//! The server is a process of its own: this test program, started again to do nothing but serve.

use crate::common::{Client, Database};
use game::Random;
use serde_json::{Value, json};
use server::Config;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Says to the test program that it is the server, and with which database.
const SERVE: &str = "BASTIDE_TEST_SERVE";

/// The server's process.
struct Live {
    child: Child,
    address: SocketAddr,
}

impl Live {
    fn start(database: &Database) -> Self {
        let program = std::env::current_exe().expect("the program knows where it is");
        let mut child = Command::new(program)
            .args(["--exact", "kill::the_servers_process", "--ignored", "--nocapture"])
            .env(SERVE, database.url())
            .current_dir(database.folder())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let greeting = lines
            .find_map(|line| line.ok().filter(|line| line.contains("http://127.0.0.1:")))
            .expect("the server says where it is");
        // Whatever else it says is read, so that it never waits.
        std::thread::spawn(move || lines.for_each(drop));
        let rest = &greeting[greeting.find("127.0.0.1:").expect("it was found")..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ':');
        let address = rest[..end.unwrap_or(rest.len())].parse().expect("an address");
        Self { child, address }
    }

    /// `kill -9`.
    fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the process that the next test starts and kills"]
async fn the_servers_process() {
    let Ok(url) = std::env::var(SERVE) else { return };
    let mut config = Config {
        listen: "127.0.0.1:0".parse().expect("an address"),
        data: "data".into(),
        database: Some(url),
        limits: false,
        ..Config::default()
    };
    config.tables.bot_pause = Duration::ZERO;
    config.tables.bot_time = Duration::from_millis(10);
    server::run::run(config, |greeting| println!("{greeting}")).await.expect("the server runs");
}

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
    acknowledged: Vec<Acknowledged>,
    /// Sent, but never answered.
    unanswered: Option<(u64, Vec<String>)>,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_move_survives_kill_9() {
    let database = Database::new().await;
    let mut live = Live::start(&database);
    let (games, players) = many_games(&live).await;
    let watcher = guest(&live).await;
    let count = Arc::new(AtomicUsize::new(0));
    let mut playing = Vec::new();
    for (number, (id, client)) in players.iter().cloned().enumerate() {
        let count = count.clone();
        playing.push(tokio::spawn(async move {
            // Some over the socket, some over HTTP only.
            if number % 3 == 2 {
                over_http(&client, &id, number as u64, &count).await
            } else {
                over_socket(&client, &id, number as u64, &count).await
            }
        }));
    }
    while count.load(Ordering::Relaxed) < 90 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    live.kill();
    let mut left = Vec::new();
    for player in playing {
        left.push(player.await.expect("a player does not fail"));
    }
    // Long enough that a clock that ran would show it.
    tokio::time::sleep(Duration::from_secs(4)).await;

    let live = Live::start(&database);
    let watcher = watcher.moved_to(live.address);
    for game in &games {
        check(&watcher, game, &left).await;
    }
    let mut tasks = Vec::new();
    for ((id, client), left) in players.into_iter().zip(left) {
        let client = client.moved_to(live.address);
        tasks.push(tokio::spawn(go_on(client, id, left)));
    }
    for task in tasks {
        task.await.expect("the game goes on");
    }
    for game in &games {
        let over = until_over(&watcher, game).await;
        assert_eq!(over["info"]["result"]["reason"], "normal");
    }
}

/// Games of people, of people and bots, and of bots alone; with who plays where.
async fn many_games(live: &Live) -> (Vec<String>, Vec<(String, Client)>) {
    let mut games = Vec::new();
    let mut players = Vec::new();
    for number in 0..6 {
        let (id, people) = match number {
            0..=2 => new_game(live, json!([{"kind": "me"}, {"kind": "open"}])).await,
            3 | 4 => {
                let bot = json!({"kind": "bot", "bot": "shepherd"});
                new_game(live, json!([{"kind": "me"}, bot, {"kind": "open"}, bot])).await
            }
            _ => {
                let bot = json!({"kind": "bot", "bot": "best"});
                new_game(live, json!([bot, bot, {"kind": "bot", "bot": "mason"}])).await
            }
        };
        players.extend(people.into_iter().map(|client| (id.clone(), client)));
        games.push(id);
    }
    (games, players)
}

/// Everything that was acknowledged is in the game, at its place, and the clocks stood still.
async fn check(watcher: &Client, game: &str, left: &[Left]) {
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
    if state["info"]["status"] == "playing" {
        let clocks = &state["update"]["clocks"];
        for left in clocks["left_ms"].as_array().unwrap() {
            // Nobody thinks for long here, and the downtime is not charged.
            assert!(left.as_u64().unwrap() > INITIAL_MS - 300_000, "{clocks}");
        }
    }
}

async fn guest(live: &Live) -> Client {
    let client = Client::new(live.address);
    client.post("/api/guest", &json!({})).await.ok();
    client
}

/// A game with its people.
async fn new_game(live: &Live, seats: Value) -> (String, Vec<Client>) {
    let host = guest(live).await;
    let clock = json!({"kind": "game", "initial_ms": INITIAL_MS, "increment_ms": 0});
    let body = json!({"game": "carcassonne", "seats": seats, "clock": clock});
    let made = host.post("/api/games", &body).await.value();
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    let wanted = seats.as_array().unwrap();
    let has = |kind: &str| wanted.iter().any(|seat| seat["kind"] == kind);
    let mut people = Vec::new();
    if has("open") {
        let other = guest(live).await;
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

async fn over_socket(client: &Client, id: &str, seed: u64, count: &AtomicUsize) -> Left {
    let mut left = Left { acknowledged: Vec::new(), unanswered: None };
    let mut random = Random::new(seed);
    let mut socket = client.socket(&format!("/api/games/{id}/socket")).await;
    let mut update = socket.next().await.expect("a welcome")["update"].clone();
    let mut done = 0;
    loop {
        let version = update["version"].as_u64().unwrap();
        if let Some(moves) = pick_turn(&update, &mut random).filter(|_| version > done) {
            done = version;
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
            Some("update") => update = message["update"].clone(),
            Some("done") => {
                let (sent, moves) = left.unanswered.take().expect("it answers what was sent");
                let now = message["played"]["version"].as_u64().unwrap();
                left.acknowledged.push(Acknowledged { game: id.to_owned(), sent, moves, now });
                count.fetch_add(1, Ordering::Relaxed);
            }
            Some("refused") => panic!("{message}"),
            _ => {}
        }
    }
}

async fn over_http(client: &Client, id: &str, seed: u64, count: &AtomicUsize) -> Left {
    let mut left = Left { acknowledged: Vec::new(), unanswered: None };
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
        let Some(moves) = pick_turn(&update, &mut random) else { continue };
        left.unanswered = Some((version, moves.clone()));
        let body = json!({"version": version, "moves": moves});
        let play = client.request(reqwest::Method::POST, &format!("/api/games/{id}/play"));
        let Ok(answer) = play.json(&body).send().await else { return left };
        assert!(answer.status().is_success(), "{:?}", answer.text().await);
        let Ok(played) = answer.json::<Value>().await else { return left };
        let (sent, moves) = left.unanswered.take().expect("it answers what was sent");
        let now = played["version"].as_u64().unwrap();
        left.acknowledged.push(Acknowledged { game: id.to_owned(), sent, moves, now });
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
