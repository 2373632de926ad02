//! What a search remembers: values of positions, and turns that were good.

use game::Game;
use std::collections::HashMap;

/// What a position is worth to the first player: the utility the search compares, and what it is
/// made of. A score that is only a bound holds a true utility and nothing else of use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    pub(super) utility: f64,
    pub(super) margin: f64,
    pub(super) win: f64,
}

impl Score {
    pub(super) const ZERO: Self = Self { utility: 0.0, margin: 0.0, win: 0.0 };

    pub(super) const fn bound(utility: f64) -> Self {
        Self { utility, margin: utility, win: 0.5 }
    }

    pub(super) fn plus(self, other: Self, weight: f64) -> Self {
        Self {
            utility: self.utility + other.utility * weight,
            margin: self.margin + other.margin * weight,
            win: self.win + other.win * weight,
        }
    }
}

/// Between what a position's score lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreBounds {
    pub(super) low: Score,
    pub(super) high: Score,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    depth: u32,
    between: ScoreBounds,
}

/// Where a turn was good: so many turns below the root, after this outcome of chance.
type Place<M> = (u32, Option<M>);

/// What one search remembers of positions and of good turns.
#[derive(Clone, Debug)]
pub(crate) struct Memory<G: Game> {
    size: usize,
    entries: Vec<Option<Entry>>,
    good: HashMap<Place<G::Move>, Vec<Vec<G::Move>>>,
}

impl<G: Game> Memory<G> {
    /// How many good turns are kept for each place.
    const GOOD: usize = 4;

    pub(crate) fn new(size: usize) -> Self {
        let size = size.next_power_of_two();
        Self { size, entries: Vec::new(), good: HashMap::new() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.good.clear();
    }

    pub(super) fn recall(&self, key: u64, depth: u32) -> Option<ScoreBounds> {
        let entry = self.entries.get(self.slot(key, depth))?.as_ref()?;
        (entry.key == key && entry.depth == depth).then_some(entry.between)
    }

    pub(super) fn remember(&mut self, key: u64, depth: u32, between: ScoreBounds) {
        if self.entries.is_empty() {
            self.entries.resize(self.size, None);
        }
        let slot = self.slot(key, depth);
        self.entries[slot] = Some(Entry { key, depth, between });
    }

    const fn slot(&self, key: u64, depth: u32) -> usize {
        let mixed = (key ^ depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        mixed as usize & (self.size - 1)
    }

    /// The turns that were good at a place, the latest first.
    pub(super) fn good(&self, place: Place<G::Move>) -> &[Vec<G::Move>] {
        self.good.get(&place).map_or(&[], Vec::as_slice)
    }

    /// A turn that was known to be good was so again.
    pub(super) fn promote(&mut self, place: Place<G::Move>, index: usize) {
        if let Some(good) = self.good.get_mut(&place) {
            good[..=index].rotate_right(1);
        }
    }

    /// A turn was the best, or good enough to end the search of a position.
    pub(super) fn praise(&mut self, place: Place<G::Move>, turn: &[G::Move]) {
        let good = self.good.entry(place).or_default();
        match good.iter().position(|known| known == turn) {
            Some(at) => good[..=at].rotate_right(1),
            None if good.len() < Self::GOOD => good.insert(0, turn.to_vec()),
            None => {
                good.rotate_right(1);
                good[0].clear();
                good[0].extend_from_slice(turn);
            }
        }
    }
}
