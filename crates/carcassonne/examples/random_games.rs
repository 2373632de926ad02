//! Plays random games with full lists of moves, for counting their instructions.
//!
//! ```text
//! cargo build --release --package carcassonne --example random_games
//! scripts/bench-instructions target/release/examples/random_games
//! target/release/examples/random_games bench --random-games 1000 --setup sets=inns,traders
//! ```
//!
//! It also tells the processor time of a game and of a copy of a state, where the system tells it.
//! `--setup players=2` plays the base game in the layout of all sets.

use carcassonne::{Carcassonne, Expanded};
use game::{Game, Random, Turn};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let after = |name: &str| words.iter().skip_while(|word| *word != name).nth(1);
    let games = after("--random-games").and_then(|number| number.parse().ok()).unwrap_or(100);
    match after("--setup") {
        Some(setup) => play::<Expanded>(games, setup),
        None => play::<Carcassonne>(games, ""),
    }
}

fn play<G: Game>(games: u64, setup: &str) {
    let Ok(setup) = setup.parse() else { return eprintln!("'{setup}' is no setup") };
    let mut random = Random::new(1);
    let mut moves = Vec::with_capacity(256);
    let mut points = 0;
    let fresh = G::new(&setup);
    let started = processor_nanoseconds();
    for _ in 0..games {
        let mut game = fresh.clone();
        loop {
            let m = match game.turn() {
                Turn::Chance => game.sample_outcome(&mut random),
                Turn::Player(_) => {
                    game.moves(&mut moves);
                    random.pick(&moves).copied()
                }
                Turn::Over => break,
            };
            let Some(m) = m else { break };
            game.play_unchecked(m, |_| {});
        }
        points += game.scores().as_slice().iter().sum::<i32>();
    }
    println!("{games} games, {points} points, {} bytes a state", size_of::<G>());
    let (Some(started), Some(ended)) = (started, processor_nanoseconds()) else { return };
    let a_second = games as f64 * 1e9 / (ended - started).max(1) as f64;
    println!("{a_second:.0} games a second of the processor");
    const COPIES: u64 = 2_000;
    let mut copy = fresh.clone();
    for _ in 0..COPIES {
        copy = std::hint::black_box(&copy).clone();
    }
    let Some(copied) = processor_nanoseconds() else { return };
    println!("{} nanoseconds a copy", (copied - ended) / COPIES);
}

/// The processor time of this thread, as Linux tells it.
fn processor_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
