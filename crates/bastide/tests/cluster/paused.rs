//! A node stands still for longer than it may be silent, and goes on: others have its games by then.

use crate::client::Client;
use crate::load::{Load, Nodes, insist, moves_of, new_game, turn};
use crate::{TURN, place_and_bus, start};
use game::Random;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Games that the node holds when it stops, each with a move that reaches it too late.
const HELD: usize = 16;

/// How long all of this may take, each part.
const PATIENCE: Duration = Duration::from_secs(30);

/// A game whose player sends one move to the node that stands still, and another to the others.
struct Held {
    id: String,
    mover: Client,
    version: u64,
    late: Vec<String>,
    other: Vec<String>,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stood_still_changes_nothing() {
    let _turn = TURN.lock().await;
    let Some((place, nats)) = place_and_bus() else { return };
    let first = start(&place, &nats.url());
    let epoch = place.sql("SELECT epoch FROM nodes");
    let (second, third) = (start(&place, &nats.url()), start(&place, &nats.url()));
    let (here, others) = (Nodes::of(&[&first]), Nodes::of(&[&second, &third]));
    let mut random = Random::new(7);
    let mut held = Vec::new();
    for _ in 0..HELD {
        held.push(Held::new(&here, &mut random).await);
    }
    let load = Load::start(&[&first, &second, &third], 12, 24);
    load.until(1.0 / 4.0).await;
    let of_first = place.sql(&format!("SELECT COUNT(*) FROM games WHERE node = {epoch}"));
    assert!(of_first.parse::<usize>().unwrap() >= HELD, "the first node holds {of_first}");
    first.signal("STOP");
    load.forget(0);
    // The system takes these for the node, which reads them when it goes on.
    let late: Vec<_> = held.iter().map(Held::send_late).collect();
    let row = format!("SELECT COUNT(*) FROM nodes WHERE epoch = {epoch}");
    let removed = async {
        while place.sql(&row) != "0" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, removed).await.expect("the others remove a node that is silent");
    // Others hold the games now; every second one goes on before the node does.
    for (number, game) in held.iter().enumerate() {
        game.look(&others, &mut random).await;
        if number % 2 == 0 {
            game.play_other(&others, &mut random).await;
        }
    }
    first.signal("CONT");
    for answer in late {
        let acknowledged = timeout(PATIENCE, answer).await.expect("in time").unwrap();
        assert!(!acknowledged, "a node that lost its games acknowledged a move");
    }
    let ended = tokio::task::spawn_blocking(|| first.wait());
    let (status, log, _) = timeout(PATIENCE, ended).await.expect("it ends by itself").unwrap();
    assert!(!status.success() && log.contains("has taken the database"), "{status} {log}");
    for (number, game) in held.iter().enumerate() {
        if number % 2 == 1 {
            game.play_other(&others, &mut random).await;
        }
        game.look(&others, &mut random).await;
        let there = game.mover.moved_to(others.any(&mut random));
        let moves = moves_of(&there, &game.id).await;
        let at = game.version as usize - 1;
        let stored = moves.get(at..at + game.other.len());
        assert_eq!(stored, Some(&*game.other), "not {:?}", game.late);
    }
    println!("the longest time without a move in a game: {:?}", load.end().await);
    for live in [second, third] {
        let (status, log, _) = live.stop("TERM");
        assert!(status.success(), "{log}");
    }
}

impl Held {
    /// A game made at a node, and two turns that its first player could play.
    async fn new(nodes: &Nodes, random: &mut Random) -> Self {
        let (id, people) = new_game(nodes, random).await;
        let at = format!("/api/games/{id}");
        for mover in people {
            let state = insist(nodes, &mover, random, (Method::GET, &at, &json!({}))).await;
            let legal = state["update"]["legal"].as_array().cloned().unwrap_or_default();
            if let [one, .., another] = legal.as_slice() {
                let version = state["update"]["version"].as_u64().unwrap();
                let (late, other) = (turn(one), turn(another));
                return Self { id, mover, version, late, other };
            }
        }
        panic!("nobody has a choice in {id}");
    }

    fn body(&self, moves: &[String]) -> Value {
        json!({"version": self.version, "moves": moves})
    }

    /// Sends one turn to the node where the game was made; tells whether it was acknowledged.
    fn send_late(&self) -> JoinHandle<bool> {
        let path = format!("/api/games/{}/play", self.id);
        let asked = self.mover.request(Method::POST, &path).json(&self.body(&self.late));
        // The node may end without an answer.
        tokio::spawn(async { asked.send().await.is_ok_and(|answer| answer.status().is_success()) })
    }

    async fn look(&self, nodes: &Nodes, random: &mut Random) {
        let at = format!("/api/games/{}", self.id);
        insist(nodes, &self.mover, random, (Method::GET, &at, &json!({}))).await;
    }

    async fn play_other(&self, nodes: &Nodes, random: &mut Random) {
        let (path, body) = (format!("/api/games/{}/play", self.id), self.body(&self.other));
        let answer = insist(nodes, &self.mover, random, (Method::POST, &path, &body)).await;
        assert!(answer.is_object(), "{answer}");
    }
}
