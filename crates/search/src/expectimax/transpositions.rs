//! The transposition table: values of positions, and killer turns (those that were good elsewhere).

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

/// What one search keeps of positions and of killer turns.
#[derive(Clone, Debug)]
pub(crate) struct TranspositionTable<G: Game> {
    size: usize,
    entries: Vec<Option<Entry>>,
    killers: HashMap<Place<G::Move>, Vec<Vec<G::Move>>>,
}

impl<G: Game> TranspositionTable<G> {
    /// How many killers are kept for each place.
    const KILLERS: usize = 4;

    pub(crate) fn new(size: usize) -> Self {
        let size = size.next_power_of_two();
        Self { size, entries: Vec::new(), killers: HashMap::new() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.killers.clear();
    }

    pub(super) fn probe(&self, key: u64, depth: u32) -> Option<ScoreBounds> {
        let entry = self.entries.get(self.slot(key, depth))?.as_ref()?;
        (entry.key == key && entry.depth == depth).then_some(entry.between)
    }

    pub(super) fn store(&mut self, key: u64, depth: u32, between: ScoreBounds) {
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
    pub(super) fn killers(&self, place: Place<G::Move>) -> &[Vec<G::Move>] {
        self.killers.get(&place).map_or(&[], Vec::as_slice)
    }

    /// A turn that was known to be good was so again.
    pub(super) fn promote(&mut self, place: Place<G::Move>, index: usize) {
        if let Some(killers) = self.killers.get_mut(&place) {
            killers[..=index].rotate_right(1);
        }
    }

    /// A turn was the best, or good enough to end the search of a position.
    pub(super) fn record_killer(&mut self, place: Place<G::Move>, turn: &[G::Move]) {
        let killers = self.killers.entry(place).or_default();
        match killers.iter().position(|known| known == turn) {
            Some(at) => killers[..=at].rotate_right(1),
            None if killers.len() < Self::KILLERS => killers.insert(0, turn.to_vec()),
            None => {
                killers.rotate_right(1);
                killers[0].clear();
                killers[0].extend_from_slice(turn);
            }
        }
    }
}
