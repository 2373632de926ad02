//! An upgrade under load: the server is stopped and started again under a hundred running games, once
//! as an upgrade does it and once by `kill -9`, and every game goes on within seconds.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../../server/tests/common/client.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
mod client;
mod live;

use client::Client;
use futures_util::{SinkExt, StreamExt, stream};
use game::Random;
use live::{Live, Place};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;

const GAMES: usize = 100;

/// How long a client waits before it connects again, as the page does at first.
const AGAIN_AFTER: Duration = Duration::from_millis(300);

/// How soon every game has to go on once the server is back; generous, for a busy machine.
const SECONDS: Duration = Duration::from_secs(20);

/// A game: how far its players have seen it go on.
#[derive(Default)]
struct Progress {
    version: AtomicU64,
    over: AtomicBool,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_games_go_on_after_an_upgrade() {
    let mut live = start(Place::new());
    let (place, seen) = watch::channel(address(&live));
    let mut games = Vec::new();
    let mut playing = Vec::new();
    let made = stream::iter(0..GAMES).map(|_| new_game(address(&live))).buffer_unordered(8);
    let made: Vec<(String, [Client; 2])> = made.collect().await;
    for (number, (id, people)) in made.into_iter().enumerate() {
        let progress = Arc::new(Progress::default());
        for (seat, client) in people.into_iter().enumerate() {
            let seed = (number * 2 + seat) as u64;
            let player = Player { id: id.clone(), client, server: seen.clone(), seed };
            playing.push(tokio::spawn(player.play(progress.clone())));
        }
        games.push((id, progress));
    }
    all_go_on(&games).await;
    for signal in ["TERM", "KILL"] {
        let (status, log, left) = live.stop(signal);
        assert_eq!(status.success(), signal == "TERM", "{log}");
        live = start(left);
        let back = Instant::now();
        place.send_replace(address(&live));
        all_go_on(&games).await;
        println!("after {signal} all {GAMES} games went on within {:?}", back.elapsed());
        assert!(back.elapsed() < SECONDS, "after {signal}: {:?}", back.elapsed());
    }
    for player in playing {
        player.abort();
        // One that failed tells why.
        if let Err(error) = player.await
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}

/// Returns when every game that is not over has gone on by two turns.
async fn all_go_on(games: &[(String, Arc<Progress>)]) {
    let at = |progress: &Progress| progress.version.load(Ordering::Relaxed);
    let before: Vec<u64> = games.iter().map(|(_, progress)| at(progress)).collect();
    let until = Instant::now() + SECONDS * 2;
    loop {
        let pairs = games.iter().zip(&before);
        let stuck: Vec<&String> = pairs
            .filter(|((_, progress), before)| {
                at(progress) < **before + 4 && !progress.over.load(Ordering::Relaxed)
            })
            .map(|((id, _), _)| id)
            .collect();
        if stuck.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "{} games do not go on: {stuck:?}", stuck.len());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn start(place: Place) -> Live {
    Live::start_in(place, &["--limits", "false", "--log", "error"])
}

fn address(live: &Live) -> SocketAddr {
    live.url().trim_start_matches("http://").parse().expect("an address")
}

/// A game of two guests.
async fn new_game(server: SocketAddr) -> (String, [Client; 2]) {
    let people = [Client::new(server), Client::new(server)];
    for client in &people {
        client.post("/api/guest", &json!({})).await.ok();
    }
    let body = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    let made = people[0].post("/api/games", &body).await.value();
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    people[1].post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    (id, people)
}

/// Somebody who plays at a socket, and comes back when it ends.
struct Player {
    id: String,
    client: Client,
    server: watch::Receiver<SocketAddr>,
    seed: u64,
}

impl Player {
    async fn play(self, progress: Arc<Progress>) {
        let mut random = Random::new(self.seed);
        let mut last = None;
        loop {
            let client = self.client.moved_to(*self.server.borrow());
            let from = last.map_or_else(String::new, |last| format!("?from={last}"));
            let path = format!("/api/games/{}/socket{from}", self.id);
            if let Ok(mut socket) = client.try_socket(&path, &[]).await {
                while let Some(message) = socket.next().await {
                    let refused = message["type"] == "refused";
                    assert!(!refused || is_transient(&message), "{message}");
                    let Some(update) = message.get("update") else { continue };
                    let version = update["version"].as_u64().unwrap();
                    assert!(Some(version) >= last, "a game went back: {last:?} then {version}");
                    last = Some(version);
                    progress.version.fetch_max(version, Ordering::Relaxed);
                    if update["result"].is_object() {
                        progress.over.store(true, Ordering::Relaxed);
                        return;
                    }
                    let Some(moves) = pick_turn(update, &mut random) else { continue };
                    // People think a little: at full speed the games would be over at once.
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    let play =
                        json!({"type": "play", "id": version, "version": version, "moves": moves});
                    if socket.0.send(Message::text(play.to_string())).await.is_err() {
                        break;
                    }
                }
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }
}

/// A server that stops may refuse what it cannot store any more.
fn is_transient(message: &Value) -> bool {
    message["problem"]["code"] == "unavailable"
}

fn pick_turn(update: &Value, random: &mut Random) -> Option<Vec<String>> {
    let first = random.pick(update["legal"].as_array()?)?;
    let second = random.pick(first["then"].as_array()?);
    let text = |m: &Value| m.as_str().map(str::to_owned);
    [Some(&first["move"]), second].into_iter().flatten().map(text).collect()
}
