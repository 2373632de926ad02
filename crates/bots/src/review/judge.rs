//! What positions and turns are worth, as a review asks for it.

use super::Depth;
use super::report::Worth;
use crate::any_evaluator::AnyEvaluator;
use crate::roster::{ending_solver, is_solved_at_once};
use carcassonne::{Edition, Move, Position};
use game::{Game, Turn, ignore};
use search::lookahead::{ComparedRounds, Comparison};
use search::{
    Agent, Limits, Line, Lookahead, LookaheadParams, Report, Solver, Stop, Values, add_weighted,
    final_values,
};

/// How much is spent on what.
struct Effort {
    /// Nodes for finding the best turn.
    nodes: u64,
    /// How often the best turn and the played one are played on.
    rounds: ComparedRounds,
    /// For how many turns after the reply.
    turns_on: u32,
    /// Whether the value of a draw is two turns deep; one turn if not.
    two_turns: bool,
}

impl Effort {
    const fn of(depth: Depth) -> Self {
        match depth {
            Depth::Quick => Self {
                nodes: 5_000,
                rounds: ComparedRounds { choose: 20, measure: 40 },
                turns_on: 3,
                two_turns: false,
            },
            Depth::Deep => Self {
                nodes: 40_000,
                rounds: ComparedRounds { choose: 200, measure: 400 },
                turns_on: 4,
                two_turns: true,
            },
        }
    }
}

/// Candidates of a draw's value two turns deep.
const DRAW_WIDTH: usize = 4;

pub(crate) struct Judge<E: Edition> {
    effort: Effort,
    finder: Lookahead<AnyEvaluator<E>>,
    comparer: Lookahead<AnyEvaluator<E>>,
    drawer: Lookahead<AnyEvaluator<E>>,
    solver: Solver<Position<E>, AnyEvaluator<E>>,
    stop: Stop,
}

/// It was stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

impl<E: Edition> Judge<E> {
    pub(crate) fn new(setup: &E::Setup, depth: Depth, stop: &Stop) -> Self {
        let evaluator = || AnyEvaluator::<E>::of_setup(setup);
        let effort = Effort::of(depth);
        let find = LookaheadParams::default();
        let compare = LookaheadParams { turns_on: effort.turns_on, ..find };
        let draw = LookaheadParams { width: DRAW_WIDTH, ..find };
        Self {
            finder: Lookahead::new(find, evaluator()),
            comparer: Lookahead::new(compare, evaluator()),
            drawer: Lookahead::new(draw, evaluator()),
            solver: ending_solver(),
            effort,
            stop: stop.clone(),
        }
    }

    /// Whether the values at a position with a tile in hand are exact.
    pub(crate) fn is_exact(&self, position: &Position<E>) -> bool {
        is_solved_at_once(position)
    }

    /// The value of a position in which a player is to move: one function for all tiles.
    pub(crate) fn value(&mut self, position: &Position<E>) -> Result<Values, Stopped> {
        let values = if is_solved_at_once(position) {
            self.solver.solve(position, &Limits::NONE, &self.stop).map(|report| report.values)
        } else if self.effort.two_turns {
            self.drawer.two_turns(position, &self.stop)
        } else {
            Some(self.drawer.search(position, &Limits::depth(1), &self.stop).values)
        };
        values.filter(|_| !self.stop.is_stopped()).ok_or(Stopped)
    }

    /// What each draw is worth, with its probability, and the mean.
    ///
    /// A tile that fits nowhere is set aside and another is drawn: it is worth what the others are in
    /// the mean. Where none fits, the game is over.
    pub(crate) fn draws(&mut self, position: &Position<E>) -> Result<Draws, Stopped> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let total: u32 = moves.iter().map(|m| position.odds(*m)).sum();
        let players = position.players();
        let mut draws = Draws { outcomes: Vec::new(), mean: Vec::new(), exact: true };
        let mut odds = Vec::with_capacity(moves.len());
        for m in moves {
            let mut next = position.clone();
            next.play_unchecked(m, ignore);
            let value = match next.turn() {
                Turn::Player(_) => {
                    draws.exact &= self.is_exact(&next);
                    Some(worths(&self.value(&next)?))
                }
                Turn::Chance => None,
                Turn::Over => Some(worths(&final_values(&next.scores()))),
            };
            odds.push((value.is_some(), f64::from(position.odds(m)) / f64::from(total)));
            draws.outcomes.push((m, value));
        }
        let fitting: f64 = odds.iter().filter(|(fits, _)| *fits).map(|(_, odds)| odds).sum();
        let mut others = vec![Worth::default(); players];
        for ((_, value), (_, odds)) in draws.outcomes.iter().zip(&odds) {
            if let Some(value) = value {
                others = sum(&others, value, odds / fitting);
            }
        }
        if fitting == 0.0 {
            others = worths(&final_values(&without_tiles(position).scores()));
        }
        draws.mean = vec![Worth::default(); players];
        for ((_, value), (_, odds)) in draws.outcomes.iter_mut().zip(&odds) {
            draws.mean = sum(&draws.mean, value.get_or_insert_with(|| others.clone()), *odds);
        }
        Ok(draws)
    }

    /// The best turns, the best first.
    pub(crate) fn best(
        &mut self,
        position: &Position<E>,
        seed: u64,
    ) -> Result<Report<Move>, Stopped> {
        if is_solved_at_once(position) {
            return self.solver.solve(position, &Limits::NONE, &self.stop).ok_or(Stopped);
        }
        self.finder.new_game(position, seed);
        let report = self.finder.search(position, &Limits::nodes(self.effort.nodes), &self.stop);
        if self.stop.is_stopped() { Err(Stopped) } else { Ok(report) }
    }

    /// Puts in place of what the solver says of turns what they are worth: of all but the best it only
    /// knows that they are not better.
    pub(crate) fn solve_lines(
        &mut self,
        position: &Position<E>,
        lines: &mut [Line<Move>],
    ) -> Result<(), Stopped> {
        let Turn::Player(player) = position.turn() else { return Ok(()) };
        for line in lines.iter_mut() {
            line.value = self.exact_after(position, &line.moves)?[player];
        }
        lines.sort_by(|a, b| b.value.margin.total_cmp(&a.value.margin));
        Ok(())
    }

    /// What the best turn is worth more than the played one.
    pub(crate) fn compare(
        &mut self,
        position: &Position<E>,
        best: &[Move],
        played: &[Move],
        seed: u64,
    ) -> Result<Comparison, Stopped> {
        if is_solved_at_once(position) {
            let mut difference = self.exact_after(position, best)?;
            add_weighted(&mut difference, &self.exact_after(position, played)?, -1.0);
            let error = search::Value::default();
            // The solver's turn is the best there is.
            return Ok(Comparison { first_chosen: true, difference, error });
        }
        let compared =
            self.comparer.compare(position, [best, played], self.effort.rounds, seed, &self.stop);
        compared.ok_or(Stopped)
    }

    /// What the position after a turn is worth, solved for every draw.
    fn exact_after(&mut self, position: &Position<E>, moves: &[Move]) -> Result<Values, Stopped> {
        let mut end = position.clone();
        moves.iter().for_each(|m| end.play_unchecked(*m, ignore));
        self.exact(&end)
    }

    fn exact(&mut self, position: &Position<E>) -> Result<Values, Stopped> {
        match position.turn() {
            Turn::Over => Ok(final_values(&position.scores())),
            Turn::Player(_) => {
                let solved = self.solver.solve(position, &Limits::NONE, &self.stop);
                solved.map(|report| report.values).ok_or(Stopped)
            }
            Turn::Chance => {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let total: u32 = moves.iter().map(|m| position.odds(*m)).sum();
                let mut mean = zero(position);
                for m in moves {
                    let mut next = position.clone();
                    next.play_unchecked(m, ignore);
                    let weight = position.odds(m) as f32 / total as f32;
                    add_weighted(&mut mean, &self.exact(&next)?, weight);
                }
                Ok(mean)
            }
        }
    }
}

/// The draws of a position.
pub(crate) struct Draws {
    outcomes: Vec<(Move, Option<Vec<Worth>>)>,
    pub(crate) mean: Vec<Worth>,
    /// Whether all values are exact.
    pub(crate) exact: bool,
}

impl Draws {
    pub(crate) fn of(&self, drawn: Move) -> Option<&[Worth]> {
        self.outcomes.iter().find(|(m, _)| *m == drawn).and_then(|(_, value)| value.as_deref())
    }
}

/// The end of a game in which no tile that is left fits.
fn without_tiles<E: Edition>(position: &Position<E>) -> Position<E> {
    let mut end = position.clone();
    let mut moves = Vec::new();
    while end.turn() == Turn::Chance {
        end.moves(&mut moves);
        end.play_unchecked(moves[0], ignore);
    }
    end
}

/// The values by seat.
pub(crate) fn worths(values: &Values) -> Vec<Worth> {
    values.as_slice().iter().map(|value| Worth::of(*value)).collect()
}

/// By seat, `a` and so many times `b`.
pub(crate) fn sum(a: &[Worth], b: &[Worth], times: f64) -> Vec<Worth> {
    a.iter().zip(b).map(|(a, b)| a.plus(*b, times)).collect()
}

fn zero<G: Game>(position: &G) -> Values {
    game::ByPlayer::new(position.players(), search::Value::default())
}
