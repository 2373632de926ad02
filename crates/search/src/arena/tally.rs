//! Results of games on the same decks, counted.

use super::elo::{Interval, elo_interval};
use game::{ByPlayer, Player};
use std::fmt;

/// How one game ended for the player that a match is about: how it stands to each of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Seats with fewer points.
    pub ahead: u32,
    /// Seats with as many.
    pub level: u32,
    /// Seats with more.
    pub behind: u32,
    /// Its lead over each of the others, summed.
    pub lead: i32,
}

impl Outcome {
    /// What final scores are to a player.
    #[must_use]
    pub fn new(scores: &ByPlayer<i32>, player: Player) -> Self {
        let mut outcome = Self::default();
        for (_, score) in scores.iter().filter(|(other, _)| *other != player) {
            let lead = scores[player] - score;
            outcome.lead += lead;
            match lead.signum() {
                1 => outcome.ahead += 1,
                0 => outcome.level += 1,
                _ => outcome.behind += 1,
            }
        }
        outcome
    }

    /// What a game is to a player that was given up with these scores: behind all of the others by
    /// at least `price` points, or ahead of them if it was one of them who gave up.
    #[must_use]
    pub fn given_up(scores: &ByPlayer<i32>, player: Player, by_player: bool, price: i32) -> Self {
        let others = scores.len().saturating_sub(1) as u32;
        let lead = Self::new(scores, player).lead;
        let price = price * others as i32;
        if by_player {
            Self { behind: others, lead: lead.min(-price), ..Self::default() }
        } else {
            Self { ahead: others, lead: lead.max(price), ..Self::default() }
        }
    }

    /// Two for each seat it is ahead of, one for each it is level with.
    #[must_use]
    pub const fn points(&self) -> usize {
        (2 * self.ahead + self.level) as usize
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
    /// `+12.3 ± 0.9`, or `+12.3 ± unknown` below two samples
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.is_finite() {
            true => write!(f, "{:+.1} ± {:.1}", self.mean, self.error),
            false => write!(f, "{:+.1} ± unknown", self.mean),
        }
    }
}

/// What is counted of a match's rounds; their order does not matter.
///
/// A round is one deck with the player that the match is about on every seat once: between two, a
/// pair of games with the seats swapped. Among more, a game compares it with each of the others,
/// so that equals score one half whatever their number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    players: usize,
    /// Rounds by their points; between two, 0 is two losses and 4 two wins.
    pub results: Vec<u64>,
    /// Comparisons won: between two, games.
    pub wins: u64,
    /// Comparisons drawn.
    pub draws: u64,
    /// Comparisons lost.
    pub losses: u64,
    /// Games in which it was first alone.
    pub first: u64,
    /// Games in which it was first with others.
    pub shared: u64,
    /// Sum over the rounds of all their leads.
    sum: i64,
    /// Sum of that sum's squares.
    squares: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new(2)
    }
}

impl Tally {
    /// Nothing counted of games between this many players.
    #[must_use]
    pub fn new(players: usize) -> Self {
        let results = vec![0; 2 * players * players.saturating_sub(1) + 1];
        let (wins, draws, losses, first, shared) = (0, 0, 0, 0, 0);
        Self { players, results, wins, draws, losses, first, shared, sum: 0, squares: 0 }
    }

    /// Counts a round: a game for each seat.
    ///
    /// # Panics
    /// If there are not as many games as seats.
    pub fn add(&mut self, round: &[Outcome]) {
        assert_eq!(round.len(), self.players, "a round is a game for each seat");
        self.results[round.iter().map(Outcome::points).sum::<usize>()] += 1;
        for game in round {
            self.wins += u64::from(game.ahead);
            self.draws += u64::from(game.level);
            self.losses += u64::from(game.behind);
            self.first += u64::from(game.behind == 0 && game.level == 0);
            self.shared += u64::from(game.behind == 0 && game.level > 0);
        }
        let lead: i64 = round.iter().map(|game| i64::from(game.lead)).sum();
        self.sum += lead;
        self.squares += lead * lead;
    }

    /// Rounds counted: between two, pairs.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.rounds() * self.players as u64
    }

    /// Comparisons counted: between two, games.
    #[must_use]
    pub const fn comparisons(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The lead over the mean of the others a game, each round being one sample: luck of the deck
    /// cancels within it.
    #[must_use]
    pub fn margin(&self) -> Estimate {
        let scale = (self.players * self.players.saturating_sub(1)).max(1) as f64;
        estimate(self.rounds(), self.sum.into(), self.squares.into(), scale)
    }

    /// The score a comparison, from 0 to 1, with the error that the rounds show.
    #[must_use]
    pub fn score(&self) -> Estimate {
        if self.rounds() == 0 {
            return Estimate { mean: 0.5, error: f64::INFINITY };
        }
        let moment = |power: u32| -> i128 {
            let term =
                |(points, count): (usize, &u64)| (points as i128).pow(power) * i128::from(*count);
            self.results.iter().enumerate().map(term).sum()
        };
        estimate(self.rounds(), moment(1), moment(2), (self.results.len() - 1) as f64)
    }

    /// The difference in Elo, with its 95 % interval.
    #[must_use]
    pub fn elo(&self) -> Interval {
        elo_interval(self.score(), self.comparisons())
    }
}

/// The mean of `n` whole numbers, given their sum and that of their squares, and its standard
/// error, both over `scale`. What is all alike has no error at all, not even by rounding.
fn estimate(n: u64, sum: i128, squares: i128, scale: f64) -> Estimate {
    if n == 0 {
        return Estimate { mean: 0.0, error: f64::INFINITY };
    }
    let count = n as f64;
    let mean = sum as f64 / count / scale;
    if n == 1 {
        return Estimate { mean, error: f64::INFINITY };
    }
    let spread = (i128::from(n) * squares - sum * sum) as f64;
    Estimate { mean, error: (spread / (count - 1.0)).sqrt() / count / scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of two that ended with this margin.
    fn game(margin: i32) -> Outcome {
        Outcome::new(&ByPlayer::from_slice(&[margin, 0]), Player::new(0))
    }

    fn tally(pairs: &[[i32; 2]]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|pair| tally.add(&pair.map(game)));
        tally
    }

    #[test]
    fn counted_by_hand() {
        // Pair means 10, 2, −3, 7: mean 4, deviations 6 −2 −7 3, variance 98/3, error √(98/12).
        let four = tally(&[[12, 8], [10, -6], [-6, 0], [0, 14]]);
        assert_eq!((four.wins, four.draws, four.losses), (4, 2, 2));
        assert_eq!((four.first, four.shared), (4, 2));
        assert_eq!(four.results, [0, 1, 1, 1, 1]);
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
    fn among_three_it_is_compared_with_each() {
        let scores = ByPlayer::from_slice(&[30, 20, 30]);
        let outcomes = [0, 1, 2].map(|seat| Outcome::new(&scores, Player::new(seat)));
        assert_eq!(outcomes[0], Outcome { ahead: 1, level: 1, behind: 0, lead: 10 });
        assert_eq!(outcomes[1], Outcome { ahead: 0, level: 0, behind: 2, lead: -20 });
        // Somebody who is each of the seats once is as good as themselves.
        let mut tally = Tally::new(3);
        tally.add(&outcomes);
        assert_eq!((tally.rounds(), tally.games(), tally.comparisons()), (1, 3, 6));
        assert_eq!((tally.first, tally.shared), (0, 2));
        assert!((tally.score().mean - 0.5).abs() < 1e-12 && tally.margin().mean.abs() < 1e-12);
    }

    #[test]
    fn who_gives_up_loses_by_the_price_or_more() {
        let scores = ByPlayer::from_slice(&[9, 2]);
        let [me, other] = [0, 1].map(Player::new);
        let given = |player, by_player| Outcome::given_up(&scores, player, by_player, 25);
        assert_eq!(given(me, true), Outcome { behind: 1, lead: -25, ..Outcome::default() });
        assert_eq!(given(other, false), Outcome { ahead: 1, lead: 25, ..Outcome::default() });
        let far = ByPlayer::from_slice(&[0, 40, 50]);
        assert_eq!(Outcome::given_up(&far, me, true, 25).lead, -90);
        assert_eq!(Outcome::given_up(&far, me, false, 25).lead, 50);
    }

    #[test]
    fn rounds_that_all_end_alike_show_no_error() {
        // Sums of fractions such as 8/12 would show one, by rounding.
        let round = [(2, 0), (1, 1), (1, 1)].map(|(ahead, behind)| Outcome {
            ahead,
            behind,
            level: 0,
            lead: 7,
        });
        let mut tally = Tally::new(3);
        tally.add(&round);
        for rounds in 2..60 {
            tally.add(&round);
            assert_eq!((tally.score().error, tally.margin().error), (0.0, 0.0), "{rounds}");
            // The interval is then that of independent games.
            assert!(tally.elo().low < tally.elo().mean - 1.0, "{rounds}: {}", tally.elo());
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        assert!(Tally::default().margin().error.is_infinite());
        assert!(tally(&[[3, 5]]).margin().error.is_infinite());
        assert_eq!(tally(&[[3, 5]]).margin().mean, 4.0);
        assert_eq!(tally(&[[3, 5]]).margin().to_string(), "+4.0 ± unknown");
    }
}
