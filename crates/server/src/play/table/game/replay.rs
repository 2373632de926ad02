//! A game from its log: after a restart, after a failure, or when an old game is opened.

use super::{EntryKind, PlayedGame, Position, remember, version_after};
use crate::games::Hosted;
use crate::games::deck::{Seed, SeedError};
use crate::play::table::seats::Dropouts;
use crate::play::table::store::{Saved, SavedEntry};
use crate::wire::{Reason, Status};
use game::{IllegalMove, Record, Turn};
use std::collections::VecDeque;

/// Why a stored game cannot be rebuilt: it is refused, not guessed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::play::table) enum CannotReplay {
    #[error("the setup cannot be read: {0}")]
    Setup(String),
    #[error("the position that it began with cannot be laid: {0}")]
    Laid(String),
    #[error("the seed cannot be read: {0}")]
    Seed(#[from] SeedError),
    #[error("the seats do not fit the setup")]
    Seats,
    #[error("entry {ply} '{body}': {fault}")]
    LogEntry { ply: i64, body: String, fault: EntryFault },
    #[error("the log has the whole game, but it is not marked as over")]
    NotOver,
}

/// What is wrong with an entry of a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::play::table) enum EntryFault {
    #[error("expected entry {0}")]
    Expected(i64),
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("{0}")]
    Illegal(#[from] IllegalMove),
    #[error("no such seat")]
    NoSeat,
    #[error("unknown kind of entry '{0}'")]
    UnknownKind(String),
}

impl<G: Hosted> PlayedGame<G> {
    /// The game as its log has it, and who is out. Its draws are settled again if it is being played.
    pub(in crate::play::table) fn replay(
        saved: &Saved,
        setup: G::Setup,
    ) -> Result<(Self, Dropouts), CannotReplay> {
        let beginning = match &saved.laid {
            None => Record::new(setup),
            Some(laid) => Record::from_layout(setup, laid).map_err(CannotReplay::Laid)?,
        };
        let mut dropouts = Dropouts::none(saved.seats.len());
        let mut game = Self {
            id: saved.id.clone(),
            seed: Seed::from_hex(&saved.seed)?,
            deck: None,
            position: Position::start(&beginning, &mut Vec::new()),
            given: usize::try_from(saved.from_ply).unwrap_or_default(),
            beginning,
            entries: 0,
            recent: VecDeque::new(),
            status: saved.status,
            started: saved.started,
            ended: saved.ended,
            result: saved.result.clone(),
            turn_began: None,
        };
        if game.position.game().players() != saved.seats.len() {
            return Err(CannotReplay::Seats);
        }
        for entry in &saved.log {
            game.step(&mut dropouts, entry).map_err(|fault| {
                let (ply, body) = (entry.ply, entry.body.clone());
                CannotReplay::LogEntry { ply, body, fault }
            })?;
        }
        if saved.status == Status::Playing {
            if game.position.game().turn() == Turn::Over {
                return Err(CannotReplay::NotOver);
            }
            let nonces: Vec<String> = saved.seats.iter().map(|seat| seat.nonce.clone()).collect();
            game.shuffle(&nonces);
        }
        Ok((game, dropouts))
    }

    fn step(&mut self, dropouts: &mut Dropouts, entry: &SavedEntry) -> Result<(), EntryFault> {
        let unreadable = |error: &dyn ToString| EntryFault::Unreadable(error.to_string());
        if entry.ply != self.entries + 1 {
            return Err(EntryFault::Expected(self.entries + 1));
        }
        let kind = EntryKind::from_word(&entry.kind)
            .ok_or_else(|| EntryFault::UnknownKind(entry.kind.clone()))?;
        let mut events = Vec::new();
        match kind {
            EntryKind::Move | EntryKind::Draw => {
                let moved = entry.body.parse().map_err(|error| unreadable(&error))?;
                self.position.play(moved, entry.ply, &mut events)?;
            }
            EntryKind::Takeback => {
                let stands = entry.body.parse().map_err(|error| unreadable(&error))?;
                let moves = self.position.moves_up_to(stands);
                self.position = self.position.back_to(&self.beginning, moves);
            }
            EntryKind::Resign | EntryKind::Time => {
                let reason = if kind == EntryKind::Time { Reason::Time } else { Reason::Resign };
                let seat = entry.seat.and_then(|seat| usize::try_from(seat).ok());
                if !seat.is_some_and(|seat| dropouts.put_out(seat, reason)) {
                    return Err(EntryFault::NoSeat);
                }
            }
            EntryKind::Agreed | EntryKind::Abort => {}
        }
        remember(&mut self.recent, version_after(self.entries, self.started.is_some()), &events);
        self.entries = entry.ply;
        Ok(())
    }
}
