//! Ratings of many from matches between some: the likeliest differences in Elo.

use super::elo::NORMAL_95;
use super::{Estimate, Interval};
use crate::math::logistic;
use std::f64::consts::LN_10;

/// What two players' games against each other said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// The number of the player whose score it is.
    pub player: usize,
    /// The number of the other.
    pub other: usize,
    /// Games played.
    pub games: u64,
    /// The player's score, from 0 to 1, with the error that the pairs of games show.
    pub score: Estimate,
}

/// The ratings of players numbered from 0 under which the results are likeliest (Bradley and
/// Terry, a draw being half a win), relative to the anchor, with 95 % intervals of the difference
/// to it. `None` for players whom no chain of games connects with the anchor.
///
/// Each pairing counts one drawn game more than was played, so that a clean sheet stays finite.
/// The intervals come from the errors the pairs of games show, not from the model.
#[must_use]
pub fn ratings(players: usize, pairings: &[Pairing], anchor: usize) -> Vec<Option<Interval>> {
    let played: Vec<Pairing> = pairings.iter().copied().filter(|p| p.games > 0).collect();
    let known = connected(players, &played, anchor);
    let played: Vec<Pairing> = played.into_iter().filter(|p| known[p.player]).collect();
    let strengths = likeliest(players, &played, anchor);
    let free: Vec<usize> = (0..players).filter(|i| known[*i] && *i != anchor).collect();
    let errors = errors(&strengths, &played, &free);
    let elo = 400.0 / LN_10;
    (0..players)
        .map(|i| {
            let error = free.iter().position(|f| *f == i).map_or(0.0, |at| errors[at]);
            let (mean, reach) = (strengths[i] * elo, NORMAL_95 * error * elo);
            known[i].then_some(Interval { low: mean - reach, mean, high: mean + reach })
        })
        .collect()
}

/// Which players a chain of games connects with the anchor.
fn connected(players: usize, played: &[Pairing], anchor: usize) -> Vec<bool> {
    let mut known = vec![false; players];
    known[anchor] = true;
    for _ in 0..players {
        for pairing in played {
            let either = known[pairing.player] || known[pairing.other];
            known[pairing.player] = either;
            known[pairing.other] = either;
        }
    }
    known
}

/// Games with the drawn one, and the player's points in them.
fn counted(pairing: &Pairing) -> (f64, f64) {
    let games = pairing.games as f64;
    (games + 1.0, games * pairing.score.mean + 0.5)
}

/// One player after the other is put where the likelihood is highest, until nobody moves.
fn likeliest(players: usize, played: &[Pairing], anchor: usize) -> Vec<f64> {
    let mut strengths = vec![0.0; players];
    for _ in 0..20_000 {
        let mut moved = 0.0_f64;
        for i in (0..players).filter(|i| *i != anchor) {
            let (mut slope, mut curve) = (0.0, 0.0);
            for pairing in played {
                let (games, points) = counted(pairing);
                let p = logistic(strengths[pairing.player] - strengths[pairing.other]);
                let sign = f64::from(pairing.player == i) - f64::from(pairing.other == i);
                slope += sign * (points - games * p);
                curve += sign * sign * games * p * (1.0 - p);
            }
            if curve > 0.0 {
                let step = (slope / curve).clamp(-1.0, 1.0);
                strengths[i] += step;
                moved = moved.max(step.abs());
            }
        }
        if moved < 1e-10 {
            break;
        }
    }
    strengths
}

/// The standard errors of the free players' strengths: the inverse of the curvature on both sides
/// of what the slope varies by.
fn errors(strengths: &[f64], played: &[Pairing], free: &[usize]) -> Vec<f64> {
    let n = free.len();
    let mut curvature = vec![vec![0.0; n]; n];
    let mut variance = vec![vec![0.0; n]; n];
    for pairing in played {
        let (games, _) = counted(pairing);
        let p = logistic(strengths[pairing.player] - strengths[pairing.other]);
        let model = games * p * (1.0 - p);
        // A clean sheet, or a single pair, shows no error of its own.
        let shown = pairing.score.error * pairing.games as f64;
        let spread = if shown > 0.0 && shown.is_finite() { shown * shown } else { model };
        let at = |player: usize| free.iter().position(|f| *f == player);
        let ends = [(at(pairing.player), 1.0), (at(pairing.other), -1.0)];
        for (row, sign) in ends {
            for (column, other) in ends {
                if let (Some(row), Some(column)) = (row, column) {
                    curvature[row][column] += sign * other * model;
                    variance[row][column] += sign * other * spread;
                }
            }
        }
    }
    let inverse = inverse(curvature);
    let varies = |i: usize| -> f64 {
        let row = &inverse[i];
        (0..n).map(|j| (0..n).map(|k| row[j] * variance[j][k] * row[k]).sum::<f64>()).sum()
    };
    (0..n).map(|i| varies(i).max(0.0).sqrt()).collect()
}

/// The inverse of a symmetric positive definite matrix (Gauss and Jordan).
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot][pivot];
        for half in [&mut matrix, &mut inverse] {
            half[pivot].iter_mut().for_each(|x| *x *= scale);
        }
        for row in (0..n).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            for half in [&mut matrix, &mut inverse] {
                let from = half[pivot].clone();
                half[row].iter_mut().zip(from).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::score_of_elo;

    fn pairing(player: usize, other: usize, games: u64, mean: f64, error: f64) -> Pairing {
        Pairing { player, other, games, score: Estimate { mean, error } }
    }

    #[test]
    fn true_differences_are_found_again() {
        let elos = [0.0, 120.0, -300.0, 210.0];
        let mut pairings = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                pairings.push(pairing(a, b, 1_000_000, score_of_elo(elos[a] - elos[b]), 0.01));
            }
        }
        for (found, elo) in ratings(4, &pairings, 0).iter().zip(elos) {
            let found = found.unwrap();
            assert!((found.mean - elo).abs() < 0.1, "{found} for {elo}");
            assert!(found.low <= found.mean && found.mean <= found.high);
        }
    }

    #[test]
    fn one_pairing_has_its_own_interval() {
        // The slope of Elo by score at one half is 4 · 400 / ln 10.
        let found = ratings(2, &[pairing(1, 0, 100_000, 0.5, 0.01)], 0)[1].unwrap();
        let reach = 0.01 * 1.959_964 * 1600.0 / LN_10;
        assert!(found.mean.abs() < 1e-6);
        assert!((found.high - reach).abs() < 0.01 && (found.low + reach).abs() < 0.01, "{found}");
    }

    #[test]
    fn errors_add_up_along_a_chain() {
        let chain = [pairing(1, 0, 100_000, 0.5, 0.01), pairing(2, 1, 100_000, 0.5, 0.01)];
        let found = ratings(3, &chain, 0);
        let [one, two] = [1, 2].map(|i| found[i].unwrap().high);
        assert!((two / one - 2.0_f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn clean_sheets_stay_finite_and_strangers_unknown() {
        let found = ratings(4, &[pairing(0, 1, 20, 1.0, 0.0), pairing(2, 3, 20, 0.5, 0.1)], 0);
        let beaten = found[1].unwrap();
        assert!(beaten.mean < -500.0 && beaten.low.is_finite() && beaten.high < -100.0);
        assert_eq!((found[2], found[3]), (None, None));
        assert_eq!(found[0].unwrap().mean, 0.0);
    }
}
