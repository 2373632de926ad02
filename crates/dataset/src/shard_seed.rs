//! The seed of a shard's games, from that of the dataset: numpy's `SeedSequence([seed, shard])`, by which
//! shards were made when Python made them, so that their datasets can be gone on with.

const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_LEFT: u32 = 0xca01_f9dd;
const MIX_RIGHT: u32 = 0x4973_f715;
const POOL: usize = 4;

/// The first 64 bits of the sequence.
pub(crate) fn of(seed: u64, shard: u64) -> u64 {
    let mut words = Vec::new();
    for number in [seed, shard] {
        words.push(number as u32);
        words.extend(Some((number >> 32) as u32).filter(|high| *high > 0));
    }
    let pool = mixed(&words);
    let mut factor = INIT_B;
    let [low, high] = [0, 1].map(|at| hashed(pool[at], &mut factor, MULT_B));
    u64::from(high) << 32 | u64::from(low)
}

fn mixed(words: &[u32]) -> [u32; POOL] {
    let mut factor = INIT_A;
    let mut pool = [0; POOL];
    for (at, slot) in pool.iter_mut().enumerate() {
        *slot = hashed(words.get(at).copied().unwrap_or(0), &mut factor, MULT_A);
    }
    for from in 0..POOL {
        for to in (0..POOL).filter(|to| *to != from) {
            pool[to] = joined(pool[to], hashed(pool[from], &mut factor, MULT_A));
        }
    }
    // Two numbers of 64 bits are never more words than the pool has.
    debug_assert!(words.len() <= POOL);
    pool
}

fn hashed(value: u32, factor: &mut u32, step: u32) -> u32 {
    let value = value ^ *factor;
    *factor = factor.wrapping_mul(step);
    let value = value.wrapping_mul(*factor);
    value ^ (value >> 16)
}

fn joined(left: u32, right: u32) -> u32 {
    let joined = MIX_LEFT.wrapping_mul(left).wrapping_sub(MIX_RIGHT.wrapping_mul(right));
    joined ^ (joined >> 16)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn seeds_are_those_of_numpy() {
        // `int(np.random.SeedSequence([seed, shard]).generate_state(1, np.uint64)[0])`
        assert_eq!(of(0, 0), 15_793_235_383_387_715_774);
        assert_eq!(of(7, 3), 5_061_563_556_724_077_661);
        assert_eq!(of(9_223_372_036_854_775_813, 1), 10_737_326_847_821_324_108);
        assert_eq!(of(1 << 32, 0), 5_836_529_245_451_711_556);
        assert_eq!(of(12_345_678_901, 65_535), 1_250_702_588_084_692_048);
    }
}
