//! A small, fast generator whose sequence never changes: seeds in records, tests and
//! bench signatures must mean the same on every machine and in every version.

/// A seeded generator of random numbers (SplitMix64). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that gives the same numbers for the same seed, always.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A seed that continues from here: a generator made of it gives what this one would give next.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.0
    }

    /// The next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound` (0 if `bound` is 0). The bias is below 2⁻³² for bounds that fit 32 bits.
    pub const fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * bound as u64) >> 32) as u32
    }

    /// A number in [0, 1).
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the items, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_pinned() {
        let mut random = Random::new(42);
        assert_eq!(random.bits(), 13_679_457_532_755_275_413);
        assert_eq!(random.below(6), 0);
        assert!((0.0..1.0).contains(&random.unit()));
        assert_eq!(Random::new(random.seed()).bits(), random.bits());
    }

    #[test]
    fn units_and_orders_are_pinned() {
        let mut random = Random::new(7);
        let units: Vec<u64> = (0..3).map(|_| (random.unit() * 1e6) as u64).collect();
        assert_eq!(units, [389_829, 16_788, 900_760]);
        let mut items = [0, 1, 2, 3, 4, 5];
        Random::new(7).shuffle(&mut items);
        assert_eq!(items, [5, 4, 1, 3, 0, 2]);
        assert_eq!(Random::new(7).pick(&[10, 20, 30]), Some(&20));
    }

    #[test]
    fn every_value_below_the_bound_comes_up() {
        let mut random = Random::new(1);
        let mut seen = [0u32; 7];
        for _ in 0..7_000 {
            seen[random.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (800..1_200).contains(n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
