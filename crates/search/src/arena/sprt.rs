//! When a match has shown enough: the sequential probability ratio test on rounds of games.
//!
//! As chess engines are tested: the five results a pair can have (more in a round among more than
//! two) are fitted under each hypothesis
//! by maximum likelihood (the generalised SPRT of Van den Bergh), so that the pairing's smaller
//! variance is used and draws need no model.

use super::{Tally, score_of_elo};
use crate::math::ln;
use std::fmt;

/// A test of "at most `elo0` better" against "at least `elo1` better".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference in Elo under the hypothesis that there is nothing to gain.
    pub elo0: f64,
    /// The difference under the hypothesis that there is.
    pub elo1: f64,
    /// The probability to accept `elo1` wrongly.
    pub alpha: f64,
    /// The probability to accept `elo0` wrongly.
    pub beta: f64,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Play on.
    Open,
    /// Not better: the difference is `elo0`.
    Rejected,
    /// Better: the difference is `elo1`.
    Accepted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Rejected => "rejected",
            Self::Accepted => "accepted",
        })
    }
}

impl Sprt {
    /// A test with 5 % errors on both sides.
    #[must_use]
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The log-likelihood ratios at which the test rejects and accepts.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (ln(self.beta / (1.0 - self.alpha)), ln((1.0 - self.beta) / self.alpha))
    }

    /// The log-likelihood ratio of the results: above 0 for `elo1`, below for `elo0`.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.rounds() == 0 {
            return 0.0;
        }
        // A result that never came must not be impossible.
        let counts: Vec<f64> = tally.results.iter().map(|n| (*n as f64).max(1e-3)).collect();
        let total: f64 = counts.iter().sum();
        let shares: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let [null, other] = [self.elo0, self.elo1].map(|elo| likeliest(&shares, score_of_elo(elo)));
        (0..counts.len()).map(|i| counts[i] * (ln(other[i]) - ln(null[i]))).sum()
    }

    /// What the results say.
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (low, high) = self.bounds();
        let llr = self.llr(tally);
        if llr >= high {
            Verdict::Accepted
        } else if llr <= low {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }
}

/// The distribution of results with the mean score `score` that makes `shares` likeliest:
/// p / (1 + t (x − score)) for the t at which its mean is right.
fn likeliest(shares: &[f64], score: f64) -> Vec<f64> {
    let last = shares.len() - 1;
    let off = |i: usize| i as f64 / last as f64 - score;
    let mean = |t: f64| -> f64 {
        shares.iter().enumerate().map(|(i, share)| share * off(i) / (1.0 + t * off(i))).sum()
    };
    let (mut low, mut high) = (-1.0 / off(last), -1.0 / off(0));
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = 0.5 * (low + high);
    shares.iter().enumerate().map(|(i, share)| share / (1.0 + t * off(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pentanomial: [u64; 5]) -> Tally {
        let mut tally = Tally::default();
        tally.results.copy_from_slice(&pentanomial);
        tally
    }

    #[test]
    fn bounds_of_five_percent_are_the_usual_ones() {
        let (low, high) = Sprt::new(0.0, 5.0).bounds();
        assert!((high - 2.944_438_979).abs() < 1e-8 && (low + high).abs() < 1e-12);
    }

    #[test]
    fn fitted_distributions_have_the_right_mean() {
        let shares = [0.1, 0.2, 0.3, 0.25, 0.15];
        for score in [0.3, 0.5, 0.51, 0.8] {
            let fitted = likeliest(&shares, score);
            let mean: f64 = fitted.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            assert!((fitted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean - score).abs() < 1e-9);
        }
    }

    #[test]
    fn near_the_hypotheses_it_is_the_normal_ratio() {
        // Mean 0.525, variance of a pair's score 0.06; for small differences the ratio is
        // N (s1 − s0) (2 mean − s0 − s1) / (2 variance).
        let results = tally([60, 200, 420, 220, 100]);
        let sprt = Sprt::new(0.0, 5.0);
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let (n, mean) = (1_000.0, 0.525);
        let squares = (200.0 + 420.0 * 4.0 + 220.0 * 9.0 + 100.0 * 16.0) / 16.0 / n;
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * (squares - mean * mean));
        let llr = sprt.llr(&results);
        assert!((llr / normal - 1.0).abs() < 0.02, "{llr} against {normal}");
        // The same sums in another language.
        assert!((llr - 2.339_920_500).abs() < 1e-6, "{llr}");
        let other = Sprt::new(0.0, 20.0).llr(&tally([10, 60, 100, 120, 60]));
        assert!((other - 12.663_513_962).abs() < 1e-6, "{other}");
    }

    #[test]
    fn verdicts() {
        let sprt = Sprt::new(0.0, 20.0);
        assert_eq!(sprt.verdict(&tally([0; 5])), Verdict::Open);
        assert_eq!(sprt.verdict(&tally([10, 60, 100, 120, 60])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&tally([60, 120, 100, 60, 10])), Verdict::Rejected);
        assert_eq!(sprt.verdict(&tally([1, 2, 3, 2, 1])), Verdict::Open);
    }
}
