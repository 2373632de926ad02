//! Players who do not move: after a time that everybody sees, who waits may claim the win or call
//! the game off.
//!
//! Where a clock of minutes runs in a rated game, the clock decides. Everywhere else a person is
//! silent from the moment they could first move until they do, also while the timeout rule plays
//! for them.

use super::Seats;
use crate::time;
use crate::wire::ClockRule;
use std::time::Duration;
use tokio::time::Instant;

/// What decides how long others wait for a seat.
#[derive(Clone, Copy, Debug)]
pub(in crate::play::table) struct WaitingRule {
    /// Whether the game is being played.
    pub(in crate::play::table) playing: bool,
    pub(in crate::play::table) rated: bool,
    pub(in crate::play::table) rule: ClockRule,
    /// How long a player may be away while others wait, before the timeout rule plays for them.
    pub(in crate::play::table) away: Duration,
    /// How long somebody who is away may be silent, before who waits may claim the win.
    pub(in crate::play::table) claim_absent: Duration,
    /// How long somebody who is there may be silent, where no clock runs.
    pub(in crate::play::table) claim_silent: Duration,
}

/// A moment: silences outlast a server and are kept in Unix milliseconds, absences do not.
#[derive(Clone, Copy, Debug)]
pub(in crate::play::table) struct Now {
    pub(in crate::play::table) unix: i64,
    pub(in crate::play::table) instant: Instant,
}

impl Now {
    /// This moment.
    pub(in crate::play::table) fn read() -> Self {
        Self { unix: time::now(), instant: Instant::now() }
    }
}

impl Seats {
    /// Notes who is silent now that a seat, or nobody, is to move.
    pub(in crate::play::table) fn note_turn(&mut self, to_move: Option<usize>, now: Now) {
        for (number, seat) in self.list.iter_mut().enumerate() {
            if to_move == Some(number) {
                seat.silent_since.get_or_insert(now.unix);
            } else if seat.missed == 0 {
                seat.silent_since = None;
            }
        }
    }

    /// A person moves: whatever the rule played for them before, they are here.
    pub(in crate::play::table) fn heard_from(&mut self, number: usize) {
        let seat = &mut self.list[number];
        (seat.missed, seat.silent_since) = (0, None);
    }

    /// Turns in a row that a seat has missed.
    pub(in crate::play::table) fn missed(&self, number: usize) -> u8 {
        self.at(number).missed
    }

    /// The timeout rule plays a turn for a seat.
    pub(in crate::play::table) fn note_missed(&mut self, number: usize) {
        let missed = &mut self.list[number].missed;
        *missed = missed.saturating_add(1);
    }

    /// How long until others may claim the win from a seat; `None` if it is not silent, or nobody
    /// waits for it.
    pub(in crate::play::table) fn claim_in(
        &self,
        number: usize,
        waiting_rule: &WaitingRule,
        now: Now,
    ) -> Option<Duration> {
        let seat = self.at(number);
        let since = seat.silent_since.filter(|_| self.is_playing_person(number))?;
        let waits =
            |other: usize| self.is_playing_person(other) && self.at(other).user() != seat.user();
        if !waiting_rule.playing || !(0..self.count()).any(waits) {
            return None;
        }
        if waiting_rule.rule.is_correspondence() {
            // The clock is the time that was agreed on; once it has run out, it is over.
            return (seat.missed > 0).then_some(Duration::ZERO);
        }
        if waiting_rule.rated && waiting_rule.rule != ClockRule::None {
            return None;
        }
        let silence = Duration::from_millis(u64::try_from(now.unix - since).unwrap_or_default());
        let there = waiting_rule.claim_silent.saturating_sub(silence);
        let Some(away) = seat.away_since else { return Some(there) };
        // A line that breaks for a moment at the end of a long thought is no absence.
        let gone = now.instant.saturating_duration_since(away);
        let absent = waiting_rule.claim_absent.saturating_sub(silence);
        Some(absent.max(waiting_rule.away.saturating_sub(gone)).min(there))
    }

    /// What is told of that: at once if the person is away, otherwise after a quarter of the time.
    /// Nobody is hurried before.
    pub(in crate::play::table) fn shown_claim(
        &self,
        number: usize,
        waiting_rule: &WaitingRule,
        now: Now,
    ) -> Option<Duration> {
        let left = self.claim_in(number, waiting_rule, now)?;
        (left <= self.told_below(number, waiting_rule)).then_some(left)
    }

    /// For which seats a claim is shown.
    pub(in crate::play::table) fn shown_claims(
        &self,
        waiting_rule: &WaitingRule,
        now: Now,
    ) -> Vec<bool> {
        let shown = |seat| self.shown_claim(seat, waiting_rule, now).is_some();
        (0..self.count()).map(shown).collect()
    }

    /// How long until what is told of a silence changes: when it is first shown, and when it is
    /// over.
    pub(in crate::play::table) fn next_telling(
        &self,
        waiting_rule: &WaitingRule,
        now: Now,
    ) -> Option<Duration> {
        let next = |seat: usize| {
            let left = self.claim_in(seat, waiting_rule, now)?;
            let until_told = left.saturating_sub(self.told_below(seat, waiting_rule));
            [until_told, left].into_iter().find(|wait| !wait.is_zero())
        };
        (0..self.count()).filter_map(next).min()
    }

    fn told_below(&self, number: usize, waiting_rule: &WaitingRule) -> Duration {
        match self.at(number).away_since {
            Some(_) => Duration::MAX,
            None => waiting_rule.claim_silent * 3 / 4,
        }
    }

    /// By seat, the missed turns and since when it is silent, for a game that sleeps.
    pub(in crate::play::table) fn silences(&self) -> impl Iterator<Item = (u8, Option<i64>)> {
        self.iter().map(|seat| (seat.missed, seat.silent_since))
    }

    /// A seat of a game that comes back is silent since a moment, or not at all.
    pub(in crate::play::table) fn restore_silence(&mut self, number: usize, since: Option<i64>) {
        if let Some(seat) = self.list.get_mut(number) {
            seat.silent_since = since;
        }
    }

    /// A seat of a game that comes back has missed so many turns.
    pub(in crate::play::table) fn restore_missed(&mut self, number: usize, missed: u8) {
        if let Some(seat) = self.list.get_mut(number) {
            seat.missed = missed;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tests::{bot, person, seats};
    use super::*;

    /// A casual game without a clock that is being played.
    pub(in super::super) fn casual() -> WaitingRule {
        WaitingRule {
            playing: true,
            rated: false,
            rule: ClockRule::None,
            away: Duration::from_secs(60),
            claim_absent: Duration::from_secs(600),
            claim_silent: Duration::from_secs(3600),
        }
    }

    pub(in super::super) fn later(now: Now, seconds: u64) -> Now {
        let unix = now.unix + 1000 * i64::try_from(seconds).unwrap();
        Now { unix, instant: now.instant + Duration::from_secs(seconds) }
    }

    fn seconds(seconds: u64) -> Option<Duration> {
        Some(Duration::from_secs(seconds))
    }

    #[test]
    fn who_is_there_has_an_hour_and_is_told_of_it_after_a_quarter() {
        let (start, waiting_rule) = (Now::read(), casual());
        let mut seats = seats(vec![person("ada"), person("bob")]);
        seats.note_turn(Some(0), start);
        assert_eq!(seats.claim_in(0, &waiting_rule, later(start, 600)), seconds(3000));
        assert_eq!(seats.shown_claim(0, &waiting_rule, later(start, 600)), None);
        assert_eq!(seats.next_telling(&waiting_rule, later(start, 600)), seconds(300));
        assert_eq!(seats.shown_claim(0, &waiting_rule, later(start, 900)), seconds(2700));
        assert_eq!(seats.next_telling(&waiting_rule, later(start, 900)), seconds(2700));
        assert_eq!(seats.claim_in(0, &waiting_rule, later(start, 9000)), seconds(0));
        assert_eq!(seats.claim_in(1, &waiting_rule, later(start, 9000)), None, "bob waits");
    }

    #[test]
    fn who_is_away_has_less_and_a_line_that_breaks_is_no_absence() {
        let (start, waiting_rule) = (Now::read(), casual());
        let mut seats = seats(vec![person("ada"), person("bob")]);
        seats.note_turn(Some(0), start);
        seats.note_presence(later(start, 100), |user| user != "ada");
        assert_eq!(seats.shown_claim(0, &waiting_rule, later(start, 100)), seconds(500));
        // Gone for a second after ten minutes of thought: a minute more.
        seats.note_presence(later(start, 100), |_| true);
        seats.note_presence(later(start, 700), |user| user != "ada");
        assert_eq!(seats.claim_in(0, &waiting_rule, later(start, 701)), seconds(59));
    }

    #[test]
    fn turns_that_the_rule_plays_do_not_end_a_silence_and_a_move_does() {
        let (start, waiting_rule) = (Now::read(), casual());
        let mut seats = seats(vec![person("ada"), person("bob")]);
        seats.note_turn(Some(0), start);
        seats.note_missed(0);
        seats.note_turn(Some(1), later(start, 100));
        assert_eq!(seats.claim_in(0, &waiting_rule, later(start, 100)), seconds(3500));
        assert_eq!(seats.missed(0), 1);
        seats.heard_from(0);
        seats.note_turn(Some(1), later(start, 100));
        assert_eq!(seats.claim_in(0, &waiting_rule, later(start, 100)), None);
        assert_eq!(seats.silences().map(|(missed, _)| missed).collect::<Vec<_>>(), [0, 0]);
    }

    #[test]
    fn clocks_decide_in_rated_games_and_by_correspondence() {
        let start = Now::read();
        let mut seats = seats(vec![person("ada"), person("bob")]);
        seats.note_turn(Some(0), start);
        let blitz = ClockRule::Game { initial_ms: 300_000, increment_ms: 0 };
        let rated = WaitingRule { rated: true, rule: blitz, ..casual() };
        assert_eq!(seats.claim_in(0, &rated, later(start, 9000)), None);
        let by_post = WaitingRule { rule: ClockRule::Move { per_move_ms: 86_400_000 }, ..casual() };
        assert_eq!(seats.claim_in(0, &by_post, later(start, 9000)), None);
        seats.note_missed(0);
        assert_eq!(seats.claim_in(0, &by_post, later(start, 9000)), seconds(0));
    }

    #[test]
    fn who_plays_alone_or_against_bots_keeps_nobody_waiting() {
        let (start, waiting_rule) = (Now::read(), casual());
        let mut seats = seats(vec![person("ada"), bot("master"), person("ada")]);
        seats.note_turn(Some(0), start);
        assert_eq!(seats.claim_in(0, &waiting_rule, later(start, 9000)), None);
        assert_eq!(seats.next_telling(&waiting_rule, start), None);
    }
}
