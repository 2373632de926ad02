//! PUCT over whole turns: a tree that grows where priors and values say it matters.
//!
//! A node is a player's decision; its edges are whole turns. When a node is made, all its turns'
//! ends are valued at once: the values give the priors (their softmax) and the first estimates.
//! Between decisions stands chance, explicit, with each outcome's odds known. So an edge is worth
//! its end's value plus, for each outcome, the change that was found there; where an outcome was
//! not yet tried, the change that siblings found there. Luck of the draw then parts no siblings.

mod reuse;
mod select;
mod tree;

use crate::evaluator::{mover, value_of};
use crate::seeds::Seeds;
use crate::{Agent, Clock, Evaluator, Limits, Objective, Report, Stop, any_turn};
use game::Game;
use reuse::ReusableTree;
use tree::Growth;

/// How a decision is worth what its turns are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// As much as its best turn.
    Best,
    /// The mean of its turns by visits.
    Visits,
}

/// Which outcome of chance is tried next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceSampling {
    /// The one that is furthest behind its odds.
    Even,
    /// One drawn by the odds.
    Sampled,
}

/// Which turn is played in the end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FinalMove {
    /// The most visited.
    Visits,
    /// The most valued of those with at least this share of the most visits.
    Value(f32),
}

/// How [`Puct`] searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuctParams {
    /// What it plays for.
    pub aim: Objective,
    /// How much priors pull, in points: the constant before P √N / (1 + n).
    pub exploration: f32,
    /// The temperature of priors, in points: higher is more even.
    pub temperature: f32,
    /// The most turns of the root that are searched; 0: all.
    pub root_width: usize,
    /// The most turns of any other decision; 0: all.
    pub width: usize,
    /// Turns considered at a decision's first visit; 0: all from the start.
    pub first_width: usize,
    /// How many more are considered, times √visits.
    pub widening: f32,
    /// Of turns that a sibling decision has too, only its so many best are valued; 0: all.
    pub reply_width: usize,
    /// How a decision is worth what its turns are.
    pub backup: Backup,
    /// Which outcome of chance is tried next.
    pub draws: ChanceSampling,
    /// Randomness in the order of even draws, up to 1: makes the trees of several threads differ.
    pub jitter: f32,
    /// So many of the root's turns share the visits evenly, and half of them is given up again
    /// and again while the limits are used up; 0: the root is searched like any decision.
    pub halving: usize,
    /// Which turn is played in the end.
    pub choice: FinalMove,
    /// Whether the tree is kept for the next move, if the agent observes the game.
    pub reuse: bool,
    /// The most decisions in the tree; the search ends when it is full.
    pub capacity: usize,
}

impl Default for PuctParams {
    fn default() -> Self {
        Self {
            aim: Objective::MARGIN,
            exploration: 4.0,
            temperature: 1.5,
            root_width: 24,
            width: 12,
            first_width: 3,
            widening: 1.0,
            reply_width: 0,
            backup: Backup::Best,
            draws: ChanceSampling::Even,
            jitter: 0.0,
            halving: 0,
            choice: FinalMove::Value(0.3),
            reuse: true,
            capacity: 1 << 16,
        }
    }
}

/// Tree search over whole turns with priors from an evaluation. A limit of depth is not used.
#[derive(Clone, Debug)]
pub struct Puct<G: Game, E> {
    /// How it searches.
    pub params: PuctParams,
    evaluator: E,
    seeds: Seeds,
    kept: Option<ReusableTree<G>>,
}

impl<G: Game, E: Evaluator<G>> Puct<G, E> {
    /// A player with this evaluation.
    pub fn new(params: PuctParams, evaluator: E) -> Self {
        Self { params, evaluator, seeds: Seeds::default(), kept: None }
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Puct<G, E> {
    fn new_game(&mut self, _start: &G, seed: u64) {
        self.seeds.new_game(seed);
        self.kept = None;
    }

    fn observe(&mut self, _before: &G, played: G::Move) {
        if let Some(kept) = &mut self.kept {
            kept.played.push(played);
        }
    }

    fn heeds_depth(&self) -> bool {
        false
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let mut clock = Clock::new(limits, stop);
        let random = self.seeds.next();
        if mover(position).is_none() {
            return Report::empty(value_of(&mut self.evaluator, position));
        }
        let old = self.kept.take().and_then(|kept| kept.advance(position));
        let mut growth = Growth::new(self.params, &mut self.evaluator, &mut clock, random);
        let mut tree = growth.plant(position, old);
        while !growth.is_done(&tree) {
            growth.grow(&mut tree, position);
        }
        let mut report = tree.report(position, &self.params, &clock);
        if report.turn.is_empty() {
            report.turn = any_turn(position);
        }
        if self.params.reuse {
            self.kept = Some(ReusableTree { tree, root: position.clone(), played: Vec::new() });
        }
        report
    }
}
