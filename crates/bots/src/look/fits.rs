//! How many tiles of the bag fit an open cell, or close what lies beside it.

use carcassonne::{Constraint, KINDS};
use search::math::log2_of_one_plus;
use std::sync::LazyLock;

/// Counts of fitting and closing tiles, made when they are first asked for and kept while the bag
/// stays the same.
pub(super) struct Fits {
    pub(super) bag: [u8; KINDS],
    /// For each constraint, how many tiles of the bag fit; [`UNKNOWN`] if not counted yet.
    fitting: [u8; Constraint::COUNT],
    /// For each constraint and set of sides, how many tiles of the bag fit and close those.
    closing: Box<[u8; Constraint::COUNT * 16]>,
}

/// No count, no place.
pub(super) const UNKNOWN: u8 = 255;

/// For each constraint and set of sides, the kinds that close them.
static CLOSING_KINDS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    (0..Constraint::COUNT * 16)
        .map(|at| Constraint::from_index((at / 16) as u8).closing_kinds((at % 16) as u8))
        .collect()
});

/// log₂(1 + n) / 5.
pub(super) static LOGS: LazyLock<[f32; 128]> =
    LazyLock::new(|| std::array::from_fn(|n| log2_of_one_plus(n as u32) / 5.0));

impl Default for Fits {
    fn default() -> Self {
        Self {
            bag: [UNKNOWN; KINDS],
            fitting: [UNKNOWN; Constraint::COUNT],
            closing: Box::new([UNKNOWN; Constraint::COUNT * 16]),
        }
    }
}

impl Fits {
    /// Counts for this bag from now on.
    pub(super) fn keep_bag(&mut self, bag: &[u8; KINDS]) {
        if self.bag != *bag {
            self.bag = *bag;
            self.fitting.fill(UNKNOWN);
            self.closing.fill(UNKNOWN);
        }
    }

    fn left_of(&self, mut kinds: u32) -> u8 {
        let mut left = 0;
        while kinds != 0 {
            left += self.bag[kinds.trailing_zeros() as usize];
            kinds &= kinds - 1;
        }
        left
    }

    /// How many tiles of the bag fit.
    #[inline]
    pub(super) fn fit(&mut self, constraint: Constraint) -> u8 {
        let known = self.fitting[constraint.index()];
        if known != UNKNOWN {
            return known;
        }
        let count = self.left_of(constraint.fitting_kinds());
        self.fitting[constraint.index()] = count;
        count
    }

    /// How many tiles of the bag fit and close what lies on these sides.
    #[inline]
    pub(super) fn close(&mut self, constraint: Constraint, sides: u8) -> u8 {
        let at = constraint.index() * 16 + sides as usize;
        let known = self.closing[at];
        if known != UNKNOWN {
            return known;
        }
        let count = self.left_of(CLOSING_KINDS[at]);
        self.closing[at] = count;
        count
    }
}

/// 2⁻ⁿ, exactly.
pub(super) fn half_to_the(n: u8) -> f32 {
    f32::from_bits((127 - u32::from(n.min(100))) << 23)
}
