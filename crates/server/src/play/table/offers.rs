//! Offers that wait for an answer, and what came of those that the log does not have: whether the
//! engine's help is allowed, and the game that follows.
//!
//! What always holds:
//! - A seat stands in an offer once, in the order in which the seats agreed; the first one asked.
//! - A refusal by any seat takes the whole offer away.
//! - A move or the end of the game takes offers of a draw and of a takeback away.
//! - Once a rematch has begun, nobody is asked for one.

use crate::wire::Offers;

/// What can be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    Draw,
    Takeback,
    Help,
    Rematch,
}

/// The offers of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenOffers {
    open: Offers,
    help_agreed: bool,
    rematch: Option<String>,
}

impl OpenOffers {
    /// What is open, and what was agreed before.
    pub(super) const fn new(open: Offers, help_agreed: bool, rematch: Option<String>) -> Self {
        Self { open, help_agreed, rematch }
    }

    /// These seats agree.
    pub(super) fn agree(&mut self, offer: Offer, seats: &[usize]) {
        let agreed = self.list(offer);
        for seat in seats {
            if !agreed.contains(seat) {
                agreed.push(*seat);
            }
        }
    }

    /// Takes an offer away; whether there was one.
    pub(super) fn withdraw(&mut self, offer: Offer) -> bool {
        let agreed = self.list(offer);
        let was_open = !agreed.is_empty();
        agreed.clear();
        was_open
    }

    /// The game has moved on: whether that took an offer away.
    pub(super) fn game_moved_on(&mut self) -> bool {
        let draw = self.withdraw(Offer::Draw);
        self.withdraw(Offer::Takeback) || draw
    }

    /// Who asked first.
    pub(super) fn first(&self, offer: Offer) -> Option<usize> {
        self.agreed(offer).first().copied()
    }

    /// Whether a seat has agreed.
    pub(super) fn has(&self, offer: Offer, seat: usize) -> bool {
        self.agreed(offer).contains(&seat)
    }

    /// What is open, as clients see it and as a game that sleeps keeps it.
    pub(super) const fn open(&self) -> &Offers {
        &self.open
    }

    /// Whether all players allow the engine's help.
    pub(super) const fn help_agreed(&self) -> bool {
        self.help_agreed
    }

    /// Settles whether the engine's help is allowed: the offer is answered.
    pub(super) fn settle_help(&mut self, agreed: bool) {
        self.help_agreed = agreed;
        self.open.help.clear();
    }

    /// The game that follows.
    pub(super) const fn rematch(&self) -> Option<&String> {
        self.rematch.as_ref()
    }

    /// The rematch has begun.
    pub(super) fn settle_rematch(&mut self, game: String) {
        self.rematch = Some(game);
        self.open.rematch.clear();
    }

    fn list(&mut self, offer: Offer) -> &mut Vec<usize> {
        match offer {
            Offer::Draw => &mut self.open.draw,
            Offer::Takeback => &mut self.open.takeback,
            Offer::Help => &mut self.open.help,
            Offer::Rematch => &mut self.open.rematch,
        }
    }

    fn agreed(&self, offer: Offer) -> &[usize] {
        match offer {
            Offer::Draw => &self.open.draw,
            Offer::Takeback => &self.open.takeback,
            Offer::Help => &self.open.help,
            Offer::Rematch => &self.open.rematch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_agrees_once_and_the_first_one_asked() {
        let mut offers = OpenOffers::default();
        offers.agree(Offer::Takeback, &[2, 0]);
        offers.agree(Offer::Takeback, &[0, 1]);
        assert_eq!(offers.open().takeback, [2, 0, 1]);
        assert_eq!(offers.first(Offer::Takeback), Some(2));
        assert!(offers.has(Offer::Takeback, 1) && !offers.has(Offer::Draw, 1));
    }

    #[test]
    fn any_refusal_takes_the_whole_offer_away_and_no_other() {
        let mut offers = OpenOffers::default();
        offers.agree(Offer::Draw, &[0]);
        offers.agree(Offer::Help, &[0, 1]);
        assert!(offers.withdraw(Offer::Draw));
        assert!(!offers.withdraw(Offer::Draw), "nothing is left to be told");
        assert_eq!(*offers.open(), Offers { help: vec![0, 1], ..Offers::default() });
    }

    #[test]
    fn a_move_takes_away_what_was_offered_about_the_position() {
        for offer in [Offer::Draw, Offer::Takeback] {
            let mut offers = OpenOffers::default();
            offers.agree(offer, &[0]);
            offers.agree(Offer::Help, &[1]);
            assert!(offers.game_moved_on());
            assert_eq!(*offers.open(), Offers { help: vec![1], ..Offers::default() });
            assert!(!offers.game_moved_on());
        }
    }

    #[test]
    fn what_is_agreed_on_is_no_longer_offered() {
        let mut offers = OpenOffers::default();
        offers.agree(Offer::Help, &[0, 1]);
        offers.settle_help(true);
        offers.agree(Offer::Rematch, &[1]);
        offers.settle_rematch("next".to_owned());
        assert_eq!(*offers.open(), Offers::default());
        assert!(offers.help_agreed());
        assert_eq!(offers.rematch().map(String::as_str), Some("next"));
    }
}
