//! Expectimax: every turn and every outcome of chance, so many turns deep.
//!
//! Two players: alpha-beta with Star1, Star2 or Star2.5 at the outcomes of chance (`star.rs`).
//! Any other number: each player plays for their own value (`maxn.rs`).

mod chance;
mod maxn;
mod memory;
mod root;
mod star;

use crate::evaluator::{mover, value_of};
use crate::{Agent, Aim, Clock, Evaluator, Limits, Report, Stop};
use game::{Game, Player};
pub(crate) use memory::Memory;
use root::Root;

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
    pub aim: Aim,
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
        let (aim, pruning) = (Aim::MARGIN, Pruning::default());
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
    evaluator: E,
    memory: Memory<G>,
}

impl<G: Game, E: Evaluator<G>> Expectimax<G, E> {
    /// A player with this evaluation.
    pub fn new(params: ExpectimaxParams, evaluator: E) -> Self {
        Self { params, evaluator, memory: Memory::new(params.memory) }
    }

    /// The evaluation.
    pub const fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Expectimax<G, E> {
    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let Some(player) = mover(position) else {
            return Report::empty(value_of(&mut self.evaluator, position));
        };
        let mut clock = Clock::new(limits, stop);
        self.memory.clear();
        let mut root = Root::new(position, player, self.params.aim, &mut self.evaluator);
        clock.spend(root.len() as u64);
        root.keep(self.params.root_width);
        let deepest = limits.depth.unwrap_or(TO_THE_END - 1).max(1);
        for depth in 2..=deepest {
            let (evaluator, memory) = (&mut self.evaluator, &mut self.memory);
            let mut tools = Tools { evaluator, clock: &mut clock, memory };
            if root.is_exact() || root.search(depth, &self.params, &mut tools).is_err() {
                break;
            }
        }
        root.report(&clock)
    }
}

/// Solves a position to the end of the game; `None` if a limit came first.
pub(crate) fn solve<G: Game, E: Evaluator<G>>(
    position: &G,
    player: Player,
    params: &ExpectimaxParams,
    tools: &mut Tools<'_, G, E>,
) -> Option<Report<G::Move>> {
    tools.memory.clear();
    let mut root = Root::new(position, player, params.aim, tools.evaluator);
    tools.clock.spend(root.len() as u64);
    root.search(TO_THE_END, params, tools).ok()?;
    Some(root.report(tools.clock))
}

/// What a search works with.
pub(crate) struct Tools<'a, G: Game, E> {
    pub(crate) evaluator: &'a mut E,
    pub(crate) clock: &'a mut Clock,
    pub(crate) memory: &'a mut Memory<G>,
}
