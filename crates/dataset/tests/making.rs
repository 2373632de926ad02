//! Datasets as callers make them. What is in the shards is compared with a second computation in Python
//! (`crates/python/tests/test_datasets.py`).

use carcassonne::tensor::read_setup;
use dataset::{DatasetError, Judging, Maker, Request, Source};
use search::Stop;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of this test alone, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("bastide-making-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder is made");
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn request(setup: &str, source: Source) -> Request {
    let judging = Judging { bot: "greedy".into(), policy: true, luck: true };
    let setup = read_setup(setup).expect("the tests name setups");
    Request { setup, source, nodes: None, judging: Some(judging), games_per_shard: 4 }
}

fn self_play(games: u64) -> Source {
    Source::SelfPlay { bots: vec!["random".into(), "greedy".into()], games, seed: 3 }
}

fn made(folder: &Path, request: Request, threads: usize) -> Result<Vec<Vec<u8>>, DatasetError> {
    let maker = Maker::new(folder, request)?;
    (0..maker.shards()).try_for_each(|shard| maker.make(shard, threads, &Stop::new()))?;
    let shard =
        |shard| fs::read(folder.join(format!("shard-{shard:05}.npz"))).expect("it was made");
    Ok((0..maker.shards()).map(shard).collect())
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new("threads");
    for setup in ["board=5x5", "players=3 board=7x7 sets=inns"] {
        let one = made(&folder.join("one").join(setup), request(setup, self_play(7)), 1).unwrap();
        let many = made(&folder.join("many").join(setup), request(setup, self_play(7)), 5).unwrap();
        assert!(one == many && one.len() == 2, "{setup}");
    }
}

#[test]
fn shards_have_every_deck_from_all_seats() {
    let folder = Folder::new("seats");
    let maker = Maker::new(&folder.0, request("players=3 board=5x5", self_play(13))).unwrap();
    // 4 games a shard were asked for; 6 are two decks of three games.
    assert_eq!((maker.shards(), maker.games()), (3, 13));
}

#[test]
fn a_stopped_shard_is_not_there() {
    let folder = Folder::new("stopped");
    let maker = Maker::new(&folder.0, request("board=5x5", self_play(4))).unwrap();
    let stop = Stop::new();
    stop.stop();
    assert!(matches!(maker.make(0, 2, &stop), Err(DatasetError::Stopped)));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "dataset.json alone");
}

#[test]
fn a_wrong_record_is_named() {
    let folder = Folder::new("records");
    let source = folder.join("records");
    fs::create_dir(&source).unwrap();
    let good = "carcassonne players=2 board=5x5\nU; 1,0 r0; road0\n";
    let told = |name: &str, contents: &[u8]| {
        fs::write(source.join("a.txt"), good).unwrap();
        fs::write(source.join(name), contents).unwrap();
        let asked = request("board=5x5", Source::Records(source.clone()));
        let told = made(&folder.join("set").join(name), asked, 2).map_err(|e| e.to_string());
        fs::remove_file(source.join(name)).unwrap();
        told.map(|shards| shards.len())
    };
    assert_eq!(told("b.txt", good.as_bytes()), Ok(1));
    assert_eq!(told("notes.md", b"no record, and not read"), Ok(1));
    for (name, contents, words) in [
        ("c.txt", &b"nonsense"[..], "c.txt: "),
        ("d.txt", b"carcassonne players=3 board=5x5\n", "d.txt: expected setup 'players=2"),
        ("e.txt", b"\xff\xfe", "e.txt: invalid utf-8"),
        ("f.json", b"[{]", "f.json: "),
    ] {
        let told = told(name, contents).unwrap_err();
        assert!(told.starts_with(words), "{told}");
    }
}

#[test]
fn of_several_wrong_records_the_first_is_named() {
    let folder = Folder::new("first");
    let source = folder.join("records");
    fs::create_dir(&source).unwrap();
    // The first takes longest to read, so another thread is done with the next before.
    let long = format!("carcassonne players=2 board=5x5\n{}", "\n".repeat(500_000));
    fs::write(source.join("a.txt"), long + "nonsense").unwrap();
    for name in ["b", "c", "d"] {
        fs::write(source.join(format!("{name}.txt")), "nonsense").unwrap();
    }
    for round in 0..20 {
        let asked = request("board=5x5", Source::Records(source.clone()));
        let told = made(&folder.join(&format!("set-{round}")), asked, 4).unwrap_err().to_string();
        assert!(told.starts_with("a.txt: "), "{told}");
    }
}

#[test]
fn a_folder_of_something_else_is_refused_and_left_alone() {
    let folder = Folder::new("other");
    for found in ["", "[]", "{", "{\"version\": 1}"] {
        fs::write(folder.join("dataset.json"), found).unwrap();
        let refused = Maker::new(&folder.0, request("board=5x5", self_play(4)));
        assert!(matches!(refused, Err(DatasetError::Other { .. })), "{found}");
        assert_eq!(fs::read_to_string(folder.join("dataset.json")).unwrap(), found);
    }
}
