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

/// For each constraint and pair of places, the kinds of the base game that join what lies there.
static JOINING_KINDS: LazyLock<Vec<u128>> = LazyLock::new(|| joining_kinds(BASE_KINDS));

/// The same of all kinds.
static JOINING_KINDS_OF_SETS: LazyLock<Vec<u128>> = LazyLock::new(|| joining_kinds(ALL_KINDS));

/// Pairs of two middles and of two half edges; a middle and a half edge are never joined.
const PAIRS: usize = 6 + 28;

/// The number of each such pair.
const PAIR: [[u8; Constraint::PLACES]; Constraint::PLACES] = {
    let mut table = [[0; Constraint::PLACES]; Constraint::PLACES];
    let (mut one, mut pair) = (0, 0);
    while one < Constraint::PLACES {
        let mut other = one + 1;
        while other < Constraint::PLACES && (other < 4 || one >= 4) {
            table[one][other] = pair;
            table[other][one] = pair;
            pair += 1;
            other += 1;
        }
        one += 1;
    }
    assert!(pair as usize == PAIRS);
    table
};

fn joining_kinds(kinds: usize) -> Vec<u128> {
    let mut table = vec![0; Constraint::COUNT * PAIRS];
    for (index, joining) in table.chunks_mut(PAIRS).enumerate() {
        let constraint = Constraint::from_index(index as u8);
        for (one, pairs) in PAIR.iter().enumerate() {
            let alike = if one < 4 { one + 1..4 } else { one + 1..Constraint::PLACES };
            for other in alike {
                joining[usize::from(pairs[other])] = constraint.joining_kinds(one, other, kinds);
            }
        }
    }
    table
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

    /// How many tiles of the bag fit and join what lies at some places (a bit for each) with what lies at others.
    pub(super) fn join(&self, constraint: Constraint, some: u16, others: u16) -> u8 {
        let kinds = if E::EXPANDED { &JOINING_KINDS_OF_SETS } else { &JOINING_KINDS };
        let kinds = &kinds[constraint.index() * PAIRS..][..PAIRS];
        let mut joining = 0;
        let mut left = some;
        while left != 0 {
            let pairs = &PAIR[left.trailing_zeros() as usize % Constraint::PLACES];
            let mut right = others;
            while right != 0 {
                joining |=
                    kinds[usize::from(pairs[right.trailing_zeros() as usize % Constraint::PLACES])];
                right &= right - 1;
            }
            left &= left - 1;
        }
        self.left_of(joining)
    }
}

/// 2⁻ⁿ, exactly.
pub(super) fn half_to_the(n: u8) -> f32 {
    f32::from_bits((127 - u32::from(n.min(100))) << 23)
}
