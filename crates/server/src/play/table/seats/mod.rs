//! The seats of a table: who sits where, who no longer plays, who is there and who keeps the others
//! waiting.
//!
//! What always holds:
//! - The number of seats is settled when the game is made; a seat's number is its place in the order
//!   of play.
//! - Only [`Seats`] changes a [`Seat`]; others read it.
//! - A seat that is out stays out.
//! - Only a seat with a person can be away or silent; our bots are always there.
//!
//! [`presence`] has who is there, [`silence`] who does not move, [`dropouts`] who no longer plays.

mod dropouts;
mod presence;
mod silence;

pub(super) use dropouts::Dropouts;
pub(super) use silence::{Now, WaitingRule};

use crate::wire::{Occupant, Reason};
use std::collections::BTreeSet;
use tokio::time::Instant;

/// The seats in the order of play.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    list: Vec<Seat>,
    dropouts: Dropouts,
}

/// A seat, and who sits on it.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    sitter: Occupant,
    nonce: String,
    /// Turns in a row that the timeout rule played.
    missed: u8,
    /// Since when its person could have moved and did not, in Unix milliseconds.
    silent_since: Option<i64>,
    /// Since when its person has been away.
    away_since: Option<Instant>,
}

impl Seat {
    /// A seat as it is before the game. The nonce is its sitter's share in the shuffle.
    pub(super) const fn new(sitter: Occupant, nonce: String) -> Self {
        Self { sitter, nonce, missed: 0, silent_since: None, away_since: None }
    }

    pub(super) const fn sitter(&self) -> &Occupant {
        &self.sitter
    }

    pub(super) fn nonce(&self) -> &str {
        &self.nonce
    }

    /// The user who sits there.
    pub(super) fn user(&self) -> Option<&str> {
        match &self.sitter {
            Occupant::User { user, .. } => Some(user),
            Occupant::Open | Occupant::Invited { .. } | Occupant::Bot { .. } => None,
        }
    }

    /// The user for whom it is kept.
    pub(super) fn invited(&self) -> Option<&str> {
        match &self.sitter {
            Occupant::Invited { user, .. } => Some(user),
            Occupant::Open | Occupant::User { .. } | Occupant::Bot { .. } => None,
        }
    }

    /// Our bot that sits there.
    pub(super) fn bot(&self) -> Option<&str> {
        match &self.sitter {
            Occupant::Bot { bot } => Some(bot),
            Occupant::Open | Occupant::User { .. } | Occupant::Invited { .. } => None,
        }
    }

    /// Who sits there, for people.
    pub(super) fn name(&self) -> &str {
        match &self.sitter {
            Occupant::Open => "nobody yet",
            Occupant::User { name, .. } | Occupant::Invited { name, .. } => name,
            Occupant::Bot { bot } => bot,
        }
    }

    const fn is_taken(&self) -> bool {
        matches!(self.sitter, Occupant::User { .. } | Occupant::Bot { .. })
    }

    fn rename(&mut self, renamed: &str, new: &str) -> bool {
        match &mut self.sitter {
            Occupant::User { user, name, .. } | Occupant::Invited { user, name }
                if user == renamed =>
            {
                new.clone_into(name);
                true
            }
            _ => false,
        }
    }
}

impl Seats {
    /// Seats in the order of play; `dropouts` has as many.
    pub(super) const fn new(list: Vec<Seat>, dropouts: Dropouts) -> Self {
        Self { list, dropouts }
    }

    pub(super) const fn count(&self) -> usize {
        self.list.len()
    }

    pub(super) fn at(&self, number: usize) -> &Seat {
        &self.list[number]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Seat> + Clone {
        self.list.iter()
    }

    /// The seats of a user.
    pub(super) fn of(&self, user: &str) -> Vec<usize> {
        (0..self.count()).filter(|seat| self.at(*seat).user() == Some(user)).collect()
    }

    /// Whether a user sits here.
    pub(super) fn has(&self, user: &str) -> bool {
        self.iter().any(|seat| seat.user() == Some(user))
    }

    /// Whether a user sits here or is invited to.
    pub(super) fn expects(&self, user: &str) -> bool {
        self.iter().any(|seat| seat.user() == Some(user) || seat.invited() == Some(user))
    }

    pub(super) fn all_taken(&self) -> bool {
        self.iter().all(Seat::is_taken)
    }

    pub(super) fn has_bot(&self) -> bool {
        self.iter().any(|seat| seat.bot().is_some())
    }

    pub(super) fn are_all_bots(&self) -> bool {
        self.iter().all(|seat| seat.bot().is_some())
    }

    /// The seat on which a user would sit down: one that is kept for them, or else an open one.
    pub(super) fn place_for(&self, user: &str) -> Option<usize> {
        let kept = self.iter().position(|seat| seat.invited() == Some(user));
        kept.or_else(|| self.iter().position(|seat| seat.sitter == Occupant::Open))
    }

    /// The seat that a user would leave: theirs, or one that is kept for them.
    pub(super) fn place_of(&self, user: &str) -> Option<usize> {
        self.iter().position(|seat| seat.user() == Some(user) || seat.invited() == Some(user))
    }

    /// Somebody sits down, or gets up.
    pub(super) fn change(&mut self, number: usize, seat: Seat) {
        self.list[number] = seat;
    }

    /// The players' shares in the shuffle.
    pub(super) fn nonces(&self) -> Vec<String> {
        self.iter().map(|seat| seat.nonce.clone()).collect()
    }

    /// A user has another name; whether it stands here.
    pub(super) fn rename(&mut self, user: &str, name: &str) -> bool {
        // A user may sit on several seats.
        let mut found = false;
        for seat in &mut self.list {
            found |= seat.rename(user, name);
        }
        found
    }

    pub(super) const fn dropouts(&self) -> &Dropouts {
        &self.dropouts
    }

    /// Seats went out with a change of the game; whether any did.
    pub(super) fn set_dropouts(&mut self, dropouts: Dropouts) -> bool {
        let changed = self.dropouts != dropouts;
        self.dropouts = dropouts;
        changed
    }

    /// Why a seat no longer plays.
    pub(super) fn out(&self, number: usize) -> Option<Reason> {
        self.dropouts.get(number).map(|out| out.reason)
    }

    pub(super) fn is_out(&self, number: usize) -> bool {
        self.out(number).is_some()
    }

    /// Whether all of these seats are out.
    pub(super) fn are_out(&self, numbers: &[usize]) -> bool {
        numbers.iter().all(|seat| self.is_out(*seat))
    }

    /// Whether a person sits there who still plays.
    pub(super) fn is_playing_person(&self, number: usize) -> bool {
        self.at(number).user().is_some() && !self.is_out(number)
    }

    /// The people who still play, by seat.
    pub(super) fn playing_people(&self) -> impl Iterator<Item = &str> {
        let playing = (0..self.count()).filter(move |seat| self.is_playing_person(*seat));
        playing.filter_map(move |seat| self.at(seat).user())
    }

    /// Whether two or more people still play.
    pub(super) fn people_play_people(&self) -> bool {
        self.playing_people().collect::<BTreeSet<_>>().len() > 1
    }

    /// Whether each person who still plays is one of these.
    pub(super) fn all_people_are(&self, agreed: impl Fn(usize) -> bool) -> bool {
        (0..self.count()).all(|seat| !self.is_playing_person(seat) || agreed(seat))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn person(user: &str) -> Seat {
        let sitter =
            Occupant::User { user: user.to_owned(), name: user.to_uppercase(), bot_account: false };
        Seat::new(sitter, format!("nonce of {user}"))
    }

    pub(crate) fn bot(name: &str) -> Seat {
        Seat::new(Occupant::Bot { bot: name.to_owned() }, String::new())
    }

    pub(crate) fn seats(list: Vec<Seat>) -> Seats {
        let dropouts = Dropouts::none(list.len());
        Seats::new(list, dropouts)
    }

    fn invited(user: &str) -> Seat {
        let sitter = Occupant::Invited { user: user.to_owned(), name: user.to_owned() };
        Seat::new(sitter, String::new())
    }

    #[test]
    fn who_is_invited_gets_the_seat_that_is_kept_and_others_an_open_one() {
        let open = Seat::new(Occupant::Open, String::new());
        let mut seats = seats(vec![person("ada"), open, invited("bob")]);
        assert_eq!((seats.place_for("bob"), seats.place_for("eve")), (Some(2), Some(1)));
        assert_eq!((seats.place_of("bob"), seats.place_of("eve")), (Some(2), None));
        seats.change(1, person("eve"));
        assert_eq!(seats.place_for("zoe"), None, "a seat that is kept is not open");
        assert!(!seats.all_taken());
        seats.change(2, person("bob"));
        assert!(seats.all_taken());
        assert_eq!(seats.nonces(), ["nonce of ada", "nonce of eve", "nonce of bob"]);
    }

    #[test]
    fn one_person_on_two_seats_plays_nobody() {
        let mut seats = seats(vec![person("ada"), person("ada"), bot("master")]);
        assert_eq!(seats.of("ada"), [0, 1]);
        assert!(!seats.people_play_people() && seats.has_bot() && !seats.are_all_bots());
        seats.change(1, person("bob"));
        assert!(seats.people_play_people());
        let mut dropouts = seats.dropouts().clone();
        dropouts.put_out(1, Reason::Resign);
        assert!(seats.set_dropouts(dropouts.clone()), "a seat went out");
        assert!(!seats.set_dropouts(dropouts), "it went once");
        assert!(!seats.people_play_people() && seats.is_out(1) && !seats.are_out(&[0, 1]));
        assert!(seats.all_people_are(|seat| seat == 0));
    }

    #[test]
    fn a_new_name_stands_on_every_seat_of_the_user() {
        let mut seats = seats(vec![person("ada"), person("ada"), invited("bob")]);
        assert!(seats.rename("ada", "Countess") && seats.rename("bob", "Bob"));
        assert!(!seats.rename("eve", "Eve"));
        let names: Vec<&str> = seats.iter().map(Seat::name).collect();
        assert_eq!(names, ["Countess", "Countess", "Bob"]);
    }
}
