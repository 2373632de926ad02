//! How many lines of play there are, by probing at random.
//!
//! A line that is followed by choosing among the moves at random, each as likely, stands for as many lines
//! as the numbers of its moves multiply to (Knuth, 1975). That product varies by many orders of magnitude.
//! So a population of lines is followed at the same time: after each ply the number of lines is multiplied
//! by the mean number of moves in the population, and the next population is drawn from this one, each line
//! as often as it has moves. The mean of such estimates is the number of lines, as Knuth's is.

use crate::arena::Progress;
use carcassonne::{Carcassonne, Setup};
use game::{Game, Random, Turn, ignore};
use search::Moments;
use std::io::Write;

/// Lines of play, estimated by several populations, as logarithms to the base of ten.
pub(super) struct Estimate {
    /// Whole games.
    games: Vec<f64>,
    /// Lines of so many plies, from 1.
    by_depth: Vec<Vec<f64>>,
}

/// Estimates by so many populations of so many lines.
pub(super) fn estimate(
    setup: &Setup,
    runs: u32,
    population: usize,
    seed: u64,
    progress: &mut Progress,
) -> Estimate {
    let mut estimate = Estimate { games: Vec::new(), by_depth: Vec::new() };
    progress.start(0, u64::from(runs));
    for run in 0..runs {
        let mut random = Random::new(seed.wrapping_add(u64::from(run).wrapping_mul(0x9e37_79b9)));
        let one = follow(setup, population, &mut random);
        estimate.games.push(one.games);
        for (at, lines) in one.by_depth.into_iter().enumerate() {
            if estimate.by_depth.len() == at {
                estimate.by_depth.push(Vec::new());
            }
            estimate.by_depth[at].push(lines);
        }
        progress.step(String::new);
    }
    progress.end();
    estimate
}

struct OneRun {
    games: f64,
    by_depth: Vec<f64>,
}

fn follow(setup: &Setup, population: usize, random: &mut Random) -> OneRun {
    let mut lines = vec![Carcassonne::new(setup); population.max(1)];
    let (mut log, mut ended) = (0.0, Vec::new());
    let mut by_depth = Vec::new();
    let mut moves = Vec::new();
    loop {
        let over = lines.iter().filter(|game| game.turn() == Turn::Over).count();
        if over > 0 {
            ended.push(log + (over as f64 / lines.len() as f64).log10());
        }
        let counts: Vec<usize> = lines
            .iter()
            .map(|game| {
                moves.clear();
                game.moves(&mut moves);
                moves.len()
            })
            .collect();
        let sum: usize = counts.iter().sum();
        if sum == 0 {
            return OneRun { games: log_of_sum(&ended), by_depth };
        }
        log += (sum as f64 / lines.len() as f64).log10();
        by_depth.push(log);
        // Evenly spaced places in the sum: each line as often as its moves say, and as evenly as possible.
        let step = sum as f64 / lines.len() as f64;
        let first = (random.bits() >> 11) as f64 / (1u64 << 53) as f64 * step;
        let (mut next, mut passed, mut at) = (Vec::with_capacity(lines.len()), 0.0, 0);
        for place in (0..lines.len()).map(|n| first + n as f64 * step) {
            while passed + counts[at] as f64 <= place && at + 1 < counts.len() {
                passed += counts[at] as f64;
                at += 1;
            }
            let mut game = lines[at].clone();
            moves.clear();
            game.moves(&mut moves);
            if let Some(m) = random.pick(&moves) {
                game.play_unchecked(*m, ignore);
            }
            next.push(game);
        }
        lines = next;
    }
}

impl Estimate {
    /// The logarithm of the mean over the populations, and the lowest and highest of them.
    fn summary(logs: &[f64]) -> (f64, f64, f64, f64) {
        let mean = log_of_sum(logs) - (logs.len() as f64).log10();
        let mut moments = Moments::default();
        logs.iter().for_each(|log| moments.add(*log));
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (mean, moments.error(), low, high)
    }

    pub(super) fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        for (index, logs) in self.by_depth.iter().enumerate() {
            let depth = index + 1;
            if logs.len() == self.games.len() && (depth <= 6 || depth % 30 == 0) {
                let (mean, error, ..) = Self::summary(logs);
                writeln!(out, "{depth:>4} plies: 10^({mean:.2} ± {error:.2})")?;
            }
        }
        let (mean, error, low, high) = Self::summary(&self.games);
        writeln!(
            out,
            "whole games: 10^({mean:.2} ± {error:.2}), the lowest population 10^{low:.2}, the highest \
             10^{high:.2}"
        )
    }
}

/// The logarithm of a sum of numbers that are given by theirs.
fn log_of_sum(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logs.iter().map(|log| 10f64.powf(log - most)).sum::<f64>().log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_estimated_as_they_are_counted() {
        // A board of three cells, whose games are short enough to be counted one by one.
        let setup: Setup = "players=2 farmers=off board=2x2".parse().unwrap();
        fn games(game: &Carcassonne, depth: usize, lines: &mut Vec<f64>) -> f64 {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            if moves.is_empty() {
                return 1.0;
            }
            let mut count = 0.0;
            for m in moves {
                if lines.len() == depth {
                    lines.push(0.0);
                }
                lines[depth] += 1.0;
                let mut next = game.clone();
                next.play_unchecked(m, ignore);
                count += if depth < 5 { games(&next, depth + 1, lines) } else { 0.0 };
            }
            count
        }
        let mut lines = Vec::new();
        games(&Carcassonne::new(&setup), 0, &mut lines);
        let estimate = estimate(&setup, 8, 400, 7, &mut Progress::silent());
        for (depth, exact) in lines.iter().enumerate() {
            let (mean, error, ..) = Estimate::summary(&estimate.by_depth[depth]);
            let off = mean - exact.log10();
            assert!(
                off.abs() <= 4.0 * error + 1e-9,
                "depth {}: off by {off}, error {error}",
                depth + 1
            );
        }
        assert!(lines.len() == 6 && estimate.games.len() == 8);
    }
}
