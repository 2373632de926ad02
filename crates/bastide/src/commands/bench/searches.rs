//! What the searches answer on fixed positions, as one number: it says whether they changed.

use bots::roster::{self, BotSpec};
use carcassonne::{Carcassonne, Setup};
use game::{Game, Random, Turn, ignore};
use search::{Limits, Report, Stop};

/// Who is asked, and with how many nodes.
const BOTS: [(&str, u64); 5] =
    [("net", 1), ("best", 3_000), ("mcts", 400), ("star", 2_000), ("puct", 1_000)];

/// At which turns of the game they are asked: the last one is an ending that is solved.
const TURNS: [usize; 4] = [5, 24, 50, 69];

/// The number, and how many nodes it took.
pub(super) fn signature() -> (u64, u64) {
    let (mut signature, mut nodes) = (0u64, 0);
    for position in positions() {
        for (name, limit) in BOTS {
            let report = answer(name, limit, &position);
            nodes += report.nodes;
            let mut add = |word: u64| {
                signature = (signature ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            };
            add(report.nodes);
            for m in &report.turn {
                m.to_string().bytes().for_each(|byte| add(byte.into()));
            }
            for value in report.values.as_slice() {
                add(value.margin.to_bits().into());
                add(value.win.to_bits().into());
            }
        }
    }
    (signature, nodes)
}

/// What a bot answers on one thread, with a fixed seed.
fn answer(name: &str, nodes: u64, position: &Carcassonne) -> Report<carcassonne::Move> {
    let spec: BotSpec = name.parse().expect("the names are known");
    let mut bot =
        roster::make::<carcassonne::Base>(&spec, position.setup()).expect("the names are known");
    bot.new_game(position, 1);
    bot.search(position, &Limits::nodes(nodes), &Stop::new())
}

/// Positions of a game that the hand-made evaluation plays against itself.
fn positions() -> Vec<Carcassonne> {
    let mut game = Carcassonne::new(&Setup::default());
    let mut random = Random::new(1);
    let mut found = Vec::new();
    let mut turn = 0;
    while found.len() < TURNS.len() {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let drawn = game.sample_outcome(&mut random).expect("a tile is left");
                game.play_unchecked(drawn, ignore);
            }
            Turn::Player(_) => {
                if TURNS.contains(&turn) {
                    found.push(game.clone());
                }
                turn += 1;
                for m in answer("heuristic", 1, &game).turn {
                    game.play_unchecked(m, ignore);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this moves, some search answers differently: say so in the commit, and cite the match
    /// that shows it is not weaker. A new net moves it too.
    #[test]
    fn the_signature_of_the_searches_is_pinned() {
        assert_eq!(positions().len(), TURNS.len());
        assert_eq!(format!("{:016x}", signature().0), "1c8d51691414121d");
    }
}
