//! Plays random games with full lists of moves, for counting their instructions.
//!
//! ```text
//! cargo build --release --package carcassonne --example random_games
//! scripts/bench-instructions target/release/examples/random_games
//! target/release/examples/random_games bench --random-games 1000 --setup sets=inns,traders
//! ```

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
}
