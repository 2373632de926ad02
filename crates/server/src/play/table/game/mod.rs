//! The played game and its log: the position, the entries that led to it, and what they did.
//!
//! What always holds:
//! - The position is what the entries of the log come to, and nothing else: replaying gives it again
//!   ([`replay`]).
//! - The entries are numbered from 1 without a gap; the version follows from their number, so that
//!   it is the same after a restart.
//! - A change is drafted on a copy ([`GameDraft`]) and becomes the game once it is stored; until then
//!   nothing of it is seen.
//! - The order of the draws is settled when the game begins. It, and the seed, leave this module
//!   only as single draws that were played.

mod draft;
mod ending;
mod entry;
mod position;
mod replay;

pub(super) use draft::GameDraft;
pub(super) use entry::{EntryKind, LogEntry};
pub(super) use position::Position;
pub(super) use replay::CannotReplay;

use crate::games::Hosted;
use crate::games::deck::{Deck, Seed};
use crate::wire::{GameResult, Status};
use game::Record;
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// How many of the last changes are kept for those who come back.
const RECENT_CHANGES: usize = 24;

/// The game as far as it is played.
pub(super) struct PlayedGame<G: Hosted> {
    id: String,
    /// Its record without moves: the setup, and the position that it began with if that was laid by hand.
    beginning: Record<G>,
    seed: Seed,
    /// The order of the draws, while the game is played.
    deck: Option<Deck<G::Move>>,
    position: Position<G>,
    /// How many of the first moves were not played here: the game began with a position.
    given: usize,
    /// Entries in the log.
    entries: i64,
    recent: VecDeque<Happened>,
    status: Status,
    started: Option<i64>,
    ended: Option<i64>,
    result: Option<GameResult>,
    /// When the turn began, if that was seen.
    turn_began: Option<Instant>,
}

/// The events between two versions, as JSON without the brackets of the list.
#[derive(Clone, Debug)]
struct Happened {
    before: u64,
    events: String,
}

/// What a change did to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Changed {
    /// The version before it.
    pub(super) before: u64,
    /// Whether moves were played or taken back.
    pub(super) moved: bool,
    /// What begins with it.
    pub(super) begins: Begins,
    /// Whether the game ends with it.
    pub(super) ended: bool,
}

/// What begins with a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begins {
    Game,
    /// A turn; a takeback begins its turn anew.
    Turn,
    Nothing,
}

impl<G: Hosted> PlayedGame<G> {
    pub(super) const fn setup(&self) -> &G::Setup {
        &self.beginning.setup
    }

    /// Its record without moves.
    pub(super) const fn beginning(&self) -> &Record<G> {
        &self.beginning
    }

    /// Its record so far.
    pub(super) fn record(&self) -> Record<G> {
        let mut record = self.beginning.clone();
        record.moves.extend(self.position.history());
        record
    }

    pub(super) const fn status(&self) -> Status {
        self.status
    }

    pub(super) const fn started(&self) -> Option<i64> {
        self.started
    }

    pub(super) const fn ended(&self) -> Option<i64> {
        self.ended
    }

    pub(super) const fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    pub(super) const fn position(&self) -> &Position<G> {
        &self.position
    }

    /// Raised by every change of the game; the same after a restart.
    pub(super) fn version(&self) -> u64 {
        version_after(self.entries, self.started.is_some())
    }

    /// The seat to move, while the game is played.
    pub(super) fn to_move(&self) -> Option<usize> {
        (self.status == Status::Playing).then(|| self.position.to_move()).flatten()
    }

    /// Whether it began with a position, of another game or laid by hand.
    pub(super) fn began_with_position(&self) -> bool {
        self.given > 0 || self.beginning.laid().is_some()
    }

    /// How many of the first moves were not played here.
    pub(super) const fn given(&self) -> usize {
        self.given
    }

    /// Settles the order of the draws: all players' shares in the shuffle are known. What the
    /// position that the game began with took from the bag is not drawn again.
    pub(super) fn shuffle(&mut self, nonces: &[String]) {
        let bag = self.beginning.start(|_| {}).bag();
        let deck = Deck::new(&self.seed, &self.id, nonces, &bag, G::deck_part);
        self.deck = Some(deck.beginning_with(&self.position.drawn_among(self.given)));
    }

    /// How many moves stand once the last turn of one of these seats is taken back; none if they have
    /// not moved here.
    pub(super) fn before_last_turn_of(&self, seats: &[usize]) -> Option<usize> {
        self.position.before_last_turn_of(seats).filter(|moves| *moves >= self.given)
    }

    /// A draft that changes nothing yet.
    pub(super) fn draft(&self) -> GameDraft<G> {
        GameDraft::new(self.position.clone(), self.entries + 1)
    }

    /// Lets chance do its part in a draft, and ends it where the rules do.
    pub(super) fn let_chance_draw(&self, draft: &mut GameDraft<G>) {
        draft.draw(self.deck.as_ref());
    }

    /// Moves that were played right after a version, if they are exactly these and of these seats:
    /// the same message, again.
    pub(super) fn was_played(&self, version: u64, seats: &[usize], texts: &[String]) -> bool {
        let Ok(ply) = i64::try_from(version) else { return false };
        self.position.has_moves_from(ply, seats, texts)
    }

    /// How long the turn has lasted that a draft ends. A turn whose beginning was not seen, before a
    /// restart, has no time.
    pub(super) fn turn_time(&self, draft: &GameDraft<G>) -> Option<Duration> {
        let ends = draft.position().turns() > self.position.turns();
        Some(self.turn_began.filter(|_| ends)?.elapsed())
    }

    /// A draft was stored: it is the game from now on. Gives what happened, too.
    pub(super) fn apply(&mut self, draft: GameDraft<G>, at: i64) -> (Changed, Vec<Value>) {
        let before = self.version();
        let GameDraft { position, entries, events, starts, result, .. } = draft;
        let begins = self.begins(&position, starts);
        let moved = position.moves() != self.position.moves();
        if position.turns() != self.position.turns() || starts.is_some() {
            self.turn_began = Some(Instant::now());
        }
        self.entries += entries.len() as i64;
        self.position = position;
        if let Some(starts) = starts {
            (self.status, self.started) = (Status::Playing, Some(starts));
        }
        let ended = result.is_some();
        if let Some(result) = result {
            (self.status, self.ended, self.result) = (Status::Over, Some(at), Some(result));
        }
        remember(&mut self.recent, before, &events);
        (Changed { before, moved, begins, ended }, events)
    }

    fn begins(&self, after: &Position<G>, starts: Option<i64>) -> Begins {
        let before = &self.position;
        if starts.is_some() {
            Begins::Game
        } else if after.turns() != before.turns() || after.moves() < before.moves() {
            Begins::Turn
        } else {
            Begins::Nothing
        }
    }

    /// The events since a version as JSON without brackets, if they are all kept; else nothing.
    pub(super) fn events_since(&self, since: u64) -> String {
        let known = self.recent.iter().position(|happened| happened.before == since);
        let told = known.into_iter().flat_map(|first| self.recent.iter().skip(first));
        let told: Vec<&str> =
            told.map(|h| h.events.as_str()).filter(|events| !events.is_empty()).collect();
        told.join(",")
    }
}

fn version_after(entries: i64, started: bool) -> u64 {
    entries.unsigned_abs() + u64::from(started)
}

fn remember(recent: &mut VecDeque<Happened>, before: u64, events: &[Value]) {
    let texts: Vec<String> = events.iter().map(ToString::to_string).collect();
    recent.push_back(Happened { before, events: texts.join(",") });
    if recent.len() > RECENT_CHANGES {
        recent.pop_front();
    }
}

#[cfg(test)]
mod tests;
