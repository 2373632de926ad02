//! A fresh random sequence for each search of a game, fixed by the game's seed.

use game::Random;

/// The random sequences of a game's searches: the n-th search draws the same numbers whatever
/// the searches before it drew.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seeds {
    seed: u64,
    searches: u64,
}

impl Seeds {
    pub(crate) fn new_game(&mut self, seed: u64) {
        *self = Self { seed, searches: 0 };
    }

    /// The sequence of the next search.
    pub(crate) fn next(&mut self) -> Random {
        self.searches += 1;
        stream(self.seed, self.searches)
    }
}

/// One of many independent sequences of a seed.
pub(crate) fn stream(seed: u64, index: u64) -> Random {
    let mut mixed = Random::new(seed ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93));
    Random::new(mixed.bits())
}
