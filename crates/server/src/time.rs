//! The time of the day, as it is stored and sent.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as Unix time in milliseconds.
#[must_use]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// How long it is until a time, in words that follow others: ` for 3 hours`. Nothing for what has no
/// end, or one too far away to matter.
#[must_use]
pub fn left_in_words(until: Option<i64>) -> String {
    let Some(until) = until else { return String::new() };
    match until.saturating_sub(now()).max(0) / 60_000 {
        minutes if minutes >= 2 * 24 * 60 => format!(" for {} days", minutes / (24 * 60)),
        minutes if minutes >= 2 * 60 => format!(" for {} hours", minutes / 60),
        minutes => format!(" for {} minutes", minutes + 1),
    }
}

/// Milliseconds in a day.
pub const DAY: i64 = 24 * 60 * 60 * 1000;
