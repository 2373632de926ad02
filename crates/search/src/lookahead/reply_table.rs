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

    /// Looks at one outcome after the other until all are seen or the time is over.
    pub(super) fn fill<E: Evaluator<G>>(
        &mut self,
        candidates: &mut [Candidate<G>],
        work: &mut Work<'_, E>,
    ) {
        while !self.is_full() {
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
        work: &mut Work<'_, E>,
    ) -> Vec<Option<Vec<Option<Reply<G>>>>> {
        let params = work.params;
        if batch.len() == 1 || crate::ONE_THREAD {
            let (evaluator, clock) = (&mut work.evaluators[0], &mut work.clocks[0]);
            return vec![self.column(batch.start, candidates, params, evaluator, clock)];
        }
        let next = AtomicUsize::new(batch.start);
        let mut found: Vec<_> = batch.clone().map(|_| None).collect();
        std::thread::scope(|scope| {
            let workers: Vec<_> = work
                .evaluators
                .iter_mut()
                .zip(work.clocks.iter_mut())
                .map(|(evaluator, clock)| {
                    let (next, end) = (&next, batch.end);
                    scope.spawn(move || {
                        let column = next.fetch_add(1, Ordering::Relaxed);
                        let look = || self.column(column, candidates, params, evaluator, clock);
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
        evaluator: &mut E,
        clock: &mut Clock,
    ) -> Option<Vec<Option<Reply<G>>>> {
        let mut replies = Replies::new();
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

    /// What the candidates are worth: an outcome not yet seen is taken to change nothing.
    fn value(&self, candidates: &mut [Candidate<G>]) {
        for (index, candidate) in candidates.iter_mut().enumerate() {
            if !self.alive[index] {
                continue;
            }
            let mut value = candidate.first;
            let mut visits = 1;
            for (weight, reply) in self.weights[index].iter().zip(&self.replies[index]) {
                if let Some(reply) = reply {
                    add_weighted(&mut value, &reply.values, *weight);
                    add_weighted(&mut value, &candidate.first, -weight);
                    visits += 1;
                }
            }
            candidate.value = value;
            candidate.visits = visits;
        }
    }

    /// Gives up candidates that are far behind, once enough is seen.
    fn give_up<E>(&mut self, candidates: &mut [Candidate<G>], work: &Work<'_, E>) {
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

/// What may come after a turn, with its odds.
fn outcomes<G: Game>(end: &G) -> Vec<(Option<G::Move>, u32)> {
    if end.turn() != Turn::Chance {
        return vec![(None, 1)];
    }
    let mut moves = Vec::new();
    end.moves(&mut moves);
    moves.into_iter().map(|m| (Some(m), end.odds(m))).collect()
}
