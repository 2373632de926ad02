//! Which segments form one feature: union-find, with what each feature counts and touches.

use crate::event::FeatureId;
use crate::feature::Record;
use crate::tables::Kind;
use game::Player;

/// All segments on the board and the features they form.
#[derive(Clone)]
pub(crate) struct Features {
    records: [Record; 256],
    /// For a field, the city segments it touches, a bit for each in order of placement.
    touched: [u64; 256],
    parents: [u8; 256],
    /// The segment number of each city segment, in order of placement.
    cities: [u8; 64],
    segment_count: u8,
    city_count: u8,
    /// How many tiles with several cities, and with several roads, have been placed.
    shared_tiles: [u8; 2],
}

impl Features {
    pub(crate) const fn new() -> Self {
        Self {
            records: [Record::EMPTY; 256],
            touched: [0; 256],
            parents: [0; 256],
            cities: [0; 64],
            segment_count: 0,
            city_count: 0,
            shared_tiles: [0; 2],
        }
    }

    /// The number that the next tile's first segment gets.
    pub(crate) const fn next_segment(&self) -> u8 {
        self.segment_count
    }

    /// Adds the segments of a tile, joined with nothing yet.
    #[inline]
    pub(crate) fn add_tile(&mut self, kind: &Kind) {
        let first = self.segment_count as usize;
        for i in 0..kind.segments as usize {
            self.parents[first + i] = (first + i) as u8;
            self.records[first + i] = kind.records[i];
            self.touched[first + i] = (kind.touches[i] as u64) << self.city_count;
        }
        if kind.shared != 0 {
            // All such segments of a kind are of one terrain: cities if it has several.
            let terrain = (kind.cities <= 1) as usize;
            for i in (0..kind.scoring as usize).filter(|i| kind.shared >> i & 1 == 1) {
                let record = &mut self.records[first + i];
                *record = record.on_shared_tile(self.shared_tiles[terrain]);
            }
            self.shared_tiles[terrain] += 1;
        }
        for i in 0..kind.cities {
            self.cities[self.city_count as usize & 63] = self.segment_count + i;
            self.city_count += 1;
        }
        self.segment_count += kind.segments;
    }

    /// The feature a segment belongs to.
    #[inline]
    pub(crate) fn find(&self, segment: u8) -> FeatureId {
        let mut at = segment;
        loop {
            let parent = self.parents[at as usize];
            if parent == at {
                return FeatureId(at);
            }
            at = parent;
        }
    }

    #[inline]
    pub(crate) const fn record(&self, feature: FeatureId) -> Record {
        self.records[feature.0 as usize]
    }

    /// Joins two city or road segments along one edge; gives the ids kept and gone if they were
    /// different features.
    #[inline]
    pub(crate) fn join(&mut self, a: u8, b: u8) -> Option<(FeatureId, FeatureId)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            let record = &mut self.records[a.0 as usize];
            *record = record.closed_on_itself();
            return None;
        }
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        self.records[kept.0 as usize] = self.record(kept).joined(self.record(gone));
        self.parents[gone.0 as usize] = kept.0;
        Some((kept, gone))
    }

    /// Joins two field segments along one half edge or edge.
    #[inline]
    pub(crate) fn join_fields(&mut self, a: u8, b: u8) -> Option<(FeatureId, FeatureId)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return None;
        }
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        self.records[kept.0 as usize] = self.record(kept).with_meeples_of(self.record(gone));
        self.touched[kept.0 as usize] |= self.touched[gone.0 as usize];
        self.parents[gone.0 as usize] = kept.0;
        Some((kept, gone))
    }

    pub(crate) const fn add_meeple(&mut self, feature: FeatureId, player: Player) {
        let record = &mut self.records[feature.0 as usize];
        *record = record.with_meeple(player);
    }

    pub(crate) const fn remove_meeples(&mut self, feature: FeatureId) {
        let record = &mut self.records[feature.0 as usize];
        *record = record.without_meeples();
    }

    /// The cities a field touches, finished or not, each once.
    pub(crate) fn cities_of(&self, field: FeatureId) -> impl Iterator<Item = (FeatureId, Record)> {
        let mut left = self.touched[field.0 as usize];
        let mut seen = [0u64; 4];
        std::iter::from_fn(move || {
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let city = self.find(self.cities[number]);
                let (word, bit) = (city.0 as usize / 64, 1 << (city.0 % 64));
                if seen[word] & bit == 0 {
                    seen[word] |= bit;
                    return Some((city, self.record(city)));
                }
            }
            None
        })
    }

    /// How many finished cities a field touches.
    #[inline]
    pub(crate) fn finished_cities(&self, field: FeatureId) -> u8 {
        self.cities_of(field).filter(|(_, city)| city.open() == 0).count() as u8
    }

    /// How many city segments a field touches, finished or not; one city may count several times.
    pub(crate) const fn touched_city_segments(&self, field: FeatureId) -> u32 {
        self.touched[field.0 as usize].count_ones()
    }
}
