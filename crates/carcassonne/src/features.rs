//! Which segments form one feature: union-find, with what each feature counts and touches.

use crate::edition::{Array, Edition, Number, Word};
use crate::event::FeatureId;
use crate::feature::PackedFeature;
use crate::marks::Marks;
use crate::tables::KindTable;
use game::{Player, PlayerSet};

/// All segments on the board and the features they form.
#[derive(Clone, Copy)]
pub(crate) struct Features<E: Edition> {
    records: E::PerSegment<PackedFeature>,
    /// For a field, the city segments it touches, a bit for each in order of placement, and
    /// above them the pigs; for a city or road what the sets mark of it.
    words: E::PerSegment<E::Word>,
    parents: E::PerSegment<E::Number>,
    /// The segment number of each city segment, in order of placement.
    cities: E::PerCity<E::Number>,
    segment_count: u16,
    city_count: u8,
    /// How many tiles with several cities, and with several roads, have been placed.
    shared_tiles: [u8; 2],
}

/// Where a field's word has a bit for each player's pig. All sets have 102 city segments.
const PIGS_AT: u32 = 120;

impl<E: Edition> Features<E> {
    pub(crate) fn new() -> Self {
        Self {
            records: Array::filled(PackedFeature::EMPTY),
            words: Array::filled(E::Word::from(0)),
            parents: Array::filled(E::Number::of(0)),
            cities: Array::filled(E::Number::of(0)),
            segment_count: 0,
            city_count: 0,
            shared_tiles: [0; 2],
        }
    }

    /// The number that the next tile's first segment gets.
    pub(crate) const fn next_segment(&self) -> u16 {
        self.segment_count
    }

    /// Adds the segments of a tile, joined with nothing yet.
    #[inline]
    pub(crate) fn add_tile(&mut self, kind: &KindTable) {
        let first = self.segment_count;
        for i in 0..kind.segments {
            let (number, place) = (first + u16::from(i), i as usize & 7);
            self.parents[E::at(number)] = E::Number::of(number);
            self.records[E::at(number)] = kind.records[place];
            let touches = E::Word::from(kind.touches[place].into()) << self.city_count.into();
            self.words[E::at(number)] = match E::EXPANDED && i < kind.scoring {
                true => E::Word::from(kind.marks[place].0),
                false => touches,
            };
        }
        if kind.shared != 0 {
            let mut shares = [false; 2];
            for i in (0..kind.scoring).filter(|i| kind.shared >> i & 1 == 1) {
                let terrain = usize::from(i >= kind.cities);
                let record = &mut self.records[E::at(first + u16::from(i))];
                *record = record.on_shared_tile(self.shared_tiles[terrain]);
                shares[terrain] = true;
            }
            for (count, shared) in self.shared_tiles.iter_mut().zip(shares) {
                *count += u8::from(shared);
            }
        }
        for i in 0..kind.cities {
            let city = E::Number::of(first + u16::from(i));
            let cities = self.cities.as_mut();
            let most = cities.len() - 1;
            cities[self.city_count as usize & most] = city;
            self.city_count += 1;
        }
        self.segment_count += u16::from(kind.segments);
    }

    /// The feature a segment belongs to.
    #[inline]
    pub(crate) fn find(&self, segment: u16) -> FeatureId {
        let mut at = E::Number::of(segment).into();
        loop {
            let parent = self.parents[E::at(at)].into();
            if parent == at {
                return FeatureId(at);
            }
            at = parent;
        }
    }

    #[inline]
    pub(crate) fn record(&self, feature: FeatureId) -> PackedFeature {
        self.records[E::at(feature.0)]
    }

    /// What the sets mark of a city or road.
    #[inline]
    pub(crate) fn marks(&self, feature: FeatureId) -> Marks {
        Marks(if E::EXPANDED { self.words[E::at(feature.0)].low() } else { 0 })
    }

    pub(crate) fn set_marks(&mut self, feature: FeatureId, marks: Marks) {
        self.words[E::at(feature.0)] = E::Word::from(marks.0);
    }

    /// Whose pigs stand on a field.
    #[inline]
    pub(crate) fn pigs(&self, field: FeatureId) -> PlayerSet {
        let bits = if E::EXPANDED { (self.words[E::at(field.0)] >> PIGS_AT).low() } else { 0 };
        PlayerSet::from_bits(bits as u8)
    }

    pub(crate) fn add_pig(&mut self, field: FeatureId, player: Player) {
        let word = &mut self.words[E::at(field.0)];
        *word = *word | E::Word::from(1) << (PIGS_AT + player.index() as u32);
    }

    /// Joins two city or road segments along one edge; gives the ids kept and gone if they were
    /// different features.
    #[inline]
    pub(crate) fn join(&mut self, a: u16, b: u16) -> Option<(FeatureId, FeatureId)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            let record = &mut self.records[E::at(a.0)];
            *record = record.closed_on_itself();
            return None;
        }
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        self.records[E::at(kept.0)] = self.record(kept).joined(self.record(gone));
        if E::EXPANDED {
            self.set_marks(kept, self.marks(kept).joined(self.marks(gone)));
        }
        self.parents[E::at(gone.0)] = E::Number::of(kept.0);
        Some((kept, gone))
    }

    /// Joins two field segments along one half edge or edge.
    #[inline]
    pub(crate) fn join_fields(&mut self, a: u16, b: u16) -> Option<(FeatureId, FeatureId)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return None;
        }
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        self.records[E::at(kept.0)] = self.record(kept).with_meeples_of(self.record(gone));
        self.words[E::at(kept.0)] = self.words[E::at(kept.0)] | self.words[E::at(gone.0)];
        self.parents[E::at(gone.0)] = E::Number::of(kept.0);
        Some((kept, gone))
    }

    pub(crate) fn add_meeple(&mut self, feature: FeatureId, player: Player, weight: u64) {
        let record = &mut self.records[E::at(feature.0)];
        *record = record.with_meeple(player, weight);
    }

    pub(crate) fn remove_meeples(&mut self, feature: FeatureId) {
        let record = &mut self.records[E::at(feature.0)];
        *record = record.without_meeples();
    }

    /// The city segments a field touches, a bit for each.
    #[inline]
    fn touched(&self, field: FeatureId) -> E::Word {
        let word = self.words[E::at(field.0)];
        match E::EXPANDED {
            true => word & ((E::Word::from(1) << PIGS_AT) - E::Word::from(1)),
            false => word,
        }
    }

    /// The cities a field touches, finished or not, each once.
    pub(crate) fn cities_of(
        &self,
        field: FeatureId,
    ) -> impl Iterator<Item = (FeatureId, PackedFeature)> {
        let nothing = E::Word::from(0);
        let mut left = self.touched(field);
        let mut seen = FeatureSet::default();
        std::iter::from_fn(move || {
            while left != nothing {
                let number = left.zeros_below() as usize;
                left = left & (left - E::Word::from(1));
                let city = self.find(self.cities[number].into());
                if seen.insert(city) {
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
    pub(crate) fn touched_city_segments(&self, field: FeatureId) -> u32 {
        self.touched(field).ones()
    }
}

/// A set of features.
#[derive(Default)]
pub(crate) struct FeatureSet([u64; 8]);

impl FeatureSet {
    /// Whether the feature was not in the set yet.
    #[inline]
    pub(crate) fn insert(&mut self, feature: FeatureId) -> bool {
        let (word, bit) = ((feature.0 as usize / 64) & 7, 1 << (feature.0 % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }
}
