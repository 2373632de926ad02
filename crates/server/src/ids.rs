//! Names of things: random, short, unguessable where they must be.

use std::fmt::Write as _;

/// Digits and letters that are not mistaken for one another.
const ALPHABET: &[u8; 32] = b"23456789abcdefghjkmnpqrstuvwxyz0";

/// A new id of a game: 10 characters, 50 bits.
#[must_use]
pub fn new_game_id() -> String {
    random_text(10)
}

/// A new id of a user, a session or a token: 12 characters, 60 bits.
#[must_use]
pub fn new_id() -> String {
    random_text(12)
}

/// A new secret: 256 bits in hexadecimal digits.
#[must_use]
pub fn new_secret() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    hex(&bytes)
}

/// A new recovery code, to be written down: four groups of four, 80 bits.
#[must_use]
pub fn new_code() -> String {
    [random_text(4), random_text(4), random_text(4), random_text(4)].join("-")
}

/// What is stored of a secret.
#[must_use]
pub fn hash_of(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

/// The bytes of hexadecimal digits.
#[must_use]
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok()).collect()
}

fn random_text(length: usize) -> String {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// 64 bits from the system.
pub(crate) fn random_bits() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    u64::from_le_bytes(bytes)
}
