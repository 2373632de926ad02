//! A change of the game that is not stored yet.

use super::ending;
use super::{EntryKind, LogEntry, Position};
use crate::games::Hosted;
use crate::games::deck::Deck;
use crate::play::table::seats::Dropouts;
use crate::wire::{GameResult, Reason};
use game::{IllegalMove, Record, Turn};
use serde_json::Value;

/// A change of the game on a copy of it: what is played, logged and decided.
pub(in crate::play::table) struct GameDraft<G: Hosted> {
    pub(super) position: Position<G>,
    pub(super) entries: Vec<LogEntry>,
    pub(super) first_ply: i64,
    pub(super) events: Vec<Value>,
    pub(super) starts: Option<i64>,
    pub(super) result: Option<GameResult>,
}

impl<G: Hosted> GameDraft<G> {
    pub(super) const fn new(position: Position<G>, first_ply: i64) -> Self {
        Self {
            position,
            entries: Vec::new(),
            first_ply,
            events: Vec::new(),
            starts: None,
            result: None,
        }
    }

    /// The position after it.
    pub(in crate::play::table) const fn position(&self) -> &Position<G> {
        &self.position
    }

    /// Its entries with their numbers in the log.
    pub(in crate::play::table) fn entries(&self) -> impl Iterator<Item = (i64, &LogEntry)> {
        (self.first_ply..).zip(&self.entries)
    }

    /// The number of its last entry that is a player's move.
    pub(in crate::play::table) fn last_move(&self) -> Option<i64> {
        let last = self.entries.iter().rposition(|entry| entry.kind == EntryKind::Move)?;
        Some(self.first_ply + last as i64)
    }

    /// When the game begins with it.
    pub(in crate::play::table) const fn starts(&self) -> Option<i64> {
        self.starts
    }

    /// How the game ends with it.
    pub(in crate::play::table) const fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// Adds an entry to the log.
    pub(in crate::play::table) fn log(
        &mut self,
        seat: Option<usize>,
        kind: EntryKind,
        body: String,
    ) {
        self.entries.push(LogEntry { seat, kind, body });
    }

    /// Plays a move for the player to move.
    pub(in crate::play::table) fn play(&mut self, moved: G::Move) -> Result<(), IllegalMove> {
        let seat = self.position.to_move();
        self.step(moved)?;
        self.log(seat, EntryKind::Move, moved.to_string());
        Ok(())
    }

    /// The game begins: the opening is told again to those who waited.
    pub(in crate::play::table) fn start(&mut self, beginning: &Record<G>, at: i64) {
        self.starts = Some(at);
        Position::<G>::start(beginning, &mut self.events);
    }

    /// Takes moves back until so many stand, because a seat asked for it.
    pub(in crate::play::table) fn take_back(
        &mut self,
        beginning: &Record<G>,
        moves: usize,
        asked: Option<usize>,
    ) {
        self.position = self.position.back_to(beginning, moves);
        let stands = self.position.last_ply();
        self.log(asked, EntryKind::Takeback, stands.to_string());
    }

    /// Ends the game with the scores as they are; seats that are out have lost.
    pub(in crate::play::table) fn end(&mut self, dropouts: &Dropouts, reason: Reason) {
        self.result = Some(ending::result(self.position.scores(), dropouts, reason));
    }

    /// Ends the game because both players call it a draw.
    pub(in crate::play::table) fn agree_on_draw(&mut self) {
        self.log(None, EntryKind::Agreed, String::new());
        self.result = Some(ending::agreed(self.position.scores()));
    }

    /// Ends the game without a result that counts.
    pub(in crate::play::table) fn abort(&mut self) {
        self.log(None, EntryKind::Abort, String::new());
        self.result = Some(ending::aborted(self.position.scores()));
    }

    pub(super) fn draw(&mut self, deck: Option<&Deck<G::Move>>) {
        while self.position.game().turn() == Turn::Chance {
            let drawn = deck
                .and_then(|deck| deck.next(self.position.draws()))
                .expect("the deck holds everything that can be drawn");
            self.step(drawn).expect("what is in the deck can be drawn");
            self.log(None, EntryKind::Draw, drawn.to_string());
        }
    }

    /// Whether the rules end the game here and nothing else has.
    pub(in crate::play::table) fn is_played_out(&self) -> bool {
        self.position.game().turn() == Turn::Over && self.result.is_none()
    }

    fn step(&mut self, moved: G::Move) -> Result<(), IllegalMove> {
        let ply = self.first_ply + self.entries.len() as i64;
        self.position.play(moved, ply, &mut self.events)
    }
}
