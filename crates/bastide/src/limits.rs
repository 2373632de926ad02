//! Limits of a search as text: times, counts, and the options that commands share.

use carcassonne::{Edition, Position};
use game::Game;
use search::Limits;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// No search is given more time at once.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Reads a time: `200ms`, `1.5s`, `2m`, `500us`, or a bare number of milliseconds.
///
/// # Errors
/// If it is none, or not between 0 and a day.
pub(crate) fn duration(name: &'static str, text: &str) -> Result<Duration, LimitError> {
    let wrong = || LimitError::Time { name, found: game::excerpt(text, 40) };
    let units = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0), ("m", 60.0)];
    let with_unit = |(unit, worth)| Some((text.strip_suffix(unit)?, worth));
    let (number, worth): (&str, f64) =
        units.into_iter().find_map(with_unit).unwrap_or((text, 1e-3));
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(wrong());
    }
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * worth;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if time <= LONGEST => Ok(time),
        _ => Err(wrong()),
    }
}

/// Reads how long a program may take to answer anything but a search.
///
/// # Errors
/// If it is no time, or 0.
pub(crate) fn answer_time(text: &str) -> Result<Duration, LimitError> {
    some_time("answer-time", "20s", text)
}

/// Reads how long a program may take to answer a search that has no limit of time.
///
/// # Errors
/// If it is no time, or 0.
pub(crate) fn search_time(text: &str) -> Result<Duration, LimitError> {
    some_time("search-time", "10m", text)
}

fn some_time(name: &'static str, sample: &'static str, text: &str) -> Result<Duration, LimitError> {
    match duration(name, text)? {
        Duration::ZERO => Err(LimitError::NoTime { name, sample }),
        time => Ok(time),
    }
}

/// Reads a count from 1: an unsigned number.
///
/// # Errors
/// If it is none that fits.
pub(crate) fn count<N: FromStr + PartialOrd + From<u8>>(
    name: &'static str,
    text: &str,
) -> Result<N, LimitError> {
    match text.parse::<N>() {
        Ok(count) if count >= N::from(1) => Ok(count),
        _ => {
            let most = u128::MAX >> (128 - 8 * size_of::<N>());
            Err(LimitError::Count { name, most, found: game::excerpt(text, 40) })
        }
    }
}

/// Reads a number of threads.
///
/// # Errors
/// If it is none, or more than any machine has use for.
pub(crate) fn threads(text: &str) -> Result<usize, LimitError> {
    const MOST: usize = 1_024;
    match text.parse() {
        Ok(threads) if (1..=MOST).contains(&threads) => Ok(threads),
        _ => Err(LimitError::Threads { most: MOST, found: game::excerpt(text, 40) }),
    }
}

/// How many turns what is left on a clock is for: those of who is to move, this one included.
pub(crate) fn turns_left<E: Edition>(game: &Position<E>) -> u32 {
    1 + (game.tiles_left() / game.players()) as u32
}

/// A text that is no limit; its message says what is allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LimitError {
    Time {
        name: &'static str,
        found: String,
    },
    NoTime {
        name: &'static str,
        /// A time that would do.
        sample: &'static str,
    },
    Count {
        name: &'static str,
        most: u128,
        found: String,
    },
    Threads {
        most: usize,
        found: String,
    },
    /// A list for both sides of a match that has neither one nor two parts.
    Parts {
        parts: usize,
        found: String,
    },
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { name, found } => {
                write!(f, "{name}: a time such as 200ms, 1.5s or 2m, up to a day; found '{found}'")
            }
            Self::NoTime { name, sample } => {
                write!(f, "{name}: a time above 0 such as {sample}; found 0")
            }
            Self::Count { name, most, found } => {
                write!(f, "{name}: a whole number from 1 to {most}, found '{found}'")
            }
            Self::Threads { most, found } => {
                write!(f, "threads: a number from 1 to {most}, found '{found}'")
            }
            Self::Parts { parts, found } => {
                write!(f, "'{found}' has {parts} parts; one for both sides or two")
            }
        }
    }
}

impl Error for LimitError {}

/// The limits of a search as options of a command.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Time for each search, such as 200ms or 2s
    #[arg(long, value_name = "TIME", value_parser = |text: &str| duration("movetime", text),
          allow_negative_numbers = true)]
    movetime: Option<Duration>,
    /// Nodes for each search: the same answer on every machine
    #[arg(long, value_name = "N", value_parser = |text: &str| count::<u64>("nodes", text),
          allow_negative_numbers = true)]
    nodes: Option<u64>,
}

impl LimitArgs {
    /// So many nodes.
    #[cfg(test)]
    pub(crate) const fn nodes(nodes: u64) -> Self {
        Self { movetime: None, nodes: Some(nodes) }
    }

    /// The limits that were given, or so much time.
    pub(crate) fn or(self, time: Duration) -> Limits {
        match (self.movetime, self.nodes) {
            (None, None) => Limits::time(time),
            (time, nodes) => Limits { time, nodes, ..Limits::NONE },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_unit() {
        for (text, millis) in
            [("200", 200), ("200ms", 200), ("1.5s", 1500), ("2m", 120_000), ("9000us", 9)]
        {
            assert_eq!(duration("movetime", text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "-1", "ms", "s", "1h", "inf", "nan", "NaNs", "1e99", "9e9s", "+5", "1 s"] {
            assert!(duration("movetime", text).is_err(), "{text}");
        }
    }

    #[test]
    fn threads_are_as_many_as_can_be_started() {
        assert_eq!(threads("16"), Ok(16));
        for text in ["0", "-1", "100000", "all"] {
            assert!(threads(text).unwrap_err().to_string().contains("from 1 to 1024"), "{text}");
        }
    }

    #[test]
    fn counts_start_at_one() {
        assert_eq!(count::<u64>("nodes", "7"), Ok(7));
        for text in ["0", "-1", "99999999999999999999999", "many", ""] {
            assert!(count::<u64>("nodes", text).is_err(), "{text}");
        }
        let error = count::<u32>("depth", "4294967296").expect_err("too large").to_string();
        assert_eq!(error, "depth: a whole number from 1 to 4294967295, found '4294967296'");
    }
}
