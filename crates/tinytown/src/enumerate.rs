//! Counts by visiting every state and following every transition: the proof of the identity.

use crate::progress::{Progress, ProgressTicker};
use crate::{Counts, Rank, Setup, Space, TableError, TooLarge};

impl Counts {
    /// The exact counts of a setup by enumeration.
    ///
    /// # Errors
    /// If that would take more than `memory` bytes, or `progress` stops it.
    pub fn enumerated(
        setup: Setup,
        memory: u64,
        progress: &mut Progress,
    ) -> Result<Self, TableError> {
        let counts = Self::of(setup, progress)?;
        let bytes = Self::enumeration_bytes(setup, &counts);
        TooLarge::check("the enumeration", setup, counts, counts.ranks, bytes, memory)?;
        Self::by_enumeration(&Space::listed(setup, progress)?, progress)
    }

    /// The bytes that enumerating a setup with these counts takes.
    #[must_use]
    pub fn enumeration_bytes(setup: Setup, counts: &Self) -> u128 {
        Space::bytes(setup, counts) + counts.ranks.div_ceil(64) * 8
    }

    /// The exact counts by enumeration: one sweep over the states, each of which marks those that
    /// follow it. It takes a bit a state.
    ///
    /// # Errors
    /// If `progress` stops it.
    pub fn by_enumeration(space: &Space, progress: &mut Progress) -> Result<Self, TableError> {
        let mut reached = vec![0u64; space.len().div_ceil(64)];
        reached[0] = 1;
        let ranks = space.len() as u128;
        let mut counts = Self { layouts: 0, states: 0, transitions: 0, terminals: 0, ranks };
        let mut meter = ProgressTicker::new("enumerating", space.len() as u64, 20, progress);
        for layout in 0..space.layouts() as u32 {
            let mut any = false;
            space.fillings_up(layout, |mut at| {
                // An end leads from the building phase to the resource phase of the same grid.
                for building_phase in [true, false] {
                    at.building_phase = building_phase;
                    let rank =
                        space.first_rank(layout) + 2 * at.filling + Rank::from(building_phase);
                    if reached[rank as usize / 64] >> (rank % 64) & 1 == 0 {
                        continue;
                    }
                    any = true;
                    counts.states += 1;
                    let mut actions = 0;
                    space.successors(&at, |_, then, _| {
                        actions += 1;
                        reached[then as usize / 64] |= 1 << (then % 64);
                    });
                    counts.transitions += actions;
                    counts.terminals += u128::from(actions == 0);
                    meter.at(u64::from(rank))?;
                }
                Ok::<(), TableError>(())
            })?;
            counts.layouts += u128::from(any);
        }
        Ok(counts)
    }
}
