//! Nothing that leaves the server tells what will be drawn: all outgoing bytes are searched.

use crate::common::{Client, Server};
use crate::support::*;
use game::{Game, Random};
use serde_json::{Value, json};
use server::games::Hosted;
use server::games::carcassonne::AnyCarcassonne;
use server::games::deck::{Deck, Seed};
use sqlx::Row;
use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;

/// So many tiles in a row are no chance, not even in the thousands of texts of a whole game.
const RUN: usize = 7;

/// What will be drawn, recomputed from what only the database has.
struct Secret {
    seed: String,
    order: Vec<String>,
}

impl Secret {
    async fn of(server: &Server, id: &str) -> Self {
        let sql = "SELECT seed, setup FROM games WHERE id = $1";
        let row = sqlx::query(sql).bind(id).fetch_one(&server.app.db.pool).await.unwrap();
        let (seed, setup): (String, String) = (row.get("seed"), row.get("setup"));
        let sql = "SELECT nonce FROM seats WHERE game_id = $1 ORDER BY seat";
        let rows = sqlx::query(sql).bind(id).fetch_all(&server.app.db.pool).await.unwrap();
        let nonces: Vec<String> = rows.iter().map(|row| row.get("nonce")).collect();
        let bag = AnyCarcassonne::new(&setup.parse().unwrap()).bag();
        let seed_read = Seed::from_hex(&seed).unwrap();
        let deck = Deck::new(&seed_read, id, &nonces, &bag, AnyCarcassonne::deck_part);
        let order = (0..bag.len()).map(|k| deck.next(k).unwrap().to_string()).collect();
        Self { seed, order }
    }

    /// Whether a text tells the seed, or a run of what comes after so many draws. Names of tiles
    /// are found however they are written: as a list, in words, or one after the other.
    fn is_told(&self, text: &str, drawn: usize) -> bool {
        let coming = &self.order[drawn.min(self.order.len())..];
        if text.contains(&self.seed) {
            return true;
        }
        let Some(run) = coming.get(..RUN) else { return false };
        let tokens: Vec<&str> = text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|token| token.len() == 1 && token.chars().all(|c| c.is_ascii_uppercase()))
            .collect();
        let backwards: String = run.iter().rev().cloned().collect();
        text.contains(&run.concat())
            || text.contains(&backwards)
            || tokens.windows(RUN).any(|window| window == run)
    }
}

/// All that was sent to clients while a game lasted, with how many tiles were drawn then.
#[derive(Default)]
struct Outgoing(Vec<(usize, String)>);

impl Outgoing {
    async fn get(&mut self, client: &Client, path: &str, drawn: usize) {
        let answer = client.get(path).await;
        self.0.push((drawn, format!("{:?} {}", answer.headers, answer.text)));
    }
}

fn drawn(update: &Value) -> usize {
    71 - update["view"]["tiles_remaining"].as_u64().unwrap() as usize
}

/// A log that is kept in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_deck_or_the_next_tile_in_a_public_answer() {
    let log = Log::default();
    let writer = log.clone();
    let targets: Targets = "server=trace,sqlx=trace".parse().unwrap();
    let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
    let subscriber = tracing_subscriber::registry().with(targets).with(lines);
    // Another test may have set one; then the log is not searched here, but there it is.
    let logged = tracing::subscriber::set_global_default(subscriber).is_ok();
    assert!(logged, "this is the only test that reads the log");

    let server = quick_server().await;
    let (host, other, id) = game_for_two(&server, json!({})).await;
    let secret = Secret::of(&server, &id).await;
    assert!(secret.is_told(&secret.order[3..20].join("\",\""), 3), "the search finds a list");
    assert!(secret.is_told(&secret.order.concat(), 3), "and a word");
    let mut out = Outgoing::default();
    let mut watching = [
        SocketPlayer::sit(&host, &id).await,
        SocketPlayer::sit(&other, &id).await,
        SocketPlayer::sit(&server.client(), &id).await,
    ];
    let mut random = Random::new(21);
    loop {
        for watcher in &watching {
            out.0.push((drawn(&watcher.update), watcher.update.to_string()));
        }
        if watching[0].is_over() {
            break;
        }
        let now = drawn(&watching[0].update);
        for path in [
            "",
            "/view?as=player",
            "/view?as=bot",
            "/record",
            "/replay",
            "/fairness",
            "/updates?wait=0",
        ] {
            out.get(&host, &format!("/api/games/{id}{path}"), now).await;
        }
        out.get(&server.client(), "/api/lobby", now).await;
        let played = play_turn(&[&host, &other], &id, &mut random).await;
        let version = played["version"].as_u64().unwrap();
        for watcher in &mut watching {
            while watcher.version() < version {
                let message = watcher.next().await;
                out.0.push((drawn(&watcher.update), message.to_string()));
            }
        }
        out.0.push((drawn(&watching[0].update), played.to_string()));
    }
    search(&secret, &out);
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(!log.is_empty());
    for line in log.lines() {
        assert!(!secret.is_told(line, 0), "{line}");
    }
}

fn search(secret: &Secret, out: &Outgoing) {
    assert!(out.0.len() > 1000);
    for (drawn, text) in &out.0 {
        if *drawn < secret.order.len() {
            assert!(!secret.is_told(text, *drawn), "after {drawn} draws: {text}");
        }
        for key in ["\"deck\"", "\"order\"", "\"next_tile\"", "\"tile_bag\"", "\"seed\"", "\"nonce"]
        {
            assert!(*drawn == 71 || !text.contains(key), "{key} after {drawn} draws: {text}");
        }
    }
}
