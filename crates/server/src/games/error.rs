//! Why what was sent about a game cannot be used; each says what can.

use crate::error::Refusal;

/// Options that mean no setup.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionsError {
    /// They are not an object.
    #[error("options are an object with {allowed}; found {found}")]
    NotAnObject {
        /// What is allowed.
        allowed: String,
        /// What was sent.
        found: String,
    },
    /// There is no such option.
    #[error("'{key}' is no option; allowed are {allowed}")]
    Unknown {
        /// What was sent.
        key: String,
        /// What is allowed.
        allowed: String,
    },
    /// The option has no such value.
    #[error("{key}={found}: allowed are {allowed}")]
    Value {
        /// Which option.
        key: String,
        /// What was sent.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// The number of players is another one than that of the seats.
    #[error("players={found}: the seats are {seats}")]
    Players {
        /// What was sent.
        found: String,
        /// How many seats there are.
        seats: usize,
    },
    /// They are no sets, or one of them twice.
    #[error(
        "expansions={found}: expected a list of inns, traders, river, gardens, each at most once"
    )]
    Expansions {
        /// What was sent.
        found: String,
    },
    /// The game is for one.
    #[error("{game} is played alone; the seats are {seats}")]
    Alone {
        /// The game's name.
        game: &'static str,
        /// How many seats there are.
        seats: usize,
    },
    /// The board is larger than those that are hosted.
    #[error("a {size} grid has {squares} squares; at most {most} are hosted here")]
    TooLarge {
        /// Its rows and columns.
        size: String,
        /// Its squares.
        squares: usize,
        /// The most that are hosted.
        most: usize,
    },
    /// The rules do not allow it; in their words.
    #[error("{0}")]
    Rules(String),
}

/// A request's action that means no moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// It has none of the forms that are read.
    #[error("expected {forms}")]
    Form {
        /// What is read.
        forms: &'static str,
    },
    /// It is not an object.
    #[error("found {found}; expected {forms}")]
    NotAnObject {
        /// What was sent.
        found: String,
        /// What is read.
        forms: &'static str,
    },
    /// It has a key that is not read.
    #[error("'{key}' is no key here; expected {forms}")]
    UnknownKey {
        /// The key.
        key: String,
        /// What is read.
        forms: &'static str,
    },
    /// A key has a value that is not read.
    #[error("{key} is {found}; {allowed}")]
    Value {
        /// The key.
        key: &'static str,
        /// What was sent.
        found: String,
        /// What is read.
        allowed: &'static str,
    },
    /// Its kind is not a text.
    #[error("action_type is {found}; expected {forms}")]
    NoKind {
        /// What was sent.
        found: String,
        /// What is read.
        forms: &'static str,
    },
    /// There is no such kind of action.
    #[error("'{kind}' is no action; there are {known}")]
    UnknownKind {
        /// What was sent.
        kind: String,
        /// Those that there are.
        known: &'static str,
    },
    /// Something is missing, or too much.
    #[error("{0}")]
    Incomplete(&'static str),
    /// A placement without one of its keys.
    #[error("a placement needs '{0}'")]
    Missing(&'static str),
    /// There is no tile on which a meeple could stand.
    #[error("no tile has been placed yet")]
    NoTile,
    /// The tile has no such spot.
    #[error("tile {tile} has no spot {found}; it has {spots}")]
    Spot {
        /// The tile.
        tile: String,
        /// What was sent.
        found: String,
        /// The spots that it has.
        spots: String,
    },
    /// A move that cannot be read; says why.
    #[error("{0}")]
    Unreadable(String),
}

/// A bot that cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotError {
    /// There is no such bot.
    #[error("no bot is called '{name}'; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// It cannot be made; says why.
    #[error("{0}")]
    Unfit(String),
}

/// A text that is no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read; says where and why.
    #[error("{0}")]
    Unreadable(String),
    /// Its setup is not hosted.
    #[error(transparent)]
    Setup(#[from] OptionsError),
    /// It does not replay; says where and why.
    #[error("{0}")]
    Illegal(String),
}

impl From<OptionsError> for Refusal {
    fn from(error: OptionsError) -> Self {
        Self::Bad(error.to_string())
    }
}

impl From<ActionError> for Refusal {
    fn from(error: ActionError) -> Self {
        Self::Bad(error.to_string())
    }
}

impl From<BotError> for Refusal {
    fn from(error: BotError) -> Self {
        Self::Bad(error.to_string())
    }
}

impl From<RecordError> for Refusal {
    fn from(error: RecordError) -> Self {
        Self::IllegalMove(error.to_string())
    }
}
