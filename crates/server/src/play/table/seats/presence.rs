//! Who is there: presence counts connections, so a second tab changes nothing.

use super::{Now, Seats, WaitingRule};
use std::time::Duration;

impl Seats {
    /// Notes for each seat whether its person is there; whether that changed for any.
    pub(in crate::play::table) fn note_presence(
        &mut self,
        now: Now,
        is_there: impl Fn(&str) -> bool,
    ) -> bool {
        let mut changed = false;
        for seat in &mut self.list {
            let away = seat.user().is_some_and(|user| !is_there(user));
            if away != seat.away_since.is_some() {
                seat.away_since = away.then_some(now.instant);
                changed = true;
            }
        }
        changed
    }

    /// Somebody without a connection did something: they are not long gone.
    pub(in crate::play::table) fn note_seen(&mut self, user: &str, now: Now) {
        for seat in self.list.iter_mut().filter(|seat| seat.away_since.is_some()) {
            if seat.user() == Some(user) {
                seat.away_since = Some(now.instant);
            }
        }
    }

    /// Whether clients see the seat's sitter as there.
    pub(in crate::play::table) fn is_online(&self, number: usize) -> bool {
        let seat = self.at(number);
        seat.bot().is_some() || (seat.user().is_some() && seat.away_since.is_none())
    }

    /// How long until the timeout rule plays for a seat whose person left; nobody waits, nobody
    /// is hurried. By correspondence everybody leaves between turns: there the clock alone counts.
    pub(in crate::play::table) fn leaves_in(
        &self,
        number: usize,
        waiting_rule: &WaitingRule,
        now: Now,
    ) -> Option<Duration> {
        let seat = self.at(number);
        if !waiting_rule.playing || self.is_out(number) || waiting_rule.rule.is_correspondence() {
            return None;
        }
        let since = seat.away_since?;
        let waits = |other: usize| {
            self.is_playing_person(other)
                && self.at(other).away_since.is_none()
                && self.at(other).user() != seat.user()
        };
        (0..self.count()).any(waits).then(|| {
            let gone = now.instant.saturating_duration_since(since);
            waiting_rule.away.saturating_sub(gone)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::silence::tests::{casual, later};
    use super::super::tests::{bot, person, seats};
    use super::*;
    use crate::wire::{ClockRule, Reason};

    #[test]
    fn who_leaves_is_hurried_only_while_somebody_waits() {
        let (start, waiting_rule) = (Now::read(), casual());
        let mut seats = seats(vec![person("ada"), person("bob"), bot("master")]);
        assert!(!seats.note_presence(start, |_| true), "all are there");
        assert!(seats.note_presence(start, |user| user != "ada"));
        assert!(!seats.note_presence(later(start, 5), |user| user != "ada"), "it is known");
        let left = seats.leaves_in(0, &waiting_rule, later(start, 20));
        assert_eq!(left, Some(waiting_rule.away - Duration::from_secs(20)));
        assert_eq!(seats.leaves_in(1, &waiting_rule, later(start, 20)), None, "bob is there");
        let by_post =
            WaitingRule { rule: ClockRule::Move { per_move_ms: 86_400_000 }, ..waiting_rule };
        assert_eq!(seats.leaves_in(0, &by_post, later(start, 20)), None);
        seats.note_seen("ada", later(start, 15));
        let left = seats.leaves_in(0, &waiting_rule, later(start, 20));
        assert_eq!(left, Some(waiting_rule.away - Duration::from_secs(5)));
        seats.note_presence(start, |_| false);
        assert_eq!(seats.leaves_in(0, &waiting_rule, later(start, 20)), None, "nobody waits");
        assert!(seats.is_online(2) && !seats.is_online(0), "our bots are always there");
    }

    #[test]
    fn who_gave_up_waits_for_nobody() {
        let (start, waiting_rule) = (Now::read(), casual());
        let mut seats = seats(vec![person("ada"), person("bob")]);
        seats.note_presence(start, |user| user != "ada");
        let mut dropouts = seats.dropouts().clone();
        dropouts.put_out(1, Reason::Resign);
        seats.set_dropouts(dropouts);
        assert_eq!(seats.leaves_in(0, &waiting_rule, start), None);
    }
}
