//! How many tiles of the bag fit an open cell, or close what lies beside it.

use carcassonne::{ALL_KINDS, BASE_KINDS, Constraint, Edition, Position, Sets};
use search::math::log2_of_one_plus;
use std::sync::LazyLock;

/// Counts of fitting and closing tiles, made when they are first asked for and kept while the bag
/// stays the same.
pub(super) struct Fits<E: Edition> {
    pub(super) bag: E::PerKind<u8>,
    /// For each constraint, how many tiles of the bag fit; [`UNKNOWN`] if not counted yet.
    fitting: [u8; Constraint::COUNT],
    /// For each constraint and set of sides, how many tiles of the bag fit and close those.
    closing: Box<[u8; Constraint::COUNT * 16]>,
}

/// No count.
pub(super) const UNKNOWN: u8 = 255;

/// For each constraint and set of sides, the kinds of the base game that close them.
static CLOSING_KINDS: LazyLock<Vec<u128>> = LazyLock::new(|| closing_kinds(BASE_KINDS));

/// The same of all kinds.
static CLOSING_KINDS_OF_SETS: LazyLock<Vec<u128>> = LazyLock::new(|| closing_kinds(ALL_KINDS));

fn closing_kinds(kinds: usize) -> Vec<u128> {
    (0..Constraint::COUNT * 16)
        .map(|at| Constraint::from_index((at / 16) as u8).closing_kinds((at % 16) as u8, kinds))
        .collect()
}

/// The kinds that go to no cell but the river's mouth, a bit for each.
static RIVER_KINDS: LazyLock<u128> = LazyLock::new(|| {
    let kinds = Position::<carcassonne::AllSets>::kinds();
    let river = kinds.filter(|tile| tile.set().contains(Sets::RIVER));
    river.fold(0, |set, tile| set | 1 << tile.index())
});

/// log₂(1 + n) / 5.
pub(super) static LOGS: LazyLock<[f32; 128]> =
    LazyLock::new(|| std::array::from_fn(|n| log2_of_one_plus(n as u32) / 5.0));

impl<E: Edition> Default for Fits<E> {
    fn default() -> Self {
        Self {
            bag: carcassonne::Array::filled(UNKNOWN),
            fitting: [UNKNOWN; Constraint::COUNT],
            closing: Box::new([UNKNOWN; Constraint::COUNT * 16]),
        }
    }
}

impl<E: Edition> Fits<E> {
    /// Counts for this bag from now on.
    pub(super) fn keep_bag(&mut self, bag: &E::PerKind<u8>) {
        if self.bag.as_ref() != bag.as_ref() {
            self.bag = *bag;
            self.fitting.fill(UNKNOWN);
            self.closing.fill(UNKNOWN);
        }
    }

    fn left_of(&self, kinds: u128) -> u8 {
        let count = |mut kinds: u64, first: usize| {
            let mut left = 0;
            while kinds != 0 {
                left += self.bag[first + kinds.trailing_zeros() as usize];
                kinds &= kinds - 1;
            }
            left
        };
        match E::EXPANDED {
            true => {
                let kinds = kinds & !*RIVER_KINDS;
                count(kinds as u64, 0) + count((kinds >> 64) as u64, 64)
            }
            false => count(kinds as u64 & ((1 << BASE_KINDS) - 1), 0),
        }
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
        let kinds = if E::EXPANDED { &CLOSING_KINDS_OF_SETS } else { &CLOSING_KINDS };
        let count = self.left_of(kinds[at]);
        self.closing[at] = count;
        count
    }
}

/// 2⁻ⁿ, exactly.
pub(super) fn half_to_the(n: u8) -> f32 {
    f32::from_bits((127 - u32::from(n.min(100))) << 23)
}
