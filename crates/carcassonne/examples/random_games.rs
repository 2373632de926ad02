//! Plays random games with full lists of moves, for counting their instructions.
//!
//! ```text
//! cargo build --release --package carcassonne --example random_games
//! scripts/bench-instructions target/release/examples/random_games
//! ```

use carcassonne::{Carcassonne, Setup};
use game::{Game, Random, Turn};

fn main() {
    let games: u64 = std::env::args()
        .skip_while(|word| word != "--random-games")
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(100);
    let mut random = Random::new(1);
    let mut moves = Vec::with_capacity(256);
    let mut points = 0;
    let fresh = Carcassonne::new(&Setup::default());
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
    println!("{games} games, {points} points, {} bytes a state", size_of::<Carcassonne>());
}
