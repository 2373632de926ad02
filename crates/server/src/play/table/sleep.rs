//! Tables that leave memory while their game goes on: what the log does not have is kept in the
//! game's row, with the time at which somebody must act.

use super::command::Command;
use super::help_asleep;
use super::render;
use super::state::Table;
use crate::error::Refusal;
use crate::play::games::Hosted;
use crate::storage::db::journal::Statement;
use crate::time;
use crate::wire::{ClockRule, Offers, Status};
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

/// How long before its time a game is woken: the table itself looks at its clocks.
pub(super) const WAKE_AHEAD: Duration = Duration::from_secs(1);

/// A table that has something to do so soon does not sleep.
const SOON: Duration = Duration::from_secs(2);

impl<G: Hosted> Table<G> {
    /// When the table may leave memory, if nothing happens until then: nobody watches, nothing is
    /// thought about, and no clock runs out soon.
    pub(super) fn sleeps_at(&self) -> Option<Instant> {
        if !self.watchers.is_empty() || self.thinking.is_some() {
            return None;
        }
        let acts = match self.status {
            Status::Over => return None,
            Status::Waiting => Some(self.closes_at),
            Status::Playing => {
                let seat = self.to_move()?;
                // Whoever plays without a person moves as soon as it can.
                let by_itself = self.seats[seat].bot().is_some() || self.seats[seat].out.is_some();
                if by_itself || self.leaves_in(seat).is_some() {
                    return None;
                }
                self.clocks.expires()
            }
        };
        let soon = self.tables.settings().idle.max(SOON);
        let busy = acts.is_some_and(|at| at.saturating_duration_since(Instant::now()) < soon);
        (!busy).then(|| self.alone_since + self.lingers())
    }

    /// How long a table stays that nobody watches. One that was woken only because of the time goes
    /// back at once.
    pub(super) fn lingers(&self) -> Duration {
        if self.woken { Duration::ZERO } else { self.tables.settings().idle }
    }

    /// Writes what the log does not have. From then on the row alone carries the game.
    pub(super) async fn fall_asleep(&mut self) -> Result<(), Refusal> {
        let row = self.sleep_row();
        if self.row.as_ref() == Some(&row) {
            return Ok(());
        }
        let statement = Statement::guarded(
            "UPDATE games SET sleep = $1, wake = $2 WHERE id = $3 AND status <> 'over'",
            vec![row.0.as_str().into(), row.1.into(), self.facts.id.as_str().into()],
        );
        let mut statements = vec![statement];
        if let Some(guarded) = self.guarded() {
            statements.extend(help_asleep::keep(&self.facts.id, &guarded.board));
        }
        self.write(statements).await?;
        self.row = Some(row);
        Ok(())
    }

    /// The row says that a table holds the game: whatever happens now, the log is what counts.
    pub(super) async fn wake_up(&mut self) -> Result<(), Refusal> {
        let statements = self.waking();
        if !statements.is_empty() {
            self.write(statements).await?;
            self.row = None;
        }
        Ok(())
    }

    /// What a change of the game writes beside it if the row still says that it sleeps.
    pub(super) fn waking(&self) -> Vec<Statement> {
        if self.row.is_none() {
            return Vec::new();
        }
        let id = self.facts.id.as_str();
        let awake = Statement::new(
            "UPDATE games SET sleep = NULL, wake = NULL WHERE id = $1",
            vec![id.into()],
        );
        vec![awake, help_asleep::forget(id)]
    }

    fn sleep_row(&self) -> SleepRow {
        let ends = |at: Instant| {
            let left = at.saturating_duration_since(Instant::now());
            self.tables.served_time() + i64::try_from(left.as_millis()).unwrap_or(i64::MAX / 2)
        };
        let (summary, down) = (self.summary(), time::now() - self.tables.served_time());
        let playing = self.status == Status::Playing;
        let asleep = Asleep {
            turn: summary.turn,
            turns: summary.turns,
            scores: summary.scores,
            offers: self.offers.clone(),
            missed: self.seats.iter().map(|seat| seat.missed).collect(),
            silent: self.seats.iter().map(|seat| Some(seat.silent_since? - down)).collect(),
            attended: self.attended,
            clock_ends: self.clocks.expires().filter(|_| playing).map(ends),
            closes: (!playing).then(|| ends(self.closes_at)),
        };
        let given_up = (playing && self.clocks.rule() == ClockRule::None)
            .then(|| self.attended.saturating_add(self.given_up_after()));
        let wake = [asleep.clock_ends, asleep.closes, given_up].into_iter().flatten().min();
        (render::write(&asleep), wake)
    }

    fn given_up_after(&self) -> i64 {
        i64::try_from(self.tables.settings().given_up.as_millis()).unwrap_or(i64::MAX)
    }

    /// Whether none of the players of a game without a clock has come back for so long that it is
    /// called off.
    pub(super) fn is_given_up(&self) -> bool {
        self.status == Status::Playing
            && self.clocks.rule() == ClockRule::None
            && self.sleeps_at().is_some()
            && self.attended.saturating_add(self.given_up_after()) <= self.tables.served_time()
    }

    /// One of the players is there, or has just left.
    pub(super) fn note_attended(&mut self, user: &str) {
        if self.seats.iter().any(|seat| seat.user() == Some(user)) {
            self.attended = self.tables.served_time();
        }
    }

    /// Whether a command is somebody's who wants something of the table.
    pub(super) fn is_visit(command: &Command) -> bool {
        matches!(command, Command::Act { .. } | Command::Watch { .. } | Command::Look { .. })
    }
}
