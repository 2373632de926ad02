//! Why a dataset cannot be made.

use bots::BotError;
use carcassonne::SetupError;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why a dataset, or a shard of it, was not made.
#[derive(Debug)]
pub enum DatasetError {
    /// Learners cannot play this setup.
    Setup(SetupError),
    /// There is no such bot.
    Bot(BotError),
    /// Something that was asked for makes no sense; the text says what is expected.
    Request(String),
    /// The folder holds a dataset of another request.
    Other {
        /// The folder.
        folder: PathBuf,
        /// What about it is not the same, and how.
        difference: String,
    },
    /// A record cannot be read, or is one of another setup.
    Record {
        /// The file's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A bot broke its contract.
    Game(String),
    /// A file cannot be read or written.
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It was stopped; shards that were whole stay.
    Stopped,
}

impl DatasetError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::Bot(error) => error.fmt(f),
            Self::Request(text) | Self::Game(text) => f.write_str(text),
            Self::Other { folder, difference } => {
                write!(f, "{}: {difference}", folder.display())
            }
            Self::Record { name, reason } => write!(f, "{name}: {reason}"),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl Error for DatasetError {}

impl From<SetupError> for DatasetError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<BotError> for DatasetError {
    fn from(error: BotError) -> Self {
        Self::Bot(error)
    }
}
