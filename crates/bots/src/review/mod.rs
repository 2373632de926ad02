//! The review of a game: what every decision lost, what every draw was worth, and how it adds up.
//!
//! With `f` the value of a position in which a tile is in hand, and `m` the mean of `f` over the draws:
//!
//! - the **luck** of a draw is `f` of what was drawn less `m`. Its mean is zero whatever `f` is, since
//!   `f` is one function for all tiles, drawn or not;
//! - the **loss** of a decision is what the engine's turn is worth more than the one that was played,
//!   measured by playing both on with draws that the search for the best turn has not seen;
//! - the **rest** is what the engine learned between two looks.
//!
//! `margin = start + luck + skill + rest`, for every player ([`PlayerReview`]). The arithmetic and its
//! traps are told in `docs/review.md`. `judge` values, `walk` follows the record, `attempt` values a turn that
//! somebody tries, `reasons` counts by source, `facts` says what a turn does at once, [`grade`] holds the thresholds, [`report`] what comes out.

mod attempt;
pub(crate) mod facts;
pub mod grade;
pub(crate) mod judge;
pub(crate) mod reasons;
pub mod report;
#[cfg(feature = "tinytown")]
mod tinytown;
mod walk;

pub use attempt::{Attempt, AttemptError, check_whole_turn, compare_turn, tempting_turn};
pub(crate) use attempt::{compare_turn_of, tempting_turn_of};
pub use grade::Category;
pub use report::{
    BySource, DecisionReview, DrawReview, Fact, FactKind, PlayerReview, Reason, Review, Source,
    Step, TurnLine, Worth,
};
#[cfg(feature = "tinytown")]
pub use tinytown::review_tinytown;
pub use walk::{ReviewError, draws, luck, review};
pub(crate) use walk::{draws_of, review_of};

use std::fmt;
use std::str::FromStr;

/// How closely a game is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// About ten seconds of one core for two players.
    #[default]
    Quick,
    /// About two minutes.
    Deep,
}

impl Depth {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Deep];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Deep => "deep",
        }
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Depth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|depth| depth.name() == text)
            .ok_or_else(|| format!("depth '{}': quick or deep", game::excerpt(text, 20)))
    }
}
