//! Players who do not move: after a time that everybody sees, who waits may claim the win or call
//! the game off.
//!
//! Where a clock of minutes runs in a rated game, the clock decides. Everywhere else a person is
//! silent from the moment they could first move until they do, also while the timeout rule plays
//! for them.

use super::seats::Seat;
use super::state::Table;
use crate::error::Refusal;
use crate::people::accounts::Who;
use crate::play::games::Hosted;
use crate::time;
use crate::wire::{ClockRule, Reason, Status};
use std::time::Duration;
use tokio::time::Instant;

impl<G: Hosted> Table<G> {
    /// Takes the win from the players who have been silent for too long, or calls the game off.
    pub(super) async fn claim(&mut self, who: &Who, win: bool) -> Result<(), Refusal> {
        self.must_be_playing()?;
        let mine = self.seats_of(&who.user);
        if mine.is_empty() {
            return Err(self.not_at_the_table());
        }
        if mine.iter().all(|seat| self.seats[*seat].out.is_some()) {
            return Err(Refusal::Conflict("you no longer play: the others decide".to_owned()));
        }
        let silent: Vec<(usize, Duration)> = (0..self.seats.len())
            .filter(|seat| !mine.contains(seat))
            .filter_map(|seat| Some((seat, self.claim_in(seat)?)))
            .collect();
        let due: Vec<usize> =
            silent.iter().filter(|(_, left)| left.is_zero()).map(|(seat, _)| *seat).collect();
        if due.is_empty() {
            return Err(Refusal::Conflict(match silent.iter().min_by_key(|(_, left)| *left) {
                None => "nobody keeps you waiting: nothing can be claimed".to_owned(),
                Some((seat, left)) => format!(
                    "{} has {} s left to move before you may claim the win or call the game off",
                    self.seats[*seat].name(),
                    left.as_secs() + 1
                ),
            }));
        }
        if win {
            return self.drop_seats(&due, Reason::Time).await;
        }
        let plays_on = |seat: usize| {
            self.seats[seat].is_playing_person() && !mine.contains(&seat) && !due.contains(&seat)
        };
        if (0..self.seats.len()).any(plays_on) {
            return Err(Refusal::Conflict(
                "others play on: claim the win, and the game goes on without the silent player"
                    .to_owned(),
            ));
        }
        let users = due.iter().filter_map(|seat| self.seats[*seat].user());
        let leavers = users.map(str::to_owned).collect();
        self.call_off_because_of(leavers).await
    }

    /// How long until others may claim the win from a seat; `None` if it is not silent, or nobody
    /// waits for it.
    fn claim_in(&self, number: usize) -> Option<Duration> {
        let seat = &self.seats[number];
        let since = seat.silent_since.filter(|_| seat.is_playing_person())?;
        let waits = |other: &Seat| other.is_playing_person() && other.user() != seat.user();
        if self.status != Status::Playing || !self.seats.iter().any(waits) {
            return None;
        }
        let rule = self.clocks.rule();
        if rule.is_correspondence() {
            // The clock is the time that was agreed on; once it has run out, it is over.
            return (seat.missed > 0).then_some(Duration::ZERO);
        }
        if self.facts.rated && rule != ClockRule::None {
            return None;
        }
        let settings = self.tables.settings();
        let silence = Duration::from_millis(u64::try_from(time::now() - since).unwrap_or_default());
        let there = settings.claim_silent.saturating_sub(silence);
        let Some(away) = seat.away_since else { return Some(there) };
        // A line that breaks for a moment at the end of a long thought is no absence.
        let gone = Instant::now().saturating_duration_since(away);
        let absent = settings.claim_absent.saturating_sub(silence);
        Some(absent.max(settings.away.saturating_sub(gone)).min(there))
    }

    /// What is told of that: at once if the person is away, otherwise after a quarter of the time.
    /// Nobody is hurried before.
    pub(super) fn shown_claim(&self, seat: usize) -> Option<Duration> {
        self.claim_in(seat).filter(|left| *left <= self.told_below(seat))
    }

    fn told_below(&self, seat: usize) -> Duration {
        match self.seats[seat].away_since {
            Some(_) => Duration::MAX,
            None => self.tables.settings().claim_silent * 3 / 4,
        }
    }

    /// Notes who is silent now that the game has moved on.
    pub(super) fn note_silence(&mut self) {
        let (now, to_move) = (time::now(), self.to_move());
        let shown = |table: &Self| -> Vec<bool> {
            (0..table.seats.len()).map(|seat| table.shown_claim(seat).is_some()).collect()
        };
        let before = shown(self);
        for (number, seat) in self.seats.iter_mut().enumerate() {
            if to_move == Some(number) {
                seat.silent_since.get_or_insert(now);
            } else if seat.missed == 0 {
                seat.silent_since = None;
            }
        }
        self.info_changed |= shown(self) != before;
        self.plan_silence();
    }

    /// A person moves: whatever the rule played for them before, they are here.
    pub(super) fn heard_from(&mut self, number: usize) {
        self.info_changed |= self.shown_claim(number).is_some();
        let seat = &mut self.seats[number];
        (seat.missed, seat.silent_since) = (0, None);
        self.note_silence();
    }

    /// Settles when watchers are told next: when a silence is first shown, and when it is over.
    pub(super) fn plan_silence(&mut self) {
        let next = |seat: usize| {
            let left = self.claim_in(seat)?;
            let until_told = left.saturating_sub(self.told_below(seat));
            [until_told, left].into_iter().find(|wait| !wait.is_zero())
        };
        let waits = (0..self.seats.len()).filter_map(next).min();
        let watched = !self.watchers.is_empty();
        self.tell_silence_at = waits.filter(|_| watched).map(|wait| Instant::now() + wait);
    }
}
