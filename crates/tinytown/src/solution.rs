//! The exact solution of a grid that can be enumerated: one sweep backwards over all states.

use crate::progress::{Progress, ProgressTicker};
use crate::{Action, Counts, Rank, Setup, Space, TableError, Tinytown, TooLarge};

/// For every state: V*, the value of the policy that picks any legal action with equal chance, and
/// the shortest and longest way to an end.
pub struct Solution {
    space: Space,
    values: Vec<i8>,
    uniform: Vec<f64>,
    shortest: Vec<u8>,
    longest: Vec<u8>,
}

impl Solution {
    /// Solves a setup.
    ///
    /// # Errors
    /// If it would take more than `memory` bytes, or `progress` stops it.
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
        TooLarge::check("the solution", setup, *counts, counts.ranks, bytes, memory)?;
        let space = Space::listed(setup, progress)?;
        let len = space.len();
        let mut solution = Self {
            space,
            values: vec![0; len],
            uniform: vec![0.0; len],
            shortest: vec![0; len],
            longest: vec![0; len],
        };
        solution.sweep(progress)?;
        Ok(solution)
    }

    /// The bytes that the solution of a setup with these counts takes.
    #[must_use]
    pub fn bytes(setup: Setup, counts: &Counts) -> u128 {
        Space::bytes(setup, counts) + counts.ranks * 11
    }

    /// All states, by rank.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// V*: the reward that perfect play still earns; 0 when the game is over.
    ///
    /// # Panics
    /// If the state is one of another setup, as all methods here.
    #[must_use]
    pub fn value(&self, town: &Tinytown) -> i32 {
        i32::from(self.values[self.space.rank(town) as usize])
    }

    /// Q*: every legal action with the reward that perfect play earns from it on.
    #[must_use]
    pub fn action_values(&self, town: &Tinytown) -> Vec<(Action, i32)> {
        let mut values = Vec::new();
        let size = self.space.setup().size;
        let at = self.space.parts(self.space.rank(town));
        self.space.successors(&at, |number, then, reward| {
            let action = Action::from_number(size, number.into());
            let action = action.expect("successors are numbered by the compact numbering");
            values.push((action, reward + i32::from(self.values[then as usize])));
        });
        values
    }

    /// All actions that perfect play may take; none when the game is over.
    #[must_use]
    pub fn optimal_actions(&self, town: &Tinytown) -> Vec<Action> {
        let value = self.value(town);
        let mut actions = self.action_values(town);
        actions.retain(|(_, q)| *q == value);
        actions.into_iter().map(|(action, _)| action).collect()
    }

    /// The value of the policy that picks any legal action with equal chance.
    #[must_use]
    pub fn uniform_value(&self, town: &Tinytown) -> f64 {
        self.uniform[self.space.rank(town) as usize]
    }

    /// The fewest and the most actions to an end.
    #[must_use]
    pub fn lengths(&self, town: &Tinytown) -> (usize, usize) {
        let rank = self.space.rank(town) as usize;
        (self.shortest[rank].into(), self.longest[rank].into())
    }

    pub(crate) fn of_rank(&self, rank: Rank) -> (i8, f64, u8, u8) {
        let rank = rank as usize;
        (self.values[rank], self.uniform[rank], self.shortest[rank], self.longest[rank])
    }

    fn sweep(&mut self, progress: &mut Progress) -> Result<(), TableError> {
        let Self { space, values, uniform, shortest, longest } = self;
        let mut meter = ProgressTicker::new("solving", space.len() as u64, 20, progress);
        for layout in (0..space.layouts() as u32).rev() {
            space.fillings_down(layout, |mut at| {
                // The resource phase first: an end leads to it from the building phase.
                for building_phase in [false, true] {
                    at.building_phase = building_phase;
                    let rank =
                        space.first_rank(layout) + 2 * at.filling + Rank::from(building_phase);
                    let (mut value, mut sum, mut actions) = (i8::MIN, 0.0, 0u32);
                    let (mut fewest, mut most) = (u8::MAX, 0);
                    space.successors(&at, |_, then, reward| {
                        let then = then as usize;
                        value = value.max(values[then] + reward as i8);
                        sum += uniform[then] + f64::from(reward);
                        fewest = fewest.min(shortest[then]);
                        most = most.max(longest[then]);
                        actions += 1;
                    });
                    if actions > 0 {
                        let rank = rank as usize;
                        values[rank] = value;
                        uniform[rank] = sum / f64::from(actions);
                        shortest[rank] = fewest + 1;
                        longest[rank] = most + 1;
                    }
                    meter.at(space.len() as u64 - u64::from(rank))?;
                }
                Ok::<(), TableError>(())
            })?;
        }
        Ok(())
    }
}
