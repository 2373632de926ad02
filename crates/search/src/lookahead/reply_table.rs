//! The second turn: for each candidate and each outcome of chance, the next player's best reply.

use super::{Candidate, Stage, Work};
use crate::replies::Replies;
use crate::{Clock, Evaluator, LookaheadParams, Values, add_weighted, value_of};
use game::{Game, Turn, ignore};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The best reply to a candidate after one outcome.
pub(super) struct Reply<G: Game> {
    pub(super) values: Values,
    /// The position after the reply.
    pub(super) end: G,
}

/// An outcome of chance after some candidate's turn; `None` where chance has no say.
#[derive(Clone, Copy)]
pub(super) struct Column<M> {
    pub(super) drawn: Option<M>,
    /// The highest odds any candidate gives it.
    odds: u32,
}

/// Replies by candidate and outcome.
pub(super) struct ReplyTable<G: Game> {
    pub(super) columns: Vec<Column<G::Move>>,
    /// By candidate, then by outcome: the outcome's probability.
    pub(super) weights: Vec<Vec<f32>>,
    /// By candidate, then by outcome; none where the outcome is impossible or was not looked at.
    pub(super) replies: Vec<Vec<Option<Reply<G>>>>,
    /// Outcomes seen for all candidates that are not given up.
    seen: usize,
    pub(super) alive: Vec<bool>,
}

impl<G: Game> ReplyTable<G> {
    pub(super) fn new(candidates: &[Candidate<G>]) -> Self {
        let mut columns: Vec<Column<G::Move>> = Vec::new();
        let outcomes: Vec<Vec<_>> = candidates.iter().map(|c| outcomes(&c.end)).collect();
        for (drawn, odds) in outcomes.iter().flatten() {
            match columns.iter_mut().find(|column| column.drawn == *drawn) {
                Some(column) => column.odds = column.odds.max(*odds),
                None => columns.push(Column { drawn: *drawn, odds: *odds }),
            }
        }
        // The likeliest first: if time runs out, most is known. The sort is stable.
        columns.sort_by_key(|column| std::cmp::Reverse(column.odds));
        let weights = outcomes.iter().map(|outcomes| {
            let total: u32 = outcomes.iter().map(|(_, odds)| odds).sum();
            let weight = |column: &Column<G::Move>| {
                let found = outcomes.iter().find(|(drawn, _)| *drawn == column.drawn);
                found.map_or(0.0, |(_, odds)| *odds as f32 / total as f32)
            };
            columns.iter().map(weight).collect()
        });
        let weights = weights.collect();
        let replies = candidates.iter().map(|_| columns.iter().map(|_| None).collect()).collect();
        Self { columns, weights, replies, seen: 0, alive: vec![true; candidates.len()] }
    }

    pub(super) const fn is_full(&self) -> bool {
        self.seen == self.columns.len()
    }

    /// A candidate's probabilities of the outcomes that were looked at.
    pub(super) fn seen_weights(&self, candidate: usize) -> &[f32] {
        &self.weights[candidate][..self.seen]
    }

    /// Looks at one outcome after the other until all are seen or the time is over.
    pub(super) fn fill<E: Evaluator<G>>(
        &mut self,
        candidates: &mut [Candidate<G>],
        work: &mut Work<'_, G, E>,
    ) {
        self.fill_until(candidates, work, |table, _| table.is_full());
    }

    /// The same for a search that plays on afterwards: where there is little time, that says more than the
    /// replies to what is less likely. Says whether enough was seen.
    pub(super) fn fill_enough<E: Evaluator<G>>(
        &mut self,
        candidates: &mut [Candidate<G>],
        work: &mut Work<'_, G, E>,
    ) -> bool {
        /// The probability of outcomes that must be seen.
        const ENOUGH: f32 = 0.6;
        /// The share of the time after which this is enough.
        const SHARE: f64 = 0.2;
        let is_enough = |table: &Self, work: &Work<'_, G, E>| {
            let late = || work.clocks[0].progress().is_some_and(|progress| progress > SHARE);
            table.is_full() || table.seen_weights(0).iter().sum::<f32>() >= ENOUGH && late()
        };
        self.fill_until(candidates, work, is_enough);
        is_enough(self, work)
    }

    fn fill_until<E: Evaluator<G>>(
        &mut self,
        candidates: &mut [Candidate<G>],
        work: &mut Work<'_, G, E>,
        is_enough: impl Fn(&Self, &Work<'_, G, E>) -> bool,
    ) {
        while !is_enough(self, work) {
            let threads = work.evaluators.len();
            let batch = self.seen..(self.seen + threads).min(self.columns.len());
            let found = self.look(batch.clone(), candidates, work);
            for (column, replies) in batch.zip(found) {
                let Some(replies) = replies else { return };
                for (candidate, reply) in replies.into_iter().enumerate() {
                    self.replies[candidate][column] = reply;
                }
                self.seen += 1;
            }
            self.value(candidates);
            self.give_up(candidates, work);
        }
    }

    /// Looks at some outcomes, each on a thread of its own.
    fn look<E: Evaluator<G>>(
        &self,
        batch: std::ops::Range<usize>,
        candidates: &[Candidate<G>],
        work: &mut Work<'_, G, E>,
    ) -> Vec<Option<Vec<Option<Reply<G>>>>> {
        let params = work.params;
        if batch.len() == 1 || crate::ONE_THREAD {
            let tools = (&mut work.evaluators[0], &mut work.clocks[0], &mut work.replies[0]);
            return vec![self.column(batch.start, candidates, params, tools)];
        }
        let next = AtomicUsize::new(batch.start);
        let mut found: Vec<_> = batch.clone().map(|_| None).collect();
        std::thread::scope(|scope| {
            let workers: Vec<_> = work
                .evaluators
                .iter_mut()
                .zip(work.clocks.iter_mut())
                .zip(&mut work.replies)
                .map(|((evaluator, clock), replies)| {
                    let (next, end) = (&next, batch.end);
                    scope.spawn(move || {
                        let column = next.fetch_add(1, Ordering::Relaxed);
                        let tools = (evaluator, clock, replies);
                        let look = || self.column(column, candidates, params, tools);
                        (column < end).then(look).map(|replies| (column, replies))
                    })
                })
                .collect();
            for worker in workers {
                let result = worker.join().expect("a worker only panics if the game does");
                if let Some((column, replies)) = result {
                    found[column - batch.start] = replies;
                }
            }
        });
        found
    }

    /// The best replies to all candidates after one outcome; `None` if the time is over.
    fn column<E: Evaluator<G>>(
        &self,
        column: usize,
        candidates: &[Candidate<G>],
        params: &LookaheadParams,
        (evaluator, clock, replies): (&mut E, &mut Clock, &mut Replies<G>),
    ) -> Option<Vec<Option<Reply<G>>>> {
        let mut ranking = None;
        let mut found = Vec::with_capacity(candidates.len());
        for (index, candidate) in candidates.iter().enumerate() {
            if !self.alive[index] || self.weights[index][column] == 0.0 {
                found.push(None);
                continue;
            }
            let mut position = candidate.end.clone();
            if let Some(m) = self.columns[column].drawn {
                position.play_unchecked(m, ignore);
            }
            let near = ranking.as_ref().map(|ranking| (ranking, params.reply_width));
            let moved = replies.look(evaluator, &position, params.aim, near);
            let best = moved.and_then(|_| replies.best(evaluator));
            let best = best.map(|(end, values)| Reply { values, end: end.clone() });
            let reply = match best {
                Some(reply) => reply,
                // Chance again, or the end: there is no reply to look for.
                None => Reply { values: value_of(evaluator, &position), end: position },
            };
            found.push(Some(reply));
            if ranking.is_none() && params.reply_width > 0 && moved.is_some() {
                ranking = Some(replies.ranking());
            }
            if clock.spend(replies.turns.len().max(1) as u64) {
                return None;
            }
        }
        Some(found)
    }

    /// What the candidates are worth: an outcome not yet seen is taken to change as much as those that
    /// were, as far as these are believed.
    fn value(&self, candidates: &mut [Candidate<G>]) {
        for (index, candidate) in candidates.iter_mut().enumerate() {
            if !self.alive[index] {
                continue;
            }
            let seen = || {
                let replies = self.weights[index].iter().zip(&self.replies[index]);
                replies.filter_map(|(weight, reply)| Some((weight, reply.as_ref()?)))
            };
            let count = seen().count();
            let factor = if self.is_full() { 1.0 } else { for_all(seen().map(|one| one.0), count) };
            let mut value = candidate.first;
            for (weight, reply) in seen() {
                add_weighted(&mut value, &reply.values, weight * factor);
                add_weighted(&mut value, &candidate.first, -weight * factor);
            }
            candidate.value = value;
            candidate.visits = 1 + count as u64;
        }
    }

    /// Gives up candidates that are far behind, once enough is seen.
    fn give_up<E>(&mut self, candidates: &mut [Candidate<G>], work: &Work<'_, G, E>) {
        let seen: f32 = self.weights[0].iter().take(self.seen).sum();
        if seen < 1.0 / 3.0 {
            return;
        }
        let best = (0..candidates.len())
            .filter(|index| self.alive[*index])
            .map(|index| work.utility(&candidates[index].value))
            .fold(f32::NEG_INFINITY, f32::max);
        for (alive, candidate) in self.alive.iter_mut().zip(candidates) {
            if work.utility(&candidate.value) < best - work.params.give_up {
                *alive = false;
                candidate.stage = Stage::GivenUp;
            }
        }
    }
}

/// The factor from the summed change over the outcomes seen, with these probabilities, to that over all outcomes.
/// The fewer outcomes were seen, the less is believed of the others.
fn for_all<'a>(weights: impl Iterator<Item = &'a f32>, outcomes: usize) -> f32 {
    /// As many outcomes are believed half.
    const HALF_BELIEVED: f32 = 3.0;
    let seen: f32 = weights.sum();
    let outcomes = outcomes as f32;
    let believed = outcomes / (outcomes + HALF_BELIEVED);
    if seen > 0.0 { 1.0 + believed * (1.0 - seen).max(0.0) / seen } else { 1.0 }
}

/// What may come after a turn, with its odds.
fn outcomes<G: Game>(end: &G) -> Vec<(Option<G::Move>, u32)> {
    if end.turn() != Turn::Chance {
        return vec![(None, 1)];
    }
    let mut moves = Vec::new();
    end.moves(&mut moves);
    moves.into_iter().map(|m| (Some(m), end.odds(m))).collect()
}
