//! `bastide bench`: how fast the rules are, and a signature that says whether they changed.

use carcassonne::{Carcassonne, Move, Setup, Tile};
use game::{Game, Random, Turn};
use std::process::ExitCode;

/// Measure the engine on this machine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only play this many random games, so that instruction counts can be differenced
    #[arg(long, value_name = "N")]
    random_games: Option<u64>,
    /// The seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(games) = args.random_games {
        let points = random_games(games, args.seed);
        println!("{games} random games, signature {points:016x}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays random games with full lists of moves and gives a number that depends on all of them.
fn random_games(games: u64, seed: u64) -> u64 {
    let setup = Setup::default();
    let mut random = Random::new(seed);
    let mut deck: Vec<Move> = full_deck();
    let mut moves = Vec::with_capacity(256);
    let mut signature = 0u64;
    let fresh = Carcassonne::new(&setup);
    for _ in 0..games {
        random.shuffle(&mut deck);
        let mut draws = deck.iter().copied();
        let mut game = fresh;
        loop {
            match game.turn() {
                Turn::Chance => match draws.next() {
                    Some(draw) => game.play_unchecked(draw, |_| {}),
                    None => break,
                },
                Turn::Player(_) => {
                    game.moves(&mut moves);
                    let m = moves[random.below(moves.len() as u32) as usize];
                    signature = signature.wrapping_mul(31).wrapping_add(moves.len() as u64);
                    game.play_unchecked(m, |_| {});
                }
                Turn::Over => break,
            }
        }
        for score in game.scores().as_slice() {
            signature = signature.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(*score as u64);
        }
    }
    signature
}

/// The 71 tiles that are drawn when the start tile lies.
fn full_deck() -> Vec<Move> {
    Tile::all()
        .flat_map(|tile| {
            let count = tile.printed().count - u8::from(tile == Tile::START);
            std::iter::repeat_n(Move::draw(tile), count.into())
        })
        .collect()
}
