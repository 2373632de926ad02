//! One turn ahead: the turn whose end the evaluator likes best.

use crate::evaluator::{even_values, list_turns, mover, value_of, value_turns_to};
use crate::seeds::Seeds;
use crate::{Agent, Clock, Evaluator, Limits, Line, Objective, Report, Stop, Turns, Values, math};
use game::Game;

/// How [`Greedy`] chooses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GreedyParams {
    /// What it plays for.
    pub aim: Objective,
    /// Turns at most this far below the best count as equal to it, and chance picks among them.
    pub tie: f32,
    /// Above 0, turns are picked by the softmax of their values at this temperature.
    pub temperature: f32,
}

impl Default for GreedyParams {
    fn default() -> Self {
        Self { aim: Objective::MARGIN, tie: 1e-4, temperature: 0.0 }
    }
}

/// Plays the turn whose end the evaluator likes best.
#[derive(Clone, Debug)]
pub struct Greedy<G: Game, E> {
    /// How it chooses.
    pub params: GreedyParams,
    evaluator: E,
    seeds: Seeds,
    turns: Turns<G>,
    values: Vec<Values>,
}

impl<G: Game, E: Evaluator<G>> Greedy<G, E> {
    /// A player with this evaluation.
    pub fn new(params: GreedyParams, evaluator: E) -> Self {
        let (seeds, turns) = (Seeds::default(), Turns::new());
        Self { params, evaluator, seeds, turns, values: Vec::new() }
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Greedy<G, E> {
    fn new_game(&mut self, _start: &G, seed: u64) {
        self.seeds.new_game(seed);
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let mut clock = Clock::new(limits, stop);
        let mut random = self.seeds.next();
        let Some(player) = mover(position) else {
            return Report::empty(value_of(&mut self.evaluator, position));
        };
        list_turns(&mut self.evaluator, position, &mut self.turns);
        let evaluator = &mut self.evaluator;
        let of_all = value_turns_to(evaluator, player, position, &self.turns, &mut self.values);
        clock.spend(self.turns.len() as u64);
        let utilities: Vec<f32> =
            self.values.iter().map(|v| self.params.aim.utility(v, player)).collect();
        let Some((_, top)) = math::best(&utilities) else {
            return Report::empty(even_values(position.players()));
        };
        let chosen = if self.params.temperature > 0.0 {
            let mut weights = Vec::new();
            math::softmax(&utilities, self.params.temperature, &mut weights);
            let mut left = random.unit() as f32;
            weights.iter().position(|w| {
                left -= w;
                left < 0.0
            })
        } else {
            let tied = |i: &usize| utilities[*i] >= top - self.params.tie;
            let best: Vec<usize> = (0..utilities.len()).filter(tied).collect();
            random.pick(&best).copied()
        };
        let chosen = chosen.unwrap_or(utilities.len() - 1);
        let mut order: Vec<usize> = (0..utilities.len()).collect();
        order.sort_by(|a, b| utilities[*b].total_cmp(&utilities[*a]));
        let line = |i: usize| Line {
            moves: self.turns.moves(i).to_vec(),
            value: self.values[i][player],
            visits: 1,
        };
        Report {
            turn: self.turns.moves(chosen).to_vec(),
            values: match of_all {
                true => self.values[chosen],
                false => value_of(&mut self.evaluator, self.turns.end(chosen)),
            },
            lines: order.into_iter().map(line).collect(),
            nodes: clock.nodes(),
            time: clock.elapsed(),
            depth: 1,
            exact: false,
        }
    }
}
