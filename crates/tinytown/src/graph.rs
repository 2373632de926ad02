//! The state-transition graph, in compressed rows.

use crate::progress::{Progress, ProgressTicker};
use crate::{Action, Counts, Rank, Setup, Solution, Space, TableError, Tinytown, TooLarge};
use std::ops::Range;

/// The state-transition graph of a setup.
///
/// Ids number the states in the order of a breadth-first search from the start (id 0) that takes
/// actions in the order of their compact numbers: they are the same on every machine.
pub struct Graph {
    space: Space,
    /// Both ways between ids and ranks.
    ranks: Vec<Rank>,
    ids: Vec<u32>,
    /// Where each state's edges start; one more at the end.
    starts: Vec<u32>,
    targets: Vec<u32>,
    actions: Vec<u8>,
    rewards: Vec<i8>,
}

/// One transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The id of the state before.
    pub source: u32,
    /// The id of the state after.
    pub target: u32,
    /// The action's compact number.
    pub action: u8,
    /// The reward.
    pub reward: i8,
}

/// The id of a rank that was not reached (yet).
const UNSEEN: u32 = u32::MAX;

impl Graph {
    /// Enumerates the graph of a setup.
    ///
    /// # Errors
    /// If it would take more than `memory` bytes: then the error has the exact count and size. Or
    /// if `progress` stops it.
    pub fn new(setup: Setup, memory: u64, progress: &mut Progress) -> Result<Self, TableError> {
        let counts = Counts::of(setup, progress)?;
        Self::with_counts(setup, &counts, memory, progress)
    }

    /// As [`new`](Self::new), for a caller that has counted already.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_counts(
        setup: Setup,
        counts: &Counts,
        memory: u64,
        progress: &mut Progress,
    ) -> Result<Self, TableError> {
        let bytes = Self::bytes(setup, counts);
        TooLarge::check("the graph", setup, *counts, Self::numbered(counts), bytes, memory)?;
        Self::enumerate(setup, counts, progress)
    }

    /// The graph and the solution of a setup with these counts, both held at the same time.
    ///
    /// # Errors
    /// If the two together would take more than `memory` bytes: then before anything is
    /// enumerated. Or if `progress` stops it.
    pub fn with_solution(
        setup: Setup,
        counts: &Counts,
        memory: u64,
        progress: &mut Progress,
    ) -> Result<(Self, Solution), TableError> {
        let (what, bytes) = ("the graph with its values", Self::bytes_with_solution(setup, counts));
        TooLarge::check(what, setup, *counts, Self::numbered(counts), bytes, memory)?;
        let graph = Self::enumerate(setup, counts, progress)?;
        let solution = Solution::with_counts(setup, counts, memory, progress)?;
        Ok((graph, solution))
    }

    fn enumerate(
        setup: Setup,
        counts: &Counts,
        progress: &mut Progress,
    ) -> Result<Self, TableError> {
        let space = Space::listed(setup, progress)?;
        let (states, edges) = (counts.states as usize, counts.transitions as usize);
        let mut ids = vec![UNSEEN; space.len()];
        let mut ranks = Vec::with_capacity(states);
        let mut starts = Vec::with_capacity(states + 1);
        let mut targets = Vec::with_capacity(edges);
        let mut actions = Vec::with_capacity(edges);
        let mut rewards = Vec::with_capacity(edges);
        ids[0] = 0;
        ranks.push(0);
        let mut meter = ProgressTicker::new("enumerating", counts.states as u64, 18, progress);
        let mut id = 0;
        while id < ranks.len() {
            meter.at(id as u64)?;
            starts.push(targets.len() as u32);
            space.successors(&space.parts(ranks[id]), |action, then, reward| {
                let target = &mut ids[then as usize];
                if *target == UNSEEN {
                    *target = ranks.len() as u32;
                    ranks.push(then);
                }
                targets.push(*target);
                actions.push(action);
                rewards.push(reward as i8);
            });
            id += 1;
        }
        starts.push(targets.len() as u32);
        Ok(Self { space, ranks, ids, starts, targets, actions, rewards })
    }

    /// The bytes that the graph of a setup with these counts takes.
    #[must_use]
    pub fn bytes(setup: Setup, counts: &Counts) -> u128 {
        let (ids, ranks, starts) = (counts.ranks * 4, counts.states * 4, (counts.states + 1) * 4);
        Space::bytes(setup, counts) + ids + ranks + starts + counts.transitions * 6
    }

    /// The bytes that the graph and the solution of a setup with these counts take together.
    #[must_use]
    pub fn bytes_with_solution(setup: Setup, counts: &Counts) -> u128 {
        Self::bytes(setup, counts) + Solution::bytes(setup, counts)
    }

    /// The most that an id, a rank or an offset of an edge has to number.
    fn numbered(counts: &Counts) -> u128 {
        counts.transitions.max(counts.ranks)
    }

    /// The setup.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.space.setup()
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        self.ranks.len()
    }

    /// How many transitions there are.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// How many states have no action.
    #[must_use]
    pub fn terminals(&self) -> usize {
        self.starts.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }

    /// The state with this id.
    ///
    /// # Panics
    /// If there is none, as all methods here that take an id.
    #[must_use]
    pub fn state(&self, id: u32) -> Tinytown {
        self.space.state(self.ranks[id as usize])
    }

    /// The state's id; `None` if it is one of another setup.
    #[must_use]
    pub fn id(&self, town: &Tinytown) -> Option<u32> {
        if town.setup() != self.setup() {
            return None;
        }
        Some(self.ids[self.space.rank(town) as usize]).filter(|id| *id != UNSEEN)
    }

    /// The transitions from a state, in the order of the actions' numbers.
    pub fn edges_of(&self, id: u32) -> impl ExactSizeIterator<Item = Edge> {
        self.row(id).map(move |edge| Edge {
            source: id,
            target: self.targets[edge],
            action: self.actions[edge],
            reward: self.rewards[edge],
        })
    }

    /// All transitions, by source, then by action.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        (0..self.states() as u32).flat_map(|id| self.edges_of(id))
    }

    /// Whether the game is over in a state.
    #[must_use]
    pub fn is_terminal(&self, id: u32) -> bool {
        self.row(id).is_empty()
    }

    /// The action with this compact number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn action(&self, number: u8) -> Action {
        Action::from_number(self.setup().size, number.into()).expect("an action of this grid")
    }

    /// Compressed rows: where each state's edges start, and one more.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Compressed rows: the state after each edge.
    #[must_use]
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Compressed rows: the compact number of each edge's action.
    #[must_use]
    pub fn actions(&self) -> &[u8] {
        &self.actions
    }

    /// Compressed rows: the reward of each edge.
    #[must_use]
    pub fn rewards(&self) -> &[i8] {
        &self.rewards
    }

    /// What a solution of the same setup says of a state: V*, the uniform policy's value, the
    /// fewest and the most actions to an end.
    ///
    /// # Panics
    /// If the solution is one of another setup.
    #[must_use]
    pub fn solved(&self, solution: &Solution, id: u32) -> (i8, f64, u8, u8) {
        assert_eq!(solution.space().setup(), self.setup(), "values of another setup");
        solution.of_rank(self.rank(id))
    }

    pub(crate) fn rank(&self, id: u32) -> Rank {
        self.ranks[id as usize]
    }

    fn row(&self, id: u32) -> Range<usize> {
        self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::without_progress;

    #[test]
    fn a_graph_is_as_large_as_was_estimated() {
        for setup in ["1x1", "2x3", "2x3 older", "2x4 older"] {
            let setup: Setup = setup.parse().unwrap();
            let counts = Counts::of(setup, &mut without_progress).unwrap();
            let graph =
                Graph::with_counts(setup, &counts, u64::MAX, &mut without_progress).unwrap();
            let wide = [&graph.ranks, &graph.ids, &graph.starts, &graph.targets];
            let wide: usize = wide.iter().map(|table| 4 * table.capacity()).sum();
            let held = wide + graph.actions.capacity() + graph.rewards.capacity();
            let bytes = Graph::bytes(setup, &counts) - Space::bytes(setup, &counts);
            assert_eq!(held as u128, bytes, "{setup}");
        }
    }

    #[test]
    fn graph_and_solution_are_allowed_only_together() {
        let setup: Setup = "2x4".parse().unwrap();
        let counts = Counts::of(setup, &mut without_progress).unwrap();
        let total = Graph::bytes_with_solution(setup, &counts) as u64;
        let mut told = Vec::new();
        let refused = Graph::with_solution(setup, &counts, total - 1, &mut |doing, _, _| {
            told.push(doing);
            std::ops::ControlFlow::Continue(())
        });
        let message = refused.err().map(|unfit| unfit.to_string()).unwrap_or_default();
        let figure = format!("({} bytes)", crate::with_thousands_separators(total.into()));
        assert!(message.contains("the graph with its values") && message.contains(&figure));
        assert!(told.is_empty(), "refused before any work: {told:?}");
        assert!(Graph::with_solution(setup, &counts, total, &mut without_progress).is_ok());
    }
}
