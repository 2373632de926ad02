//! When a loss is a mistake, and what accuracy is. Every threshold stands here.

use super::report::Worth;
use search::math::exp;
use serde::{Deserialize, Serialize};

/// How good a decision was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// No loss that can be told from none.
    Best,
    /// A loss that hardly matters.
    Good,
    /// A loss that good players see.
    Inaccuracy,
    /// A loss that changes the game.
    Mistake,
    /// A loss that decides a game.
    Blunder,
}

/// From what loss on a decision is of a category: points of margin, or probability to win. The final
/// margin of a game spreads by about 20 points, so a point in an even game is worth about 2 % of winning; the two columns are that far apart.
const THRESHOLDS: [(Category, Worth); 4] = [
    (Category::Blunder, Worth { margin: 6.0, win: 0.12 }),
    (Category::Mistake, Worth { margin: 3.0, win: 0.06 }),
    (Category::Inaccuracy, Worth { margin: 1.5, win: 0.03 }),
    (Category::Good, Worth { margin: 0.0, win: 0.0 }),
];

/// A difference is believed when it is more than so many times its standard error.
const SURE: f64 = 2.0;

/// So many standard errors are taken off a loss before its category is looked up. What was measured a
/// little above a threshold is more often below it in truth than the other way round, because small losses are more
/// frequent than large ones.
const CAUTION: f64 = 1.0;

impl Category {
    /// All of them, the best first.
    pub const ALL: [Self; 5] =
        [Self::Best, Self::Good, Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The category of a shown loss that was measured with this standard error.
    #[must_use]
    pub fn of(loss: Worth, error: Worth) -> Self {
        let margin = loss.margin - CAUTION * error.margin;
        let win = loss.win - CAUTION * error.win;
        let reached = |least: &Worth| loss.margin > 0.0 && margin >= least.margin;
        let found = THRESHOLDS
            .iter()
            .find(|(_, least)| reached(least) || (least.win > 0.0 && win >= least.win));
        found.map_or(Self::Best, |(category, _)| *category)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// The loss that is shown for what was measured: nothing that could be chance, and no odds where the
/// points say nothing, since the engine plays for points.
#[must_use]
pub fn shown(measured: Worth, error: Worth) -> Worth {
    let sure = |value: f64, error: f64| if value > SURE * error { value.max(0.0) } else { 0.0 };
    let margin = sure(measured.margin, error.margin);
    let win = if margin > 0.0 { sure(measured.win, error.win) } else { 0.0 };
    Worth { margin, win }
}

/// Points of loss after which a decision counts e times less.
const DECAY: f64 = 6.0;

/// How well somebody decided whose decisions had these shown losses, from 0 to 100; 100 without
/// decisions. Half of it is the mean over the decisions, half the harmonic mean, in which one bad
/// decision weighs more than many good ones: a mean alone would hide it.
#[must_use]
pub fn accuracy(losses: impl IntoIterator<Item = Worth>) -> f64 {
    let (mut count, mut sum, mut inverse) = (0.0, 0.0, 0.0);
    for loss in losses {
        let one = exp(-loss.margin / DECAY);
        count += 1.0;
        sum += one;
        inverse += 1.0 / one.max(0.05);
    }
    if count == 0.0 { 100.0 } else { 50.0 * (sum / count + count / inverse) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(margin: f64) -> Worth {
        Worth { margin, win: 0.0 }
    }

    #[test]
    fn the_larger_loss_of_the_two_decides_the_category() {
        let category = |margin, win| Category::of(Worth { margin, win }, Worth::default());
        assert_eq!(category(0.0, 0.0), Category::Best);
        assert_eq!(category(0.2, 0.0), Category::Good);
        assert_eq!(category(1.5, 0.0), Category::Inaccuracy);
        assert_eq!(category(0.2, 0.07), Category::Mistake);
        assert_eq!(category(7.0, 0.0), Category::Blunder);
    }

    #[test]
    fn a_category_is_given_for_what_is_left_without_the_error() {
        let error = Worth { margin: 0.5, win: 0.01 };
        assert_eq!(Category::of(points(3.4), error), Category::Inaccuracy);
        assert_eq!(Category::of(points(3.6), error), Category::Mistake);
        assert_eq!(Category::of(Worth { margin: 0.6, win: 0.069 }, error), Category::Inaccuracy);
        assert_eq!(Category::of(Worth { margin: 0.6, win: 0.071 }, error), Category::Mistake);
        assert_eq!(Category::of(points(0.0), error), Category::Best);
    }

    #[test]
    fn what_could_be_chance_is_not_shown() {
        let error = Worth { margin: 1.0, win: 0.02 };
        assert_eq!(shown(Worth { margin: 1.9, win: 0.5 }, error), Worth::default());
        assert_eq!(shown(Worth { margin: -3.0, win: 0.0 }, error), Worth::default());
        assert_eq!(shown(Worth { margin: 2.1, win: 0.03 }, error), points(2.1));
    }

    #[test]
    fn one_blunder_shows_in_the_accuracy() {
        assert_eq!(accuracy([]), 100.0);
        assert_eq!(accuracy([points(0.0); 30]), 100.0);
        let spread = accuracy([points(0.5); 30]);
        let mut one = [points(0.0); 30];
        one[7] = points(15.0);
        assert!(accuracy(one) < spread, "the same points at once are worse");
        assert!(accuracy([points(100.0); 30]) < 10.0);
    }
}
