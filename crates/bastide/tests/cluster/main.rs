//! Several nodes on one PostgreSQL database and one NATS server, as programs of their own. Nodes are
//! killed, told to stop or stand still, NATS and PostgreSQL are restarted, tables are changed, while
//! games are played by clients that come to any node. Every acknowledged move is in its game once, and
//! all games go on.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../../../server/tests/common/client.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
mod client;
mod encrypted;
mod kills;
#[path = "../live/mod.rs"]
mod live;
mod load;
#[path = "../../../server/tests/common/nats.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
mod nats;
mod newer_tables;
mod paused;
mod postgres;
mod restarted;

use live::{Live, Place};
use load::Load;
use nats::Nats;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::sync::Mutex;

/// One test at a time: nodes that wait too long for a core would lose their place.
static TURN: Mutex<()> = Mutex::const_new(());

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_whatever_happens_to_a_node_a_worker_or_the_bus() {
    let _turn = TURN.lock().await;
    let Some((place, mut nats)) = place_and_bus() else { return };
    let start = || start(&place, &nats.url());
    let (first, second, third) = (start(), start(), start());
    let workers = [(); 2].map(|()| Live::start_worker(&nats.url()));
    let load = Load::start_with_bots(&[&first, &second, &third], [40, 20], 24);
    load.until(1.0 / 6.0).await;
    first.stop("KILL");
    load.forget(0);
    load.until(1.0 / 4.0).await;
    let [killed, worker] = workers;
    killed.stop("KILL");
    load.until(1.0 / 3.0).await;
    nats.stop();
    tokio::time::sleep(Duration::from_millis(500)).await;
    nats.start_again();
    load.until(1.0 / 2.0).await;
    let fourth = self::start(&place, &nats.url());
    load.add(&fourth);
    load.forget(0);
    second.stop("TERM");
    println!("the longest time without a move in a game: {:?}", load.end().await);
    for live in [third, fourth] {
        let (status, log, _) = live.stop("TERM");
        assert!(status.success(), "{log}");
    }
    let (status, log, _) = worker.stop("TERM");
    assert!(status.success(), "{log}");
    let (_, rest) = log.split_once("\"done\":").expect("it says how much it did");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let done: u64 = digits.parse().expect("a number");
    println!("turns of bots by the worker that stayed: {done}");
    assert!(done > 100, "the bots moved elsewhere: {done}");
}

/// A new database and a NATS server; nothing, and a word, where there is not both.
fn place_and_bus() -> Option<(Place, Nats)> {
    let on_postgres = std::env::var("BASTIDE_TEST_DATABASE").is_ok_and(|url| !url.is_empty());
    let nats = Nats::start().filter(|_| on_postgres);
    if nats.is_none() {
        println!("SKIPPED: nodes need PostgreSQL (scripts/with-postgres) and nats-server");
    }
    nats.map(|nats| (Place::new(), nats))
}

/// A node; all of them keep their things in one place.
fn start(place: &Place, bus: &str) -> Live {
    let quick = ["--bot-pause-ms", "0", "--bot-time-ms", "20"];
    let flags = [&["--limits", "false", "--log", "error", "--bus", bus], &quick[..]].concat();
    Live::start_beside(place, &flags)
}

fn address(live: &Live) -> SocketAddr {
    live.url().trim_start_matches("http://").parse().expect("an address")
}
