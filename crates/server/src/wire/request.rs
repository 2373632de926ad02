//! What clients ask for: new games, moves, analysis.

use super::{ClockRule, Visibility};
use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// Who is wanted on a seat of a new game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub enum SeatRequest {
    /// The person who makes the game; several times for pass-and-play.
    Me,
    /// Whoever comes.
    Open,
    /// A certain user, by name.
    User {
        /// The name.
        #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
        name: String,
    },
    /// One of our bots.
    Bot {
        /// Its name.
        #[cfg_attr(test, schema(min_length = 1, max_length = 40))]
        bot: String,
    },
}

/// A new game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct NewGame {
    /// The type's id.
    #[cfg_attr(test, schema(schema_with = super::schemas::game_id))]
    pub game: String,
    /// Options by the type's schema; what is left out has its default.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "Record<string, unknown>", optional))]
    #[cfg_attr(test, schema(value_type = Object))]
    pub options: Value,
    /// Who is wanted, one entry a seat.
    #[cfg_attr(test, schema(min_items = 1, max_items = 6))]
    pub seats: Vec<SeatRequest>,
    /// Whether the seats are drawn at random (otherwise they stay as listed).
    #[serde(default = "yes")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub shuffle_seats: bool,
    /// Whether it counts for ratings; it needs a clock then.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// Whether everybody may ask the engine about the board while people play people; who sits
    /// down agrees. Not in rated games.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub help: bool,
    /// Who may see it.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Visibility>"))]
    pub visibility: Visibility,
    /// How time is kept.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<ClockRule>"))]
    pub clock: ClockRule,
    /// A seed of 64 hexadecimal digits, for games that are not rated; the game says so.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(pattern = "^[0-9a-fA-F]{64}$"))]
    pub seed: Option<String>,
    /// This player's share in the shuffle: up to 64 characters.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 64))]
    pub nonce: Option<String>,
    /// A position to begin with. Its record settles the options and how many play; what is given beside
    /// it must agree. Not in rated games, and without a seed.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub from: Option<FromPosition>,
}

/// A position of a record, or one laid by hand.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct FromPosition {
    /// The record in our notation (or a JSON move list). A line `from LAYOUT` behind its first one is the position
    /// that it begins with, laid by hand.
    #[cfg_attr(test, schema(min_length = 1, max_length = 262144))]
    pub record: String,
    /// After so many of its plies; after all of them if absent.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub ply: Option<usize>,
}

const fn yes() -> bool {
    true
}

/// A request to sit down.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(test, ts(export))]
pub struct Join {
    /// This player's share in the shuffle: up to 64 characters.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 64))]
    pub nonce: Option<String>,
}

/// Moves to play: a tile move, a meeple move, or both (both or none).
///
/// Besides `moves` in our notation, the action form is read: `{"action": {"action_type":
/// "place_tile", "payload": {"x", "y", "rotation"}}}`, `{"action_type": …, "payload": …}`, or a
/// bare payload; `{"skip": true}` is no meeple.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Play {
    /// The version the player saw; a stale one is refused.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(required = false))]
    pub version: u64,
    /// Moves in our notation.
    #[cfg_attr(test, schema(required = false, min_items = 1, max_items = 16))]
    pub moves: Vec<String>,
}

/// What was played, and what follows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PlayResult {
    /// The version after the moves.
    #[cfg_attr(test, ts(type = "number"))]
    pub version: u64,
    /// The phase now.
    #[cfg_attr(test, schema(schema_with = super::schemas::phase))]
    pub phase: String,
    /// After a lone tile move: where a meeple may go now, `pass` included.
    pub meeple_choices: Option<Vec<String>>,
    /// What the moves made happen.
    #[cfg_attr(test, ts(type = "GameEvent[]"))]
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    pub events: Vec<Value>,
}

/// An answer to an offer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct Answer {
    /// Whether it is accepted; offering is accepting first.
    pub accept: bool,
}

/// A claim against a player who does not move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct Claim {
    /// Whether the win is taken; otherwise the game is called off.
    pub win: bool,
}

/// A line of chat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct Say {
    /// Up to 300 characters.
    #[cfg_attr(test, schema(min_length = 1, max_length = 300))]
    pub text: String,
}

/// A position to think about: move list in, next move out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct Analyse {
    /// A record in our notation (or a JSON move list).
    #[cfg_attr(test, schema(min_length = 1, max_length = 262144))]
    pub record: String,
    /// Only so many moves of it.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub ply: Option<usize>,
    /// Which bot thinks; the best by default.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(min_length = 1, max_length = 40))]
    pub bot: Option<String>,
    /// Milliseconds, up to the server's limit.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, type = "number"))]
    #[cfg_attr(test, schema(minimum = 1, maximum = 5000))]
    pub time_ms: Option<u64>,
    /// Positions or playouts, up to the server's limit.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, type = "number"))]
    #[cfg_attr(test, schema(minimum = 1, maximum = 5000000))]
    pub nodes: Option<u64>,
    /// How many turns to list.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(minimum = 1, maximum = 50))]
    pub top: Option<usize>,
}

/// What the engine thinks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Analysis {
    /// The moves to play, to the end of the turn.
    pub best: Vec<String>,
    /// The seat to move.
    pub seat: Option<usize>,
    /// What the position is worth to each seat.
    pub values: Vec<SeatValue>,
    /// The best turns.
    pub lines: Vec<AnalysisLine>,
    /// Positions valued or playouts played.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// Milliseconds it took.
    #[cfg_attr(test, ts(type = "number"))]
    pub time_ms: u64,
    /// Whether the values are proven.
    pub exact: bool,
}

/// One way to play the turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct AnalysisLine {
    /// Its moves.
    pub moves: Vec<String>,
    /// What it is worth to the seat to move.
    pub worth: SeatValue,
}

/// What something is worth to a seat.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SeatValue {
    /// The expected final margin over the best of the others, in points.
    pub margin: f64,
    /// The chance to win, a tie counting half.
    #[cfg_attr(test, schema(minimum = 0, maximum = 1))]
    pub win: f64,
}

/// A record from outside.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct Import {
    /// The record in our notation (or a JSON move list).
    #[cfg_attr(test, schema(min_length = 1, max_length = 262144))]
    pub record: String,
    /// The players' names, by seat; one that several have is numbered.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    #[cfg_attr(test, schema(max_items = 6))]
    pub names: Vec<String>,
    /// Says that the game was played in a browser without the server: a key of the browser's choice, 8 to
    /// 64 letters and digits. Handed in again under the same key, it is the game that is stored already.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(pattern = "^[0-9A-Za-z]{8,64}$"))]
    pub offline_key: Option<String>,
}
