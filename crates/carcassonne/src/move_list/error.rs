//! What is wrong with an entry of a list of moves.

use crate::error::ParseError;
use std::fmt;

/// What an entry may be, for messages.
const EXPECTED: &str = r#"expected {"tile":"U","rotation":0,"position":[1,0]}, {"meeple":0,"spot":"road0"}, {}, {"tile":"C","discarded":true}, and with sets {"figure":"big","spot":"city0"} or {"recall":true}"#;

/// An entry, or a part of one, that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EntryError {
    /// It is none of the entries there are.
    Unknown,
    /// A key that no entry has; shortened.
    UnknownKey(String),
    MeepleNumber,
    PlacedAndDiscarded,
    Discarded,
    Rotation,
    Position,
    /// A tile or a cell that is none.
    Text(ParseError),
}

impl From<ParseError> for EntryError {
    fn from(error: ParseError) -> Self {
        Self::Text(error)
    }
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str(EXPECTED),
            Self::UnknownKey(key) => write!(f, "'{key}' is no key here; {EXPECTED}"),
            Self::MeepleNumber => f.write_str("a meeple is a number from 0 to 6"),
            Self::PlacedAndDiscarded => f.write_str("a tile set aside has no position"),
            Self::Discarded => f.write_str("'discarded' is true or false"),
            Self::Rotation => f.write_str(
                "a rotation is 0 to 3 clockwise quarter turns, or 90, 180 or 270 degrees",
            ),
            Self::Position => f.write_str("a position is [x, y] with numbers from -128 to 127"),
            Self::Text(error) => error.fmt(f),
        }
    }
}
