//! Mining puzzles from games of bots.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use bots::puzzle::{
    Games, MinedFile, Mining, MiningError, Puzzle, SelfPlay, Source, check, read_all, write_all,
};
use carcassonne::ExpandedSetup;
use search::Stop;
use std::fs;
use std::path::PathBuf;

/// Endings, which are solved in an instant.
fn endings(count: usize, threads: usize) -> Mining {
    let bots = ["mason", "abbess"].map(|name| name.parse().unwrap()).to_vec();
    let play = SelfPlay { setup: ExpandedSetup::default(), bots, nodes: 1, seed: 5 };
    Mining { games: Games::SelfPlay(play), tiles_left: 2, count, threads }
}

/// A file that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mining-{name}.txt"));
    let _ = fs::remove_file(&path);
    path
}

fn mined(path: &PathBuf, mining: &Mining) -> String {
    let mut file = MinedFile::open(path).unwrap();
    mining.run(&mut file, &Stop::new(), &mut |_| {}).unwrap();
    assert!(file.puzzles() >= mining.count);
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_run_that_is_ended_goes_on_to_the_same_file() {
    let whole = mined(&fresh("whole"), &endings(3, 1));
    let path = fresh("parts");
    let first = mined(&path, &endings(1, 1));
    assert!(whole.starts_with(&first) && first.len() < whole.len());
    // The second run was killed while it wrote.
    fs::write(&path, first.clone() + &whole[first.len()..first.len() + 60]).unwrap();
    assert_eq!(mined(&path, &endings(3, 2)), whole, "on two threads as on one");
    assert_eq!(mined(&path, &endings(3, 1)), whole, "there was nothing more to do");
}

#[test]
fn mined_puzzles_have_an_answer_that_holds() {
    let puzzles = read_all(&mined(&fresh("answers"), &endings(3, 1))).unwrap();
    let weakest_always = |puzzle: &Puzzle| puzzle.solved[0].times == puzzle.solved[0].of;
    for puzzle in &puzzles {
        assert_eq!(check(puzzle, &Stop::new()), Ok([true, true]), "{puzzle}");
        assert!(puzzle.gap.points > 2.0 && puzzle.gap.error == 0.0, "{puzzle}");
        assert!(puzzle.is_solution(&puzzle.answer) && !weakest_always(puzzle), "{puzzle}");
        let mut wrong = puzzle.clone();
        let first = search::any_turn(&puzzle.position());
        wrong.answer = first;
        if !puzzle.is_solution(&wrong.answer) {
            assert_eq!(check(&wrong, &Stop::new()), Ok([false, false]), "{wrong}");
        }
    }
}

#[test]
fn the_same_game_twice_gives_its_puzzles_once() {
    let puzzles = read_all(&mined(&fresh("once"), &endings(1, 1))).unwrap();
    let mut record = puzzles[0].record.clone();
    record.moves.extend(&puzzles[0].answer);
    let games = ["club", "club again"].map(|name| (name.to_owned(), record.clone())).to_vec();
    let mining = Mining { games: Games::Records(games), count: 9, ..endings(9, 1) };
    let path = fresh("records");
    let mut file = MinedFile::open(&path).unwrap();
    mining.run(&mut file, &Stop::new(), &mut |_| {}).unwrap();
    let found = read_all(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].source, Source::Game("club".to_owned()));
    assert_eq!((found[0].id(), &found[0].answer), (puzzles[0].id(), &puzzles[0].answer));
    assert_eq!((file.games(), file.puzzles()), (2, 1));
}

#[test]
fn other_files_are_left_alone_and_a_stop_ends_it() {
    let path = fresh("other");
    fs::write(&path, "dear diary\n").unwrap();
    let refused = MinedFile::open(&path).unwrap_err().to_string();
    assert!(refused.starts_with("line 1: found 'dear diary'"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "dear diary\n");
    let by_hand = fresh("by-hand");
    let text = write_all(&read_all(&mined(&fresh("source"), &endings(1, 1))).unwrap());
    fs::write(&by_hand, &text).unwrap();
    assert!(MinedFile::open(&by_hand).unwrap().puzzles() > 0);
    assert_eq!(fs::read_to_string(&by_hand).unwrap(), text, "puzzles without comments stay");
    let stop = Stop::new();
    stop.stop();
    let mut file = MinedFile::open(&fresh("stopped")).unwrap();
    let ended = endings(1, 1).run(&mut file, &stop, &mut |_| {});
    assert!(matches!(ended, Err(MiningError::Stopped)), "{ended:?}");
    assert_eq!(file.games(), 0);
}
