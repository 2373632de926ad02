//! The secret deck: what will be drawn, known to nobody, promised beforehand, checked afterwards.
//!
//! `docs/fairness.md` tells every byte, so that anybody can recompute a finished game's draws.

mod fairness;
mod shuffle;

pub use fairness::{Check, FairnessError, explain, fairness_of, verify};
pub use shuffle::{ShuffleKey, shuffled};

use crate::ids;
use std::fmt;

/// 256 random bits that a game's draws come from. It is never sent or logged before the end of
/// the game: it has no `Serialize`, and its `Debug` shows nothing.
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A new seed from the system's random bytes.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the system has random bytes");
        Self(bytes)
    }

    /// A seed from 64 hexadecimal digits: one that was stored, or one that a host gives.
    ///
    /// # Errors
    /// If the text is none. The error does not show it.
    pub fn from_hex(text: &str) -> Result<Self, SeedError> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|digit| digit.to_digit(16).map(|value| value as u8)).collect();
        let digits = digits.filter(|digits| digits.len() == 64).ok_or(SeedError)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(Self(bytes))
    }

    /// The seed as text: to store it, or to reveal it once the game is over.
    #[must_use]
    pub fn reveal(&self) -> String {
        ids::hex(&self.0)
    }

    /// What is published before the first draw: `BLAKE3(seed ‖ game)`.
    #[must_use]
    pub fn commitment(&self, game: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0).update(game.as_bytes());
        hasher.finalize().to_hex().to_string()
    }

    const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A text that is no seed. It is not shown: it may be one with a typing error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a seed is 64 hexadecimal digits")]
pub struct SeedError;

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// What will be drawn in a game, in order. It has no `Serialize`, and its `Debug` shows nothing.
#[derive(Clone)]
pub struct Deck<M> {
    order: Vec<M>,
}

impl<M: Copy> Deck<M> {
    /// The deck that follows from the seed, the game's id, the players' nonces in the order of
    /// the seats, and what is dealt out in its fixed order. Where it has parts, those of the first
    /// part come first, and so on, each in the order of the shuffle.
    #[must_use]
    pub fn new(
        seed: &Seed,
        game: &str,
        nonces: &[String],
        bag: &[M],
        part: impl Fn(M) -> u8,
    ) -> Self {
        let mut order = shuffled(&ShuffleKey::new(seed, game, nonces), bag);
        order.sort_by_key(|outcome| part(*outcome));
        Self { order }
    }

    /// The deck of a game that begins with a position: what was drawn on the way there comes first, and
    /// the rest in the order of the shuffle.
    #[must_use]
    pub fn beginning_with(self, drawn: &[M]) -> Self
    where
        M: PartialEq,
    {
        let mut rest = self.order;
        for outcome in drawn {
            if let Some(at) = rest.iter().position(|one| one == outcome) {
                rest.remove(at);
            }
        }
        Self { order: drawn.iter().copied().chain(rest).collect() }
    }

    /// What comes after `drawn` draws of the standing record. A takeback shortens the record, so
    /// what was drawn since lies on top again.
    #[must_use]
    pub fn next(&self, drawn: usize) -> Option<M> {
        self.order.get(drawn).copied()
    }
}

impl<M> fmt::Debug for Deck<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deck(secret)")
    }
}

/// The most characters of a nonce.
const LONGEST_NONCE: usize = 64;

/// A player's share in the shuffle: printable, and not long.
///
/// # Errors
/// Says what is allowed.
pub fn check_nonce(nonce: &str) -> Result<(), NonceError> {
    let printable = nonce.chars().all(|c| !c.is_control());
    if printable && nonce.chars().count() <= LONGEST_NONCE {
        return Ok(());
    }
    Err(NonceError)
}

/// A text that is no share in the shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a nonce has at most {} characters, all of them printable", LONGEST_NONCE)]
pub struct NonceError;

#[cfg(test)]
mod tests;
