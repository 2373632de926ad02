//! Games as numbers, pinned: the Python package plays them again and must see the same.
//!
//! After a change that is meant: `BLESS=1 cargo test -p carcassonne --test tensors`, and a new
//! `tensor::VERSION` if a number changed its meaning.

use carcassonne::tensor::{Compact, Numbering, Planes, compact_len, plane_count};
use carcassonne::{Carcassonne, MoveKind, Setup};
use game::{Game, Player, Random, Turn};
use std::fmt::Write;
use std::path::Path;

const SETUPS: [&str; 8] = [
    "players=2 board=35x35",
    "players=3 board=35x35",
    "players=4 board=30x30 tiny-city=2",
    "players=5 board=21x21 start=empty",
    "players=6 board=12x12",
    "players=2 farmers=off start=empty board=35x35",
    "players=2 farmers=off start=empty board=30x30",
    "players=2 farmers=off start=tile board=30x30",
];

/// A number that any difference changes.
struct Digest(u128);

impl Digest {
    const PRIME: u128 = (1 << 61) - 1;

    fn add(&mut self, values: impl Iterator<Item = i64>) {
        let sum: i128 =
            values.enumerate().map(|(at, v)| (at as i128 + 1) * (i128::from(v) + 7)).sum();
        let sum = sum.rem_euclid(Self::PRIME as i128) as u128;
        self.0 = (self.0 * 1_000_003 + sum) % Self::PRIME;
    }
}

/// A random game: its setup, its moves as numbers, the digest of all that was seen, its scores.
fn play(setup: &str, seed: u64) -> String {
    let setup: Setup = setup.parse().expect("a setup");
    let numbering = Numbering::new(&setup).expect("a square board");
    let (mut game, mut random) = (Carcassonne::new(&setup), Random::new(seed));
    let (mut moves, mut history, mut digest) = (Vec::new(), Vec::new(), Digest(0));
    let mut compact = vec![0; compact_len(setup.players())];
    let mut planes = vec![0; plane_count(setup.players()) * numbering.cells()];
    loop {
        game.moves(&mut moves);
        if let Turn::Player(viewer) = game.turn() {
            let mut legal: Vec<i64> =
                moves.iter().map(|m| numbering.number(*m).expect("a legal move").into()).collect();
            legal.sort_unstable();
            digest.add(legal.into_iter());
            Compact::new().update(&game, viewer, numbering, &mut compact);
            digest.add(compact.iter().map(|v| i64::from(*v)));
            let other = Player::new((viewer.index() + 1) % setup.players());
            Planes::new().update(&game, other, numbering, &moves, &mut planes);
            digest.add(planes.iter().map(|v| i64::from(*v)));
        }
        let Some(m) = random.pick(&moves).copied() else { break };
        history.push(match m.kind() {
            MoveKind::Draw(tile) => tile.index().to_string(),
            _ => numbering.number(m).expect("a legal move").to_string(),
        });
        game.play_unchecked(m, |_| {});
    }
    let scores: Vec<String> = game.scores().as_slice().iter().map(ToString::to_string).collect();
    format!("{setup}; {}; {}; {}\n", history.join(" "), digest.0, scores.join(" "))
}

#[test]
fn games_as_numbers_are_what_they_were() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tests/fixtures/games.txt");
    let mut text = "# Written by crates/carcassonne/tests/tensors.rs (BLESS=1): setup; moves; digest; scores\n".to_owned();
    for (index, setup) in SETUPS.iter().enumerate() {
        for game in 0..2 {
            write!(text, "{}", play(setup, 100 * index as u64 + game)).unwrap();
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert!(stored == text, "{}: differs; see the head of this file", path.display());
}
