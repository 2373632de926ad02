//! Exact endings: the last turns of a game solved to its real end.

use crate::expectimax::{Worker, solve};
use crate::{Agent, Clock, Evaluator, ExpectimaxParams, Limits, Report, Stop};
use game::Game;

/// Solves positions to the end of the game, chance and all players' best play included.
///
/// The evaluator only orders turns, so a cheap one is best; its bounds and keys make the search
/// smaller. Playing for the margin, two players: exact; more players: each for their own margin.
#[derive(Clone, Debug)]
pub struct Solver<G: Game, E> {
    params: ExpectimaxParams,
    workers: Vec<Worker<G, E>>,
}

impl<G: Game, E: Evaluator<G>> Solver<G, E> {
    /// A solver; of the parameters the widths are not used, for it leaves nothing out.
    pub fn new(params: ExpectimaxParams, evaluator: E) -> Self {
        let params = ExpectimaxParams { root_width: 0, width: 0, ..params };
        Self { params, workers: vec![Worker::new(evaluator, params.memory)] }
    }

    /// The same solver on so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self
    where
        E: Clone,
    {
        self.workers = vec![self.workers.swap_remove(0); threads.max(1)];
        self
    }

    /// The exact values and the best turn; `None` if a limit came first, or nobody is to move.
    pub fn solve(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Option<Report<G::Move>> {
        solve(position, &self.params, &mut self.workers, limits, stop)
    }
}

/// When an ending is tried: from the position and the limits, the limits its solver may use.
pub type EndingLimits<G> = fn(&G, &Limits) -> Option<Limits>;

/// A player whose endings are exact: it solves where it can, and plays as another where not.
#[derive(Clone, Debug)]
pub struct WithEndings<G: Game, A, E> {
    inner: A,
    solver: Solver<G, E>,
    attempt: EndingLimits<G>,
}

impl<G: Game, A: Agent<G>, E: Evaluator<G>> WithEndings<G, A, E> {
    /// Plays as `inner` until `attempt` gives the solver limits that suffice it.
    pub const fn new(inner: A, solver: Solver<G, E>, attempt: EndingLimits<G>) -> Self {
        Self { inner, solver, attempt }
    }
}

impl<G: Game, A: Agent<G>, E: Evaluator<G>> Agent<G> for WithEndings<G, A, E> {
    fn new_game(&mut self, start: &G, seed: u64) {
        self.inner.new_game(start, seed);
    }

    fn observe(&mut self, before: &G, played: G::Move) {
        self.inner.observe(before, played);
    }

    fn heeds_depth(&self) -> bool {
        self.inner.heeds_depth()
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let clock = Clock::new(limits, stop);
        let solved = (self.attempt)(position, limits)
            .and_then(|limits| self.solver.solve(position, &limits, stop));
        if let Some(report) = solved {
            return report;
        }
        let left = Limits {
            time: limits.time.map(|time| time.saturating_sub(clock.elapsed())),
            ..*limits
        };
        self.inner.search(position, &left, stop)
    }
}
