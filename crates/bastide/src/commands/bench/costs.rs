//! What single operations cost, averaged over the positions of random games.

use super::clock::Clock;
use carcassonne::{Carcassonne, Move, Phase, Setup};
use game::{Game, Random};
use std::hint::black_box;

/// An operation and its cost.
pub(super) struct Cost {
    pub(super) what: &'static str,
    pub(super) nanoseconds: f64,
}

/// Measures every operation on the positions of this many games.
pub(super) fn measure(games: usize, seed: u64) -> Vec<Cost> {
    let games = played(games, seed);
    let positions = positions(&games);
    let at = |phase| -> Vec<Carcassonne> {
        positions.iter().filter(|p| p.phase() == phase).copied().collect()
    };
    let (placing, claiming) = (at(Phase::PlaceTile), at(Phase::PlaceMeeple));
    let mut list = Vec::with_capacity(256);
    let turns = claiming.len();
    vec![
        each("clone a state", &positions, |game| {
            let copy = *black_box(game);
            black_box(&copy);
        }),
        cost("play a turn (draw, place, meeple, scoring)", turns, || replay(&games)),
        each("list placements", &placing, |game| {
            game.moves(&mut list);
            black_box(list.len());
        }),
        each("list meeple choices", &claiming, |game| {
            game.moves(&mut list);
            black_box(list.len());
        }),
        each("dead-cell map", &positions, |game| {
            game.for_each_dead_cell(|cell| {
                black_box(cell);
            });
        }),
        each("projected final scores", &positions, |game| {
            black_box(game.projected_scores());
        }),
        each("all features, counted", &positions, |game| {
            game.for_each_feature(|feature| {
                black_box(feature);
            });
        }),
        each("all features, with places (allocates)", &positions, |game| {
            black_box(game.features());
        }),
    ]
}

/// The cost of doing something to each position.
fn each(what: &'static str, positions: &[Carcassonne], mut work: impl FnMut(&Carcassonne)) -> Cost {
    cost(what, positions.len(), || positions.iter().for_each(&mut work))
}

/// The cost of one of `count` things that `work` does: the best of several rounds, since
/// whatever else the machine does only adds to it.
fn cost(what: &'static str, count: usize, mut work: impl FnMut()) -> Cost {
    const ROUNDS: usize = 15;
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        work();
        best = best.min(clock.wall_seconds());
    }
    Cost { what, nanoseconds: best * 1e9 / count.max(1) as f64 }
}

/// Random games of two players, as lists of moves.
fn played(count: usize, seed: u64) -> Vec<Vec<Move>> {
    let mut random = Random::new(seed);
    let mut list = Vec::new();
    let game = |_| {
        let mut game = Carcassonne::new(&Setup::default());
        let mut moves = Vec::new();
        loop {
            let chosen = match game.sample_outcome(&mut random) {
                Some(outcome) => Some(outcome),
                None => {
                    game.moves(&mut list);
                    random.pick(&list).copied()
                }
            };
            let Some(m) = chosen else { return moves };
            game.play_unchecked(m, |_| {});
            moves.push(m);
        }
    };
    (0..count).map(game).collect()
}

fn replay(games: &[Vec<Move>]) {
    let fresh = Carcassonne::new(&Setup::default());
    for moves in games {
        let mut game = fresh;
        for m in moves {
            game.play_unchecked(*m, |_| {});
        }
        black_box(game.scores());
    }
}

/// Every position of the games.
fn positions(games: &[Vec<Move>]) -> Vec<Carcassonne> {
    let mut positions = Vec::new();
    for moves in games {
        let mut game = Carcassonne::new(&Setup::default());
        for m in moves {
            game.play_unchecked(*m, |_| {});
            positions.push(game);
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cost_is_a_number() {
        for cost in measure(1, 1) {
            assert!(cost.nanoseconds.is_finite() && cost.nanoseconds > 0.0, "{}", cost.what);
        }
    }
}
