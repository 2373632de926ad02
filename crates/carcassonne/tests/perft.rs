//! Counts of positions: `*.perft` holds a position as a record, then lines `perft DEPTH NODES`.
//!
//! A node is a sequence of moves, chance's outcomes among them, each counted once whatever its
//! odds. The engine must reach every count; the simple rules confirm those they can afford, and
//! all of them with `make test-long`.

#[path = "support/simple/mod.rs"]
mod simple;

use carcassonne::{AllSets, Base, Edition, Expanded, Options, Position};
use game::{Game, Record};
use simple::play::Simple;
use std::path::PathBuf;

/// The largest count of the base game that the edition with all sets reaches each time.
const EXPANDED_NODES: u64 = 500_000;

/// The largest count that the simple rules confirm each time.
const SIMPLE_NODES: u64 = 150_000;

struct Fixture {
    name: String,
    record: Record<Expanded>,
    /// Depths with their counts.
    counts: Vec<(usize, u64)>,
}

#[test]
fn the_engine_counts_every_position() {
    for Fixture { name, record, counts } in fixtures() {
        if record.setup.sets().is_empty() {
            counts_in::<Base>(&name, &record, &counts);
            let few: Vec<_> = counts.into_iter().filter(|(_, n)| *n <= EXPANDED_NODES).collect();
            counts_in::<AllSets>(&name, &record, &few);
        } else {
            counts_in::<AllSets>(&name, &record, &counts);
        }
    }
}

fn counts_in<E: Edition>(name: &str, record: &Record<Expanded>, counts: &[(usize, u64)]) {
    let record: Record<Position<E>> = record.to_string().parse().expect("a record of the edition");
    let game = record.replay().expect("the position can be reached");
    let found: Vec<_> = counts.iter().map(|(depth, _)| (*depth, perft(&game, *depth))).collect();
    assert_eq!(found, counts, "{name}");
}

#[test]
fn the_simple_rules_confirm_the_counts_they_can_afford() {
    confirm(SIMPLE_NODES);
}

#[test]
#[ignore = "takes a minute; `make test-long` runs it"]
fn the_simple_rules_confirm_every_count() {
    confirm(u64::MAX);
}

fn confirm(most: u64) {
    for Fixture { name, record, counts } in fixtures() {
        let game = replay_simply(&record);
        for (depth, count) in counts.into_iter().filter(|(_, count)| *count <= most) {
            assert_eq!(perft_simply(&game, depth), count, "{name} at depth {depth}");
        }
    }
}

fn perft<E: Edition>(game: &Position<E>, depth: usize) -> u64 {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if depth <= 1 {
        return moves.len() as u64;
    }
    let after = |m| {
        let mut next = game.clone();
        next.play_unchecked(m, |_| {});
        next
    };
    moves.into_iter().map(|m| perft(&after(m), depth - 1)).sum()
}

fn perft_simply(game: &Simple, depth: usize) -> u64 {
    let moves = game.moves();
    if depth <= 1 {
        return moves.len() as u64;
    }
    let after = |m| {
        let mut next = game.clone();
        next.play(m);
        next
    };
    moves.into_iter().map(|m| perft_simply(&after(m), depth - 1)).sum()
}

fn replay_simply(record: &Record<Expanded>) -> Simple {
    let mut game = Simple::new(&record.setup.to_string());
    for wanted in &record.moves {
        let wanted = wanted.to_string();
        let mut moves = game.moves().into_iter();
        let m = moves.find(|m| m.to_string() == wanted).expect("the simple rules allow the move");
        game.play(m);
    }
    game
}

fn fixtures() -> Vec<Fixture> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = std::fs::read_dir(folder).expect("the folder of the tests");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "perft"));
    paths.sort();
    assert!(paths.len() >= 8, "the fixtures are there");
    paths.iter().map(read).collect()
}

fn read(path: &PathBuf) -> Fixture {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let is_count = |line: &&str| line.starts_with("perft ");
    let record: Vec<&str> = text.lines().filter(|line| !is_count(line)).collect();
    let counts = text.lines().filter(is_count).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        (words[1].parse().expect("a depth"), words[2].parse().expect("a count"))
    });
    Fixture {
        name: path.display().to_string(),
        counts: counts.collect(),
        record: record.join("\n").parse().expect("a record"),
    }
}
