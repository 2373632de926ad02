//! The time of the day, as it is stored and sent.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as Unix time in milliseconds.
#[must_use]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds in a day.
pub const DAY: i64 = 24 * 60 * 60 * 1000;
