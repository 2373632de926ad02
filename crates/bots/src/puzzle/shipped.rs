//! The puzzles that come with the program.

use super::{Puzzle, read_all};
use flate2::read::GzDecoder;
use std::io::Read;
use std::sync::LazyLock;

/// `crates/bots/puzzles/shipped.txt`, packed when the program is built.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shipped.txt.gz"));

/// The puzzles that come with the program, sorted by their ids.
#[must_use]
pub fn shipped() -> &'static [Puzzle] {
    static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
        let mut text = String::new();
        GzDecoder::new(PACKED).read_to_string(&mut text).expect("the build packed a text");
        read_all(&text).expect("a test reads the shipped puzzles")
    });
    &PUZZLES
}
