//! The turns at the root: searched one after the other, deeper and deeper.

use super::maxn::MaxN;
use super::star::Star;
use super::{ExpectimaxParams, Stopped, Tools, below};
use crate::evaluator::{list_turns, value_turns};
use crate::{Aim, Clock, Evaluator, Line, Report, Turns, Values};
use game::{Game, Player, Turn};

/// The search below the root, for two players or for any number.
pub(super) trait Below<G: Game> {
    /// What the end of a turn is worth to the player who took it, and to everybody, looking so
    /// many turns further. Worth no more than `bar`, it need only be known to be that.
    fn after(
        &mut self,
        end: &G,
        player: Player,
        depth: u32,
        bar: f64,
    ) -> Result<(f64, Values), Stopped>;

    /// Whether any value came from the evaluator and not from the end of the game.
    fn guessed(&self) -> bool;
}

/// What is known of a turn.
#[derive(Clone, Copy)]
struct Known {
    utility: f64,
    values: Values,
    turn: usize,
}

/// The turns at the root and what is known of each.
pub(super) struct Root<'a, G: Game> {
    position: &'a G,
    player: Player,
    turns: Turns<G>,
    /// The turns that are searched, best first.
    order: Vec<Known>,
    narrowed: bool,
    depth: u32,
    exact: bool,
}

impl<'a, G: Game> Root<'a, G> {
    pub(super) fn new(
        position: &'a G,
        player: Player,
        aim: Aim,
        evaluator: &mut impl Evaluator<G>,
    ) -> Self {
        let mut turns = Turns::new();
        list_turns(evaluator, position, &mut turns);
        let mut values = Vec::new();
        value_turns(evaluator, position, &turns, &mut values);
        let known = |(turn, values): (usize, &Values)| {
            let utility = f64::from(aim.utility(values, player));
            Known { utility, values: *values, turn }
        };
        let mut order: Vec<Known> = values.iter().enumerate().map(known).collect();
        sort(&mut order);
        let exact = turns.ends().iter().all(|end| end.turn() == Turn::Over);
        Self { position, player, turns, order, narrowed: false, depth: 1, exact }
    }

    pub(super) const fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether the values are those of the end of the game.
    pub(super) const fn is_exact(&self) -> bool {
        self.exact
    }

    /// Keeps only the best turns; all if `width` is 0.
    pub(super) fn keep(&mut self, width: usize) {
        if width > 0 && width < self.order.len() {
            self.order.truncate(width);
            self.narrowed = true;
        }
    }

    /// Searches all turns to a depth.
    pub(super) fn search<E: Evaluator<G>>(
        &mut self,
        depth: u32,
        params: &ExpectimaxParams,
        tools: &mut Tools<'_, G, E>,
    ) -> Result<(), Stopped> {
        self.narrowed |= params.width > 0;
        if self.position.players() == 2 {
            self.search_with(depth, params.lines, &mut Star::new(params, tools))
        } else {
            self.search_with(depth, params.lines, &mut MaxN::new(params, tools))
        }
    }

    /// When it is stopped, the turns searched deeper so far come first, for the first of them is
    /// the best of the depth before.
    fn search_with(
        &mut self,
        depth: u32,
        lines: usize,
        below_root: &mut impl Below<G>,
    ) -> Result<(), Stopped> {
        let mut done: Vec<Known> = Vec::with_capacity(self.order.len());
        let mut stopped = Ok(());
        for known in &self.order {
            let bar = nth_best(&mut done, lines.max(1));
            let end = self.turns.end(known.turn);
            match below_root.after(end, self.player, below(depth), bar) {
                Ok((utility, values)) => done.push(Known { utility, values, turn: known.turn }),
                Err(error) => {
                    stopped = Err(error);
                    break;
                }
            }
        }
        sort(&mut done);
        let complete = done.len() == self.order.len();
        if complete {
            self.depth = depth;
            self.exact = !self.narrowed && !below_root.guessed();
        }
        let rest = self.order.split_off(done.len());
        self.order = done;
        self.order.extend(rest);
        stopped
    }

    pub(super) fn report(self, clock: &Clock) -> Report<G::Move> {
        let line = |known: &Known| Line {
            moves: self.turns.moves(known.turn).to_vec(),
            value: known.values[self.player],
            visits: 1,
        };
        let lines: Vec<_> = self.order.iter().map(line).collect();
        Report {
            turn: lines.first().map(|line| line.moves.clone()).unwrap_or_default(),
            values: self.order.first().map_or_else(
                || crate::evaluator::even(self.position.players()),
                |known| known.values,
            ),
            lines,
            nodes: clock.nodes(),
            time: clock.elapsed(),
            depth: self.depth,
            exact: self.exact,
        }
    }
}

/// Best first; equal turns keep their order.
fn sort(known: &mut [Known]) {
    known.sort_by(|a, b| b.utility.total_cmp(&a.utility));
}

/// What the n-th best is worth; sorts.
fn nth_best(done: &mut [Known], n: usize) -> f64 {
    sort(done);
    done.get(n - 1).map_or(f64::NEG_INFINITY, |known| known.utility)
}
