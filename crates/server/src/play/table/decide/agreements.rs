//! What players agree on: a draw, a takeback, the engine's help, another game.

use super::{Condition, Decision, Table, no_longer_plays, not_at_the_table};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::create::Rematch;
use crate::play::table::offers::Offer;
use crate::wire::{ClockRule, Occupant, Status};

impl<G: Hosted> Table<G> {
    /// Offers, accepts or declines a draw.
    pub(super) fn draw_offer(
        &mut self,
        mine: &[usize],
        accept: bool,
    ) -> Result<Decision<G>, Refusal> {
        self.must_be_playing()?;
        if self.seats.count() != 2 {
            return Err(Refusal::Conflict("only games for two can be drawn".to_owned()));
        }
        if self.seats.has_bot() {
            return Err(Refusal::Conflict("our bots play on: they take no draws".to_owned()));
        }
        if !accept {
            return Ok(self.withdraw(Offer::Draw));
        }
        self.offers.agree(Offer::Draw, mine);
        if !(0..2).all(|seat| self.offers.has(Offer::Draw, seat)) {
            return Ok(Decision::Offers);
        }
        let mut draft = self.draft();
        draft.game.agree_on_draw();
        Ok(Decision::Change(self.settled(draft)))
    }

    /// Asks for, accepts or declines a takeback: the last turn of the first who asked.
    pub(super) fn takeback(
        &mut self,
        mine: &[usize],
        accept: bool,
    ) -> Result<Decision<G>, Refusal> {
        self.must_be_playing()?;
        if self.facts.rated {
            return Err(Refusal::Conflict("rated games have no takebacks".to_owned()));
        }
        if self.seats.are_out(mine) {
            return Err(no_longer_plays());
        }
        if !accept {
            return Ok(self.withdraw(Offer::Takeback));
        }
        let first = self.offers.first(Offer::Takeback);
        if first.is_none() {
            self.turn_to_take_back(mine)?;
        }
        self.offers.agree(Offer::Takeback, mine);
        if !self.seats.all_people_are(|seat| self.offers.has(Offer::Takeback, seat)) {
            return Ok(Decision::Offers);
        }
        let asked = self.offers.first(Offer::Takeback);
        let asker = asked.and_then(|seat| self.seats.at(seat).user());
        let moves =
            self.turn_to_take_back(&asker.map_or_else(Vec::new, |user| self.seats.of(user)))?;
        let mut draft = self.draft();
        draft.game.take_back(self.game.beginning(), moves, asked);
        Ok(Decision::Change(self.settled(draft)))
    }

    /// How many moves stand once the last turn of one of these seats is taken back.
    fn turn_to_take_back(&self, seats: &[usize]) -> Result<usize, Refusal> {
        self.game.before_last_turn_of(seats).ok_or_else(|| {
            Refusal::Conflict("you have not moved yet: there is nothing to take back".to_owned())
        })
    }

    /// Allows or forbids the engine's help: open once all players allow it, closed by any of them.
    pub(super) fn help_offer(
        &mut self,
        mine: &[usize],
        accept: bool,
    ) -> Result<Decision<G>, Refusal> {
        self.must_be_playing()?;
        if self.facts.rated {
            return Err(Refusal::Conflict("rated games have no help from the engine".to_owned()));
        }
        if self.seats.are_out(mine) {
            return Err(no_longer_plays());
        }
        let agreed = if accept {
            self.offers.agree(Offer::Help, mine);
            if !self.seats.all_people_are(|seat| self.offers.has(Offer::Help, seat)) {
                return Ok(Decision::Offers);
            }
            true
        } else {
            false
        };
        let changed = self.withdraw(Offer::Help);
        Ok(if self.offers.help_agreed() == agreed { changed } else { Decision::Help(agreed) })
    }

    pub(super) fn conditions_of_rematch(
        &self,
        user: &str,
        accept: bool,
    ) -> Result<Vec<Condition>, Refusal> {
        if !self.seats.has(user) {
            return Err(not_at_the_table());
        }
        if self.status() != Status::Over {
            return Err(Refusal::Conflict("the game is not over".to_owned()));
        }
        if let Some(rematch) = self.offers.rematch().filter(|_| !accept) {
            return Err(Refusal::Conflict(format!("the rematch {rematch} has begun")));
        }
        if self.offers.rematch().is_some() || !accept {
            return Ok(Vec::new());
        }
        let rated = self.facts.rated.then(|| Condition::MayPlayRated(user.to_owned()));
        Ok([Condition::NotBlocked(user.to_owned())].into_iter().chain(rated).collect())
    }

    /// Asks for, accepts or declines another game.
    pub(super) fn rematch_offer(
        &mut self,
        mine: &[usize],
        accept: bool,
    ) -> Result<Decision<G>, Refusal> {
        if self.offers.rematch().is_some() {
            return Ok(Decision::Nothing);
        }
        if !accept {
            return Ok(self.withdraw(Offer::Rematch));
        }
        self.offers.agree(Offer::Rematch, mine);
        let agreed = |seat: usize| {
            self.seats.at(seat).bot().is_some() || self.offers.has(Offer::Rematch, seat)
        };
        if !(0..self.seats.count()).all(agreed) {
            return Ok(Decision::Offers);
        }
        Ok(Decision::Rematch(Box::new(self.rematch_plan())))
    }

    /// The same table with the seats moved on by one: two players swap.
    fn rematch_plan(&self) -> Rematch {
        let mut sitters: Vec<Occupant> =
            self.seats.iter().map(|seat| seat.sitter().clone()).collect();
        sitters.rotate_right(1);
        Rematch {
            of: self.facts.id.clone(),
            game: G::NAME,
            setup: self.game.setup().to_string(),
            options: self.facts.options.clone(),
            // Games from before rated ones needed a clock.
            rated: self.facts.rated && self.clocks.rule() != ClockRule::None,
            help: self.offers.help_agreed(),
            visibility: self.facts.visibility,
            clock: self.clocks.rule(),
            pass_and_play: self.facts.pass_and_play,
            host: self.facts.host.clone(),
            sitters,
        }
    }

    fn withdraw(&mut self, offer: Offer) -> Decision<G> {
        if self.offers.withdraw(offer) { Decision::Offers } else { Decision::Nothing }
    }
}
