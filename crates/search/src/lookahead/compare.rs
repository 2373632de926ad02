//! Two turns of one position compared by playing on, with draws that no search has seen.
//!
//! A search picks the turn that looks best, so its own values flatter that turn. Here both turns are
//! played on with the same draws, none of which the search used: the difference may be negative, and
//! its mean is that of the players who play on.

use super::belief::Level;
use super::reply_table::ReplyTable;
use super::rollout::Draws;
use super::settle::Settling;
use super::{Candidate, Lookahead, LookaheadParams, Stage, Work, candidates, sort};
use crate::evaluator::{mover, value_of};
use crate::turns::play_turn;
use crate::{Clock, Evaluator, Limits, Moments, Stop, Value, Values, add_weighted};
use game::{Game, Player};

/// How often two turns are played on.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRounds {
    /// To choose the better one. With 0 it is the first.
    pub choose: u32,
    /// With other draws, to measure how much better it is.
    pub measure: u32,
}

/// What the better of two turns is worth more than the second.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Whether the first turn was chosen. If not, the second is the best that is known, and the
    /// difference is 0.
    pub first_chosen: bool,
    /// What it is worth more than the second, to each player.
    pub difference: Values,
    /// The standard error of the difference to the player to move.
    pub error: Value,
}

impl<E> Lookahead<E> {
    /// What a position is worth when the best turn, all draws and the best replies are counted: two
    /// turns deep also where there is only one turn. `None` if it was stopped, or nobody is to move.
    pub fn two_turns<G: Game>(&mut self, position: &G, stop: &Stop) -> Option<Values>
    where
        E: Evaluator<G>,
    {
        let player = mover(position)?;
        let mut clocks = [Clock::new(&Limits::NONE, stop)];
        let evaluators = &mut self.evaluators[..1];
        let mut work = Work::new(&self.params, player, evaluators, &mut clocks);
        let mut candidates = candidates(position, &mut work);
        let mut table = ReplyTable::new(&candidates);
        table.fill(&mut candidates, &mut work);
        sort(&mut candidates, &work);
        candidates.first().filter(|_| table.is_full()).map(|best| best.value)
    }

    /// Compares two turns of a position: all draws and the best replies, then both are played on, first
    /// to choose the better one, then to measure. `None` if it was stopped, nobody is to move, or a turn
    /// is not legal.
    pub fn compare<G: Game>(
        &mut self,
        position: &G,
        turns: [&[G::Move]; 2],
        rounds: ComparedRounds,
        seed: u64,
        stop: &Stop,
    ) -> Option<Comparison>
    where
        E: Evaluator<G>,
    {
        let player = mover(position)?;
        let params = LookaheadParams { give_up: f32::INFINITY, ..self.params };
        // With fewer replies the second turn's rival would miss the best one more often than the first's.
        let all_replies = LookaheadParams { reply_width: 0, ..params };
        let mut clocks = [Clock::new(&Limits::NONE, stop)];
        let evaluators = &mut self.evaluators[..1];
        let [first, second] = turns.map(|turn| candidate(&mut evaluators[0], position, turn));
        let mut candidates = [first?, second?];
        let mut work = Work::new(&all_replies, player, evaluators, &mut clocks);
        let mut table = ReplyTable::new(&candidates);
        table.fill(&mut candidates, &mut work);
        if !table.is_full() {
            return None;
        }
        work.params = &params;
        let mut at_two_turns = candidates[0].value;
        add_weighted(&mut at_two_turns, &candidates[1].value, -1.0);
        // The one that is played first is valued in full, the other along its ranking: they take turns.
        let draws = Draws { seed, spread: false };
        let levels = vec![Level { turns: params.turns_on, trust: 0.0, noise: 1.0 }];
        let orders = [[0, 1], [1, 0]]
            .map(|order| Settling::of(&table, order.to_vec(), player, draws, levels.clone()));
        let mut played_on = |rounds: std::ops::Range<u32>| {
            let mut measured = Measured::none(&at_two_turns);
            for round in rounds {
                let order = round as usize % 2;
                let [first, second] = orders[order].changes(round, &mut work)?;
                let (mut change, other) =
                    if order == 0 { (first, second) } else { (second, first) };
                add_weighted(&mut change, &other, -1.0);
                measured.add(&change, player);
            }
            Some(measured)
        };
        if rounds.choose > 0 {
            let seen = played_on(0..rounds.choose)?.from(at_two_turns);
            if seen[player].margin <= 0.0 {
                let difference = at_two_turns.map(|_| Value::default());
                return Some(Comparison {
                    first_chosen: false,
                    difference,
                    error: Value::default(),
                });
            }
        }
        let measured = played_on(rounds.choose..rounds.choose + rounds.measure)?;
        let (difference, error) = (measured.from(at_two_turns), measured.error());
        Some(Comparison { first_chosen: true, difference, error })
    }
}

/// How much playing on changed the difference of two turns.
struct Measured {
    sum: Values,
    margin: Moments,
    win: Moments,
}

impl Measured {
    fn none(of: &Values) -> Self {
        let sum = of.map(|_| Value::default());
        Self { sum, margin: Moments::default(), win: Moments::default() }
    }

    fn add(&mut self, change: &Values, player: Player) {
        add_weighted(&mut self.sum, change, 1.0);
        self.margin.add(change[player].margin.into());
        self.win.add(change[player].win.into());
    }

    /// The difference, given what it was before playing on.
    fn from(&self, mut before: Values) -> Values {
        if self.margin.count() > 0 {
            add_weighted(&mut before, &self.sum, 1.0 / self.margin.count() as f32);
        }
        before
    }

    /// The standard error of the difference to the player to move.
    fn error(&self) -> Value {
        Value { margin: self.margin.error() as f32, win: self.win.error() as f32 }
    }
}

fn candidate<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    position: &G,
    moves: &[G::Move],
) -> Option<Candidate<G>> {
    let end = play_turn(position, moves).filter(|_| !moves.is_empty())?;
    let value = value_of(evaluator, &end);
    let (moves, stage) = (moves.to_vec(), Stage::Looked);
    Some(Candidate { moves, end, first: value, value, visits: 1, stage })
}
