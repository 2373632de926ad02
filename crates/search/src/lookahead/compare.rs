//! Two turns of one position compared by playing on, with draws that no search has seen.
//!
//! A search picks the turn that looks best, so its own values flatter that turn. Here both turns are
//! played on with the same draws, none of which the search used: the difference may be negative, and
//! its mean is that of the players who play on.

use super::reply_table::ReplyTable;
use super::settle::Settling;
use super::{Candidate, Lookahead, LookaheadParams, Stage, Work, candidates, sort};
use crate::evaluator::{mover, value_of};
use crate::turns::play_turn;
use crate::{Clock, Evaluator, Limits, Moments, Stop, Value, Values, add_weighted};
use game::Game;

/// What one turn is worth more than another.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// What the first turn is worth more than the second, to each player.
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
        let mut work = Work { params: &self.params, evaluators, player, clocks: &mut clocks };
        let mut candidates = candidates(position, &mut work);
        let mut table = ReplyTable::new(&candidates);
        table.fill(&mut candidates, &mut work);
        sort(&mut candidates, &work);
        candidates.first().filter(|_| table.is_full()).map(|best| best.value)
    }

    /// Compares two turns of a position: all draws and the best replies, then `rounds` times played
    /// on. `None` if it was stopped, nobody is to move, or a turn is not legal.
    pub fn compare<G: Game>(
        &mut self,
        position: &G,
        turns: [&[G::Move]; 2],
        rounds: u32,
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
        let mut work = Work { params: &all_replies, evaluators, player, clocks: &mut clocks };
        let mut table = ReplyTable::new(&candidates);
        table.fill(&mut candidates, &mut work);
        if !table.is_full() {
            return None;
        }
        work.params = &params;
        let mut difference = candidates[0].value;
        add_weighted(&mut difference, &candidates[1].value, -1.0);
        // The one that is played first is valued in full, the other along its ranking: they take turns.
        let orders = [[0, 1], [1, 0]]
            .map(|order| Settling::of(&table, order.to_vec(), player, seed, params.turns_on));
        let (mut margin, mut win) = (Moments::default(), Moments::default());
        let mut total = difference.map(|_| Value::default());
        for round in 0..rounds {
            let order = round as usize % 2;
            let [first, second] = orders[order].changes(round, &mut work)?;
            let (mut change, other) = if order == 0 { (first, second) } else { (second, first) };
            add_weighted(&mut change, &other, -1.0);
            add_weighted(&mut total, &change, 1.0);
            margin.add(change[player].margin.into());
            win.add(change[player].win.into());
        }
        if rounds > 0 {
            add_weighted(&mut difference, &total, 1.0 / rounds as f32);
        }
        let error = Value { margin: margin.error() as f32, win: win.error() as f32 };
        Some(Comparison { difference, error })
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
