//! Whole turns: all that a player does until chance, another player or the end comes.

use crate::evaluator::mover;
use game::{Game, Turn, ignore};
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
        let path = Path::new();
        Self { moves: Vec::new(), stops: Vec::new(), ends: Vec::new(), path }
    }

    /// Replaces the list by the turns from a position; none if no player is to move.
    pub fn list(&mut self, position: &G) {
        self.list_where(position, |_, _| true);
    }

    /// Replaces the list by the turns of which every move is wanted; `wanted` gets the position
    /// the move is made in, and the turn up to this move.
    pub fn list_where(&mut self, position: &G, mut wanted: impl FnMut(&G, &[G::Move]) -> bool) {
        self.clear();
        self.path.moves.clear();
        if matches!(position.turn(), Turn::Player(_)) {
            self.extend(position, &mut wanted);
        }
    }

    /// Empties the list.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.stops.clear();
        self.ends.clear();
    }

    /// Adds the turns that continue from a position. Copies are what listing costs: a state that ends a turn
    /// is copied straight into the list, and one that a turn goes on from into memory that is kept.
    fn extend(&mut self, position: &G, wanted: &mut impl FnMut(&G, &[G::Move]) -> bool) {
        let depth = self.path.moves.len();
        let choices = self.path.choices(position);
        // Moves of the same position mostly are alike.
        let mut last_ended = depth > 0;
        for m in &choices {
            self.path.moves.push(*m);
            if wanted(position, &self.path.moves) {
                last_ended = match last_ended {
                    true => self.add_end(position, *m, depth, wanted),
                    false => self.go_on(position, *m, depth, wanted),
                };
            }
            self.path.moves.pop();
        }
        self.path.choices[depth] = choices;
    }

    /// Adds the turn that ends with a move, or if it does not end there those that continue; whether it did.
    fn add_end(
        &mut self,
        position: &G,
        m: G::Move,
        depth: usize,
        wanted: &mut impl FnMut(&G, &[G::Move]) -> bool,
    ) -> bool {
        self.ends.push(position.clone());
        let next = self.ends.last_mut().expect("one was just pushed");
        next.play_unchecked(m, ignore);
        if goes_on(position, next, depth) {
            let next = self.ends.pop().expect("one was just pushed");
            self.extend(&next, wanted);
            return false;
        }
        self.keep_moves();
        true
    }

    /// Adds the moves of the turn whose end was added last.
    fn keep_moves(&mut self) {
        self.moves.extend_from_slice(&self.path.moves);
        self.stops.push(self.moves.len());
    }

    /// As [`Self::add_end`], for a move with which most likely no turn ends.
    fn go_on(
        &mut self,
        position: &G,
        m: G::Move,
        depth: usize,
        wanted: &mut impl FnMut(&G, &[G::Move]) -> bool,
    ) -> bool {
        let mut next = match self.path.between.pop() {
            Some(mut next) => {
                (*next).clone_from(position);
                next
            }
            None => Box::new(position.clone()),
        };
        next.play_unchecked(m, ignore);
        let ended = !goes_on(position, &next, depth);
        if ended {
            self.ends.push((*next).clone());
            self.keep_moves();
        } else {
            self.extend(&next, wanted);
        }
        self.path.between.push(next);
        ended
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
    /// Memory for positions in the middle of a turn.
    between: Vec<Box<G>>,
}

impl<G: Game> Default for Path<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Path<G> {
    const fn new() -> Self {
        Self { moves: Vec::new(), choices: Vec::new(), between: Vec::new() }
    }

    /// Calls `found` with the moves and the end of each turn until it breaks; `wanted` as in
    /// [`Turns::list_where`].
    pub fn visit<B>(
        &mut self,
        position: &G,
        mut wanted: impl FnMut(&G, &[G::Move]) -> bool,
        mut found: impl FnMut(&[G::Move], &G) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moves.clear();
        match position.turn() {
            Turn::Player(_) => self.step(position, &mut wanted, &mut found),
            Turn::Chance | Turn::Over => ControlFlow::Continue(()),
        }
    }

    fn step<B>(
        &mut self,
        position: &G,
        wanted: &mut impl FnMut(&G, &[G::Move]) -> bool,
        found: &mut impl FnMut(&[G::Move], &G) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let depth = self.moves.len();
        let choices = self.choices(position);
        let mut flow = ControlFlow::Continue(());
        for m in &choices {
            self.moves.push(*m);
            if wanted(position, &self.moves) {
                let mut next = position.clone();
                next.play_unchecked(*m, ignore);
                flow = if goes_on(position, &next, depth) {
                    self.step(&next, wanted, found)
                } else {
                    found(&self.moves, &next)
                };
            }
            self.moves.pop();
            if flow.is_break() {
                break;
            }
        }
        self.choices[depth] = choices;
        flow
    }

    /// The legal moves at a position, in memory to be given back.
    fn choices(&mut self, position: &G) -> Vec<G::Move> {
        let depth = self.moves.len();
        if self.choices.len() <= depth {
            self.choices.push(Vec::new());
        }
        let mut choices = std::mem::take(&mut self.choices[depth]);
        position.moves(&mut choices);
        choices
    }
}

/// Whether a turn continues after its move at a depth.
fn goes_on<G: Game>(position: &G, next: &G, depth: usize) -> bool {
    mover(next) == mover(position) && depth + 1 < LONGEST_TURN
}

/// The first turn that comes: some legal answer when there is no time for a better one.
#[must_use]
pub fn any_turn<G: Game>(position: &G) -> Vec<G::Move> {
    let found =
        Path::default().visit(position, |_, _| true, |moves, _| ControlFlow::Break(moves.to_vec()));
    found.break_value().unwrap_or_default()
}

/// The position after a turn, if all its moves are legal for the player to move.
#[must_use]
pub fn play_turn<G: Game>(position: &G, moves: &[G::Move]) -> Option<G> {
    let mut end = position.clone();
    try_turn(&mut end, moves).then_some(end)
}

/// Plays a turn as far as its moves are legal for the player to move; whether all were.
pub(crate) fn try_turn<G: Game>(position: &mut G, moves: &[G::Move]) -> bool {
    let player = mover(position);
    moves.iter().all(|m| {
        let legal = mover(position) == player && position.is_legal(*m);
        if legal {
            position.play_unchecked(*m, ignore);
        }
        legal
    })
}
