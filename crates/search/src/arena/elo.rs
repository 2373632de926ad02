//! Scores as differences in Elo.

use super::Estimate;
use crate::math::{exp, ln};
use std::f64::consts::LN_10;
use std::fmt;

/// An estimate between two bounds, which are infinite where the results set none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The estimate.
    pub mean: f64,
    /// The upper bound.
    pub high: f64,
}

impl fmt::Display for Interval {
    /// `+35 [+12, +58]`; with one bound `+1042 [from +687]` or `-1042 [up to -687]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { low, mean, high } = self;
        match (low.is_finite(), high.is_finite()) {
            (true, true) => write!(f, "{mean:+.0} [{low:+.0}, {high:+.0}]"),
            (true, false) => write!(f, "{mean:+.0} [from {low:+.0}]"),
            (false, true) => write!(f, "{mean:+.0} [up to {high:+.0}]"),
            (false, false) => write!(f, "{mean:+.0} [no interval]"),
        }
    }
}

/// How many standard errors a 95 % interval reaches to each side.
pub(super) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The score that a difference in Elo predicts, from 0 to 1.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + exp(-elo * LN_10 / 400.0))
}

/// The difference in Elo that predicts a score; infinite at 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 / LN_10 * ln(score / (1.0 - score))
}

/// A score's Elo with its 95 % interval.
///
/// A clean sheet is estimated as if half a game were not won, and has no bound on its far side.
/// Rounds that all ended alike show no error of their own; then the interval is that of independent
/// games (Wilson's, which holds for a clean sheet too). A single round shows nothing of the spread
/// and has no interval.
pub(super) fn elo_interval(score: Estimate, games: u64) -> Interval {
    let edge = 0.5 / (games as f64 + 2.0);
    let inside = |s: f64| s.clamp(edge, 1.0 - edge);
    let mean = elo_of_score(inside(score.mean));
    if !score.error.is_finite() {
        return Interval { low: f64::NEG_INFINITY, mean, high: f64::INFINITY };
    }
    let (all_lost, all_won) = (score.mean <= 0.0, score.mean >= 1.0);
    let (low, high) = if score.error > 0.0 && !all_lost && !all_won {
        let reach = NORMAL_95 * score.error;
        (score.mean - reach, score.mean + reach)
    } else {
        wilson(score.mean, games)
    };
    let low = if all_lost { f64::NEG_INFINITY } else { elo_of_score(inside(low)) };
    let high = if all_won { f64::INFINITY } else { elo_of_score(inside(high)) };
    Interval { low, mean, high }
}

/// Wilson's 95 % interval of a share among independent games.
fn wilson(share: f64, games: u64) -> (f64, f64) {
    let games = (games as f64).max(1.0);
    let square = NORMAL_95 * NORMAL_95 / games;
    let centre = share + 0.5 * square;
    let reach = NORMAL_95 * (share * (1.0 - share) / games + 0.25 * square / games).sqrt();
    ((centre - reach) / (1.0 + square), (centre + reach) / (1.0 + square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scores() {
        // 10^(−200/400) = 0.316228: a score of 1 / 1.316228.
        assert!((score_of_elo(200.0) - 0.759_746_926_6).abs() < 1e-9);
        assert!((elo_of_score(0.75) - 190.848_501_9).abs() < 1e-6);
        assert!((elo_of_score(0.64) - 99.951).abs() < 1e-2);
        assert!(elo_of_score(score_of_elo(-37.5)) + 37.5 < 1e-9);
    }

    #[test]
    fn the_interval_holds_the_estimate_and_stays_finite() {
        let even = elo_interval(Estimate { mean: 0.5, error: 0.05 }, 200);
        assert!(even.low < 0.0 && even.mean.abs() < 1e-9 && (even.low + even.high).abs() < 1e-9);
        let clean = elo_interval(Estimate { mean: 1.0, error: 0.0 }, 200);
        assert!(clean.mean.is_finite() && clean.mean > 900.0);
        assert!(clean.low > 500.0 && clean.low < clean.mean - 100.0, "{clean}");
        assert_eq!(Interval { low: 12.4, mean: 35.2, high: 57.9 }.to_string(), "+35 [+12, +58]");
    }

    #[test]
    fn a_clean_sheet_has_one_bound() {
        // Wilson's bound for 200 of 200 is 200 / (200 + 1.96^2) = 0.981155: 686.6 Elo.
        let won = elo_interval(Estimate { mean: 1.0, error: 0.0 }, 200);
        assert!((won.low - 686.6).abs() < 0.1, "{}", won.low);
        assert_eq!(won.high, f64::INFINITY);
        assert_eq!(won.to_string(), "+1042 [from +687]");
        let lost = elo_interval(Estimate { mean: 0.0, error: 0.0 }, 200);
        assert_eq!(lost.low, f64::NEG_INFINITY);
        assert!((lost.high + won.low).abs() < 1e-9);
        assert_eq!(lost.to_string(), "-1042 [up to -687]");
    }

    #[test]
    fn no_interval_ends_at_its_own_estimate() {
        for games in 1..60 {
            for halves in 0..=2 * games {
                for error in [0.0, 0.001, 0.05, 0.3, f64::INFINITY] {
                    let mean = halves as f64 / (2 * games) as f64;
                    let elo = elo_interval(Estimate { mean, error }, games);
                    assert!(elo.mean.is_finite(), "{mean} of {games}: {elo}");
                    assert!(elo.low < elo.mean && elo.mean < elo.high, "{mean} of {games}: {elo}");
                    assert!(!elo.to_string().contains("inf"), "{elo}");
                }
            }
        }
    }

    #[test]
    fn a_single_round_has_no_interval() {
        let one = elo_interval(Estimate { mean: 0.75, error: f64::INFINITY }, 2);
        assert_eq!((one.low, one.high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(one.to_string(), "+191 [no interval]");
    }
}
