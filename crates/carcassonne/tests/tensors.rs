//! Games as numbers, pinned: the Python package plays them again and must see the same.
//!
//! No number of a version ever changes its meaning. A file of a new version is written by
//! `BLESS=1 cargo test --workspace --test tensors`.

use carcassonne::tensor::{Numbering, Tensors, TensorsV1, TensorsV2};
use carcassonne::{AllSets, Base, Edition, MoveKind, Options, Position};
use game::{Game, Player, Random, Turn};
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

const SETUPS_WITH_SETS: [&str; 8] = [
    "players=2 board=35x35 sets=inns",
    "players=3 board=35x35 sets=traders",
    "players=2 board=21x21 sets=river",
    "players=4 board=25x25 start=empty sets=gardens",
    "players=2 board=35x35 sets=inns,traders",
    "players=2 board=35x35 sets=inns,traders,river,gardens",
    "players=6 board=18x18 tiny-city=2 sets=inns,traders,river,gardens",
    "players=2 farmers=off start=empty board=30x30 sets=inns,traders,gardens",
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
fn play<E: Edition, T: Tensors<E>>(setup: &str, seed: u64) -> String {
    let Ok(setup) = setup.parse::<E::Setup>() else { panic!("a setup") };
    let (version, players) = (T::VERSION, setup.rules().players());
    let numbering = Numbering::new(setup.rules(), version).expect("a square board");
    let (mut game, mut random) = (Position::<E>::new(&setup), Random::new(seed));
    let (mut moves, mut history, mut digest) = (Vec::new(), Vec::new(), Digest(0));
    let mut compact = vec![0; version.compact_len(players)];
    let mut planes = vec![0; version.plane_count(players) * numbering.cells()];
    loop {
        game.moves(&mut moves);
        if let Turn::Player(viewer) = game.turn() {
            let mut legal: Vec<i64> =
                moves.iter().map(|m| numbering.number(*m).expect("a legal move").into()).collect();
            legal.sort_unstable();
            digest.add(legal.into_iter());
            T::default().compact(&game, viewer, numbering, &mut compact);
            digest.add(compact.iter().map(|v| i64::from(*v)));
            let other = Player::new((viewer.index() + 1) % players);
            T::default().planes(&game, other, numbering, &moves, &mut planes);
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

/// Compares games with those of a file, or writes it.
fn check(file: &str, games: impl Iterator<Item = String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tests/fixtures").join(file);
    let head = "# Written by crates/carcassonne/tests/tensors.rs (BLESS=1): setup; moves; digest; scores\n";
    let text: String = std::iter::once(head.to_owned()).chain(games).collect();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("the fixture can be written");
    }
    let stored = std::fs::read_to_string(&path).expect("the fixture is there");
    assert!(stored == text, "{}: differs; see the head of this file", path.display());
}

/// Each setup with the seeds of its two games.
fn twice(setups: &[&'static str]) -> impl Iterator<Item = (&'static str, u64)> {
    let seeds = |(index, setup): (usize, &'static str)| {
        (0..2).map(move |game| (setup, 100 * index as u64 + game))
    };
    setups.iter().copied().enumerate().flat_map(seeds).collect::<Vec<_>>().into_iter()
}

#[test]
fn games_as_numbers_are_what_they_were() {
    check("games.txt", twice(&SETUPS).map(|(setup, seed)| play::<Base, TensorsV1>(setup, seed)));
}

#[test]
fn games_as_numbers_of_version_2_are_what_they_were() {
    let base = twice(&SETUPS).map(|(setup, seed)| play::<Base, TensorsV2>(setup, seed));
    let sets = twice(&SETUPS_WITH_SETS);
    let sets = sets.map(|(setup, seed)| play::<AllSets, TensorsV2>(setup, 10_000 + seed));
    check("games-v2.txt", base.chain(sets));
}
