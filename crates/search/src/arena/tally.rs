//! Results of paired games, counted.

use super::elo::{Interval, elo_interval};
use std::fmt;

/// A pair of games on the same deck with the seats swapped: the final margin of the player that
/// the match is about in each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair(pub [i32; 2]);

impl Pair {
    /// The two games' points, 2 a win and 1 a draw: 0 to 4.
    #[must_use]
    pub fn points(self) -> usize {
        self.0.iter().map(|margin| (margin.signum() + 1) as usize).sum()
    }
}

/// A mean with its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error; infinite below two samples.
    pub error: f64,
}

impl fmt::Display for Estimate {
    /// `+12.3 ± 0.9`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} ± {:.1}", self.mean, self.error)
    }
}

/// What is counted of a match's pairs; the order of the pairs does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Pairs by their points: 0 is two losses, 4 two wins.
    pub pentanomial: [u64; 5],
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Sum over the pairs of both games' margins.
    pub(super) sum: i64,
    /// Sum of that sum's squares.
    pub(super) squares: i64,
}

impl Tally {
    /// Counts a pair.
    pub fn add(&mut self, pair: Pair) {
        self.pentanomial[pair.points()] += 1;
        for margin in pair.0 {
            match margin.signum() {
                1 => self.wins += 1,
                0 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        let both = i64::from(pair.0[0]) + i64::from(pair.0[1]);
        self.sum += both;
        self.squares += both * both;
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.pentanomial.iter_mut().zip(other.pentanomial) {
            *mine += theirs;
        }
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Pairs counted.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// The margin a game, each pair being one sample: luck of the deck cancels within it.
    #[must_use]
    pub fn margin(&self) -> Estimate {
        let n = self.pairs() as f64;
        if n == 0.0 {
            return Estimate { mean: 0.0, error: f64::INFINITY };
        }
        let mean = self.sum as f64 / n;
        let error = if n < 2.0 {
            f64::INFINITY
        } else {
            let variance = (self.squares as f64 - n * mean * mean) / (n - 1.0);
            (variance.max(0.0) / n).sqrt()
        };
        Estimate { mean: mean / 2.0, error: error / 2.0 }
    }

    /// The score a game, from 0 to 1, with the error that the pairs show.
    #[must_use]
    pub fn score(&self) -> Estimate {
        let n = self.pairs() as f64;
        if n == 0.0 {
            return Estimate { mean: 0.5, error: f64::INFINITY };
        }
        let moment = |power: i32| -> f64 {
            let term =
                |(points, count): (usize, &u64)| (points as f64 / 4.0).powi(power) * *count as f64;
            self.pentanomial.iter().enumerate().map(term).sum::<f64>() / n
        };
        let mean = moment(1);
        let error = if n < 2.0 {
            f64::INFINITY
        } else {
            ((moment(2) - mean * mean).max(0.0) / (n - 1.0)).sqrt()
        };
        Estimate { mean, error }
    }

    /// The difference in Elo, with its 95 % interval.
    #[must_use]
    pub fn elo(&self) -> Interval {
        elo_interval(self.score(), self.pairs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[[i32; 2]]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|pair| tally.add(Pair(*pair)));
        tally
    }

    #[test]
    fn counted_by_hand() {
        // Pair means 10, 2, −3, 7: mean 4, deviations 6 −2 −7 3, variance 98/3, error √(98/12).
        let four = tally(&[[12, 8], [10, -6], [-6, 0], [0, 14]]);
        assert_eq!((four.wins, four.draws, four.losses), (4, 2, 2));
        assert_eq!(four.pentanomial, [0, 1, 1, 1, 1]);
        let margin = four.margin();
        assert!((margin.mean - 4.0).abs() < 1e-12);
        assert!((margin.error - (98.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(margin.to_string(), "+4.0 ± 2.9");
        // Pair scores 1, ½, ¼, ¾: mean 0.625, squared deviations sum to 0.3125.
        let score = four.score();
        assert!((score.mean - 0.625).abs() < 1e-12);
        assert!((score.error - (0.3125_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn parts_of_a_match_merge() {
        let pairs = [[1, 2], [-3, 4], [0, 0], [5, -9], [7, 7]];
        let mut parts = tally(&pairs[..2]);
        parts.merge(&tally(&pairs[2..]));
        assert_eq!(parts, tally(&pairs));
    }

    #[test]
    fn nothing_played_says_nothing() {
        assert!(Tally::default().margin().error.is_infinite());
        assert!(tally(&[[3, 5]]).margin().error.is_infinite());
        assert_eq!(tally(&[[3, 5]]).margin().mean, 4.0);
    }
}
