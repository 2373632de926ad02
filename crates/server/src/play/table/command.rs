//! What a table can be told, and what it answers: the same types for every game.

use crate::engine::work;
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::wire::PlayResult;
use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// A table's mailbox.
#[derive(Clone, Debug)]
pub struct TableHandle(pub(super) mpsc::Sender<Command>);

/// A table that has ended; it is found again by asking for it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone;

impl TableHandle {
    /// Puts a command into the mailbox; waits while it is full.
    ///
    /// # Errors
    /// If the table has ended.
    pub async fn send(&self, command: Command) -> Result<(), Gone> {
        self.0.send(command).await.map_err(|_| Gone)
    }

    /// Whether the table has ended.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.0.is_closed()
    }
}

/// What answers a question.
pub(super) type Answer<T> = oneshot::Sender<Result<T, Refusal>>;

/// What came of a bot's thought, and how long a thread took for it.
#[derive(Debug)]
pub struct Answered {
    /// Its turn, or why there is none.
    pub answer: work::Answer,
    /// From the moment at which a thread took it.
    pub took: Duration,
}

/// What a table can be told.
#[derive(Debug)]
pub enum Command {
    /// Somebody does something.
    Act {
        /// Who.
        who: Requester,
        /// The client's number for it, if it numbers what it sends.
        id: Option<u64>,
        /// What.
        action: Action,
        /// Where the answer goes.
        answer: Answer<Reply>,
    },
    /// Somebody begins to watch. The answer is the number of the connection; the first message in
    /// the queue is the welcome.
    Watch {
        /// Who, if they are known.
        who: Option<Requester>,
        /// The last version they saw.
        from: Option<u64>,
        /// Whether nothing is to be sent until the game is past that version.
        quiet: bool,
        /// Where messages go. A full queue ends the connection.
        queue: mpsc::Sender<Outgoing>,
        /// Where the answer goes.
        answer: Answer<u64>,
    },
    /// How long messages of a connection take there and back.
    Lag {
        /// The number of the connection.
        connection: u64,
        /// How long.
        lag: Duration,
    },
    /// A connection ended.
    Unwatch {
        /// The number of the connection.
        connection: u64,
    },
    /// Somebody wants to see the game once.
    Look {
        /// Who, if they are known.
        who: Option<Requester>,
        /// What they want to see.
        view: ViewOf,
        /// Where the answer goes: JSON.
        answer: Answer<String>,
    },
    /// A bot has been thinking for a while.
    Thinks {
        /// Which thought; a stale one is dropped.
        token: u64,
        /// When a thread took the turn.
        begun: std::time::Instant,
    },
    /// A bot has thought.
    Thought {
        /// Which thought; a stale one is dropped.
        token: u64,
        /// Its moves, or why there are none, and how long it took.
        answered: Answered,
    },
    /// Somebody's stream of events began (then it is greeted) or ended.
    Presence {
        /// Whose, and where to.
        greet: Option<(String, mpsc::Sender<Arc<str>>)>,
    },
    /// Somebody has another name.
    Renamed {
        /// The user's id.
        user: String,
        /// The name now.
        name: String,
    },
    /// A moderator took the game's rating back.
    RatingsChanged,
    /// A time has come that the game's row named; the answer follows when the row names it no more.
    Wake {
        /// Where the answer goes.
        answer: Answer<()>,
    },
    /// Those who run the server call the game off.
    CallOff {
        /// Where the answer goes.
        answer: Answer<()>,
    },
    /// The server stops: watchers are told, and the task ends.
    Stop,
    /// A broken invariant, for the tests of what follows.
    #[cfg(test)]
    Panic,
}

impl Command {
    /// Whether it is somebody's who wants something of the table.
    pub(super) const fn is_visit(&self) -> bool {
        matches!(self, Self::Act { .. } | Self::Watch { .. } | Self::Look { .. })
    }
}

/// What somebody may do at a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Play.
    Play {
        /// The version they saw, if they say.
        version: Option<u64>,
        /// What they play.
        moves: Moves,
    },
    /// Sit down.
    Join {
        /// Their share in the shuffle.
        nonce: Option<String>,
    },
    /// Get up before the game has begun, or decline an invitation.
    Leave,
    /// Give up.
    Resign,
    /// Offer, accept or decline a draw.
    Draw(bool),
    /// Ask for, accept or decline a takeback.
    Takeback(bool),
    /// Call the game off.
    Abort,
    /// Ask for, accept or decline another game.
    Rematch(bool),
    /// Claim the win from a player who does not move, or call the game off.
    Claim {
        /// Whether the win is taken.
        win: bool,
    },
    /// Allow the engine's help, or forbid it.
    Help(bool),
    /// Say something.
    Chat(String),
}

/// Moves as they came.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Moves {
    /// In our notation.
    Text(Vec<String>),
    /// In the action form.
    Json(Value),
}

/// What an action did.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// What was played.
    pub played: Option<Arc<PlayResult>>,
}

/// What can be seen of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ViewOf {
    /// Everything a watcher gets at first.
    Welcome,
    /// The board as a player sees it; they must sit at the table.
    Player,
    /// The board as a spectator sees it.
    Spectator,
    /// What a bot on the asker's seat sees.
    Bot,
    /// The table as lists show it.
    Summary,
}

/// A message to a watcher; cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outgoing {
    /// An update, as the socket sends it.
    Update(Utf8Bytes),
    /// Anything else.
    Other(Utf8Bytes),
    /// The server stops.
    GoodBye,
}
