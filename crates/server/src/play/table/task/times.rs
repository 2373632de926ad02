//! What happens by itself: clocks that run out, players who left, games that nobody joins.

use super::TableTask;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::ids::random_bits;
use crate::metrics;
use crate::wire::Status;
use tokio::time::Instant;

/// What becomes of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    /// It goes on.
    GoOn,
    /// Its game goes on without it in memory.
    Sleep,
    /// Nobody needs it any more.
    End,
}

impl<G: Hosted> TableTask<G> {
    /// When something happens by itself.
    pub(super) fn next_wake(&self) -> Option<Instant> {
        let nobody = self.audience.is_empty();
        let alone = match self.table.status() {
            Status::Waiting if nobody => Some(self.residency.closes_at()),
            Status::Over if nobody => Some(self.leaves_at()),
            Status::Waiting | Status::Playing | Status::Over => None,
        };
        let to_move = self.table.to_move();
        let clock = to_move.and_then(|_| self.table.clocks().expires());
        let away = to_move.and_then(|seat| self.table.leaves_in(seat));
        let away = away.map(|left| Instant::now() + left);
        let told = self.audience.next_telling();
        [alone, clock, away, self.sleeps_at(), told].into_iter().flatten().min()
    }

    /// Does what is due; what becomes of the table then.
    pub(super) async fn on_time(&mut self) -> Then {
        let now = Instant::now();
        if self.audience.take_count(now) {
            self.tell_info();
            self.publish();
        }
        if self.audience.silence_is_due(now) {
            self.tell_info();
            self.plan_silence();
        }
        if let Some(seat) = self.table.to_move() {
            let flagged = self.table.clocks().expires().is_some_and(|at| at <= now);
            let gone = self.table.leaves_in(seat).is_some_and(|left| left.is_zero());
            if flagged || gone {
                let is_bot = self.table.seats().at(seat).bot().is_some();
                metrics::count_flag(is_bot, gone && !flagged);
                let acted = self.time_is_up(seat, gone).await;
                self.report(acted);
            }
        }
        let nobody = self.audience.is_empty();
        let status = self.table.status();
        let closes = status == Status::Waiting && nobody && self.residency.closes_at() <= now;
        if closes || self.is_given_up() {
            let called_off = self.call_off().await;
            self.report(called_off);
            return Then::GoOn;
        }
        match status {
            Status::Over if nobody && self.leaves_at() <= now => Then::End,
            Status::Waiting | Status::Playing if self.sleeps_at().is_some_and(|at| at <= now) => {
                Then::Sleep
            }
            Status::Waiting | Status::Playing | Status::Over => Then::GoOn,
        }
    }

    async fn time_is_up(&mut self, seat: usize, gone: bool) -> Result<(), Refusal> {
        let draft = self.table.time_is_up(seat, gone, random_bits())?;
        self.commit(draft).await?;
        Ok(())
    }

    /// Plays the rest of a turn by the timeout rule.
    pub(super) async fn play_by_rule(&mut self, seat: usize) -> Result<(), Refusal> {
        let draft = self.table.play_by_rule(seat, random_bits())?;
        self.commit(draft).await?;
        Ok(())
    }

    /// Notes a failure of what nobody asked for.
    pub(super) fn report(&self, result: Result<(), Refusal>) {
        if let Err(refusal) = result {
            tracing::error!(game = self.table.id(), %refusal, "a table could not go on by itself");
        }
    }
}
