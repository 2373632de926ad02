//! What goes over a table's socket, and over HTTP with the same meaning.

use super::{CarcassonneView, Clocks, GameInfo, GameResult, LegalMove, PlayResult, TinytownView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// The game as one watcher may see it at one version. Receiving one is being up to date.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Update {
    /// Raised by every change of the game.
    #[cfg_attr(test, ts(type = "number"))]
    pub version: u64,
    /// Moves in the record, draws included.
    pub ply: usize,
    /// The phase, by the game's names.
    #[cfg_attr(test, schema(schema_with = super::schemas::phase))]
    pub phase: String,
    /// The seat to move.
    #[cfg_attr(test, schema(maximum = 5))]
    pub turn: Option<usize>,
    /// The seats of the watcher; none for a spectator.
    pub seats: Vec<usize>,
    /// The board, by game type.
    #[cfg_attr(test, ts(type = "CarcassonneView | TinytownView"))]
    #[cfg_attr(test, schema(value_type = GameView))]
    pub view: Value,
    /// The whole turns open to the player to move, for that player only: each first move with
    /// the second moves that would follow.
    pub legal: Option<Vec<LegalMove>>,
    /// What happened since the version before.
    #[cfg_attr(test, ts(type = "GameEvent[]"))]
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    pub events: Vec<Value>,
    /// The clocks.
    pub clocks: Clocks,
    /// How the game ended.
    pub result: Option<GameResult>,
}

/// A board, by game type.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged)]
pub enum GameView {
    /// Carcassonne's.
    Carcassonne(Box<CarcassonneView>),
    /// Tinytown's.
    Tinytown(TinytownView),
}

/// The table and the game, as the first message of a socket.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Welcome {
    /// `welcome`.
    #[serde(rename = "type")]
    #[cfg_attr(test, schema(schema_with = super::schemas::welcome))]
    pub kind: String,
    /// The table.
    pub info: GameInfo,
    /// The game.
    pub update: Update,
    /// The chat so far that the asker may read.
    pub chat: Vec<ChatLine>,
    /// The server's time, Unix milliseconds.
    #[cfg_attr(test, schema(minimum = 0))]
    pub now: i64,
}

/// A line of chat as it is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ChatLine {
    /// Which line, from 1.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 1))]
    pub number: u64,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub at: i64,
    /// Who said it.
    pub user: String,
    /// The name then.
    pub name: String,
    /// Whether it was said among the players (otherwise among the spectators).
    pub players: bool,
    /// The text, filtered.
    #[cfg_attr(test, schema(min_length = 1, max_length = 300))]
    pub text: String,
}

/// What a client sends.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub enum FromClient {
    /// Play; the same `id` twice is one move.
    Play {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// The version the player saw.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
        /// Moves in our notation.
        moves: Vec<String>,
    },
    /// Give up.
    Resign {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
    },
    /// Offer or answer a draw.
    Draw {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// Whether it is accepted.
        accept: bool,
    },
    /// Ask for or answer a takeback.
    Takeback {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// Whether it is accepted.
        accept: bool,
    },
    /// Call the game off before it really began.
    Abort {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
    },
    /// Ask for or answer another game with the seats moved on.
    Rematch {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// Whether it is accepted.
        accept: bool,
    },
    /// Claim the win from a player who has been silent for too long, or call the game off.
    Claim {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// Whether the win is taken; otherwise the game is called off.
        win: bool,
    },
    /// Allow the engine's help, or forbid it.
    Help {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// Whether it is allowed.
        accept: bool,
    },
    /// Say something.
    Chat {
        /// The client's number for this message.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// Up to 300 characters.
        text: String,
    },
    /// Are you there?
    Ping,
}

/// What the server sends.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
#[expect(clippy::large_enum_variant, reason = "built once, serialised at once")]
pub enum FromServer {
    /// The first message: everything a watcher needs.
    Welcome {
        /// The table.
        info: GameInfo,
        /// The game.
        update: Update,
        /// The chat so far that this watcher may read.
        chat: Vec<ChatLine>,
        /// The server's time, Unix milliseconds.
        #[cfg_attr(test, ts(type = "number"))]
        now: i64,
    },
    /// The game changed.
    Update {
        /// The game.
        update: Update,
    },
    /// Something beside the board changed: seats, offers, presence, watchers.
    Info {
        /// The table.
        info: GameInfo,
    },
    /// Somebody said something.
    Chat {
        /// The line.
        line: ChatLine,
    },
    /// The client's message took effect.
    Done {
        /// The client's number.
        #[cfg_attr(test, ts(type = "number"))]
        id: u64,
        /// What was played, for a play.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        played: Option<PlayResult>,
    },
    /// The client's message had no effect.
    Refused {
        /// The client's number, if it could be read.
        #[cfg_attr(test, ts(type = "number | null"))]
        id: Option<u64>,
        /// Why.
        problem: Problem,
    },
    /// I am here.
    Pong,
}

/// Why a request had no effect; the body of every answer with an error status.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Problem {
    /// A stable word for programs: `illegal_move`, `stale_version`, `not_your_turn`, …
    #[cfg_attr(test, ts(as = "String"))]
    pub code: ProblemCode,
    /// A sentence for people: what was wrong and what is allowed.
    #[cfg_attr(test, schema(min_length = 1))]
    pub message: String,
}

/// The stable words for what can be wrong with a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// It cannot be read, or asks for what there is not.
    BadRequest,
    /// No session and no token, or one that is over; or a login that failed.
    NotLoggedIn,
    /// The present password, asked for again, is another.
    WrongPassword,
    /// The account has a second factor, whose code is asked for.
    SecondFactorNeeded,
    /// The code of the second factor is another.
    WrongCode,
    /// Not allowed to the asker.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The address takes other methods.
    MethodNotAllowed,
    /// The rules do not allow the move.
    IllegalMove,
    /// The game has gone on since the version sent.
    StaleVersion,
    /// Somebody else is to move.
    NotYourTurn,
    /// It does not fit what is there.
    Conflict,
    /// The body is too large.
    TooLarge,
    /// The body took too long to arrive.
    TooSlow,
    /// The body is not said to be JSON.
    UnsupportedMediaType,
    /// Too many requests.
    TooManyRequests,
    /// Who left several rated games before they could count waits before the next one.
    MustWait,
    /// The server is stopping, too busy, or cannot write.
    Unavailable,
    /// A fault of the server.
    Internal,
}

/// A line of the stream of events for programs that play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum StreamEvent {
    /// A game begins, or was going on when the stream was opened.
    GameStart {
        /// The game's id.
        #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
        game: String,
        /// The program's seats.
        seats: Vec<usize>,
        /// The table.
        info: Box<GameInfo>,
    },
    /// The program is to move.
    YourTurn {
        /// The game's id.
        #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
        game: String,
        /// The version to send with the move.
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
        /// The seat to move.
        #[cfg_attr(test, schema(maximum = 5))]
        seat: usize,
        /// The phase.
        #[cfg_attr(test, schema(schema_with = super::schemas::phase))]
        phase: String,
        /// What a bot sees, with its legal actions.
        #[cfg_attr(test, ts(type = "CarcassonneBotView | Record<string, unknown>"))]
        #[cfg_attr(test, schema(value_type = Object))]
        view: Value,
    },
    /// A game is over.
    GameOver {
        /// The game's id.
        #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
        game: String,
        /// The program's seats.
        seats: Vec<usize>,
        /// How it ended.
        result: GameResult,
    },
    /// Somebody keeps a seat for the program.
    Invitation {
        /// The game's id.
        #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
        game: String,
        /// The table.
        info: Box<GameInfo>,
    },
}
