//! Several agents of one kind thinking about the same position, each on a thread of its own.

use crate::seeds::stream;
use crate::{Agent, Limits, Line, Report, Stop, Values};
use game::{ByPlayer, Game};

/// Lets several tree searches think at once, and adds up what they found (root parallelism).
///
/// The agents must differ in their random choices to be worth more than one. Not deterministic
/// in time; with limits of nodes or depth alone it is, as each agent is.
#[derive(Clone, Debug)]
pub struct Parallel<A> {
    agents: Vec<A>,
}

impl<A> Parallel<A> {
    /// As many threads as agents.
    ///
    /// # Panics
    /// If there is no agent.
    #[must_use]
    pub fn new(agents: Vec<A>) -> Self {
        assert!(!agents.is_empty(), "somebody must think");
        Self { agents }
    }
}

impl<G: Game, A: Agent<G>> Agent<G> for Parallel<A> {
    fn new_game(&mut self, start: &G, seed: u64) {
        if let [agent] = &mut self.agents[..] {
            return agent.new_game(start, seed);
        }
        for (index, agent) in self.agents.iter_mut().enumerate() {
            agent.new_game(start, stream(seed, index as u64).bits());
        }
    }

    fn observe(&mut self, before: &G, played: G::Move) {
        for agent in &mut self.agents {
            agent.observe(before, played);
        }
    }

    fn heeds_depth(&self) -> bool {
        self.agents.iter().all(A::heeds_depth)
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        let limits = limits.divided(self.agents.len());
        if let [agent] = &mut self.agents[..] {
            return agent.search(position, &limits, stop);
        }
        let reports: Vec<_> = std::thread::scope(|scope| {
            let think = |agent| {
                let limits = &limits;
                scope.spawn(move || A::search(agent, position, limits, stop))
            };
            let threads: Vec<_> = self.agents.iter_mut().map(think).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("an agent only panics if the game does"))
                .collect()
        });
        merge(reports)
    }
}

/// One report from several: visits are added, values averaged by visits; the most visited turn
/// is played, for a turn that one of them never tried must not win by one opinion.
fn merge<M: Copy + Eq>(reports: Vec<Report<M>>) -> Report<M> {
    let mut lines: Vec<Line<M>> = Vec::new();
    for line in reports.iter().flat_map(|report| &report.lines) {
        match lines.iter_mut().find(|known| known.moves == line.moves) {
            Some(known) => {
                let total = known.visits + line.visits;
                let share = if total == 0 { 0.5 } else { line.visits as f32 / total as f32 };
                known.value = known.value * (1.0 - share) + line.value * share;
                known.visits = total;
            }
            None => lines.push(line.clone()),
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.visits));
    let nodes = reports.iter().map(|report| report.nodes).sum();
    let time = reports.iter().map(|report| report.time).max().unwrap_or_default();
    let depth = reports.iter().map(|report| report.depth).max().unwrap_or_default();
    let exact = reports.iter().all(|report| report.exact);
    let turn = match lines.first() {
        Some(line) => line.moves.clone(),
        None => reports.first().map(|report| report.turn.clone()).unwrap_or_default(),
    };
    // Those who chose this turn know what it is worth to everybody.
    let agreeing: Vec<&Report<M>> = reports.iter().filter(|r| r.turn == turn).collect();
    let values =
        if agreeing.is_empty() { mean(reports.iter()) } else { mean(agreeing.into_iter()) };
    Report { turn, values, lines, nodes, time, depth, exact }
}

fn mean<'a, M: 'a>(reports: impl ExactSizeIterator<Item = &'a Report<M>>) -> Values {
    let share = 1.0 / reports.len().max(1) as f32;
    let mut sum: Option<Values> = None;
    for report in reports {
        let empty = ByPlayer::new(report.values.len(), Default::default());
        crate::add_weighted(sum.get_or_insert(empty), &report.values, share);
    }
    sum.unwrap_or_else(|| ByPlayer::new(0, Default::default()))
}
