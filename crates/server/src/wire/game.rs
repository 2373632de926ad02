//! Games, seats, clocks and what a table tells about itself.

use super::NotRated;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// A game that can be played here.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct GameType {
    /// Its id, as in records and addresses.
    #[cfg_attr(test, schema(schema_with = super::schemas::game_id))]
    pub id: String,
    /// Its name for people.
    pub display_name: String,
    /// A sentence about it.
    pub description: String,
    /// The fewest seats.
    #[cfg_attr(test, schema(minimum = 1))]
    pub min_players: usize,
    /// The most seats.
    #[cfg_attr(test, schema(minimum = 1, maximum = 6))]
    pub max_players: usize,
    /// A JSON Schema of the options; the create form is rendered from it.
    #[cfg_attr(test, ts(type = "JsonSchema"))]
    #[cfg_attr(test, schema(value_type = Object))]
    pub options: Value,
    /// The bots that can sit down: the levels, the weakest first; with `?all=true` then engines
    /// of any strength too.
    pub bots: Vec<BotInfo>,
    /// The name of the strongest of them, which thinks where none is named.
    pub strongest: String,
    /// The tiles with their segments, edges and meeple anchors, where the game has tiles.
    #[cfg_attr(test, ts(type = "TileInfo[] | null"))]
    #[cfg_attr(test, schema(value_type = Option<Vec<super::TileInfo>>))]
    pub tiles: Option<Value>,
}

/// A bot that can sit down.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BotInfo {
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub about: String,
    /// Whether it is an engine as its makers know it, not a level for people; listed on request.
    pub engine: bool,
    /// Its rating in games of two, which games do not move; none if it plays no rated ones.
    pub rating: Option<f64>,
    /// Whether rated games against it are offered.
    pub rated: RatedOffer,
}

/// Whether rated games against a bot are offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum RatedOffer {
    /// They are.
    Offered,
    /// Not now: so many wait for bots that it could not think as long as its rating says.
    Busy,
    /// It plays no rated games.
    Never,
}

/// How time is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub enum ClockRule {
    /// No clock.
    #[default]
    None,
    /// So much for the whole game, and some more after each turn.
    Game {
        /// Milliseconds at the start.
        #[cfg_attr(test, ts(type = "number"), schema(minimum = 1000, maximum = 86_400_000))]
        initial_ms: u64,
        /// Milliseconds added after each turn.
        #[cfg_attr(test, ts(type = "number"), schema(maximum = 3_600_000))]
        increment_ms: u64,
    },
    /// So much for each turn.
    Move {
        /// Milliseconds a turn.
        #[cfg_attr(test, ts(type = "number"), schema(minimum = 1000, maximum = 1_209_600_000))]
        per_move_ms: u64,
    },
}

/// Clocks of this much and more are for games that go on for days.
const CORRESPONDENCE_MS: u64 = 60 * 60 * 1000;

impl ClockRule {
    /// Whether the game goes on for days, and nobody is expected to sit and wait.
    #[must_use]
    pub const fn is_correspondence(self) -> bool {
        match self {
            Self::None => false,
            Self::Game { initial_ms: ms, .. } | Self::Move { per_move_ms: ms } => {
                ms >= CORRESPONDENCE_MS
            }
        }
    }
}

/// The clocks as they stood when the message was sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Clocks {
    /// Milliseconds left, by seat; empty without clocks.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub left_ms: Vec<u64>,
    /// The seat whose clock runs.
    pub running: Option<usize>,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Occupant {
    /// Nobody yet.
    Open,
    /// Kept for a user who was invited.
    Invited {
        /// The user's id.
        user: String,
        /// The user's name.
        name: String,
    },
    /// A person.
    User {
        /// The user's id.
        user: String,
        /// The name now.
        name: String,
        /// Whether a program plays for them, by a bot token.
        bot_account: bool,
    },
    /// One of our bots.
    Bot {
        /// Its name.
        bot: String,
    },
}

/// A seat at a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SeatInfo {
    /// Which seat, from 0; the order of play.
    #[cfg_attr(test, schema(maximum = 5))]
    pub seat: usize,
    /// Who sits there.
    pub sitter: Occupant,
    /// The rating when the game began, if it was rated.
    pub rating: Option<f64>,
    /// What the game did to the rating, once it is over.
    pub rating_change: Option<f64>,
    /// Whether somebody is connected for this seat (always for our bots).
    pub online: bool,
    /// Milliseconds until the timeout rule acts for a player who left; absent while online.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub leaves_in_ms: Option<u64>,
    /// Milliseconds until the others may claim the win from this seat or call the game off, because
    /// its player does not move; 0 if they may now, absent while nobody is kept waiting for long.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub claim_in_ms: Option<u64>,
    /// Why this seat no longer plays: `resign` or `time`.
    pub out: Option<Reason>,
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Status {
    /// Seats are open.
    Waiting,
    /// It is being played.
    Playing,
    /// It is over, and has a result.
    Over,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Reason {
    /// By the rules.
    Normal,
    /// Somebody gave up.
    Resign,
    /// Somebody's time ran out.
    Time,
    /// Before it really began.
    Abort,
    /// By agreement.
    Draw,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct GameResult {
    /// The winning seats: several at a tie, none if it was aborted.
    pub winners: Vec<usize>,
    /// Points by seat.
    pub scores: Vec<i32>,
    /// The place of each seat, from 1; ties share one.
    pub places: Vec<usize>,
    /// Why it ended.
    pub reason: Reason,
}

/// Who may see a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Visibility {
    /// In the lobby, and anybody may join or watch.
    #[default]
    Public,
    /// Not listed; who has the link may join, and watch.
    Link,
    /// Only those who sit at the table.
    Private,
}

/// What a table tells about itself beside the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct GameInfo {
    /// The game's id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub id: String,
    /// Its type's id.
    #[cfg_attr(test, schema(schema_with = super::schemas::game_id))]
    pub game: String,
    /// Its options, as in the type's schema.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    #[cfg_attr(test, schema(value_type = Object))]
    pub options: Value,
    /// Its setup in our notation.
    pub setup: String,
    /// Where it stands.
    pub status: Status,
    /// The seats in the order of play.
    #[cfg_attr(test, schema(min_items = 1, max_items = 6))]
    pub seats: Vec<SeatInfo>,
    /// The user who made it.
    pub host: UserRef,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Why it changed no rating although it is rated and has a result.
    pub not_rated: Option<NotRated>,
    /// The part of the full change that the ratings got, up to 1; less for those who play one
    /// another again and again in a day.
    pub rating_weight: Option<f64>,
    /// Who may see it.
    pub visibility: Visibility,
    /// How time is kept.
    pub clock: ClockRule,
    /// Whether one person plays several seats on one device.
    pub pass_and_play: bool,
    /// Unix times in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub created: i64,
    /// When the first move could be made.
    #[cfg_attr(test, ts(type = "number | null"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub started: Option<i64>,
    /// When it ended.
    #[cfg_attr(test, ts(type = "number | null"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub ended: Option<i64>,
    /// How it ended.
    pub result: Option<GameResult>,
    /// Open offers.
    pub offers: Offers,
    /// How many watch.
    pub spectators: usize,
    /// The seed's commitment, published before the first draw.
    #[cfg_attr(test, schema(pattern = "^[0-9a-f]{64}$"))]
    pub commit: String,
    /// Whether the seed was given by the host: then the draws are known to them.
    pub seed_given: bool,
    /// The game this one is a rematch of.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub rematch_of: Option<String>,
    /// The rematch of this game.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub rematch: Option<String>,
    /// Whether the engine may be asked about its board now: not while it is rated and played, and
    /// not while people play people, unless all of them allow it.
    pub help_allowed: bool,
    /// Whether all players allow the engine's help while people play people.
    pub help_agreed: bool,
    /// The game began with a position: so many plies of its record were not played here. 0 for others.
    pub from_ply: usize,
    /// Whether its record begins with a position laid by hand.
    pub laid: bool,
    /// Whether it was played in a browser without the server, and handed in later.
    pub offline: bool,
}

/// A user named in passing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct UserRef {
    /// The user's id.
    #[cfg_attr(test, schema(min_length = 1))]
    pub id: String,
    /// The name.
    pub name: String,
}

/// Offers that wait for an answer; each list holds the seats that agreed so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Offers {
    /// To call it a draw.
    pub draw: Vec<usize>,
    /// To take back the last turn of the first seat listed.
    pub takeback: Vec<usize>,
    /// To play again.
    pub rematch: Vec<usize>,
    /// To allow the engine's help.
    pub help: Vec<usize>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct GameSummary {
    /// What the table tells about itself.
    pub info: GameInfo,
    /// Points by seat.
    pub scores: Vec<i32>,
    /// The seat to move.
    pub turn: Option<usize>,
    /// Turns played.
    pub turns: usize,
    /// The accuracy of each seat, where the game was reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub accuracy: Option<Vec<f64>>,
}

/// What a finished game's draws came from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Fairness {
    /// The game's id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub game: String,
    /// The game's name and setup, as in the first line of its record.
    pub setup: String,
    /// `BLAKE3(seed ‖ game)`, published at the start.
    #[cfg_attr(test, schema(pattern = "^[0-9a-f]{64}$"))]
    pub commit: String,
    /// The seed, 64 hexadecimal digits.
    #[cfg_attr(test, schema(pattern = "^[0-9a-f]{64}$"))]
    pub seed: String,
    /// The players' nonces, in the order of the seats.
    pub nonces: Vec<String>,
    /// What was shuffled: the outcomes in their fixed order.
    pub bag: Vec<String>,
    /// The order that follows.
    pub order: Vec<String>,
    /// What was drawn in the game.
    pub drawn: Vec<String>,
    /// Whether they agree.
    pub fair: bool,
}

/// What is going on, as far as the asker may see it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Lobby {
    /// Public games with an open seat, the newest first; at most 100.
    pub waiting: Vec<GameSummary>,
    /// Public games that are being played, the newest first; at most 100. A game that everybody
    /// left is not listed once no turn was played for five minutes.
    #[cfg_attr(test, schema(max_items = 100))]
    pub playing: Vec<GameSummary>,
    /// Games in which a seat is kept for the asker, the newest first; at most 50.
    pub invitations: Vec<GameSummary>,
    /// Games of the asker that are not over, the newest first; at most 50.
    pub mine: Vec<GameSummary>,
    /// Where the next page of these begins, if there are more.
    pub mine_next: Option<String>,
    /// How many public games are being played.
    pub games: usize,
    /// Ratings in games of two of those who made a game of `waiting`, by user id; who has none is
    /// not named.
    pub host_ratings: BTreeMap<String, i32>,
}

/// A page of the asker's games that are not over.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct MyGames {
    /// The games, the newest first.
    pub games: Vec<GameSummary>,
    /// Where the next page begins, if there are more.
    pub next: Option<String>,
}
