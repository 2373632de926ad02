//! Whole games from scripts.

use super::dialogue::Dialogue;
use super::match_file::Seating;
use super::screen::Paint;
use crate::arena::make_side;
use crate::external::ProgramOptions;
use carcassonne::{Base, Setup};
use game::{Game, Turn};
use search::Limits;
use std::path::PathBuf;

fn dialogue(players: usize, seat: usize, bot: &str, save: Option<PathBuf>) -> Dialogue {
    let setup = Setup::new(players).unwrap();
    let names = vec![bot.to_owned(); players - 1];
    let bots = names
        .iter()
        .map(|name| make_side::<Base>(name, &setup, &ProgramOptions::default()).unwrap())
        .collect();
    let seating = Seating { seat: Some(seat), seed: Some(4), bots: names };
    let paint = Paint { colours: false };
    Dialogue::new(setup, None, seating, bots, Limits::nodes(50), save, paint).unwrap()
}

fn said(dialogue: Dialogue, script: &str) -> String {
    let mut out = Vec::new();
    dialogue.play(script.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Takes the first spot in any rotation, and then no meeple: whichever of these is asked for,
/// the others are refused.
fn whole_game(turns: usize) -> String {
    "1\n1 r0\n1 r1\n1 r2\n1 r3\npass\n".repeat(turns)
}

#[test]
fn whole_games_are_played_by_script() {
    for (players, seat) in [(2, 0), (2, 1), (3, 2), (6, 4)] {
        let told = said(dialogue(players, seat, "greedy", None), &whole_game(80));
        assert!(told.contains("points\n"), "{told}");
        let end = told.lines().last().unwrap();
        assert!(end.contains("win") || end.contains("draw"), "{end}");
    }
}

#[test]
fn words_are_answered_and_errors_explained() {
    let script = "help\nhint\nscores\ntiles\nmoves\nrecord\nboard\nundo\nsave\nfly\n99\n0,0 r0\n\
                  7,7 r0\n1,0 r9\n\n1 r7\n\u{7}\nquit\n";
    let told = said(dialogue(2, 0, "greedy", None), script);
    for expected in [
        "To place the tile:",
        "margin ",
        "0 points, 0 if it ended now, 7 meeples in hand",
        "70 tiles left: A",
        "There is nothing to take back.",
        "Where to? Type 'save FILE'.",
        "'fly' is no spot; type a number from 1 to ",
        "'99' is no spot",
        "'0,0 r0' is not legal: a tile lies on 0,0 already",
        "'7,7 r0' is not legal: 7,7 touches no tile",
        "expected a rotation r0, r1, r2 or r3",
        "the line holds control characters.",
        "The game is not saved.",
    ] {
        assert!(told.contains(expected), "{expected}\n{told}");
    }
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let folder = std::env::temp_dir().join(format!("bastide-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.txt");
    let first = said(dialogue(2, 0, "greedy", Some(file.clone())), &whole_game(2));
    assert!(first.contains("The game is saved in"), "{first}");
    let (record, seating) = super::match_file::load(&file).unwrap();
    assert_eq!((seating.seat, seating.seed), (Some(0), Some(4)));
    assert!(record.moves.len() >= 12, "two turns of each");
    let args = |save: Option<PathBuf>, resume: Option<PathBuf>| super::Args {
        bots: Vec::new(),
        setup: None,
        seat: None,
        seed: None,
        save,
        resume,
        limits: crate::limits::LimitArgs::nodes(50),
        list_bots: false,
    };
    let paint = Paint { colours: false };
    // A new game does not take the place of the old one.
    let error = super::prepare(args(Some(file.clone()), None), paint).err().unwrap();
    assert!(error.to_string().contains("there is such a file; --resume"), "{error}");
    let resumed = super::prepare(args(Some(file.clone()), Some(file.clone())), paint);
    assert!(resumed.is_ok());
    let resumed = super::prepare(args(None, Some(file.clone())), paint).unwrap();
    let rest = said(resumed, &whole_game(80));
    assert!(rest.contains("The game is saved in"), "a resumed game is saved where it was");
    let (whole, again) = super::match_file::load(&file).unwrap();
    assert!(whole.moves.starts_with(&record.moves));
    assert_eq!(whole.replay().unwrap().turn(), Turn::Over);
    assert_eq!(again, seating);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_undo_brings_the_same_tile_back() {
    let script = "1\n1 r0\n1 r1\n1 r2\n1 r3\nundo\nquit\n";
    let told = said(dialogue(2, 0, "greedy", None), script);
    let tiles: Vec<&str> = told.lines().filter(|line| line.starts_with("Your tile is")).collect();
    assert_eq!(tiles.len(), 2, "{told}");
    assert_eq!(tiles[0], tiles[1]);
}
