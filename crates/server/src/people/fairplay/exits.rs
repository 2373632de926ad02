//! Who leaves rated games early again and again waits for the next one.

use super::store;
use crate::error::Refusal;
use crate::storage::db::{Db, Statement};
use crate::time::{self, DAY};
use std::time::Duration;

/// Minutes to wait after the last exit, by how many there were within a day. The first one is free:
/// anybody may be called away.
const WAITS: [u64; 7] = [0, 0, 1, 5, 15, 60, 240];

/// What notes that somebody left a rated game that had begun, before it could count.
pub(crate) fn exit(user: &str, game: &str, at: i64) -> Statement {
    store::note_exit(user, game, at)
}

/// How long somebody must wait before a rated game.
///
/// # Errors
/// If the database fails.
pub async fn wait_of(db: &Db, user: &str) -> Result<Duration, sqlx::Error> {
    let now = time::now();
    let (exits, last) = store::exits_since(db, user, now - DAY).await?;
    let exits = usize::try_from(exits).unwrap_or_default();
    let gone = last.map_or(0, |last| u64::try_from(now - last).unwrap_or_default());
    let whole = Duration::from_mins(WAITS[exits.min(WAITS.len() - 1)]);
    Ok(whole.saturating_sub(Duration::from_millis(gone)))
}

/// Refuses a rated game to somebody who must wait.
///
/// # Errors
/// If they must wait: says how long. If the database fails.
pub async fn check_wait(db: &Db, user: &str) -> Result<(), Refusal> {
    let left = wait_of(db, user).await?;
    if left.is_zero() {
        return Ok(());
    }
    Err(Refusal::MustWait { seconds: left.as_secs() + 1 })
}
