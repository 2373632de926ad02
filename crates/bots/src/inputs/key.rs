//! Short names of what a net sees of a feature, under which embeddings are kept.

/// A hash of numbers (64 bits: two of the thousands of features of a game do not meet). Numbers of which many
/// features or positions share a key are hashed once for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key(u64);

impl Default for Key {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Key {
    /// The key of these numbers and one more.
    #[inline(always)]
    #[must_use]
    pub(super) fn with(self, number: u64) -> Self {
        let mixed = (self.0 ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd);
        Self(mixed ^ mixed >> 32)
    }

    /// The key of these numbers and those of another key.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_key(self, other: Self) -> Self {
        self.with(other.0.rotate_left(17))
    }

    /// The key of these numbers and two more.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_both(self, one: f32, other: f32) -> Self {
        self.with(u64::from(one.to_bits()) << 32 | u64::from(other.to_bits()))
    }

    /// The key of these numbers and all of those.
    #[inline(always)]
    #[must_use]
    pub(super) fn with_all(self, numbers: &[f32]) -> Self {
        let (pairs, last) = numbers.as_chunks::<2>();
        let key = pairs.iter().fold(self, |key, [one, other]| key.with_both(*one, *other));
        last.iter().fold(key, |key, last| key.with(u64::from(last.to_bits())))
    }

    /// The key as a number other than zero.
    #[inline(always)]
    pub(crate) const fn number(self) -> u64 {
        self.0 | 1
    }
}
