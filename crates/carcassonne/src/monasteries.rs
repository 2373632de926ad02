//! The claimed monasteries: only they can score, so only they are watched.

use crate::event::FeatureId;
use crate::geometry::Cell;

/// The game has six monasteries.
const MOST: usize = 6;

/// A claimed monastery.
#[derive(Clone, Copy)]
pub(crate) struct Monastery {
    pub(crate) cell: Cell,
    pub(crate) feature: FeatureId,
    /// How many of its eight neighbours lie.
    pub(crate) neighbours: u8,
}

#[derive(Clone)]
pub(crate) struct Monasteries {
    claimed: [Monastery; MOST],
    count: u8,
}

impl Monasteries {
    pub(crate) const fn new() -> Self {
        let nothing = Monastery { cell: Cell::ORIGIN, feature: FeatureId(0), neighbours: 0 };
        Self { claimed: [nothing; MOST], count: 0 }
    }

    pub(crate) fn claim(&mut self, cell: Cell, feature: FeatureId, neighbours: u8) {
        self.claimed[self.count as usize] = Monastery { cell, feature, neighbours };
        self.count += 1;
    }

    #[inline]
    pub(crate) fn tile_placed(&mut self, cell: Cell) {
        for monastery in &mut self.claimed[..self.count as usize] {
            monastery.neighbours += monastery.cell.touches(cell) as u8;
        }
    }

    #[inline]
    pub(crate) fn claimed(&self) -> &[Monastery] {
        &self.claimed[..self.count as usize]
    }

    /// The claimed monastery that is this feature.
    pub(crate) fn get(&self, feature: FeatureId) -> Option<&Monastery> {
        self.claimed().iter().find(|monastery| monastery.feature == feature)
    }

    /// Takes a finished monastery off the list.
    #[inline]
    pub(crate) fn take_finished(&mut self) -> Option<Monastery> {
        let at = self.claimed().iter().position(|monastery| monastery.neighbours == 8)?;
        let finished = self.claimed[at];
        // Keeps the order of claiming, and with it the order of events.
        self.claimed.copy_within(at + 1..self.count as usize, at);
        self.count -= 1;
        Some(finished)
    }
}
