//! Why a player or a net cannot be had. Every message says what is allowed.

use crate::roster::MOST_THREADS;
use std::error::Error;
use std::path::PathBuf;
use std::{fmt, io};

/// Why there is no player to a name and its parameters.
#[derive(Debug)]
pub enum BotError {
    /// Nobody has this name.
    Name {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The parameters are not written as `key=value,…`.
    Params(String),
    /// A parameter is given more than once.
    Twice {
        /// The whole text.
        spec: String,
        /// The parameter.
        key: String,
    },
    /// The player has no such parameter.
    Parameter {
        /// The player.
        name: String,
        /// The parameter asked for.
        key: String,
        /// The parameters it has.
        known: Vec<String>,
    },
    /// The text of a parameter is not of its type, or not finite.
    Value {
        /// The player.
        name: String,
        /// The parameter.
        key: String,
        /// What was given.
        value: String,
        /// A value that is allowed.
        example: String,
    },
    /// A parameter that takes one of a few words.
    Choice {
        /// The parameter.
        key: &'static str,
        /// What was given.
        value: String,
        /// The words that are allowed.
        allowed: &'static str,
    },
    /// More threads than a player may use, or none.
    Threads(usize),
    /// Its net cannot be loaded.
    Net(LoadError),
}

impl fmt::Display for BotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { name, known } => {
                write!(f, "no bot is called '{name}'; known: {}", known.join(", "))
            }
            Self::Params(text) => write!(f, "'{text}': parameters are 'key=value,…'"),
            Self::Twice { spec, key } => write!(f, "'{spec}': {key} is given twice"),
            Self::Parameter { name, key, known } => {
                write!(f, "{name} has no parameter '{key}'; it has: {}", known.join(", "))
            }
            Self::Value { name, key, value, example } => {
                write!(f, "{name}: {key}={value} is no value for it; one is {key}={example}")
            }
            Self::Choice { key, value, allowed } => write!(f, "{key}={value}: {allowed}"),
            Self::Threads(threads) => {
                write!(f, "threads={threads}: 1 to {MOST_THREADS} are allowed")
            }
            Self::Net(error) => error.fmt(f),
        }
    }
}

impl Error for BotError {}

impl From<LoadError> for BotError {
    fn from(error: LoadError) -> Self {
        Self::Net(error)
    }
}

/// A file that cannot be loaded as a net.
#[derive(Debug)]
pub struct LoadError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub cause: LoadCause,
}

/// What is wrong with a file that should be a net.
#[derive(Debug)]
pub enum LoadCause {
    /// It cannot be read.
    Read(io::Error),
    /// It is no net for these inputs.
    Net(NetError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.cause {
            LoadCause::Read(error) => write!(f, "can't read {path}: {error}"),
            LoadCause::Net(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl Error for LoadError {}

/// Bytes that are no net for these inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetError {
    /// The first line is another one.
    Header {
        /// The line that a net of this version starts with.
        expected: String,
        /// The line found, if it is a net's.
        found: Option<String>,
    },
    /// There are fewer or more weights.
    Length {
        /// The bytes that the weights take.
        expected: usize,
        /// The bytes found.
        found: usize,
    },
    /// A weight is infinite or no number.
    NotFinite,
    /// No net that the program knows has this name.
    Name {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// It was trained for something else than the net of this name.
    Scope {
        /// The name.
        name: &'static str,
        /// What it was trained for.
        found: String,
    },
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { expected, found } => {
                let found = found.as_deref().unwrap_or("something else");
                write!(f, "expected a net '{expected}', found {found}")
            }
            // A file is not read further than a net is long.
            Self::Length { expected, found } if found > expected => {
                write!(f, "expected {expected} bytes of weights, found more")
            }
            Self::Length { expected, found } => {
                write!(f, "expected {expected} bytes of weights, found {found}")
            }
            Self::NotFinite => f.write_str("a weight is not a finite number"),
            Self::Name { name, known } => {
                write!(f, "no net is called '{name}'; known: {}", known.join(", "))
            }
            Self::Scope { name, found } => {
                write!(f, "the net '{name}' is not the one for {found}")
            }
        }
    }
}

impl Error for NetError {}
