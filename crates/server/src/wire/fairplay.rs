//! Fair play: what somebody may do now, and who stands out.

use super::UserRef;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// What the rules of fair play mean for the asker now.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct OwnFairplay {
    /// Milliseconds until the asker may play a rated game; 0 if at once. Who leaves rated games
    /// early again and again waits.
    #[cfg_attr(test, ts(type = "number"))]
    pub rated_wait_ms: u64,
}

/// Why a rated game with a result changed no rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum NotRated {
    /// It ended before everybody had played three turns.
    Short,
    /// These players had played one another too often that day.
    Pair,
    /// People at one address had played one another too often that day.
    Address,
    /// A moderator took its rating back.
    Annulled,
}

impl NotRated {
    /// Its word in the database and over the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Pair => "pair",
            Self::Address => "address",
            Self::Annulled => "annulled",
        }
    }

    /// What a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Short, Self::Pair, Self::Address, Self::Annulled]
            .into_iter()
            .find(|why| why.word() == word)
    }
}

/// A player who stands out. No verdict: a place to look.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct FlaggedPlayer {
    /// Who.
    pub user: UserRef,
    /// By what.
    pub signs: Vec<Sign>,
}

/// What a player stands out by.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Sign {
    /// Which figure.
    pub kind: SignKind,
    /// The figure.
    pub value: f64,
    /// From which figure on it is listed.
    pub from: f64,
    /// How many games it is about.
    pub games: u32,
}

/// Which figure of the last thirty days a player stands out by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum SignKind {
    /// The deviation of thinking times as a part of their mean: listed when it is low.
    Steady,
    /// The share of turns that the engine would have played too.
    Agreement,
    /// The share of rated games for two won against players 200 points and more above.
    Upsets,
    /// Points gained.
    Rise,
    /// Rated games with one and the same person.
    Pair,
    /// Rated games left before they could count.
    Exits,
}
