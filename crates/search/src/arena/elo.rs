//! Scores as differences in Elo.

use super::Estimate;
use crate::math::{exp, ln};
use std::f64::consts::LN_10;
use std::fmt;

/// An estimate between two bounds.
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
    /// `+35 [+12, +58]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.0} [{:+.0}, {:+.0}]", self.mean, self.low, self.high)
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
/// A clean sheet counts as if half a game were not won. Rounds that all ended alike show no error
/// of their own; then it is that of independent games.
pub(super) fn elo_interval(score: Estimate, games: u64) -> Interval {
    let edge = 0.5 / (games as f64 + 2.0);
    let inside = |s: f64| s.clamp(edge, 1.0 - edge);
    let mean = inside(score.mean);
    let error = if score.error > 0.0 {
        score.error
    } else {
        (mean * (1.0 - mean) / (games as f64).max(1.0)).sqrt()
    };
    let elo = |s: f64| elo_of_score(inside(s));
    let reach = NORMAL_95 * error;
    Interval { low: elo(mean - reach), mean: elo(mean), high: elo(mean + reach) }
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
        assert!(clean.high.is_finite() && clean.mean > 900.0);
        assert!(clean.low > 500.0 && clean.low < clean.mean - 100.0, "{clean}");
        assert!(elo_interval(Estimate { mean: 0.5, error: f64::INFINITY }, 2).high.is_finite());
        assert_eq!(Interval { low: 12.4, mean: 35.2, high: 57.9 }.to_string(), "+35 [+12, +58]");
    }
}
