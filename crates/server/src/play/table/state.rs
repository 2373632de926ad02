//! What a table knows: the game as far as it is played, the seats, and who watches.

use super::bots::Thinking;
use super::clocks::Timekeeper;
use super::command::{Command, Reply};
use super::manager::Tables;
use super::seats::Seat;
use super::sleep::SleepRow;
use super::watchers::Watchers;
use crate::play::deck::{Deck, Seed};
use crate::play::games::Hosted;
use crate::wire::{ChatLine, GameResult, NotRated, Offers, Status, UserRef, Visibility};
use game::{IllegalMove, Turn};
use serde_json::Value;
use std::collections::VecDeque;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// A table: everything its task owns.
pub(super) struct Table<G: Hosted> {
    /// What was settled when the game was made.
    pub(super) facts: Facts,
    /// The game's setup.
    pub(super) setup: G::Setup,
    /// Where the draws come from. Nothing here leaves the process before the game is over.
    pub(super) seed: Seed,
    /// The order of the draws, once all nonces are known.
    pub(super) deck: Option<Deck<G::Move>>,
    /// The game as far as it is played.
    pub(super) position: Position<G>,
    /// Entries in the log.
    pub(super) entries: i64,
    /// What happened last, for those who come back.
    pub(super) recent: VecDeque<Happened>,
    /// The seats in the order of play.
    pub(super) seats: Vec<Seat>,
    /// The clocks.
    pub(super) clocks: Timekeeper,
    /// Where the game stands.
    pub(super) status: Status,
    /// When it began.
    pub(super) started: Option<i64>,
    /// When it ended.
    pub(super) ended: Option<i64>,
    /// How it ended.
    pub(super) result: Option<GameResult>,
    /// Why it changed no rating although it is rated and has a result.
    pub(super) not_rated: Option<NotRated>,
    /// The part of the full change that the ratings got.
    pub(super) rating_weight: Option<f64>,
    /// Whether all players allow the engine's help.
    pub(super) help: bool,
    /// The game that follows.
    pub(super) rematch: Option<String>,
    /// What waits for an answer.
    pub(super) offers: Offers,
    /// The last lines of chat.
    pub(super) chat: VecDeque<ChatLine>,
    /// Lines of chat so far.
    pub(super) chat_lines: i64,
    /// Who watches.
    pub(super) watchers: Watchers,
    /// Whether something beside the board changed that watchers were not told.
    pub(super) info_changed: bool,
    /// When watchers may be told how many they are.
    pub(super) tell_count_at: Option<Instant>,
    /// When watchers are told how long somebody has been silent.
    pub(super) tell_silence_at: Option<Instant>,
    /// When the turn began, if that was seen.
    pub(super) turn_began: Option<Instant>,
    /// What was done last, to know what is sent twice.
    pub(super) done: VecDeque<Done>,
    /// The bot that thinks.
    pub(super) thinking: Option<Thinking>,
    /// Thoughts asked for so far.
    pub(super) thoughts: u64,
    /// The rest of the server.
    pub(super) tables: Tables,
    /// The table's own mailbox, for the answers of bots.
    pub(super) mailbox: mpsc::WeakSender<Command>,
    /// Since when nobody has watched.
    pub(super) alone_since: Instant,
    /// When one of the players was last there, without the time in which no server ran.
    pub(super) attended: i64,
    /// When a game that waits for players is called off, if nobody watches.
    pub(super) closes_at: Instant,
    /// What the game's row says of its sleep; nothing once the game has changed.
    pub(super) row: Option<SleepRow>,
    /// Whether somebody has asked for the table since it came into memory.
    pub(super) visited: bool,
    /// Whether it is in memory only because of the time.
    pub(super) woken: bool,
    /// Whether the log could not be written: the table ends and is rebuilt.
    pub(super) broken: bool,
}

/// What was settled when a game was made.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) id: String,
    pub(super) options: Value,
    pub(super) host: UserRef,
    pub(super) rated: bool,
    pub(super) visibility: Visibility,
    pub(super) pass_and_play: bool,
    pub(super) created: i64,
    pub(super) commit: String,
    pub(super) seed_given: bool,
    pub(super) rematch_of: Option<String>,
}

/// The events between two versions, as JSON without the brackets of the list.
#[derive(Clone, Debug)]
pub(super) struct Happened {
    pub(super) before: u64,
    pub(super) events: String,
}

/// How many of the last changes are kept for those who come back.
pub(super) const KEPT: usize = 24;

/// An action that took effect.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) user: String,
    pub(super) id: u64,
    pub(super) fingerprint: u64,
    pub(super) at: Instant,
    pub(super) reply: Reply,
}

/// The game as far as it is played.
pub(super) struct Position<G: Hosted> {
    /// The state.
    pub(super) game: G,
    /// Points by what they were scored for.
    pub(super) tally: G::Tally,
    /// The moves that stand.
    pub(super) standing: Vec<PlayedMove<G::Move>>,
    /// How many of them are draws.
    pub(super) draws: usize,
    /// Turns played to their end.
    pub(super) turns: usize,
}

impl<G: Hosted> Clone for Position<G> {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            tally: self.tally.clone(),
            standing: self.standing.clone(),
            draws: self.draws,
            turns: self.turns,
        }
    }
}

/// A move that stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlayedMove<M> {
    /// Its entry in the log.
    pub(super) ply: i64,
    /// Whose it was; none for an outcome of chance.
    pub(super) seat: Option<usize>,
    /// The move.
    pub(super) moved: M,
}

impl<G: Hosted> Position<G> {
    /// The start of a game; `events` gets what the opening did.
    pub(super) fn start(setup: &G::Setup, events: &mut Vec<Value>) -> Self {
        let (mut told, mut tally) = (Vec::new(), G::Tally::default());
        let game = G::start(setup, |event| told.push(event));
        for event in &told {
            G::count(&mut tally, event);
            events.push(game.event(event));
        }
        Self { game, tally, standing: Vec::new(), draws: 0, turns: 0 }
    }

    /// Whose turn it is, if a player's.
    pub(super) fn to_move(&self) -> Option<usize> {
        match self.game.turn() {
            Turn::Player(player) => Some(player.index()),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// Plays a move of the player to move or an outcome of chance.
    pub(super) fn play(
        &mut self,
        moved: G::Move,
        ply: i64,
        events: &mut Vec<Value>,
    ) -> Result<(), IllegalMove> {
        let seat = self.to_move();
        let mut told = Vec::new();
        self.game.play(moved, |event| told.push(event))?;
        for event in &told {
            G::count(&mut self.tally, event);
            events.push(self.game.event(event));
        }
        self.standing.push(PlayedMove { ply, seat, moved });
        match seat {
            None => self.draws += 1,
            Some(_) if self.to_move() != seat || self.game.players() == 1 => self.turns += 1,
            Some(_) => {}
        }
        Ok(())
    }

    /// The position when only the first moves stand.
    pub(super) fn back_to(&self, setup: &G::Setup, moves: usize) -> Self {
        let mut events = Vec::new();
        let mut position = Self::start(setup, &mut events);
        for standing in &self.standing[..moves] {
            position
                .play(standing.moved, standing.ply, &mut events)
                .expect("what was legal once is legal again");
        }
        position
    }
}

impl<G: Hosted> Table<G> {
    /// Raised by every change of the game; the same after a restart.
    pub(super) fn version(&self) -> u64 {
        self.entries.unsigned_abs() + u64::from(self.started.is_some())
    }

    /// The seats of a user.
    pub(super) fn seats_of(&self, user: &str) -> Vec<usize> {
        let sits = |seat: &Seat| seat.user() == Some(user);
        (0..self.seats.len()).filter(|seat| sits(&self.seats[*seat])).collect()
    }

    /// The seat to move, while the game is played.
    pub(super) fn to_move(&self) -> Option<usize> {
        (self.status == Status::Playing).then(|| self.position.to_move()).flatten()
    }
}
