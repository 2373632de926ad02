//! What a table is, and what it decides: an action comes in, a decision goes out.
//!
//! [`Table`] composes the parts that hold a game: the game and its log, seats, clocks, offers, chat.
//! It does no I/O and knows no connection: whether an action came over a socket, by HTTP or from
//! another machine makes no difference to it. Its task stores what is decided, tells it, and only
//! then hands it back to become the state ([`Table::apply`] and what stands beside it).
//!
//! What always holds:
//! - An action that is refused has changed nothing.
//! - What a decision does to the game is on a copy ([`Draft`]) until it is stored. Offers alone
//!   change at once: they stand in no log.
//! - What only others know (blocks, waits, limits) is asked for by name ([`Condition`]) and checked
//!   before anything is decided.

mod agreements;
mod claims;
mod draft;
mod help;
mod joining;
mod leaving;
mod playing;
mod rebuild;
mod record;
mod show;
mod stream_events;

pub(super) use draft::Draft;
pub(super) use joining::{SeatChange, nonce_of};
pub(super) use playing::read_move;
pub(super) use rebuild::Rebuilt;
pub(super) use show::write;

use super::chat::{ChatLog, Speaker};
use super::clocks::Timekeeper;
use super::command::Action;
use super::create::Rematch;
use super::game::{Begins, Changed, PlayedGame};
use super::offers::OpenOffers;
use super::ratings::Ratings;
use super::seats::{Now, Seat, Seats, WaitingRule};
use crate::config::TableSettings;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::people::accounts::Requester;
use crate::time;
use crate::wire::{ChatLine, ClockRule, PlayResult, Status, UserRef, Visibility};
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// A table: a game with its seats, clocks, offers and chat.
pub(super) struct Table<G: Hosted> {
    facts: Facts,
    game: PlayedGame<G>,
    seats: Seats,
    clocks: Timekeeper,
    offers: OpenOffers,
    chat: ChatLog,
    ratings: Ratings,
    settings: TableSettings,
}

/// What was settled when a game was made.
#[derive(Clone, Debug)]
struct Facts {
    id: String,
    options: Value,
    /// Who made it. Only the name can change.
    host: UserRef,
    rated: bool,
    visibility: Visibility,
    pass_and_play: bool,
    created: i64,
    /// The promise of the seed, published before the first draw.
    commit: String,
    seed_given: bool,
    rematch_of: Option<String>,
    /// Whether it was played in a browser without a server.
    offline: bool,
}

/// What follows from an action that is allowed.
pub(super) enum Decision<G: Hosted> {
    /// Nothing: what was asked for is so already.
    Nothing,
    /// Offers were made, accepted or withdrawn; everybody is shown that.
    Offers,
    /// The moves were played before; this is how the game stands.
    PlayedBefore(PlayResult),
    /// The game changes.
    Change(Box<Draft<G>>),
    /// A seat gets another sitter, or none.
    Seat(Box<SeatChange>),
    /// The engine's help is allowed from now on, or no longer.
    Help(bool),
    /// A line is said.
    Say(ChatLine),
    /// The game is played again.
    Rematch(Box<Rematch>),
}

/// What must hold beside what the table knows, before an action is decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// The user does not have to wait for a rated game.
    MayPlayRated(String),
    /// Nobody at the table and the user have blocked each other.
    NotBlocked(String),
    /// The user may have one more game against our bots.
    RoomForBotGame(String),
    /// The user may talk in chats.
    MayTalk(String),
}

impl<G: Hosted> Table<G> {
    /// What must be checked elsewhere before [`Table::decide`].
    ///
    /// # Errors
    /// If the action is refused whatever they come to.
    pub(super) fn conditions(
        &self,
        who: &Requester,
        action: &Action,
    ) -> Result<Vec<Condition>, Refusal> {
        self.must_see(Some(who))?;
        match action {
            Action::Join { .. } => self.conditions_of_joining(who),
            Action::Rematch(accept) => self.conditions_of_rematch(&who.user, *accept),
            Action::Chat(_) => Ok(vec![Condition::MayTalk(who.user.clone())]),
            Action::Play { .. }
            | Action::Leave
            | Action::Resign
            | Action::Draw(_)
            | Action::Takeback(_)
            | Action::Abort
            | Action::Claim { .. }
            | Action::Help(_) => Ok(Vec::new()),
        }
    }

    /// What follows from an action, once its conditions hold. `lag` is how long messages of the
    /// player take, as far as that is known.
    pub(super) fn decide(
        &mut self,
        who: &Requester,
        action: &Action,
        lag: Duration,
    ) -> Result<Decision<G>, Refusal> {
        self.must_see(Some(who))?;
        let mine = self.seats.of(&who.user);
        let needs_seat = matches!(
            action,
            Action::Play { .. }
                | Action::Resign
                | Action::Draw(_)
                | Action::Takeback(_)
                | Action::Help(_)
                | Action::Rematch(_)
        );
        if needs_seat && mine.is_empty() {
            return Err(not_at_the_table());
        }
        match action {
            Action::Play { version, moves } => self.play(&mine, *version, moves, lag),
            Action::Join { nonce } => self.join(who, nonce.clone()),
            Action::Leave => self.leave(who),
            Action::Chat(text) => self.say(who, text),
            Action::Abort => self.abort(who),
            Action::Claim { win } => self.claim(&mine, *win),
            Action::Resign => self.resign(&mine),
            Action::Draw(accept) => self.draw_offer(&mine, *accept),
            Action::Takeback(accept) => self.takeback(&mine, *accept),
            Action::Help(accept) => self.help_offer(&mine, *accept),
            Action::Rematch(accept) => self.rematch_offer(&mine, *accept),
        }
    }

    /// A draft was stored: it is the state from now on. Gives what it did, whether what the table
    /// shows of itself changed, and the events.
    pub(super) fn apply(&mut self, draft: Draft<G>, at: i64) -> (Changed, bool, Vec<Value>) {
        let now = Now::read();
        let shown = self.seats.shown_claims(&self.waiting_rule(), now);
        let Draft { game, clocks, dropouts, moved_by, .. } = draft;
        let (changed, events) = self.game.apply(game, at);
        self.clocks = clocks;
        let mut differs = self.seats.set_dropouts(dropouts);
        if changed.moved || changed.ended {
            differs |= self.offers.game_moved_on();
        }
        differs |= changed.ended || changed.begins == Begins::Game;
        if let Some(seat) = moved_by {
            self.seats.heard_from(seat);
        }
        self.seats.note_turn(self.game.to_move(), now);
        differs |= self.seats.shown_claims(&self.waiting_rule(), now) != shown;
        (changed, differs, events)
    }

    pub(super) fn id(&self) -> &str {
        &self.facts.id
    }

    pub(super) const fn is_rated(&self) -> bool {
        self.facts.rated
    }

    pub(super) fn host(&self) -> &UserRef {
        &self.facts.host
    }

    pub(super) const fn game(&self) -> &PlayedGame<G> {
        &self.game
    }

    pub(super) const fn seats(&self) -> &Seats {
        &self.seats
    }

    pub(super) const fn clocks(&self) -> &Timekeeper {
        &self.clocks
    }

    pub(super) const fn offers(&self) -> &OpenOffers {
        &self.offers
    }

    pub(super) const fn status(&self) -> Status {
        self.game.status()
    }

    pub(super) fn to_move(&self) -> Option<usize> {
        self.game.to_move()
    }

    /// The seats as they are, and who is there.
    pub(super) fn note_presence(&mut self, is_there: impl Fn(&str) -> bool) -> bool {
        self.seats.note_presence(Now::read(), is_there)
    }

    /// Somebody without a connection did something.
    pub(super) fn note_seen(&mut self, user: &str) {
        self.seats.note_seen(user, Now::read());
    }

    /// Notes who is silent, for a table that comes into memory.
    pub(super) fn note_silence(&mut self) {
        self.seats.note_turn(self.game.to_move(), Now::read());
    }

    /// How long until the timeout rule plays for a seat whose person left.
    pub(super) fn leaves_in(&self, seat: usize) -> Option<Duration> {
        self.seats.leaves_in(seat, &self.waiting_rule(), Now::read())
    }

    /// How long until what is told of who is silent changes.
    pub(super) fn next_telling(&self) -> Option<Duration> {
        self.seats.next_telling(&self.waiting_rule(), Now::read())
    }

    /// One of our bots has been thinking for a while: its clock is shown to run. Whether there is
    /// one.
    pub(super) fn bot_thinks(&mut self, seat: usize, begun: Instant) -> bool {
        self.clocks.start_thinking(seat, begun);
        self.clocks.rule() != ClockRule::None
    }

    /// One of our bots has thought, for so long.
    pub(super) fn bot_thought(&mut self, seat: usize, thought: Duration) {
        self.clocks.end_thinking(seat, thought);
    }

    /// Somebody sat down, or got up: it is stored.
    pub(super) fn apply_seat(&mut self, change: SeatChange) {
        self.seats.change(change.seat, change.new);
    }

    /// A line was said: it is stored.
    pub(super) fn apply_line(&mut self, line: ChatLine) {
        self.chat.append(line);
    }

    /// The engine's help is allowed, or no longer: it is stored.
    pub(super) fn apply_help(&mut self, allowed: bool) {
        self.offers.settle_help(allowed);
    }

    /// The rematch has begun.
    pub(super) fn apply_rematch(&mut self, game: String) {
        self.offers.settle_rematch(game);
    }

    /// Ratings were read: those of the players, or what the game did to them.
    pub(super) fn show_ratings(&mut self, ratings: Ratings) {
        self.ratings = ratings;
    }

    pub(super) const fn ratings(&self) -> &Ratings {
        &self.ratings
    }

    /// Somebody has another name: wherever it stands at this table. Whether clients see that.
    pub(super) fn rename(&mut self, user: &str, name: &str) -> bool {
        self.chat.rename(user, name);
        let is_host = self.facts.host.id == user;
        if is_host {
            name.clone_into(&mut self.facts.host.name);
        }
        self.seats.rename(user, name) || is_host
    }

    /// Refuses those who may not see a private game. They learn no more than that it is not there.
    pub(super) fn must_see(&self, who: Option<&Requester>) -> Result<(), Refusal> {
        if self.facts.visibility != Visibility::Private {
            return Ok(());
        }
        let belongs =
            |who: &Requester| self.facts.host.id == who.user || self.seats.expects(&who.user);
        if who.is_some_and(belongs) {
            return Ok(());
        }
        Err(Refusal::no_game(&self.facts.id))
    }

    /// Says something to those on the same side of the table.
    fn say(&self, who: &Requester, text: &str) -> Result<Decision<G>, Refusal> {
        // Who sits here is called as their seat says, which is never old.
        let seat = self.seats.iter().find(|seat| seat.user() == Some(&who.user));
        let name = seat.map_or(who.name.as_str(), Seat::name).to_owned();
        let speaker = Speaker { user: who.user.clone(), name, plays: seat.is_some() };
        Ok(Decision::Say(self.chat.compose(speaker, text, time::now())?))
    }

    /// Refuses what needs a game that is being played.
    fn must_be_playing(&self) -> Result<(), Refusal> {
        match self.status() {
            Status::Playing => Ok(()),
            Status::Waiting => {
                Err(Refusal::Conflict("the game has not begun: seats are open".to_owned()))
            }
            Status::Over => Err(Refusal::Conflict("the game is over".to_owned())),
        }
    }

    fn waiting_rule(&self) -> WaitingRule {
        WaitingRule {
            playing: self.status() == Status::Playing,
            rated: self.facts.rated,
            rule: self.clocks.rule(),
            away: self.settings.away,
            claim_absent: self.settings.claim_absent,
            claim_silent: self.settings.claim_silent,
        }
    }
}

fn not_at_the_table() -> Refusal {
    Refusal::Forbidden("you do not sit at this table".to_owned())
}

/// Refuses a seat that has given up: those who play on decide.
fn no_longer_plays() -> Refusal {
    Refusal::Conflict("you no longer play: the others decide".to_owned())
}

#[cfg(test)]
mod tests;
