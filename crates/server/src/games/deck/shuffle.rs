//! From seed and nonces to an order: BLAKE3, ChaCha20, rejection sampling, Fisher–Yates.

use super::Seed;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use chacha20::{ChaCha20, Key, Nonce};
use std::fmt;

/// What a key's hash begins with, so that it is no other hash of the same seed: the commitment
/// is public from the start.
const CONTEXT: &[u8] = b"bastide deck\0";

/// The key that a game's shuffle is made with; as secret as the seed.
pub struct ShuffleKey([u8; 32]);

impl ShuffleKey {
    /// `BLAKE3(context ‖ seed ‖ text(game) ‖ text(nonce 0) ‖ text(nonce 1) ‖ …)`, where a text
    /// is its length in bytes (32 bits, lowest byte first) and its UTF-8 bytes.
    #[must_use]
    pub fn new(seed: &Seed, game: &str, nonces: &[String]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(CONTEXT).update(seed.bytes());
        for text in std::iter::once(game).chain(nonces.iter().map(String::as_str)) {
            let length = u32::try_from(text.len()).expect("ids and nonces are short");
            hasher.update(&length.to_le_bytes()).update(text.as_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }
}

impl fmt::Debug for ShuffleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShuffleKey(secret)")
    }
}

/// The items in the order that the key gives.
#[must_use]
pub fn shuffled<M: Copy>(key: &ShuffleKey, items: &[M]) -> Vec<M> {
    let mut order = items.to_vec();
    let mut stream = Stream::new(key);
    for last in (1..order.len()).rev() {
        order.swap(last, stream.below(last as u32 + 1) as usize);
    }
    order
}

/// The key stream of ChaCha20 (RFC 8439, nonce and counter 0) as numbers of 32 bits, lowest byte
/// first.
struct Stream {
    cipher: ChaCha20,
}

impl Stream {
    fn new(key: &ShuffleKey) -> Self {
        Self { cipher: ChaCha20::new(&Key::from(key.0), &Nonce::from([0; 12])) }
    }

    fn next(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.cipher.apply_keystream(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// A number below a bound, each as likely: numbers from the largest multiple of the bound on
    /// are thrown away.
    fn below(&mut self, bound: u32) -> u32 {
        let multiple = (1u64 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let number = self.next();
            if u64::from(number) < multiple {
                return number % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> ShuffleKey {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        ShuffleKey::new(&Seed(seed), "game", &[])
    }

    #[test]
    fn every_item_comes_to_every_place_equally_often() {
        const ITEMS: usize = 12;
        const SHUFFLES: usize = 12_000;
        let items: Vec<usize> = (0..ITEMS).collect();
        let mut counts = [[0u32; ITEMS]; ITEMS];
        for number in 0..SHUFFLES {
            for (place, item) in shuffled(&key(number as u64), &items).into_iter().enumerate() {
                counts[place][item] += 1;
            }
        }
        let expected = (SHUFFLES / ITEMS) as f64;
        let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
        let chi_square: f64 = counts.iter().flatten().map(square).sum();
        // 121 degrees of freedom: mean 121, standard deviation 15.6. Fixed keys, so this is one
        // fixed number; a biased shuffle is far above.
        assert!((75.0..170.0).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn all_orders_of_a_few_items_are_equally_likely() {
        const SHUFFLES: usize = 24_000;
        let mut counts = std::collections::BTreeMap::new();
        for number in 0..SHUFFLES {
            *counts.entry(shuffled(&key(number as u64), &[0, 1, 2, 3])).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let square = |count: &u32| (f64::from(*count) - 1_000.0).powi(2) / 1_000.0;
        let chi_square: f64 = counts.values().map(square).sum();
        // 23 degrees of freedom: mean 23, standard deviation 6.8.
        assert!((6.0..50.0).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn a_number_is_below_its_bound_and_rejections_are_taken_from_the_stream() {
        // A bound above 2^31 throws almost half of the numbers away.
        let bound = (1 << 31) + 1;
        let mut stream = Stream::new(&key(1));
        let mut raw = Stream::new(&key(1));
        for _ in 0..200 {
            let expected = loop {
                let number = raw.next();
                if number < bound {
                    break number;
                }
            };
            assert_eq!(stream.below(bound), expected);
        }
    }
}
