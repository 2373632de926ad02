//! The name of a puzzle.

use crate::fnv::fnv_1a;
use carcassonne::Expanded;
use game::{Record, excerpt};
use std::fmt;
use std::str::FromStr;

/// Eight hexadecimal digits that follow from the record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PuzzleId(u32);

impl PuzzleId {
    /// The id of the position after a record.
    #[must_use]
    pub fn of(record: &Record<Expanded>) -> Self {
        // FNV-1a of the record's text, folded to half its length.
        let hash = fnv_1a(record.to_string().bytes());
        Self((hash ^ (hash >> 32)) as u32)
    }

    /// As a number: what chance comes from where a puzzle is measured.
    #[cfg(feature = "puzzles")]
    pub(super) fn bits(self) -> u64 {
        self.0.into()
    }
}

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

impl FromStr for PuzzleId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 8 && text.bytes().all(digit) {
            true => u32::from_str_radix(text, 16).map(Self).map_err(|error| error.to_string()),
            false => Err(format!("'{}' is no puzzle: 8 digits of 0-9 and a-f", excerpt(text, 20))),
        }
    }
}
