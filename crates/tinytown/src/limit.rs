//! What is refused because it would not fit.

use crate::{Counts, Setup, Stopped};
use std::error::Error;
use std::fmt;

/// Why a table over all states was not made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableError {
    /// It would not fit.
    TooLarge(Box<TooLarge>),
    /// Whoever watched the work stopped it.
    Stopped,
}

/// A table that would not fit, with its exact size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// What was asked for.
    pub what: &'static str,
    /// For which setup.
    pub setup: Setup,
    /// The exact counts.
    pub counts: Counts,
    /// The bytes it would take.
    pub bytes: u128,
    /// The bytes that were allowed.
    pub memory: u64,
}

impl TooLarge {
    /// Refuses what takes more than `memory` bytes, or numbers more than 32 bits can.
    pub(crate) fn check(
        what: &'static str,
        setup: Setup,
        counts: Counts,
        numbered: u128,
        bytes: u128,
        memory: u64,
    ) -> Result<(), TableError> {
        if bytes > u128::from(memory) || numbered >= u128::from(u32::MAX) {
            let too_large = Self { what, setup, counts, bytes, memory };
            return Err(TableError::TooLarge(Box::new(too_large)));
        }
        Ok(())
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} has {} states and {} transitions and would take {}; ",
            self.what,
            self.setup,
            with_thousands_separators(self.counts.states),
            with_thousands_separators(self.counts.transitions),
            exact_text(self.bytes)
        )?;
        if self.bytes > u128::from(self.memory) {
            write!(f, "allowed are {}", exact_text(u128::from(self.memory)))
        } else {
            write!(
                f,
                "32-bit ids number at most {}",
                with_thousands_separators(u128::from(u32::MAX))
            )
        }
    }
}

impl Error for TooLarge {}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(too_large) => write!(f, "{too_large}"),
            Self::Stopped => write!(f, "{Stopped}"),
        }
    }
}

impl Error for TableError {}

impl From<Stopped> for TableError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// A number with its thousands set apart: 2,267,891.
#[must_use]
pub fn with_thousands_separators(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An amount of memory for people to read: 62.9 MiB.
#[must_use]
pub fn memory_text(bytes: u128) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut unit = 0;
    let mut amount = bytes as f64;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{amount:.1} {}", units[unit]) }
}

/// An amount of memory for people to read, and to the byte.
fn exact_text(bytes: u128) -> String {
    match memory_text(bytes) {
        text if bytes < 1024 => text,
        text => format!("{text} ({} bytes)", with_thousands_separators(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Graph, without_progress};

    #[test]
    fn a_graph_that_would_not_fit_is_refused_with_its_exact_count_and_size() {
        let refused = Graph::new("4x4".parse().unwrap(), 1 << 32, &mut without_progress).err();
        let message = refused.map(|unfit| unfit.to_string()).unwrap_or_default();
        assert!(
            message.contains("206,813,040,371 states and 832,141,679,711 transitions"),
            "{message}"
        );
        assert!(
            message.ends_with(" bytes); allowed are 4.0 GiB (4,294,967,296 bytes)"),
            "{message}"
        );
        let refused = Graph::new("2x2".parse().unwrap(), 1_000, &mut without_progress).err();
        let message = refused.map(|unfit| unfit.to_string()).unwrap_or_default();
        assert!(message.ends_with(" bytes); allowed are 1000 bytes"), "{message}");
        let refused = Graph::new("4x4".parse().unwrap(), u64::MAX, &mut without_progress).err();
        let message = refused.map(|unfit| unfit.to_string()).unwrap_or_default();
        assert!(message.ends_with("32-bit ids number at most 4,294,967,295"), "{message}");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(with_thousands_separators),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
