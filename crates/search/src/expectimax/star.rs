//! Two players: alpha-beta over whole turns. Chance between them is in `chance.rs`.
//!
//! All scores are the first player's, who wants them high; the second wants them low.

use super::root::SubtreeSearch;
use super::transpositions::{Score, ScoreBounds, TranspositionTable};
use super::{ExpectimaxParams, Stopped, TO_THE_END, Worker, below};
use crate::evaluator::{leads_on, list_turns, mover, value_turns};
use crate::{
    Clock, Evaluator, Objective, Path, Turns, Value, Values, final_values, turns::try_turn,
    zero_sum,
};
use game::{Game, Player, Turn};
use std::ops::ControlFlow;

/// The scores that matter: at `alpha` or below, and at `beta` or above, a bound is enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };
}

/// Where in the tree a position stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<M> {
    /// Turns still to search.
    pub(super) depth: u32,
    /// Turns taken since the root.
    pub(super) ply: u32,
    /// What chance just did.
    pub(super) drawn: Option<M>,
}

impl<M: Copy> At<M> {
    const fn after_turn(self) -> Self {
        Self { depth: below(self.depth), ply: self.ply + 1, drawn: None }
    }
}

pub(super) struct Star<'a, G: Game, E> {
    pub(super) params: &'a ExpectimaxParams,
    pub(super) evaluator: &'a mut E,
    pub(super) clock: &'a mut Clock,
    pub(super) table: &'a mut TranspositionTable<G>,
    guessed: bool,
    path: Path<G>,
    scratches: Vec<Scratch<G>>,
}

/// Memory for one player's turns, used again and again.
struct Scratch<G: Game> {
    turns: Turns<G>,
    values: Vec<Values>,
    order: Vec<usize>,
}

impl<G: Game> Default for Scratch<G> {
    fn default() -> Self {
        Self { turns: Turns::new(), values: Vec::new(), order: Vec::new() }
    }
}

/// The best of a player's turns so far, and how far the window has closed.
struct Best<M> {
    player: Player,
    score: Option<Score>,
    /// Turns that were tried before the list was made.
    tried: Vec<Vec<M>>,
    window: Window,
}

impl<M> Best<M> {
    const fn new(player: Player, window: Window) -> Self {
        Self { player, score: None, tried: Vec::new(), window }
    }

    /// Takes note of a turn's score; true if it is the best so far.
    fn add(&mut self, score: Score) -> bool {
        let first = self.player.index() == 0;
        let better = self.score.is_none_or(|best| {
            if first { score.utility > best.utility } else { score.utility < best.utility }
        });
        if better {
            self.score = Some(score);
            if first {
                self.window.alpha = self.window.alpha.max(score.utility);
            } else {
                self.window.beta = self.window.beta.min(score.utility);
            }
        }
        better
    }

    /// Whether nothing better matters any more.
    fn is_enough(&self) -> bool {
        self.score.is_some() && self.window.alpha >= self.window.beta
    }
}

impl<'a, G: Game, E: Evaluator<G>> Star<'a, G, E> {
    pub(super) fn new(params: &'a ExpectimaxParams, worker: &'a mut Worker<G, E>) -> Self {
        Self {
            params,
            evaluator: &mut worker.evaluator,
            clock: &mut worker.clock,
            table: &mut worker.table,
            guessed: false,
            path: Path::default(),
            scratches: Vec::new(),
        }
    }

    /// A position's score: exact inside the window, a bound outside of it.
    pub(super) fn position(
        &mut self,
        position: &G,
        at: At<G::Move>,
        window: Window,
    ) -> Result<Score, Stopped> {
        let turn = position.turn();
        if turn == Turn::Over {
            self.spend(1)?;
            return Ok(self.score(&final_values(&position.scores())));
        }
        if at.depth == 0 {
            self.spend(1)?;
            self.guessed = true;
            let values = self.evaluator.value(position);
            return Ok(self.score(&values));
        }
        // Right after an outcome of chance the position before it was remembered: enough.
        let key = if at.drawn.is_none() { self.evaluator.key(position) } else { None };
        if let Some(score) = key.and_then(|key| self.stored_score(key, at.depth, window)) {
            return Ok(score);
        }
        let score = match turn {
            Turn::Player(player) => self.player(position, player, at, window)?,
            Turn::Chance | Turn::Over => self.chance(position, at, window)?,
        };
        if let Some(key) = key {
            self.store_score(key, at.depth, window, score);
        }
        Ok(score)
    }

    /// The best of a player's turns.
    fn player(
        &mut self,
        position: &G,
        player: Player,
        at: At<G::Move>,
        window: Window,
    ) -> Result<Score, Stopped> {
        let mut best = Best::new(player, window);
        // Turns that were good elsewhere often are here, and then need no list. (A narrow search
        // may only take what its list keeps.)
        if self.params.width == 0 || at.depth == 1 {
            self.try_good(position, at, 2, &mut best)?;
        }
        if !best.is_enough() {
            match at.depth {
                1 => self.last_turns(position, at, &mut best)?,
                _ => self.all_turns(position, at, &mut best)?,
            }
        }
        Ok(best.score.expect("a player to move has a move"))
    }

    /// The turns praised at such places, as far as they are legal here.
    fn try_good(
        &mut self,
        position: &G,
        at: At<G::Move>,
        most: usize,
        best: &mut Best<G::Move>,
    ) -> Result<(), Stopped> {
        let place = (at.ply, at.drawn);
        for index in 0..self.table.killers(place).len() {
            let Some(turn) = self.table.killers(place).get(index) else { break };
            let mut end = position.clone();
            if !try_turn(&mut end, turn) || mover(&end) == Some(best.player) {
                continue;
            }
            best.tried.push(turn.clone());
            let score = self.position(&end, at.after_turn(), best.window)?;
            best.add(score);
            if best.is_enough() {
                self.table.promote(place, index);
            }
            if best.is_enough() || best.tried.len() >= most {
                break;
            }
        }
        Ok(())
    }

    /// The score of a few turns that were good elsewhere: a bound for all the player's turns.
    pub(super) fn probe(
        &mut self,
        position: &G,
        player: Player,
        at: At<G::Move>,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let mut best = Best::new(player, window);
        self.try_good(position, at, self.params.pruning.probes(), &mut best)?;
        Ok(best.score)
    }

    /// The last turns of the search: what the evaluator thinks of their ends, all at once.
    fn last_turns(
        &mut self,
        position: &G,
        at: At<G::Move>,
        best: &mut Best<G::Move>,
    ) -> Result<(), Stopped> {
        let mut scratch = self.scratches.pop().unwrap_or_default();
        list_turns(self.evaluator, position, &mut scratch.turns);
        value_turns(self.evaluator, position, &scratch.turns, &mut scratch.values);
        self.guessed |= scratch.turns.ends().iter().any(|end| end.turn() != Turn::Over);
        self.spend(scratch.turns.len() as u64)?;
        let mut top = None;
        for (turn, values) in scratch.values.iter().enumerate() {
            if best.add(self.score(values)) {
                top = Some(turn);
            }
        }
        if let Some(turn) = top {
            self.table.record_killer((at.ply, at.drawn), scratch.turns.moves(turn));
        }
        self.scratches.push(scratch);
        Ok(())
    }

    /// All turns, those first that the evaluator likes, until nothing better matters.
    fn all_turns(
        &mut self,
        position: &G,
        at: At<G::Move>,
        best: &mut Best<G::Move>,
    ) -> Result<(), Stopped> {
        if at.depth == TO_THE_END && self.final_turns(position, at, best)? {
            return Ok(());
        }
        let mut scratch = self.scratches.pop().unwrap_or_default();
        let found = self.ordered_turns(position, at, best, &mut scratch);
        self.scratches.push(scratch);
        found
    }

    fn ordered_turns(
        &mut self,
        position: &G,
        at: At<G::Move>,
        best: &mut Best<G::Move>,
        scratch: &mut Scratch<G>,
    ) -> Result<(), Stopped> {
        let Scratch { turns, values, order } = scratch;
        list_turns(self.evaluator, position, turns);
        value_turns(self.evaluator, position, turns, values);
        self.spend(turns.len() as u64)?;
        order.clear();
        order.extend(0..turns.len());
        let utility = |i: &usize| self.params.aim.utility(&values[*i], best.player);
        order.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
        if self.params.width > 0 {
            order.truncate(self.params.width);
        }
        for turn in order.iter() {
            if best.tried.iter().any(|tried| tried == turns.moves(*turn)) {
                continue;
            }
            let score = self.position(turns.end(*turn), at.after_turn(), best.window)?;
            if best.add(score) {
                self.table.record_killer((at.ply, at.drawn), turns.moves(*turn));
            }
            if best.is_enough() {
                break;
            }
        }
        Ok(())
    }

    /// Turns that end the game need no list and no order. False if some turn does not end it.
    fn final_turns(
        &mut self,
        position: &G,
        at: At<G::Move>,
        best: &mut Best<G::Move>,
    ) -> Result<bool, Stopped> {
        let Self { evaluator, clock, table, params, path, .. } = self;
        let mut top: Vec<G::Move> = Vec::new();
        let wanted = |at: &G, turn: &[G::Move]| leads_on(&mut **evaluator, at, turn);
        let flow = path.visit(position, wanted, |moves, end| {
            if end.turn() != Turn::Over {
                return ControlFlow::Break(Ok(false));
            }
            if clock.spend(1) {
                return ControlFlow::Break(Err(Stopped));
            }
            if best.add(score(&final_values(&end.scores()), params.aim)) {
                top.clear();
                top.extend_from_slice(moves);
            }
            if best.is_enough() { ControlFlow::Break(Ok(true)) } else { ControlFlow::Continue(()) }
        });
        if !top.is_empty() {
            table.record_killer((at.ply, at.drawn), &top);
        }
        flow.break_value().unwrap_or(Ok(true))
    }

    fn stored_score(&self, key: u64, depth: u32, window: Window) -> Option<Score> {
        let ScoreBounds { low, high } = self.table.probe(key, depth)?;
        if low.utility >= window.beta || low.utility == high.utility {
            Some(low)
        } else {
            (high.utility <= window.alpha).then_some(high)
        }
    }

    fn store_score(&mut self, key: u64, depth: u32, window: Window, score: Score) {
        let unknown =
            ScoreBounds { low: Score::bound(f64::NEG_INFINITY), high: Score::bound(f64::INFINITY) };
        let mut between = self.table.probe(key, depth).unwrap_or(unknown);
        if score.utility > window.alpha {
            between.low = score;
        }
        if score.utility < window.beta {
            between.high = score;
        }
        self.table.store(key, depth, between);
    }

    fn score(&self, values: &Values) -> Score {
        score(values, self.params.aim)
    }

    fn spend(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.clock.spend(nodes) { Err(Stopped) } else { Ok(()) }
    }
}

impl<G: Game, E: Evaluator<G>> SubtreeSearch<G> for Star<'_, G, E> {
    fn after(
        &mut self,
        end: &G,
        player: Player,
        depth: u32,
        bar: f64,
    ) -> Result<(f64, Values), Stopped> {
        let first = player.index() == 0;
        let window = if first {
            Window { alpha: bar, ..Window::FULL }
        } else {
            Window { beta: -bar, ..Window::FULL }
        };
        let score = self.position(end, At { depth, ply: 1, drawn: None }, window)?;
        let value = Value { margin: score.margin as f32, win: score.win as f32 };
        let utility = if first { score.utility } else { -score.utility };
        Ok((utility, zero_sum(value)))
    }

    fn guessed(&self) -> bool {
        self.guessed
    }
}

/// The first player's score.
fn score(values: &Values, aim: Objective) -> Score {
    let first = Player::new(0);
    let Value { margin, win } = values[first];
    let utility = f64::from(aim.utility(values, first));
    Score { utility, margin: f64::from(margin), win: f64::from(win) }
}
