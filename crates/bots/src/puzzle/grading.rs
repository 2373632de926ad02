//! How hard a puzzle is: which levels find the answer.

use super::{Puzzle, Solved};
use crate::levels::LEVELS;
use crate::roster::{self, BotSpec, Playable};
use carcassonne::{Move, Options, Position};
use search::math::logistic;
use search::{Limits, Stop};

/// How often each level tries.
const TRIES: u32 = 8;

/// How often each level plays one of the turns, the weakest level first.
pub(super) fn solved_by_levels<E: Playable>(
    position: &Position<E>,
    setup: &E::Setup,
    is_solution: impl Fn(&[Move]) -> bool,
    seed: u64,
    stop: &Stop,
) -> Vec<Solved> {
    let mut solved = Vec::new();
    for level in &LEVELS {
        let spec = BotSpec { name: level.name.to_owned(), params: Vec::new() };
        let mut bot = roster::make::<E>(&spec, setup).expect("every level can be made");
        let mut times = 0;
        for attempt in 0..TRIES {
            bot.new_game(position, seed.wrapping_add(attempt.into()));
            let report = bot.search(position, &Limits::nodes(level.rated_nodes), stop);
            times += u32::from(is_solution(&report.turn));
        }
        solved.push(Solved { level: level.name.to_owned(), times, of: TRIES });
    }
    solved
}

/// Whether even the weakest level always finds the answer.
pub(super) fn is_trivial(solved: &[Solved]) -> bool {
    solved.first().is_some_and(|weakest| weakest.times == weakest.of)
}

/// Whether the strongest level misses the answer more often than not. Then playing on by the net was wrong more often
/// than the strongest level is.
pub(super) fn is_doubtful(solved: &[Solved]) -> bool {
    solved.last().is_some_and(|strongest| 2 * strongest.times < strongest.of)
}

/// The rating at which a level's expected score equals how often it solved, over all levels: the
/// likeliest one by Elo's curve, as if the puzzle were an opponent. One win and one loss against 1500 are
/// added, so that a puzzle that all or none solve has a rating too.
pub(super) fn rating(solved: &[Solved], setup: &impl Options) -> u16 {
    let two = setup.rules().players() == 2;
    let mut games = vec![(1500.0, 1.0, 2.0)];
    for solved in solved {
        let Some(level) = LEVELS.iter().find(|level| level.name == solved.level) else { continue };
        let rating = if two { level.rating_two } else { level.rating_many };
        games.push((rating, f64::from(solved.times), f64::from(solved.of)));
    }
    // A point of rating is ln(10) / 400 on the curve's axis.
    const SCALE: f64 = std::f64::consts::LN_10 / 400.0;
    let more_than_expected = |rating: f64| -> f64 {
        games.iter().map(|(level, won, of)| won - of * logistic((level - rating) * SCALE)).sum()
    };
    let (mut low, mut high) = (0.0, 4000.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        // Whoever solves more often than expected meets a puzzle that is easier than that.
        if more_than_expected(middle) > 0.0 { high = middle } else { low = middle }
    }
    low.round() as u16
}

impl Puzzle {
    /// The share of tries in which a level found the answer; `None` if it did not try.
    #[must_use]
    pub fn share_solved(&self, level: &str) -> Option<f64> {
        let solved = self.solved.iter().find(|solved| solved.level == level)?;
        (solved.of > 0).then(|| f64::from(solved.times) / f64::from(solved.of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries(times: [u32; LEVELS.len()]) -> Vec<Solved> {
        let solved = |(level, times): (&crate::levels::Level, u32)| Solved {
            level: level.name.to_owned(),
            times,
            of: 8,
        };
        LEVELS.iter().zip(times).map(solved).collect()
    }

    #[test]
    fn a_puzzle_that_more_levels_miss_is_rated_higher() {
        let setup = carcassonne::Setup::default();
        let all = [
            [8, 8, 8, 8, 8, 8, 8, 8],
            [2, 4, 6, 8, 8, 8, 8, 8],
            [0, 0, 2, 4, 6, 8, 8, 8],
            [0, 0, 0, 0, 0, 2, 8, 8],
            [0; 8],
        ];
        let ratings = all.map(|times| rating(&tries(times), &setup));
        assert!(ratings.is_sorted_by(|a, b| a < b), "{ratings:?}");
        assert!(ratings[2].abs_diff(1500) < 50, "mason is even with it: {ratings:?}");
        assert!(ratings[0] > 500 && ratings[4] < 2700, "{ratings:?}");
    }
}
