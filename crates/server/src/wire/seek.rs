//! Quick match, what a rated game may bring, and the profiles of our bots.

use super::{Balance, ClockRule, GameSummary, RatingInfo, SeatRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// A request to be paired with somebody for a game of two.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct NewSeek {
    /// How time is kept; both want the same.
    pub clock: ClockRule,
    /// Whether it counts for ratings; both want the same.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// How far the other's rating may be from one's own; left out for anybody.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub range: Option<u32>,
    /// This player's share in the shuffle: up to 64 characters.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 64))]
    pub nonce: Option<String>,
}

/// How a search for an opponent stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Seek {
    /// How time is kept.
    pub clock: ClockRule,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// How far the other's rating may be.
    pub range: Option<u32>,
    /// The rating that one is paired by: one's own, or a newcomer's.
    pub rating: f64,
    /// How long it has lasted, in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub waited_ms: u64,
    /// How many others are looking for any game of two.
    pub others: usize,
    /// The game, once somebody is found.
    pub game: Option<String>,
    /// The bot that would step in, once nobody has come for a while. It does so only when asked.
    pub bot: Option<BotOffer>,
    /// When a bot will be offered, in milliseconds from now; absent once it is.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub bot_in_ms: Option<u64>,
}

/// A bot that would play instead of a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BotOffer {
    /// Its name.
    pub name: String,
    /// Its rating in games of two.
    pub rating: f64,
}

/// The seats of a rated game that somebody thinks of.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct StakesOf {
    /// Who would sit there, one entry a seat; exactly one is `me`.
    #[cfg_attr(test, schema(min_items = 2, max_items = 6))]
    pub seats: Vec<SeatRequest>,
    /// The game's options, as for a new game; they tell the pool.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, type = "Record<string, unknown>"))]
    #[cfg_attr(test, schema(value_type = Object))]
    pub options: Value,
}

/// What a rated game would do to the asker's rating.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Stakes {
    /// The pool of the rating: `two`, `many-inns`.
    pub pool: String,
    /// The rating now; a newcomer's without a rated game.
    pub rating: f64,
    /// The change after a win: alone in the first place.
    pub win: f64,
    /// The change after a draw: everybody shares the first place.
    pub draw: f64,
    /// The change after a loss: alone in the last place.
    pub lose: f64,
    /// Whether a seat is open, and taken as an opponent of the asker's own rating.
    pub assumed: bool,
}

/// A bot's public page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BotProfile {
    /// Its name.
    pub name: String,
    /// A sentence about how it plays.
    pub about: String,
    /// The rating in two-player games.
    pub rating_two: Option<RatingInfo>,
    /// The rating in games of three to six.
    pub rating_many: Option<RatingInfo>,
    /// Finished games of Carcassonne against people.
    pub games: u32,
    /// People's balance against it.
    pub people: Balance,
    /// The asker's balance against it; nothing if they are unknown or never met.
    pub mine: Option<Balance>,
    /// The latest games against it that the asker may see.
    pub recent: Vec<GameSummary>,
}
