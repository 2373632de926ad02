//! A position and the moves that led to it.

use crate::games::Hosted;
use game::{IllegalMove, Player, Record, Turn};
use serde_json::Value;

/// A position, with the moves that stand.
#[derive(Clone)]
pub(in crate::play::table) struct Position<G: Hosted> {
    game: G,
    /// Points by what they were scored for.
    tally: G::Tally,
    played: Vec<PlayedMove<G::Move>>,
    /// How many of the moves are outcomes of chance.
    draws: usize,
    /// Turns played to their end.
    turns: usize,
}

/// A move that stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PlayedMove<M> {
    /// Its entry in the log.
    ply: i64,
    /// Whose it was; none for an outcome of chance.
    seat: Option<usize>,
    moved: M,
}

impl<G: Hosted> Position<G> {
    /// The start of a record; `events` gets what the opening did.
    pub(in crate::play::table) fn start(of: &Record<G>, events: &mut Vec<Value>) -> Self {
        let (mut told, mut tally) = (Vec::new(), G::Tally::default());
        let game = of.start(|event| told.push(event));
        for event in &told {
            G::count(&mut tally, event);
            events.push(game.event(event));
        }
        Self { game, tally, played: Vec::new(), draws: 0, turns: 0 }
    }

    /// The state, as the rules have it.
    pub(in crate::play::table) const fn game(&self) -> &G {
        &self.game
    }

    pub(in crate::play::table) const fn tally(&self) -> &G::Tally {
        &self.tally
    }

    /// Turns played to their end.
    pub(in crate::play::table) const fn turns(&self) -> usize {
        self.turns
    }

    /// Outcomes of chance among the moves.
    pub(super) const fn draws(&self) -> usize {
        self.draws
    }

    /// How many moves stand.
    pub(in crate::play::table) const fn moves(&self) -> usize {
        self.played.len()
    }

    /// The moves that stand, outcomes of chance too.
    pub(in crate::play::table) fn history(&self) -> impl Iterator<Item = G::Move> {
        self.played.iter().map(|one| one.moved)
    }

    /// What was drawn among the first moves.
    pub(super) fn drawn_among(&self, moves: usize) -> Vec<G::Move> {
        let first = self.played.iter().take(moves);
        first.filter(|one| one.seat.is_none()).map(|one| one.moved).collect()
    }

    /// The board as people see it.
    pub(in crate::play::table) fn view(&self) -> G::View {
        self.game.view(&self.tally)
    }

    /// The points by seat.
    pub(in crate::play::table) fn scores(&self) -> Vec<i32> {
        let scores = self.game.scores();
        (0..self.game.players()).map(|seat| scores[Player::new(seat)]).collect()
    }

    /// Whose turn it is, if a player's.
    pub(in crate::play::table) fn to_move(&self) -> Option<usize> {
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
        self.played.push(PlayedMove { ply, seat, moved });
        match seat {
            None => self.draws += 1,
            Some(_) if self.to_move() != seat || self.game.players() == 1 => self.turns += 1,
            Some(_) => {}
        }
        Ok(())
    }

    /// The position when only the first moves stand.
    pub(super) fn back_to(&self, beginning: &Record<G>, moves: usize) -> Self {
        let mut events = Vec::new();
        let mut position = Self::start(beginning, &mut events);
        for one in &self.played[..moves] {
            position
                .play(one.moved, one.ply, &mut events)
                .expect("what was legal once is legal again");
        }
        position
    }

    /// The entry of the last move that stands; 0 if none does.
    pub(super) fn last_ply(&self) -> i64 {
        self.played.last().map_or(0, |one| one.ply)
    }

    /// How many moves stand whose entries are not after this one.
    pub(super) fn moves_up_to(&self, ply: i64) -> usize {
        self.played.iter().take_while(|one| one.ply <= ply).count()
    }

    /// How many moves stand once the last turn of one of these seats is taken back; none if they
    /// have not moved.
    pub(super) fn before_last_turn_of(&self, seats: &[usize]) -> Option<usize> {
        let is_theirs = |one: &PlayedMove<_>| one.seat.is_some_and(|seat| seats.contains(&seat));
        let last = self.played.iter().rposition(is_theirs)?;
        // A turn of several moves is one: back to where the seat began it.
        let seat = self.played[last].seat;
        let alone = self.game.players() == 1;
        let first = (0..last).rev().take_while(|index| !alone && self.played[*index].seat == seat);
        Some(first.last().unwrap_or(last))
    }

    /// Whether from an entry on exactly these moves of these seats stand.
    pub(super) fn has_moves_from(&self, ply: i64, seats: &[usize], texts: &[String]) -> bool {
        let Some(first) = self.played.iter().position(|one| one.ply == ply) else { return false };
        let after = &self.played[first..];
        !texts.is_empty()
            && after.len() >= texts.len()
            && texts.iter().zip(after).all(|(text, one)| {
                one.seat.is_some_and(|seat| seats.contains(&seat))
                    && text.trim().parse::<G::Move>().is_ok_and(|moved| moved == one.moved)
            })
    }
}
