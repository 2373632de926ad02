//! The claimed monasteries and gardens: only they can score, so only they are watched.

use crate::edition::{Array, Edition};
use crate::event::FeatureId;
use crate::geometry::Cell;
use crate::tile::Terrain;

/// A claimed monastery or garden.
#[derive(Clone, Copy)]
pub(crate) struct Monastery {
    pub(crate) cell: Cell,
    pub(crate) feature: FeatureId,
    pub(crate) terrain: Terrain,
    /// How many of its eight neighbours lie.
    pub(crate) neighbours: u8,
}

#[derive(Clone, Copy)]
pub(crate) struct Monasteries<E: Edition> {
    claimed: E::PerMonastery<Monastery>,
    count: u8,
}

impl<E: Edition> Monasteries<E> {
    pub(crate) fn new() -> Self {
        let (cell, feature, terrain) = (Cell::ORIGIN, FeatureId(0), Terrain::Monastery);
        let nothing = Monastery { cell, feature, terrain, neighbours: 0 };
        Self { claimed: Array::filled(nothing), count: 0 }
    }

    pub(crate) fn claim(&mut self, monastery: Monastery) {
        self.claimed[self.count as usize] = monastery;
        self.count += 1;
    }

    #[inline]
    pub(crate) fn tile_placed(&mut self, cell: Cell) {
        for monastery in &mut self.claimed.as_mut()[..self.count as usize] {
            monastery.neighbours += monastery.cell.touches(cell) as u8;
        }
    }

    #[inline]
    pub(crate) fn claimed(&self) -> &[Monastery] {
        &self.claimed.as_ref()[..self.count as usize]
    }

    /// The claimed monastery that is this feature.
    pub(crate) fn get(&self, feature: FeatureId) -> Option<&Monastery> {
        self.claimed().iter().find(|monastery| monastery.feature == feature)
    }

    /// Takes a finished monastery off the list.
    #[inline]
    pub(crate) fn take_finished(&mut self) -> Option<Monastery> {
        let at = self.claimed().iter().position(|monastery| monastery.neighbours == 8)?;
        Some(self.take(at))
    }

    /// Takes the one that is this feature off the list.
    pub(crate) fn take_recalled(&mut self, feature: FeatureId) -> Option<Monastery> {
        let at = self.claimed().iter().position(|monastery| monastery.feature == feature)?;
        Some(self.take(at))
    }

    #[inline]
    fn take(&mut self, at: usize) -> Monastery {
        let taken = self.claimed[at];
        // Keeps the order of claiming, and with it the order of events.
        self.claimed.as_mut().copy_within(at + 1..self.count as usize, at);
        self.count -= 1;
        taken
    }
}
