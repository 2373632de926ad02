//! PostgreSQL ends under running games, and comes back after longer than a node may be silent.

use crate::live::Place;
use crate::load::{Load, Nodes, insist, moves_of, new_game, pick_turn};
use crate::nats::Nats;
use crate::postgres::Postgres;
use crate::{TURN, address, start};
use game::Random;
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};

/// Longer than a node may be silent.
const AWAY: Duration = Duration::from_secs(5);

/// How soon a move is refused that cannot be stored.
const REFUSED_WITHIN: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_after_postgresql_was_away() {
    let _turn = TURN.lock().await;
    let (Some(postgres), Some(nats)) = (Postgres::start(None), Nats::start()) else { return };
    let place = Place::on(Some(postgres.url()));
    let (first, second) = (start(&place, &nats.url()), start(&place, &nats.url()));
    let both = Nodes::of(&[&first, &second]);
    let mut random = Random::new(1);
    let (id, people) = new_game(&both, &mut random).await;
    let (at, nobody) = (format!("/api/games/{id}"), json!({}));
    let state = insist(&both, &people[0], &mut random, (Method::GET, &at, &nobody)).await;
    let mover = usize::from(state["update"]["legal"].as_array().is_none_or(Vec::is_empty));
    let state = insist(&both, &people[mover], &mut random, (Method::GET, &at, &nobody)).await;
    let moves = pick_turn(&state["update"], &mut random).unwrap();
    let version = state["update"]["version"].as_u64().unwrap();
    let turn = json!({"version": version, "moves": moves});
    let load = Load::start(&[&first, &second], 20, 24);
    load.until(1.0 / 3.0).await;
    postgres.stop();
    let stopped = Instant::now();
    for node in [&first, &second] {
        let there = people[mover].moved_to(address(node));
        let refused = there.post(&format!("{at}/play"), &turn).await.refused(503);
        assert_eq!(refused, "unavailable");
        assert!(stopped.elapsed() < REFUSED_WITHIN, "{:?}", stopped.elapsed());
    }
    println!("both nodes refused a move within {:?}", stopped.elapsed());
    tokio::time::sleep(AWAY.saturating_sub(stopped.elapsed())).await;
    // One node comes back later than the other, and is not taken for gone.
    second.signal("STOP");
    postgres.start_again();
    println!("PostgreSQL was away for {:?}", stopped.elapsed());
    let noted = "SELECT COUNT(*) FROM nodes WHERE alive > EXTRACT(EPOCH FROM now()) * 1000 - 1000";
    while place.sql(noted) != "1" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    second.signal("CONT");
    let asked = (Method::POST, &*format!("{at}/play"), &turn);
    insist(&both, &people[mover], &mut random, asked).await;
    let stored = moves_of(&people[0], &id).await;
    let first_of_turn = version as usize - 1;
    assert_eq!(stored.get(first_of_turn..first_of_turn + moves.len()), Some(&*moves));
    println!("the longest time without a move in a game: {:?}", load.end().await);
    for live in [first, second] {
        let (status, log, _) = live.stop("TERM");
        assert!(status.success(), "a node lost its place: {log}");
    }
}
