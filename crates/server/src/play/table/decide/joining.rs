//! Sitting down and getting up before the game, and its beginning.

use super::{Condition, Decision, Draft, Table, not_at_the_table};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::games::deck::check_nonce;
use crate::ids;
use crate::people::accounts::Requester;
use crate::play::table::seats::Seat;
use crate::time;
use crate::wire::{Occupant, Status};

/// A seat gets another sitter: what it is now, and what it will be.
pub(in crate::play::table) struct SeatChange {
    pub(in crate::play::table) seat: usize,
    pub(in crate::play::table) old: Seat,
    pub(in crate::play::table) new: Seat,
}

impl<G: Hosted> Table<G> {
    pub(super) fn conditions_of_joining(&self, who: &Requester) -> Result<Vec<Condition>, Refusal> {
        if self.seats.has(&who.user) {
            return Ok(Vec::new());
        }
        if self.status() != Status::Waiting {
            return Err(Refusal::Conflict("the game has begun without you".to_owned()));
        }
        if self.facts.rated && who.guest {
            return Err(Refusal::Forbidden(
                "guests play games that are not rated; register to play rated ones".to_owned(),
            ));
        }
        let user = || who.user.clone();
        let rated = self.facts.rated.then(|| Condition::MayPlayRated(user()));
        let bots = self.seats.has_bot().then(|| Condition::RoomForBotGame(user()));
        Ok(rated.into_iter().chain([Condition::NotBlocked(user())]).chain(bots).collect())
    }

    pub(super) fn join(
        &self,
        who: &Requester,
        nonce: Option<String>,
    ) -> Result<Decision<G>, Refusal> {
        if self.seats.has(&who.user) {
            return Ok(Decision::Nothing);
        }
        let nonce = nonce_of(nonce)?;
        let seat = self.seats.place_for(&who.user).ok_or_else(|| {
            Refusal::Conflict("no seat is open: the rest is kept for others".to_owned())
        })?;
        let (user, name) = (who.user.clone(), who.name.clone());
        let sitter = Occupant::User { user, name, bot_account: who.bot_token };
        Ok(self.change_seat(seat, Seat::new(sitter, nonce)))
    }

    pub(super) fn leave(&self, who: &Requester) -> Result<Decision<G>, Refusal> {
        let seat = self.seats.place_of(&who.user).ok_or_else(not_at_the_table)?;
        match self.status() {
            Status::Waiting if who.user == self.facts.host.id => self.abort(who),
            Status::Waiting => Ok(self.change_seat(seat, Seat::new(Occupant::Open, String::new()))),
            Status::Playing => Err(Refusal::Conflict(
                "the game has begun: resign, or abort it before the second turn".to_owned(),
            )),
            Status::Over => Err(Refusal::Conflict("the game is over".to_owned())),
        }
    }

    fn change_seat(&self, seat: usize, new: Seat) -> Decision<G> {
        let old = self.seats.at(seat).clone();
        Decision::Seat(Box::new(SeatChange { seat, old, new }))
    }

    /// Whether the game can begin: every seat is taken.
    pub(in crate::play::table) fn can_start(&self) -> bool {
        self.status() == Status::Waiting && self.seats.all_taken()
    }

    /// Begins the game: all nonces are known, so the draws are settled.
    pub(in crate::play::table) fn start(&mut self) -> Box<Draft<G>> {
        self.game.shuffle(&self.seats.nonces());
        let mut draft = self.draft();
        draft.game.start(self.game.beginning(), time::now());
        self.settled(draft)
    }
}

/// A player's share in the shuffle: what they sent, or one of ours.
pub(in crate::play::table) fn nonce_of(sent: Option<String>) -> Result<String, Refusal> {
    let Some(nonce) = sent else { return Ok(ids::new_id()) };
    check_nonce(&nonce).map_err(|error| Refusal::Bad(error.to_string()))?;
    Ok(nonce)
}
