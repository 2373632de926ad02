//! A yardstick for other searches: the most promising turns are played on evenly, all with the same draws.
//!
//! A search that plays best asks most about the turns that look best, so its values of the others are worth little, and
//! that of its choice flatters it. Here every turn is played on as often as the others, from its end, and a round
//! counts for all of them or for none. Two such searches with draws of their own measure what each other chooses.

use super::rollout::{Draws, Rankings, Rollout, Start};
use super::{Candidate, LookaheadParams, Stage, Work, candidates, report, sort};
use crate::evaluator::{mover, value_of};
use crate::replies::Replies;
use crate::seeds::{Seeds, stream};
use crate::{Agent, Clock, Evaluator, Limits, Report, Stop, Values, add_weighted};
use game::Game;

/// How [`Rollouts`] measures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RolloutsParams {
    /// So many turns at most, the best at one turn.
    pub width: usize,
    /// How many turns each is played on.
    pub turns: u32,
    /// How often, if the limits allow it.
    pub rounds: u32,
    /// Which draws: others are independent of them.
    pub draws: u64,
}

impl Default for RolloutsParams {
    fn default() -> Self {
        Self { width: 16, turns: 8, rounds: 1_000, draws: 1 }
    }
}

/// Plays the most promising turns on, each as often as the others, by the one-turn player.
#[derive(Clone, Debug)]
pub struct Rollouts<E> {
    params: RolloutsParams,
    evaluator: E,
    seeds: Seeds,
}

impl<E> Rollouts<E> {
    /// A player with this evaluation.
    pub fn new(params: RolloutsParams, evaluator: E) -> Self {
        Self { params, evaluator, seeds: Seeds::default() }
    }

    /// How many turns are played on: a limit of depth counts the first turn too.
    fn turns_within(&self, limits: &Limits) -> u32 {
        limits
            .depth
            .map_or(self.params.turns, |depth| self.params.turns.min(depth.saturating_sub(1)))
    }

    /// One round: what each candidate is worth after it, in their order; `None` if the time is over before all were
    /// played.
    fn round<G: Game>(
        &mut self,
        candidates: &[Candidate<G>],
        turns: u32,
        (draws, round): (Draws, u32),
        (clock, replies): (&mut Clock, &mut Replies<G>),
    ) -> Option<Vec<Values>>
    where
        E: Evaluator<G>,
    {
        let params = LookaheadParams::default();
        let evaluator = &mut self.evaluator;
        let mut player = Rollout { params: &params, evaluator, clock, replies };
        let (mut rankings, count) = (Rankings::new(), candidates.len());
        // The first of a round is valued in full, the others along its ranking: they take turns.
        let first = round as usize % count;
        let (mut values, mut worth) = (Vec::with_capacity(count), Vec::with_capacity(1));
        for candidate in candidates[first..].iter().chain(&candidates[..first]) {
            let from = Start { position: &candidate.end, values: candidate.first, draws: 0 };
            worth.clear();
            player.play_on(from, draws.of_round(round), &[turns], &mut rankings, &mut worth)?;
            values.append(&mut worth);
        }
        values.rotate_right(first);
        Some(values)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Rollouts<E> {
    fn new_game(&mut self, _start: &G, seed: u64) {
        self.seeds.new_game(seed);
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let seed = stream(self.seeds.next().bits(), self.params.draws).bits();
        let Some(player) = mover(position) else {
            return Report::empty(value_of(&mut self.evaluator, position));
        };
        let RolloutsParams { width, rounds, .. } = self.params;
        let turns = self.turns_within(limits);
        let look = LookaheadParams { width, window: f32::INFINITY, ..LookaheadParams::default() };
        let mut clocks = [Clock::new(limits, stop)];
        let evaluators = std::slice::from_mut(&mut self.evaluator);
        let mut work = Work::new(&look, player, evaluators, &mut clocks);
        let mut candidates = candidates(position, &mut work);
        let draws = Draws { seed, spread: true };
        let mut sums: Vec<Option<Values>> = vec![None; candidates.len()];
        let (mut played, mut round, mut replies) = (0, 0, Replies::new());
        while candidates.len() > 1 && turns > 0 && round < rounds && !clocks[0].is_done() {
            let at = (draws, round);
            let tools = (&mut clocks[0], &mut replies);
            let Some(values) = self.round(&candidates, turns, at, tools) else { break };
            for (sum, values) in sums.iter_mut().zip(values) {
                match sum {
                    Some(sum) => add_weighted(sum, &values, 1.0),
                    None => *sum = Some(values),
                }
            }
            (played, round) = (turns, round + 1);
        }
        for (candidate, sum) in candidates.iter_mut().zip(sums) {
            let Some(sum) = sum else { continue };
            candidate.value = sum.map(|value| value * (1.0 / round as f32));
            (candidate.visits, candidate.stage) = (round.into(), Stage::PlayedOn);
        }
        let evaluators = std::slice::from_mut(&mut self.evaluator);
        let work = Work::new(&look, player, evaluators, &mut clocks);
        sort(&mut candidates, &work);
        report(position, candidates, &clocks, 1 + played)
    }
}
