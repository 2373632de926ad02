//! Whole turns: all that a player does until chance, another player or the end comes.

use crate::evaluator::mover;
use game::{Game, Turn};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The turns a player may take from a position: the moves of each, and the position it ends in.
///
/// Made once and filled again and again: its memory is kept.
#[derive(Clone, Debug)]
pub struct Turns<G: Game> {
    moves: Vec<G::Move>,
    /// Where in `moves` each turn ends; it starts where the one before ends.
    stops: Vec<usize>,
    ends: Vec<G>,
    path: Path<G>,
}

/// The most moves a turn is followed for. A longer one (a game for one player without chance is
/// one long turn) is cut there, and the position where it is cut counts as its end.
pub const LONGEST_TURN: usize = 6;

impl<G: Game> Default for Turns<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Turns<G> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        let path = Path { moves: Vec::new(), choices: Vec::new() };
        Self { moves: Vec::new(), stops: Vec::new(), ends: Vec::new(), path }
    }

    /// Replaces the list by the turns from a position; none if no player is to move.
    pub fn list(&mut self, position: &G) {
        self.list_where(position, |_, _, _| true);
    }

    /// Replaces the list by the turns of which every move is wanted; `wanted` is told the position
    /// the move is made in, the move, and whether it is the turn's first.
    pub fn list_where(&mut self, position: &G, mut wanted: impl FnMut(&G, G::Move, bool) -> bool) {
        self.moves.clear();
        self.stops.clear();
        self.ends.clear();
        let mut path = std::mem::take(&mut self.path);
        let _ = path.follow(position, &mut wanted, &mut |moves, end: &G| {
            self.moves.extend_from_slice(moves);
            self.stops.push(self.moves.len());
            self.ends.push(end.clone());
            ControlFlow::<()>::Continue(())
        });
        self.path = path;
    }

    /// How many turns there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.stops.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.stops.is_empty()
    }

    /// The moves of a turn.
    #[must_use]
    pub fn moves(&self, turn: usize) -> &[G::Move] {
        let start = if turn == 0 { 0 } else { self.stops[turn - 1] };
        &self.moves[start..self.stops[turn]]
    }

    /// The position in which a turn ends.
    #[must_use]
    pub fn end(&self, turn: usize) -> &G {
        &self.ends[turn]
    }

    /// The positions in which the turns end.
    #[must_use]
    pub fn ends(&self) -> &[G] {
        &self.ends
    }

    /// Keeps only the first of the turns whose ends have the same key; all of them if the first
    /// one has no key.
    pub fn merge(&mut self, mut key: impl FnMut(&G) -> Option<u64>) {
        if self.ends.first().is_none_or(|end| key(end).is_none()) {
            return;
        }
        let mut seen = HashSet::new();
        let keep: Vec<bool> =
            self.ends.iter().map(|end| key(end).is_none_or(|key| seen.insert(key))).collect();
        self.retain(&keep);
    }

    /// Keeps only the turns that are marked.
    pub fn retain(&mut self, keep: &[bool]) {
        if keep.iter().all(|k| *k) {
            return;
        }
        let (mut moves, mut stops) = (Vec::new(), Vec::new());
        for (turn, _) in keep.iter().enumerate().filter(|(_, k)| **k) {
            moves.extend_from_slice(self.moves(turn));
            stops.push(moves.len());
        }
        (self.moves, self.stops) = (moves, stops);
        let mut marks = keep.iter();
        self.ends.retain(|_| marks.next().copied().unwrap_or(false));
    }
}

/// Memory for following turns one at a time, without a list.
#[derive(Clone, Debug)]
pub struct Path<G: Game> {
    moves: Vec<G::Move>,
    choices: Vec<Vec<G::Move>>,
}

impl<G: Game> Default for Path<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), choices: Vec::new() }
    }
}

impl<G: Game> Path<G> {
    /// Calls `found` with the moves and the end of each turn until it breaks; `wanted` as in
    /// [`Turns::list_where`].
    pub fn visit<B>(
        &mut self,
        position: &G,
        mut wanted: impl FnMut(&G, G::Move, bool) -> bool,
        mut found: impl FnMut(&[G::Move], &G) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.follow(position, &mut wanted, &mut found)
    }

    fn follow<B>(
        &mut self,
        position: &G,
        wanted: &mut impl FnMut(&G, G::Move, bool) -> bool,
        found: &mut impl FnMut(&[G::Move], &G) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moves.clear();
        match position.turn() {
            Turn::Player(_) => self.step(position, wanted, found),
            Turn::Chance | Turn::Over => ControlFlow::Continue(()),
        }
    }

    fn step<B>(
        &mut self,
        position: &G,
        wanted: &mut impl FnMut(&G, G::Move, bool) -> bool,
        found: &mut impl FnMut(&[G::Move], &G) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let depth = self.moves.len();
        if self.choices.len() <= depth {
            self.choices.push(Vec::new());
        }
        let mut choices = std::mem::take(&mut self.choices[depth]);
        position.moves(&mut choices);
        let mut flow = ControlFlow::Continue(());
        for m in &choices {
            if !wanted(position, *m, depth == 0) {
                continue;
            }
            let mut next = position.clone();
            next.play_unchecked(*m, |_| {});
            self.moves.push(*m);
            let goes_on = mover(&next) == mover(position) && depth + 1 < LONGEST_TURN;
            flow =
                if goes_on { self.step(&next, wanted, found) } else { found(&self.moves, &next) };
            self.moves.pop();
            if flow.is_break() {
                break;
            }
        }
        self.choices[depth] = choices;
        flow
    }
}

/// The first turn that comes: some legal answer when there is no time for a better one.
#[must_use]
pub fn any_turn<G: Game>(position: &G) -> Vec<G::Move> {
    let found = Path::default().visit(
        position,
        |_, _, _| true,
        |moves, _| ControlFlow::Break(moves.to_vec()),
    );
    found.break_value().unwrap_or_default()
}

/// Plays a turn if all its moves are legal for the player to move, one after the other.
#[must_use]
pub fn play_turn<G: Game>(position: &G, moves: &[G::Move]) -> Option<G> {
    let mut end = position.clone();
    for m in moves {
        if mover(&end) != mover(position) || !end.is_legal(*m) {
            return None;
        }
        end.play_unchecked(*m, |_| {});
    }
    Some(end)
}
