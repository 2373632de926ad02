//! Tables that leave memory while their game goes on: what the log does not have is kept in the
//! game's row, with the time at which somebody must act.

use super::TableTask;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::decide::write;
use crate::play::table::residency::{Asleep, SleepRow};
use crate::play::table::store::{games, sleeping_boards};
use crate::storage::db::Statement;
use crate::time;
use crate::wire::{ClockRule, Status};
use std::time::Duration;
use tokio::time::Instant;

/// A table that has something to do so soon does not sleep.
const SOON: Duration = Duration::from_secs(2);

impl<G: Hosted> TableTask<G> {
    /// When the table may leave memory, if nothing happens until then: nobody watches, nothing is
    /// thought about, and no clock runs out soon.
    pub(super) fn sleeps_at(&self) -> Option<Instant> {
        if !self.audience.is_empty() || self.bots.is_thinking() {
            return None;
        }
        let acts = match self.table.status() {
            Status::Over => return None,
            Status::Waiting => Some(self.residency.closes_at()),
            Status::Playing => {
                let (seat, seats) = (self.table.to_move()?, self.table.seats());
                // Whoever plays without a person moves as soon as it can.
                let by_itself = seats.at(seat).bot().is_some() || seats.is_out(seat);
                if by_itself || self.table.leaves_in(seat).is_some() {
                    return None;
                }
                self.table.clocks().expires()
            }
        };
        let soon = self.tables.settings().idle.max(SOON);
        let busy = acts.is_some_and(|at| at.saturating_duration_since(Instant::now()) < soon);
        (!busy).then(|| self.leaves_at())
    }

    /// When a table that nobody watches has stayed long enough.
    pub(super) fn leaves_at(&self) -> Instant {
        self.residency.leaves_at(self.tables.settings().idle)
    }

    /// Stores what the log does not have. From then on the row alone carries the game.
    pub(super) async fn fall_asleep(&mut self) -> Result<(), Refusal> {
        let row = self.sleep_row();
        if self.residency.is_stored(&row) {
            return Ok(());
        }
        let id = self.table.id();
        let mut statements = vec![games::put_to_sleep(id, &row)];
        if let Some(guarded) = self.table.guarded() {
            statements.extend(sleeping_boards::keep(id, guarded.board.marks()));
        }
        self.write(statements).await?;
        self.residency.stored(row);
        Ok(())
    }

    /// The row says that a table holds the game: whatever happens now, the log is what counts.
    pub(super) async fn wake_up(&mut self) -> Result<(), Refusal> {
        let statements = self.waking();
        if !statements.is_empty() {
            self.write(statements).await?;
            self.residency.awake();
        }
        Ok(())
    }

    /// What a change of the game stores beside it if the row still says that it sleeps.
    pub(super) fn waking(&self) -> Vec<Statement> {
        if !self.residency.sleeps() {
            return Vec::new();
        }
        let id = self.table.id();
        vec![games::wake(id), sleeping_boards::forget(id)]
    }

    fn sleep_row(&self) -> SleepRow {
        let served = self.tables.served_time();
        let ends = |at: Instant| {
            let left = at.saturating_duration_since(Instant::now());
            served + i64::try_from(left.as_millis()).unwrap_or(i64::MAX / 2)
        };
        let (table, down) = (&self.table, time::now() - served);
        let position = table.game().position();
        let playing = table.status() == Status::Playing;
        let silences = || table.seats().silences();
        let asleep = Asleep {
            turn: table.to_move(),
            turns: position.turns(),
            scores: position.scores(),
            offers: table.offers().open().clone(),
            missed: silences().map(|(missed, _)| missed).collect(),
            silent: silences().map(|(_, since)| Some(since? - down)).collect(),
            attended: self.residency.attended(),
            clock_ends: table.clocks().expires().filter(|_| playing).map(ends),
            closes: (!playing).then(|| ends(self.residency.closes_at())),
        };
        let given_up =
            (playing && table.clocks().rule() == ClockRule::None).then(|| self.given_up_at());
        let wake = [asleep.clock_ends, asleep.closes, given_up].into_iter().flatten().min();
        (write(&asleep), wake)
    }

    /// When a game without a clock is called off to which none of its players comes back.
    fn given_up_at(&self) -> i64 {
        let after = i64::try_from(self.tables.settings().given_up.as_millis()).unwrap_or(i64::MAX);
        self.residency.attended().saturating_add(after)
    }

    /// Whether none of the players of a game without a clock has come back for so long that it is
    /// called off.
    pub(super) fn is_given_up(&self) -> bool {
        self.table.status() == Status::Playing
            && self.table.clocks().rule() == ClockRule::None
            && self.sleeps_at().is_some()
            && self.given_up_at() <= self.tables.served_time()
    }
}
