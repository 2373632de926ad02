//! Plain Monte-Carlo tree search, as in the literature: UCT with full random playouts.
//!
//! Every single move is a level of the tree, so a turn of two moves is two levels. Outcomes of
//! chance are sampled by their odds. Kept as an honest baseline.

mod tree;

use crate::evaluator::{even_values, mover};
use crate::math::squash;
use crate::seeds::Seeds;
use crate::{Agent, Clock, Limits, Report, Stop, Value, final_values};
use game::{Game, Random, Turn, ignore};
use tree::Tree;

/// What a playout's end is worth to a player, between −1 and 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reward {
    /// The margin over this many points, cut off beyond.
    Margin(f32),
    /// The margin squashed: steep below this many points, flat above.
    Squashed(f32),
    /// Won or lost.
    Win,
}

impl Reward {
    fn of(self, value: Value) -> f64 {
        let margin = f64::from(value.margin);
        match self {
            Self::Margin(scale) => (margin / f64::from(scale)).clamp(-1.0, 1.0),
            Self::Squashed(scale) => squash(margin, f64::from(scale)),
            Self::Win => 2.0 * f64::from(value.win) - 1.0,
        }
    }
}

/// How [`Uct`] searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctParams {
    /// How much it explores: the constant before √(ln N / n).
    pub exploration: f32,
    /// What a playout's end is worth.
    pub reward: Reward,
    /// The most nodes the tree may have; when it is full, playouts start from its leaves.
    pub capacity: usize,
}

impl Default for UctParams {
    fn default() -> Self {
        Self { exploration: 0.25, reward: Reward::Squashed(30.0), capacity: 1 << 20 }
    }
}

/// Plays a game to its end by chance, as fast as it can.
pub trait Playout<G: Game>: Send {
    /// Plays on until the game is over.
    fn play_out(&mut self, game: &mut G, random: &mut Random);
}

/// Every legal move as likely as the others.
#[derive(Clone, Debug)]
pub struct UniformPlayout<G: Game> {
    moves: Vec<G::Move>,
}

impl<G: Game> Default for UniformPlayout<G> {
    fn default() -> Self {
        Self { moves: Vec::new() }
    }
}

impl<G: Game> Playout<G> for UniformPlayout<G> {
    fn play_out(&mut self, game: &mut G, random: &mut Random) {
        loop {
            let m = match game.turn() {
                Turn::Over => return,
                Turn::Chance => game.sample_outcome(random),
                Turn::Player(_) => {
                    game.moves(&mut self.moves);
                    random.pick(&self.moves).copied()
                }
            };
            match m {
                Some(m) => game.play_unchecked(m, ignore),
                None => return,
            }
        }
    }
}

/// Monte-Carlo tree search with random playouts.
#[derive(Clone, Debug)]
pub struct Uct<G: Game, P = UniformPlayout<G>> {
    /// How it searches.
    pub params: UctParams,
    playout: P,
    seeds: Seeds,
    tree: Tree<G>,
}

impl<G: Game> Uct<G> {
    /// A player with uniform playouts.
    #[must_use]
    pub fn new(params: UctParams) -> Self {
        Self::with_playout(params, UniformPlayout::default())
    }
}

impl<G: Game, P: Playout<G>> Uct<G, P> {
    /// A player with playouts of its own.
    pub fn with_playout(params: UctParams, playout: P) -> Self {
        Self { params, playout, seeds: Seeds::default(), tree: Tree::new(params) }
    }
}

impl<G: Game, P: Playout<G>> Agent<G> for Uct<G, P> {
    fn new_game(&mut self, _start: &G, seed: u64) {
        self.seeds.new_game(seed);
    }

    fn heeds_depth(&self) -> bool {
        false
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let mut clock = Clock::new(limits, stop);
        let mut random = self.seeds.next();
        if mover(position).is_none() {
            return Report::empty(match position.turn() {
                Turn::Over => final_values(&position.scores()),
                _ => even_values(position.players()),
            });
        }
        self.tree = Tree::new(self.params);
        while !clock.is_done() {
            self.tree.iterate(position, &mut self.playout, &mut random);
            clock.spend(1);
        }
        self.tree.report(position, &clock)
    }
}
