//! Offers that need an answer: a draw, a takeback, the engine's help, another game.

use super::create::Rematch;
use super::state::Table;
use crate::error::Refusal;
use crate::people::fairplay;
use crate::play::games::Hosted;
use crate::storage::db::journal::Statement;
use crate::wire::{ClockRule, Sitter, Status};

impl<G: Hosted> Table<G> {
    /// Offers, accepts or declines a draw.
    pub(super) async fn draw_offer(&mut self, mine: &[usize], accept: bool) -> Result<(), Refusal> {
        self.must_be_playing()?;
        if self.seats.len() != 2 {
            return Err(Refusal::Conflict("only games for two can be drawn".to_owned()));
        }
        if self.seats.iter().any(|seat| seat.bot().is_some()) {
            return Err(Refusal::Conflict("our bots play on: they take no draws".to_owned()));
        }
        if !accept {
            self.withdraw(|offers| &mut offers.draw);
            return Ok(());
        }
        agree(&mut self.offers.draw, mine);
        self.info_changed = true;
        if self.offers.draw.len() == 2 {
            let mut draft = self.draft();
            draft.log(None, "agreed", String::new());
            draft.result = Some(super::ending::agreed(draft.scores()));
            self.finish(draft).await?;
        }
        Ok(())
    }

    /// Asks for, accepts or declines a takeback: the last turn of the first who asked.
    pub(super) async fn takeback(&mut self, mine: &[usize], accept: bool) -> Result<(), Refusal> {
        self.must_be_playing()?;
        if self.facts.rated {
            return Err(Refusal::Conflict("rated games have no takebacks".to_owned()));
        }
        if mine.iter().all(|seat| self.seats[*seat].out.is_some()) {
            return Err(Refusal::Conflict("you no longer play: the others decide".to_owned()));
        }
        if !accept {
            self.withdraw(|offers| &mut offers.takeback);
            return Ok(());
        }
        if self.offers.takeback.is_empty() {
            self.turn_to_take_back(mine)?;
        }
        agree(&mut self.offers.takeback, mine);
        self.info_changed = true;
        let agreed = |seat: usize| {
            !self.seats[seat].is_playing_person() || self.offers.takeback.contains(&seat)
        };
        if (0..self.seats.len()).all(agreed) {
            let first = self.offers.takeback[0];
            let asker: Vec<usize> = match self.seats[first].user() {
                Some(user) => self.seats_of(user),
                None => vec![first],
            };
            let moves = self.turn_to_take_back(&asker)?;
            self.take_back_to(moves).await?;
        }
        Ok(())
    }

    /// How many moves stand once the last turn of one of these seats is taken back.
    fn turn_to_take_back(&self, mine: &[usize]) -> Result<usize, Refusal> {
        let standing = &self.position.standing;
        let is_mine = |index: usize| standing[index].seat.is_some_and(|seat| mine.contains(&seat));
        let last = (0..standing.len()).rev().find(|index| is_mine(*index)).ok_or_else(|| {
            Refusal::Conflict("you have not moved yet: there is nothing to take back".to_owned())
        })?;
        // A turn of several moves is one: back to where the seat began it.
        let seat = standing[last].seat;
        let alone = self.seats.len() == 1;
        let first = (0..last).rev().take_while(|index| !alone && standing[*index].seat == seat);
        Ok(first.last().unwrap_or(last))
    }

    async fn take_back_to(&mut self, moves: usize) -> Result<(), Refusal> {
        let mut draft = self.draft();
        draft.position = self.position.back_to(&self.setup, moves);
        let stands = draft.position.standing.last().map_or(0, |standing| standing.ply);
        draft.log(self.offers.takeback.first().copied(), "takeback", stands.to_string());
        self.stop_thinking();
        self.finish(draft).await?;
        Ok(())
    }

    /// Allows or forbids the engine's help: open once all players allow it, closed by any of them.
    pub(super) async fn help_offer(&mut self, mine: &[usize], accept: bool) -> Result<(), Refusal> {
        self.must_be_playing()?;
        if self.facts.rated {
            return Err(Refusal::Conflict("rated games have no help from the engine".to_owned()));
        }
        if mine.iter().all(|seat| self.seats[*seat].out.is_some()) {
            return Err(Refusal::Conflict("you no longer play: the others decide".to_owned()));
        }
        if !accept {
            self.withdraw(|offers| &mut offers.help);
            return self.allow_help(false).await;
        }
        agree(&mut self.offers.help, mine);
        self.info_changed = true;
        let agreed =
            |seat: usize| !self.seats[seat].is_playing_person() || self.offers.help.contains(&seat);
        if (0..self.seats.len()).all(agreed) {
            self.offers.help.clear();
            self.allow_help(true).await?;
        }
        Ok(())
    }

    async fn allow_help(&mut self, allowed: bool) -> Result<(), Refusal> {
        if self.help == allowed {
            return Ok(());
        }
        self.write(vec![Statement::new(
            "UPDATE games SET help = $1 WHERE id = $2",
            vec![allowed.into(), self.facts.id.as_str().into()],
        )])
        .await?;
        self.help = allowed;
        self.info_changed = true;
        self.publish();
        Ok(())
    }

    /// Asks for, accepts or declines another game.
    pub(super) async fn rematch(&mut self, mine: &[usize], accept: bool) -> Result<(), Refusal> {
        if self.status != Status::Over {
            return Err(Refusal::Conflict("the game is not over".to_owned()));
        }
        if let Some(rematch) = &self.rematch {
            return if accept {
                Ok(())
            } else {
                Err(Refusal::Conflict(format!("the rematch {rematch} has begun")))
            };
        }
        if !accept {
            self.withdraw(|offers| &mut offers.rematch);
            return Ok(());
        }
        for user in mine.iter().filter_map(|seat| self.seats[*seat].user()) {
            self.refuse_blocked(user)?;
        }
        if self.facts.rated {
            for user in mine.iter().filter_map(|seat| self.seats[*seat].user()) {
                fairplay::check_wait(self.tables.db(), user).await?;
            }
        }
        agree(&mut self.offers.rematch, mine);
        self.info_changed = true;
        let agreed =
            |seat: usize| self.seats[seat].bot().is_some() || self.offers.rematch.contains(&seat);
        if (0..self.seats.len()).all(agreed) {
            let id = self.tables.clone().create_rematch(self.rematch_plan()).await?;
            self.rematch = Some(id);
            self.offers.rematch.clear();
            self.publish();
        }
        Ok(())
    }

    /// The same table with the seats moved on by one: two players swap.
    fn rematch_plan(&self) -> Rematch {
        let mut sitters: Vec<Sitter> = self.seats.iter().map(|seat| seat.sitter.clone()).collect();
        sitters.rotate_right(1);
        Rematch {
            of: self.facts.id.clone(),
            game: G::NAME,
            setup: self.setup.to_string(),
            options: self.facts.options.clone(),
            // Games from before rated ones needed a clock.
            rated: self.facts.rated && self.clocks.rule() != ClockRule::None,
            help: self.help,
            visibility: self.facts.visibility,
            clock: self.clocks.rule(),
            pass_and_play: self.facts.pass_and_play,
            host: self.facts.host.clone(),
            sitters,
        }
    }

    /// Any refusal takes the offer off the table.
    fn withdraw(&mut self, which: impl Fn(&mut crate::wire::Offers) -> &mut Vec<usize>) {
        let offer = which(&mut self.offers);
        self.info_changed |= !offer.is_empty();
        offer.clear();
    }
}

fn agree(offer: &mut Vec<usize>, mine: &[usize]) {
    for seat in mine {
        if !offer.contains(seat) {
            offer.push(*seat);
        }
    }
}
