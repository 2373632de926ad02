//! How long a table stays in memory, and what a game that sleeps keeps beside its log.
//!
//! What always holds:
//! - A table that somebody watches stays. Nobody watches since `alone_since`.
//! - A table that came into memory only because of the time goes back at once, until somebody asks
//!   for it.
//! - The game's row says that it sleeps exactly while [`Residency::row`] is known; the first change
//!   afterwards takes that off the row.
//! - `attended` counts in served time: that in which no server ran brings no game nearer to being
//!   given up.

use crate::wire::{ClockRule, Offers};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::Instant;

/// What a game that sleeps keeps beside its log. Times are without those in which no server ran.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Asleep {
    /// The seat to move.
    pub(super) turn: Option<usize>,
    /// Turns played.
    pub(super) turns: usize,
    /// Points by seat.
    pub(super) scores: Vec<i32>,
    /// What waits for an answer.
    pub(super) offers: Offers,
    /// Turns in a row that the timeout rule played, by seat.
    pub(super) missed: Vec<u8>,
    /// Since when each seat has kept the others waiting.
    pub(super) silent: Vec<Option<i64>>,
    /// When one of the players was last there.
    pub(super) attended: i64,
    /// When the clock that runs is at zero.
    pub(super) clock_ends: Option<i64>,
    /// When a game that waits for players is called off.
    pub(super) closes: Option<i64>,
}

/// What a game's row says of its sleep: the text, and when it is to be woken.
pub(super) type SleepRow = (String, Option<i64>);

/// Whether and why a table is in memory.
#[derive(Debug)]
pub(super) struct Residency {
    alone_since: Instant,
    /// When one of the players was last there.
    attended: i64,
    /// When a game that waits for players is called off, if nobody watches.
    closes_at: Instant,
    row: Option<SleepRow>,
    /// Whether somebody has asked for the table since it came into memory.
    visited: bool,
    /// Whether it is in memory only because of the time.
    woken: bool,
}

impl Residency {
    /// A table that comes into memory. One that waits for players is called off after `closes`.
    pub(super) fn new(
        row: Option<SleepRow>,
        attended: i64,
        closes: Duration,
        now: Instant,
    ) -> Self {
        let closes_at = now + closes;
        Self { alone_since: now, attended, closes_at, row, visited: false, woken: false }
    }

    /// Somebody asks for the table.
    pub(super) fn visit(&mut self) {
        self.visited = true;
        self.woken = false;
    }

    /// The time has come that the row named.
    pub(super) fn wake(&mut self) {
        self.woken = !self.visited;
    }

    /// A watcher left; a game that waits for players waits so long from now on.
    pub(super) fn left(&mut self, now: Instant, waiting: Duration) {
        self.alone_since = now;
        self.closes_at = now + waiting;
    }

    /// One of the players is there, or has just left.
    pub(super) fn attend(&mut self, served: i64) {
        self.attended = served;
    }

    pub(super) const fn attended(&self) -> i64 {
        self.attended
    }

    /// When a game that waits for players is called off.
    pub(super) const fn closes_at(&self) -> Instant {
        self.closes_at
    }

    /// When a table that nobody watches has stayed long enough.
    pub(super) fn leaves_at(&self, idle: Duration) -> Instant {
        self.alone_since + if self.woken { Duration::ZERO } else { idle }
    }

    /// Whether the game's row says that it sleeps.
    pub(super) const fn sleeps(&self) -> bool {
        self.row.is_some()
    }

    /// Whether the row says just that already.
    pub(super) fn is_stored(&self, row: &SleepRow) -> bool {
        self.row.as_ref() == Some(row)
    }

    /// The row says from now on that the game sleeps.
    pub(super) fn stored(&mut self, row: SleepRow) {
        self.row = Some(row);
    }

    /// The row no longer says that the game sleeps: the log is what counts.
    pub(super) fn awake(&mut self) {
        self.row = None;
    }
}

/// How long a game may wait for players while nobody is there: by correspondence at least as long
/// as a turn.
pub(super) fn waiting_time(rule: ClockRule, usual: Duration) -> Duration {
    match rule {
        ClockRule::Move { per_move_ms } => usual.max(Duration::from_millis(per_move_ms)),
        ClockRule::None | ClockRule::Game { .. } => usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Duration = Duration::from_secs(60);

    #[test]
    fn a_table_that_the_time_woke_goes_back_at_once_unless_somebody_asks_for_it() {
        let now = Instant::now();
        let mut residency = Residency::new(None, 0, IDLE, now);
        assert_eq!(residency.leaves_at(IDLE), now + IDLE);
        residency.wake();
        assert_eq!(residency.leaves_at(IDLE), now);
        residency.visit();
        assert_eq!(residency.leaves_at(IDLE), now + IDLE);
        residency.wake();
        assert_eq!(residency.leaves_at(IDLE), now + IDLE, "who asked may still be there");
    }

    #[test]
    fn the_wait_for_players_begins_anew_when_a_watcher_leaves() {
        let now = Instant::now();
        let mut residency = Residency::new(None, 0, IDLE, now);
        residency.left(now + IDLE / 2, IDLE);
        assert_eq!(residency.closes_at(), now + IDLE * 3 / 2);
        let by_post = ClockRule::Move { per_move_ms: 86_400_000 };
        assert_eq!(waiting_time(by_post, IDLE), Duration::from_secs(86_400));
        assert_eq!(waiting_time(ClockRule::None, IDLE), IDLE);
    }

    #[test]
    fn a_row_is_written_again_only_if_it_says_something_else() {
        let row = ("{}".to_owned(), Some(7));
        let mut residency = Residency::new(Some(row.clone()), 0, IDLE, Instant::now());
        assert!(residency.sleeps() && residency.is_stored(&row));
        assert!(!residency.is_stored(&("{}".to_owned(), None)));
        residency.awake();
        assert!(!residency.sleeps() && !residency.is_stored(&row));
    }
}
