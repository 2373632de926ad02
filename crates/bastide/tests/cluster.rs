//! Three nodes on one PostgreSQL database and one NATS server, as programs of their own: one node is
//! killed and one told to stop, NATS is restarted, while many games are played by clients that come to
//! any node. Every acknowledged move is in its game once, and all games go on.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../../server/tests/common/client.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
mod client;
mod live;
#[path = "../../server/tests/common/nats.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
mod nats;

use client::Client;
use game::Random;
use live::{Live, Place};
use nats::Nats;
use reqwest::Method;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Games that are played at the same time.
const GAMES: usize = 30;

/// Turns of each.
const TURNS: usize = 36;

/// Where the nodes are now.
type Nodes = Arc<Mutex<Vec<SocketAddr>>>;

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_whatever_happens_to_a_node_or_to_the_bus() {
    let on_postgres = std::env::var("BASTIDE_TEST_DATABASE").is_ok_and(|url| !url.is_empty());
    let Some(mut nats) = Nats::start().filter(|_| on_postgres) else {
        println!("SKIPPED: nodes need PostgreSQL (scripts/with-postgres) and nats-server");
        return;
    };
    let place = Place::new();
    let start = || start(&place, &nats.url());
    let (first, second, third) = (start(), start(), start());
    let nodes: Nodes = Arc::new(Mutex::new([&first, &second, &third].map(address).to_vec()));
    let count = Arc::new(AtomicUsize::new(0));
    let games = (0..GAMES).map(|number| {
        let (nodes, count) = (nodes.clone(), count.clone());
        tokio::spawn(play(nodes, number as u64, count))
    });
    let games: Vec<_> = games.collect();
    let until = async |moves: usize| {
        while count.load(Ordering::Relaxed) < moves {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    until(GAMES * TURNS / 6).await;
    first.stop("KILL");
    nodes.lock().unwrap().remove(0);
    until(GAMES * TURNS / 3).await;
    nats.stop();
    tokio::time::sleep(Duration::from_millis(500)).await;
    nats.start_again();
    until(GAMES * TURNS / 2).await;
    let fourth = self::start(&place, &nats.url());
    nodes.lock().unwrap().push(address(&fourth));
    nodes.lock().unwrap().remove(0);
    second.stop("TERM");
    let mut longest = Duration::ZERO;
    for game in games {
        longest = longest.max(game.await.expect("a game goes on"));
    }
    println!("the longest time without a move in a game: {longest:?}");
    for live in [third, fourth] {
        let (status, log, _) = live.stop("TERM");
        assert!(status.success(), "{log}");
    }
}

/// A node; all of them keep their things in one place.
fn start(place: &Place, bus: &str) -> Live {
    let flags = ["--limits", "false", "--log", "error", "--bus", bus];
    Live::start_beside(place, &flags)
}

fn address(live: &Live) -> SocketAddr {
    live.url().trim_start_matches("http://").parse().expect("an address")
}

fn any(nodes: &Nodes, random: &mut Random) -> SocketAddr {
    *random.pick(&nodes.lock().unwrap()).expect("a node is there")
}

/// Asks any node until one answers well; gives the answer's JSON.
async fn insist(
    nodes: &Nodes,
    client: &Client,
    random: &mut Random,
    (method, path, body): (Method, &str, &Value),
) -> Value {
    for _ in 0..600 {
        let there = client.moved_to(any(nodes, random));
        let asked = there.request(method.clone(), path).timeout(Duration::from_secs(20));
        let asked = if method == Method::GET { asked } else { asked.json(body) };
        if let Ok(answer) = asked.send().await {
            let status = answer.status();
            if status.is_success() {
                if let Ok(value) = answer.json().await {
                    return value;
                }
            } else {
                assert!(
                    status == 503 || status == 409,
                    "{path}: {status} {:?}",
                    answer.text().await
                );
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no node answers {path}");
}

/// Two people play a game, each turn at another node. Gives the longest time between two moves.
async fn play(nodes: Nodes, seed: u64, count: Arc<AtomicUsize>) -> Duration {
    let mut random = Random::new(seed);
    let nobody = json!({});
    let mut people = Vec::new();
    for _ in 0..2 {
        let client = Client::new(any(&nodes, &mut random));
        client.post("/api/guest", &nobody).await.ok();
        people.push(client);
    }
    let clock = json!({"kind": "game", "initial_ms": 3_600_000, "increment_ms": 0});
    let new = json!({"game": "carcassonne", "clock": clock,
        "seats": [{"kind": "me"}, {"kind": "open"}]});
    let made = insist(&nodes, &people[0], &mut random, (Method::POST, "/api/games", &new)).await;
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    let join = format!("/api/games/{id}/join");
    insist(&nodes, &people[1], &mut random, (Method::POST, &join, &nobody)).await;
    let (path, at) = (format!("/api/games/{id}/play"), format!("/api/games/{id}"));
    let mut acknowledged: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    while acknowledged.len() < TURNS {
        for person in &people {
            let state = insist(&nodes, person, &mut random, (Method::GET, &at, &nobody)).await;
            let update = &state["update"];
            let Some(moves) = pick_turn(update, &mut random) else { continue };
            let version = update["version"].as_u64().unwrap();
            let body = json!({"version": version, "moves": moves});
            let there = person.moved_to(any(&nodes, &mut random));
            let asked = there.request(Method::POST, &path).json(&body);
            match asked.timeout(Duration::from_secs(20)).send().await {
                Ok(answer) if answer.status().is_success() => {
                    acknowledged.push((version as usize - 1, moves));
                    count.fetch_add(1, Ordering::Relaxed);
                    longest = longest.max(last.elapsed());
                    last = Instant::now();
                }
                // It may have been stored without anybody being told: the next look says so.
                Ok(answer) => {
                    let status = answer.status();
                    assert!(status == 503 || status == 409, "{status} {:?}", answer.text().await);
                }
                Err(_) => {}
            }
        }
    }
    let there = people[0].moved_to(any(&nodes, &mut random));
    let record = there.get(&format!("{at}/record")).await.ok().text;
    let lines = record.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let played: Vec<&str> = lines
        .filter(|line| !line.is_empty())
        .skip(1)
        .flat_map(|line| line.split(';').map(str::trim))
        .collect();
    for (first, moves) in &acknowledged {
        let sent: Vec<&str> = moves.iter().map(String::as_str).collect();
        assert_eq!(played.get(*first..first + sent.len()), Some(sent.as_slice()), "{id}");
    }
    longest
}

fn pick_turn(update: &Value, random: &mut Random) -> Option<Vec<String>> {
    let first = random.pick(update["legal"].as_array()?)?;
    let second = random.pick(first["then"].as_array()?);
    let text = |m: &Value| m.as_str().map(str::to_owned);
    [Some(&first["move"]), second].into_iter().flatten().map(text).collect()
}
