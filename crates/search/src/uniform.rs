//! The player that picks any legal move, each as likely.

use crate::seeds::Seeds;
use crate::{Agent, Clock, Limits, Report, Stop, evaluator::even_values};
use game::{Game, Turn, ignore};

/// Plays any legal move, each as likely as the others at every step of the turn.
#[derive(Clone, Debug, Default)]
pub struct Uniform {
    seeds: Seeds,
}

impl Uniform {
    /// A new one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<G: Game> Agent<G> for Uniform {
    fn new_game(&mut self, _start: &G, seed: u64) {
        self.seeds.new_game(seed);
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let clock = Clock::new(limits, stop);
        let mut random = self.seeds.next();
        let mut report = Report::empty(even_values(position.players()));
        let mut end = position.clone();
        let mut moves = Vec::new();
        while matches!(end.turn(), Turn::Player(_)) && end.turn() == position.turn() {
            end.moves(&mut moves);
            let Some(m) = random.pick(&moves) else { break };
            end.play_unchecked(*m, ignore);
            report.turn.push(*m);
        }
        report.time = clock.elapsed();
        report
    }
}
