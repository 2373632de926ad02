//! Which way a walk down the tree goes, and which turn is played in the end.

use super::tree::{Branch, Decision, Edge, Growth, Tree};
use super::{ChanceSampling, FinalMove, PuctParams};
use crate::evaluator::even_values;
use crate::{Clock, Evaluator, Line, Report};
use game::Game;

impl<G: Game, E: Evaluator<G>> Growth<'_, G, E> {
    /// The turn to try next.
    pub(super) fn select(&self, decision: &Decision<G::Move>, root: bool) -> usize {
        if root
            && self.params.halving > 1
            && let Some(progress) = self.clock.progress()
        {
            return self.halve(decision, progress);
        }
        let Some(player) = decision.player else { return 0 };
        let params = &self.params;
        let pull = params.exploration * (decision.visits as f32).sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        for (index, edge) in considered(decision, params).iter().enumerate() {
            let score = params.aim.utility(&edge.value, player)
                + pull * edge.prior / (1.0 + edge.visits as f32);
            if score > best.1 {
                best = (index, score);
            }
        }
        best.0
    }

    /// The least visited of the turns that are still in the race.
    fn halve(&self, decision: &Decision<G::Move>, progress: f64) -> usize {
        let Some(player) = decision.player else { return 0 };
        let starters = self.params.halving.min(decision.edges.len());
        let phases = usize::BITS - starters.saturating_sub(1).leading_zeros();
        let phase = ((progress * f64::from(phases)) as u32).min(phases.saturating_sub(1));
        let left = (starters >> phase).max(2);
        let utility =
            |index: &usize| self.params.aim.utility(&decision.edges[*index].value, player);
        let mut race: Vec<usize> = (0..starters).collect();
        race.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
        race.truncate(left);
        let fewest = race.into_iter().min_by_key(|index| decision.edges[*index].visits);
        fewest.unwrap_or(0)
    }

    /// The outcome to try next.
    pub(super) fn draw(&mut self, branches: &[Branch<G::Move>]) -> usize {
        match self.params.draws {
            ChanceSampling::Sampled => {
                let mut point = self.random.unit() as f32;
                let found = branches.iter().position(|branch| {
                    point -= branch.weight;
                    point < 0.0
                });
                found.unwrap_or(branches.len() - 1)
            }
            ChanceSampling::Even => {
                let tried: u32 = branches.iter().map(|branch| branch.visits).sum();
                let next = tried as f32 + 1.0;
                let mut best = (0, f32::NEG_INFINITY);
                for (index, branch) in branches.iter().enumerate() {
                    let jitter = self.jitters[index % self.jitters.len()];
                    let behind = branch.weight * next - branch.visits as f32 + jitter;
                    if behind > best.1 {
                        best = (index, behind);
                    }
                }
                best.0
            }
        }
    }
}

/// The turns that may be tried at a decision: more and more of them as it is visited.
fn considered<'a, M>(decision: &'a Decision<M>, params: &PuctParams) -> &'a [Edge<M>] {
    if params.first_width == 0 {
        return &decision.edges;
    }
    let more = params.widening * (decision.visits as f32).sqrt();
    let width = params.first_width + more as usize;
    &decision.edges[..width.min(decision.edges.len())]
}

impl<G: Game> Tree<G> {
    /// The root's turns, the one to play first.
    fn ranked(&self, params: &PuctParams) -> Vec<usize> {
        let root = &self.decisions[0];
        let Some(player) = root.player else { return Vec::new() };
        let most = root.edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let least = match params.choice {
            FinalMove::Visits => most as f32,
            FinalMove::Value(share) => most as f32 * share,
        };
        let mut order: Vec<usize> = (0..root.edges.len()).collect();
        let key = |index: &usize| {
            let edge = &root.edges[*index];
            let utility = params.aim.utility(&edge.value, player);
            (edge.visits as f32 >= least, utility)
        };
        order.sort_by(|a, b| {
            let ((enough_a, value_a), (enough_b, value_b)) = (key(a), key(b));
            enough_b
                .cmp(&enough_a)
                .then_with(|| match params.choice {
                    FinalMove::Visits => root.edges[*b].visits.cmp(&root.edges[*a].visits),
                    FinalMove::Value(_) => std::cmp::Ordering::Equal,
                })
                .then_with(|| value_b.total_cmp(&value_a))
        });
        order
    }

    pub(super) fn report(
        &self,
        position: &G,
        params: &PuctParams,
        clock: &Clock,
    ) -> Report<G::Move> {
        let root = &self.decisions[0];
        let order = self.ranked(params);
        let line = |index: &usize| {
            let edge = &root.edges[*index];
            let value = root.player.map(|p| edge.value[p]).unwrap_or_default();
            Line { moves: edge.moves.to_vec(), value, visits: u64::from(edge.visits) }
        };
        let lines: Vec<_> = order.iter().map(line).collect();
        Report {
            turn: lines.first().map(|line| line.moves.clone()).unwrap_or_default(),
            values: order
                .first()
                .map_or_else(|| even_values(position.players()), |best| root.edges[*best].value),
            lines,
            nodes: clock.nodes(),
            time: clock.elapsed(),
            depth: self.depth(),
            exact: false,
        }
    }

    /// Turns in the line that was followed most.
    fn depth(&self) -> u32 {
        let mut at = 0;
        let mut depth = 1;
        loop {
            let edges = &self.decisions[at].edges;
            let Some(edge) = edges.iter().max_by_key(|edge| edge.visits) else { return depth };
            let Some(branch) = edge.branches.iter().max_by_key(|branch| branch.visits) else {
                return depth;
            };
            let Some(child) = branch.child else { return depth };
            at = child as usize;
            depth += 1;
        }
    }
}
