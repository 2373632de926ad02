//! What happens by itself: clocks that run out, players who left, games that nobody joins.

use super::state::Table;
use crate::error::Refusal;
use crate::metrics;
use crate::play::games::Hosted;
use crate::wire::{ClockRule, Reason, Status};
use std::time::Duration;
use tokio::time::Instant;

/// Turns in a row that a seat among three or more may miss with a clock per move.
const MISSED_TURNS: u8 = 2;

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

impl<G: Hosted> Table<G> {
    /// When something happens by itself.
    pub(super) fn next_wake(&self) -> Option<Instant> {
        let nobody = self.watchers.is_empty();
        let alone = match self.status {
            Status::Waiting if nobody => Some(self.closes_at),
            Status::Over if nobody => Some(self.alone_since + self.lingers()),
            Status::Waiting | Status::Playing | Status::Over => None,
        };
        let clock = self.to_move().and_then(|_| self.clocks.expires());
        let away =
            self.to_move().and_then(|seat| self.leaves_in(seat)).map(|left| Instant::now() + left);
        let told = [self.tell_count_at, self.tell_silence_at];
        [alone, clock, away, self.sleeps_at()].into_iter().chain(told).flatten().min()
    }

    /// Does what is due; what becomes of the table then.
    pub(super) async fn on_time(&mut self) -> Then {
        let now = Instant::now();
        if self.tell_count_at.is_some_and(|at| at <= now) {
            self.tell_count_at = None;
            self.tell_info();
            self.publish();
        }
        if self.tell_silence_at.is_some_and(|at| at <= now) {
            self.tell_info();
            self.plan_silence();
        }
        if let Some(seat) = self.to_move() {
            let flagged = self.clocks.expires().is_some_and(|at| at <= now);
            let gone = self.leaves_in(seat).is_some_and(|left| left.is_zero());
            if flagged || gone {
                metrics::count_flag(self.seats[seat].bot().is_some(), gone && !flagged);
                let acted = self.time_is_up(seat, gone).await;
                self.report(acted);
            }
        }
        let nobody = self.watchers.is_empty();
        let closes = self.status == Status::Waiting && nobody && self.closes_at <= now;
        if closes || self.is_given_up() {
            let called_off = self.call_off().await;
            self.report(called_off);
            return Then::GoOn;
        }
        match self.status {
            Status::Over if nobody && now.duration_since(self.alone_since) >= self.lingers() => {
                Then::End
            }
            Status::Waiting | Status::Playing if self.sleeps_at().is_some_and(|at| at <= now) => {
                Then::Sleep
            }
            Status::Waiting | Status::Playing | Status::Over => Then::GoOn,
        }
    }

    /// A seat's time is up: loss in rated games for two; among three or more the seat is out;
    /// otherwise the timeout rule plays the turn.
    async fn time_is_up(&mut self, seat: usize, gone: bool) -> Result<(), Refusal> {
        let many = self.seats.len() > 2;
        let missed = self.seats[seat].missed + 1;
        let per_move = matches!(self.clocks.rule(), ClockRule::Move { .. });
        let patient = per_move && !gone && missed < MISSED_TURNS;
        if (self.facts.rated && self.seats.len() == 2) || (many && !patient) {
            return self.drop_seats(&[seat], Reason::Time).await;
        }
        self.seats[seat].missed = missed;
        self.play_by_rule(seat).await
    }

    /// Plays the rest of a turn by the timeout rule.
    pub(super) async fn play_by_rule(&mut self, seat: usize) -> Result<(), Refusal> {
        self.stop_thinking();
        let moves = self.position.game.timeout_moves(random_bits());
        self.play_for(seat, &moves).await.map(|_| ())
    }

    /// Notes a failure of what nobody asked for.
    pub(super) fn report(&self, result: Result<(), Refusal>) {
        if let Err(refusal) = result {
            tracing::error!(game = self.facts.id, %refusal, "a table could not go on by itself");
        }
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

/// 64 bits from the system.
pub(super) fn random_bits() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    u64::from_le_bytes(bytes)
}
