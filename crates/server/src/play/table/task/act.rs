//! What people do at a table: checked, decided, and carried out.

use super::TableTask;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::people::accounts::Requester;
use crate::people::fairplay;
use crate::play::table::command::{Action, Reply};
use crate::play::table::create::Rematch;
use crate::play::table::decide::{Condition, Decision, SeatChange};
use crate::play::table::repeats::Sent;
use crate::play::table::store;
use crate::wire::ChatLine;
use std::sync::Arc;
use tokio::time::Instant;

impl<G: Hosted> TableTask<G> {
    /// Does what somebody asks for. The same message of the same person twice is done once.
    pub(super) async fn act(
        &mut self,
        who: &Requester,
        id: Option<u64>,
        action: &Action,
    ) -> Result<Reply, Refusal> {
        let (sent, now) = (Sent::new(&who.user, id, action), Instant::now());
        if let Some(reply) = sent.as_ref().and_then(|sent| self.repeats.answered(sent, now)) {
            return Ok(reply);
        }
        for condition in self.table.conditions(who, action)? {
            self.check(condition).await?;
        }
        let lag = self.audience.lag_of(&who.user).unwrap_or_default();
        let decision = self.table.decide(who, action, lag)?;
        let reply = self.carry_out(who, decision).await?;
        if let Some(sent) = sent {
            self.repeats.remember(sent, reply.clone(), now);
        }
        Ok(reply)
    }

    async fn check(&self, condition: Condition) -> Result<(), Refusal> {
        match condition {
            Condition::MayPlayRated(user) => fairplay::check_wait(self.tables.db(), &user).await,
            Condition::NotBlocked(user) => self.refuse_blocked(&user),
            Condition::RoomForBotGame(user) => self.tables.check_bot_games_of(&user).await,
            Condition::MayTalk(user) => self.tables.timeouts().refuse(&user),
        }
    }

    /// Refuses whom somebody at the table, or who made it, has blocked, or who has blocked them.
    fn refuse_blocked(&self, user: &str) -> Result<(), Refusal> {
        let (blocks, host) = (self.tables.blocks(), self.table.host());
        let seats = self.table.seats().iter();
        let seated = seats.filter_map(|seat| Some((seat.user()?, seat.name())));
        for (other, name) in seated.chain([(host.id.as_str(), host.name.as_str())]) {
            blocks.refuse(user, other, name)?;
        }
        Ok(())
    }

    async fn carry_out(
        &mut self,
        who: &Requester,
        decision: Decision<G>,
    ) -> Result<Reply, Refusal> {
        match decision {
            Decision::Nothing => {}
            Decision::Offers => self.audience.note_change(true),
            Decision::PlayedBefore(played) => {
                return Ok(Reply { played: Some(Arc::new(played)) });
            }
            Decision::Change(draft) => {
                let is_move = draft.is_move();
                let events = self.commit(draft).await?;
                let seats = self.table.seats().of(&who.user);
                let played = is_move.then(|| Arc::new(self.table.played(&seats, events)));
                return Ok(Reply { played });
            }
            Decision::Seat(change) => self.seat_down(*change).await?,
            Decision::Help(allowed) => self.allow_help(allowed).await?,
            Decision::Say(line) => self.say(line).await?,
            Decision::Rematch(plan) => self.rematch(*plan).await?,
        }
        Ok(Reply::default())
    }

    async fn seat_down(&mut self, change: SeatChange) -> Result<(), Refusal> {
        self.write(vec![store::seats::change(self.table.id(), &change)]).await?;
        self.table.apply_seat(change);
        self.note_presence();
        self.audience.note_change(true);
        self.publish();
        // Who sits down or gets up sees other things than before: what a seat may do.
        self.tell_everything();
        self.start_if_full().await
    }

    /// Begins the game once every seat is taken.
    pub(super) async fn start_if_full(&mut self) -> Result<(), Refusal> {
        if !self.table.can_start() {
            return Ok(());
        }
        self.read_ratings().await;
        let mut draft = self.table.start();
        let people: Vec<&str> = self.table.seats().iter().filter_map(|seat| seat.user()).collect();
        if self.table.is_rated() && self.tables.addresses().share_one(&people) {
            draft.note_one_address();
        }
        self.commit(draft).await?;
        self.note_presence();
        Ok(())
    }

    async fn allow_help(&mut self, allowed: bool) -> Result<(), Refusal> {
        self.audience.note_change(true);
        self.write(vec![store::games::allow_help(self.table.id(), allowed)]).await?;
        self.table.apply_help(allowed);
        self.publish();
        Ok(())
    }

    async fn say(&mut self, line: ChatLine) -> Result<(), Refusal> {
        self.write(vec![store::chat::insert(self.table.id(), &line)]).await?;
        self.tell_line(&line);
        self.table.apply_line(line);
        Ok(())
    }

    async fn rematch(&mut self, plan: Rematch) -> Result<(), Refusal> {
        // Whether or not it can be made, that the last one agreed is shown.
        self.audience.note_change(true);
        let id = self.tables.clone().create_rematch(plan).await?;
        self.table.apply_rematch(id);
        self.publish();
        Ok(())
    }
}
