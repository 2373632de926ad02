//! What single operations cost, averaged over the positions of random games.

use super::clock::Clock;
use carcassonne::{Carcassonne, Move, MoveKind, Phase, Setup};
use game::{Game, Random, ignore};
use std::hint::black_box;

/// An operation and its cost.
pub(super) struct Cost {
    pub(super) what: &'static str,
    pub(super) nanoseconds: f64,
}

/// How many positions of a phase are used: few enough to stay in the cache, as they do in a
/// search, spread over whole games.
const POSITIONS: usize = 48;

/// Measures every operation on positions of this many games.
pub(super) fn measure(games: usize, seed: u64) -> Vec<Cost> {
    let games = played(games, seed);
    let all = positions(&games);
    let positions = sample(&all, |_| true);
    let placing = sample(&all, |game| game.phase() == Phase::PlaceTile);
    let claiming = sample(&all, |game| game.phase() == Phase::PlaceMeeple);
    let game = &games[..games.len().min(4)];
    let turns =
        game.iter().flatten().filter(|m| matches!(m.kind(), MoveKind::Place { .. })).count();
    let mut list = Vec::with_capacity(256);
    vec![
        each("clone a state", &positions, |game| {
            let copy = black_box(game).clone();
            black_box(&copy);
        }),
        cost("play a turn (draw, place, meeple, scoring)", turns, || replay(game)),
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

/// The cost of one of `count` things that `work` does: the best of many short rounds, since
/// whatever else the machine does only adds to it.
fn cost(what: &'static str, count: usize, mut work: impl FnMut()) -> Cost {
    const ROUNDS: usize = 400;
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        for _ in 0..4 {
            work();
        }
        best = best.min(clock.wall_seconds() / 4.0);
    }
    Cost { what, nanoseconds: best * 1e9 / count.max(1) as f64 }
}

/// Some of the positions, evenly spread.
fn sample(all: &[Carcassonne], wanted: impl Fn(&Carcassonne) -> bool) -> Vec<Carcassonne> {
    let wanted: Vec<&Carcassonne> = all.iter().filter(|game| wanted(game)).collect();
    let step = wanted.len().div_ceil(POSITIONS).max(1);
    wanted.into_iter().step_by(step).cloned().collect()
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
            game.play_unchecked(m, ignore);
            moves.push(m);
        }
    };
    (0..count).map(game).collect()
}

fn replay(games: &[Vec<Move>]) {
    let fresh = Carcassonne::new(&Setup::default());
    for moves in games {
        let mut game = fresh.clone();
        for m in moves {
            game.play_unchecked(*m, ignore);
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
            game.play_unchecked(*m, ignore);
            positions.push(game.clone());
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
