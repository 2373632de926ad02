//! Games that are played by clients which come to any node, and compared with what was acknowledged.

use super::address;
use crate::client::Client;
use crate::live::Live;
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Many games that are played at the same time.
pub(crate) struct Load {
    nodes: Nodes,
    count: Arc<AtomicUsize>,
    wanted: usize,
    games: Vec<JoinHandle<Duration>>,
}

/// Where the nodes are now.
#[derive(Clone)]
pub(crate) struct Nodes(Arc<Mutex<Vec<SocketAddr>>>);

impl Nodes {
    pub(crate) fn of(nodes: &[&Live]) -> Self {
        Self(Arc::new(Mutex::new(nodes.iter().map(|live| address(live)).collect())))
    }

    pub(crate) fn any(&self, random: &mut Random) -> SocketAddr {
        *random.pick(&self.0.lock().unwrap()).expect("a node is there")
    }

    /// Puts a node in the place of one that was.
    pub(crate) fn replace(&self, index: usize, live: &Live) {
        self.0.lock().unwrap()[index] = address(live);
    }
}

impl Load {
    /// Begins to play so many games between two people, each for so many turns.
    pub(crate) fn start(nodes: &[&Live], games: usize, turns: usize) -> Self {
        Self::start_with_bots(nodes, [games, 0], turns)
    }

    /// Begins to play so many games between two people, and so many against a bot.
    pub(crate) fn start_with_bots(nodes: &[&Live], games: [usize; 2], turns: usize) -> Self {
        let (nodes, count) = (Nodes::of(nodes), Arc::new(AtomicUsize::new(0)));
        let [people, bots] = games;
        let play = |number| {
            let opponent = if number < people { Opponent::Person } else { Opponent::Bot };
            let game = (number as u64, opponent, turns);
            tokio::spawn(play(nodes.clone(), game, count.clone()))
        };
        let (games, wanted) = ((0..people + bots).map(play).collect(), (people + bots) * turns);
        Self { games, wanted, nodes, count }
    }

    /// Returns when a part of all turns was played.
    pub(crate) async fn until(&self, part: f64) {
        while (self.played() as f64) < self.wanted as f64 * part {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Turns that were acknowledged.
    pub(crate) fn played(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Lets nobody come to a node any more.
    pub(crate) fn forget(&self, index: usize) {
        self.nodes.0.lock().unwrap().remove(index);
    }

    /// Lets clients come to one more.
    pub(crate) fn add(&self, live: &Live) {
        self.nodes.0.lock().unwrap().push(address(live));
    }

    /// Waits for all games, and gives the longest time without a move in one.
    pub(crate) async fn end(self) -> Duration {
        let mut longest = Duration::ZERO;
        for game in self.games {
            longest = longest.max(game.await.expect("a game goes on"));
        }
        longest
    }
}

/// Asks any node until one answers well; gives the answer's JSON.
pub(crate) async fn insist(
    nodes: &Nodes,
    client: &Client,
    random: &mut Random,
    (method, path, body): (Method, &str, &Value),
) -> Value {
    for _ in 0..600 {
        let there = client.moved_to(nodes.any(random));
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

/// Whom somebody plays against.
#[derive(Clone, Copy)]
enum Opponent {
    Person,
    Bot,
}

/// A game is played for so many turns of people, each at another node. Gives the longest time between two of them.
async fn play(
    nodes: Nodes,
    (seed, opponent, turns): (u64, Opponent, usize),
    count: Arc<AtomicUsize>,
) -> Duration {
    let mut random = Random::new(seed);
    let nobody = json!({});
    let (id, people) = match opponent {
        Opponent::Person => {
            let (id, people) = new_game(&nodes, &mut random).await;
            (id, people.to_vec())
        }
        Opponent::Bot => {
            let (id, person) = new_game_with_bot(&nodes, &mut random).await;
            (id, vec![person])
        }
    };
    let (path, at) = (format!("/api/games/{id}/play"), format!("/api/games/{id}"));
    let mut acknowledged: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    while acknowledged.len() < turns {
        for person in &people {
            let state = insist(&nodes, person, &mut random, (Method::GET, &at, &nobody)).await;
            let update = &state["update"];
            let Some(moves) = pick_turn(update, &mut random) else { continue };
            let version = update["version"].as_u64().unwrap();
            let body = json!({"version": version, "moves": moves});
            let there = person.moved_to(nodes.any(&mut random));
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
    let there = people[0].moved_to(nodes.any(&mut random));
    let played = moves_of(&there, &id).await;
    for (first, moves) in &acknowledged {
        assert_eq!(played.get(*first..first + moves.len()), Some(moves.as_slice()), "{id}");
    }
    longest
}

/// A game of two guests.
pub(crate) async fn new_game(nodes: &Nodes, random: &mut Random) -> (String, [Client; 2]) {
    let nobody = json!({});
    let people = [(); 2].map(|()| Client::new(nodes.any(random)));
    for client in &people {
        client.post("/api/guest", &nobody).await.ok();
    }
    let clock = json!({"kind": "game", "initial_ms": 3_600_000, "increment_ms": 0});
    let new = json!({"game": "carcassonne", "clock": clock,
        "seats": [{"kind": "me"}, {"kind": "open"}]});
    let made = insist(nodes, &people[0], random, (Method::POST, "/api/games", &new)).await;
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    let join = format!("/api/games/{id}/join");
    insist(nodes, &people[1], random, (Method::POST, &join, &nobody)).await;
    (id, people)
}

/// A game of a guest against a bot.
async fn new_game_with_bot(nodes: &Nodes, random: &mut Random) -> (String, Client) {
    let person = Client::new(nodes.any(random));
    person.post("/api/guest", &json!({})).await.ok();
    let new = json!({"game": "carcassonne",
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": "mason"}]});
    let made = insist(nodes, &person, random, (Method::POST, "/api/games", &new)).await;
    (made["info"]["id"].as_str().unwrap().to_owned(), person)
}

/// The moves of a game as they are stored.
pub(crate) async fn moves_of(client: &Client, id: &str) -> Vec<String> {
    let record = client.get(&format!("/api/games/{id}/record")).await.ok().text;
    let lines = record.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let moves = lines.filter(|line| !line.is_empty()).skip(1).flat_map(|line| line.split(';'));
    moves.map(|one| one.trim().to_owned()).collect()
}

/// Any whole turn of those that are legal.
pub(crate) fn pick_turn(update: &Value, random: &mut Random) -> Option<Vec<String>> {
    let first = random.pick(update["legal"].as_array()?)?;
    let second = random.pick(first["then"].as_array()?);
    let text = |m: &Value| m.as_str().map(str::to_owned);
    [Some(&first["move"]), second].into_iter().flatten().map(text).collect()
}

/// The whole turn that begins with a move, and goes on with the first that may follow.
pub(crate) fn turn(first: &Value) -> Vec<String> {
    let second = first["then"].as_array().and_then(|then| then.first());
    let text = |m: &Value| m.as_str().expect("a move is text").to_owned();
    [Some(&first["move"]), second].into_iter().flatten().map(text).collect()
}
