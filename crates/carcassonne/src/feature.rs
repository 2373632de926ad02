//! A feature, packed: what is counted of a city, road, field or monastery while it grows.
//!
//! Features are joined by union-find over segment numbers; the packed counts of a root stand for the
//! whole feature. All counts live in one word, so that joining is an addition.

use game::{MAX_PLAYERS, Player, PlayerSet};

/// Open sides, tiles, pennants, shared tiles and meeples of a feature, packed in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedFeature(u64);

const OPEN: u64 = 1;
const TILE: u64 = 1 << 8;
const PENNANT: u64 = 1 << 16;
/// A bit for each tile that has two segments of this terrain: when both end up in one feature,
/// the tile must count once. The base game has 5 such tiles for cities and 8 for roads, all sets
/// together 16 and 19.
const SHARED_AT: u32 = 21;
const SHARED: u64 = 0x7_ffff << SHARED_AT;
const MEEPLES_AT: u32 = 40;
const MEEPLE_BITS: u32 = 4;

impl PackedFeature {
    pub(crate) const EMPTY: Self = Self(0);

    /// A city or road segment of one tile.
    pub(crate) const fn new(open: u8, pennants: u8) -> Self {
        Self(open as u64 * OPEN + TILE + pennants as u64 * PENNANT)
    }

    /// The same, marked as part of the shared tile with this number.
    pub(crate) const fn on_shared_tile(self, number: u8) -> Self {
        Self(self.0 | 1 << (SHARED_AT + number as u32))
    }

    /// Two features joined along one edge.
    pub(crate) const fn joined(self, other: Self) -> Self {
        let shared_twice = (self.0 & other.0 & SHARED).count_ones() as u64;
        let counts = (self.0 & !SHARED) + (other.0 & !SHARED);
        Self((counts | (self.0 | other.0) & SHARED) - 2 * OPEN - shared_twice * TILE)
    }

    /// The feature joined with itself along one edge.
    pub(crate) const fn closed_on_itself(self) -> Self {
        Self(self.0 - 2 * OPEN)
    }

    /// Two fields joined: only their meeples are counted.
    pub(crate) const fn with_meeples_of(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// With a meeple that counts as so many.
    pub(crate) const fn with_meeple(self, player: Player, weight: u64) -> Self {
        Self(self.0 + (weight << (MEEPLES_AT + MEEPLE_BITS * player.index() as u32)))
    }

    pub(crate) const fn without_meeples(self) -> Self {
        Self(self.0 & ((1 << MEEPLES_AT) - 1))
    }

    pub(crate) const fn open(self) -> u8 {
        self.0 as u8
    }

    pub(crate) const fn tiles(self) -> u8 {
        (self.0 >> 8) as u8
    }

    pub(crate) const fn pennants(self) -> u8 {
        (self.0 >> 16) as u8 & 31
    }

    /// Whether any meeple stands here; builders and pigs do not count.
    pub(crate) const fn claimed(self) -> bool {
        self.0 >> MEEPLES_AT != 0
    }

    pub(crate) const fn meeples(self, player: Player) -> u8 {
        (self.0 >> (MEEPLES_AT + MEEPLE_BITS * player.index() as u32)) as u8 & 15
    }

    /// The players with the most meeples here, a big one counting twice: they all score in full. Nobody if there are none.
    pub(crate) const fn owners(self) -> PlayerSet {
        let mut lanes = self.0 >> MEEPLES_AT;
        let (mut most, mut owners, mut seat) = (1, 0, 0);
        while lanes != 0 && seat < MAX_PLAYERS {
            let count = lanes & 15;
            if count > most {
                most = count;
                owners = 0;
            }
            owners |= ((count == most) as u8) << seat;
            lanes >>= MEEPLE_BITS;
            seat += 1;
        }
        PlayerSet::from_bits(owners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_owns_and_a_tie_is_shared() {
        let [a, b, c] = [0, 1, 5].map(Player::new);
        let none = PackedFeature::new(2, 0);
        assert!(none.owners().is_empty() && !none.claimed());
        let tied = none.with_meeple(a, 1).with_meeple(c, 1);
        assert_eq!(tied.owners(), [a, c].into_iter().collect());
        assert_eq!(tied.with_meeple(b, 1).with_meeple(b, 1).owners(), [b].into_iter().collect());
        assert_eq!(tied.without_meeples(), none);
        assert_eq!(tied.meeples(c), 1);
    }

    #[test]
    fn a_tile_shared_by_both_halves_counts_once() {
        let half = PackedFeature::new(1, 0).on_shared_tile(3);
        let middle = PackedFeature::new(2, 1);
        let joined = half.joined(middle).joined(half);
        assert_eq!((joined.tiles(), joined.open(), joined.pennants()), (2, 0, 1));
        let apart = PackedFeature::new(1, 0).on_shared_tile(4);
        assert_eq!(half.joined(middle).joined(apart).tiles(), 3);
    }
}
