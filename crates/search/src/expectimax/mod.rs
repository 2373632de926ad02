//! Expectimax: every turn and every outcome of chance, so many turns deep.
//!
//! Two players: alpha-beta with Star1, Star2 or Star2.5 at the outcomes of chance (`star.rs`).
//! Any other number: each player plays for their own value (`maxn.rs`).

mod chance;
mod maxn;
mod root;
mod star;
mod transpositions;

use crate::evaluator::{mover, value_of};
use crate::{Agent, Clock, Evaluator, Limits, Objective, Report, Stop};
use game::Game;
use root::Root;
use transpositions::TranspositionTable;

/// How outcomes of chance are cut off, for two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pruning {
    /// Not at all: plain expectimax.
    Off,
    /// By the bounds of what the outcomes not yet searched can be worth.
    Star1,
    /// Star1 after a probe: one promising turn of each outcome narrows its bounds.
    Star2,
    /// Star2 with so many turns probed in sequence.
    Star25(u8),
    /// Star2.5 with two probes: what did best where it was measured.
    #[default]
    Best,
}

impl Pruning {
    /// How many turns of each outcome are probed.
    const fn probes(self) -> usize {
        match self {
            Self::Off | Self::Star1 => 0,
            Self::Star2 => 1,
            Self::Star25(probes) => probes as usize,
            Self::Best => 2,
        }
    }
}

/// How [`Expectimax`] searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpectimaxParams {
    /// What it plays for.
    pub aim: Objective,
    /// How outcomes of chance are cut off.
    pub pruning: Pruning,
    /// Only so many of the turns that the evaluator likes best are searched at the root; 0: all.
    pub root_width: usize,
    /// The same below the root, where a turn is not the last of the search.
    pub width: usize,
    /// How many of the best lines get exact values; the others' are only not better.
    pub lines: usize,
    /// Positions remembered, a power of two; only used if the evaluator knows keys.
    pub memory: usize,
}

impl Default for ExpectimaxParams {
    fn default() -> Self {
        let (aim, pruning) = (Objective::MARGIN, Pruning::default());
        Self { aim, pruning, root_width: 0, width: 0, lines: 1, memory: 1 << 16 }
    }
}

/// The depth that means: to the end of the game.
pub(crate) const TO_THE_END: u32 = u32::MAX;

/// The depth that is left after one more turn.
pub(crate) const fn below(depth: u32) -> u32 {
    if depth == TO_THE_END { depth } else { depth - 1 }
}

/// The search met a limit, or was stopped, before it had an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// Searches turn by turn deeper, as deep as the limits allow.
#[derive(Clone, Debug)]
pub struct Expectimax<G: Game, E> {
    /// How it searches.
    pub params: ExpectimaxParams,
    workers: Vec<Worker<G, E>>,
}

impl<G: Game, E: Evaluator<G>> Expectimax<G, E> {
    /// A player with this evaluation, on one thread.
    pub fn new(params: ExpectimaxParams, evaluator: E) -> Self {
        Self { params, workers: vec![Worker::new(evaluator, params.memory)] }
    }

    /// The same player on so many threads, which share the root's turns: the same values, but
    /// which of equal turns is found first may differ from time to time.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self
    where
        E: Clone,
    {
        self.workers = vec![self.workers.swap_remove(0); threads.max(1)];
        self
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Expectimax<G, E> {
    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let Some(player) = mover(position) else {
            return Report::empty(value_of(&mut self.workers[0].evaluator, position));
        };
        let mut root =
            Root::new(position, player, self.params.aim, &mut self.workers, limits, stop);
        root.keep(self.params.root_width);
        let deepest = limits.depth.unwrap_or(TO_THE_END - 1).max(1);
        for depth in 2..=deepest {
            if root.is_exact() || root.search(depth, &self.params, &mut self.workers).is_err() {
                break;
            }
        }
        root.report(&self.workers)
    }
}

/// Solves a position to the end of the game; `None` if a limit came first.
pub(crate) fn solve<G: Game, E: Evaluator<G>>(
    position: &G,
    params: &ExpectimaxParams,
    workers: &mut [Worker<G, E>],
    limits: &Limits,
    stop: &Stop,
) -> Option<Report<G::Move>> {
    let mut root = Root::new(position, mover(position)?, params.aim, workers, limits, stop);
    root.search(TO_THE_END, params, workers).ok()?;
    Some(root.report(workers))
}

/// What one thread of a search works with.
#[derive(Clone, Debug)]
pub(crate) struct Worker<G: Game, E> {
    evaluator: E,
    table: TranspositionTable<G>,
    clock: Clock,
}

impl<G: Game, E> Worker<G, E> {
    pub(crate) fn new(evaluator: E, entries: usize) -> Self {
        let clock = Clock::new(&Limits::NONE, &Stop::new());
        Self { evaluator, table: TranspositionTable::new(entries), clock }
    }
}
