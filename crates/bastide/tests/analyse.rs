//! `bastide analyse`, `bastide review` and `bastide play`, from outside.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::io::Write;
use std::process::{Command, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What the command prints (or, if it fails, its complaint), and whether it succeeds.
fn bastide(args: &[&str], input: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.args(args).current_dir(ROOT);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let written = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    drop(written); // A command that fails early does not read its input.
    let out = child.wait_with_output().expect("the command ends");
    let text = if out.status.success() { out.stdout } else { out.stderr };
    (out.status.success(), String::from_utf8(text).expect("text"))
}

const GAME: &str = "docs/examples/game.txt";

#[test]
fn the_best_turns_of_a_position_are_listed() {
    let (done, told) =
        bastide(&["analyse", GAME, "--ply", "55", "--nodes", "300", "--top", "3"], "");
    assert!(done, "{told}");
    assert!(told.starts_with("ply 55 of 213, player 0 has tile F\nbest: "), "{told}");
    assert!(told.contains("\n   3 "), "{told}");
    assert!(!told.contains("\n   4 "), "{told}");
    assert!(told.contains("\nplayed:   3,2 r3; city0 ("), "{told}");
}

#[test]
fn a_turn_that_looks_the_same_is_found_among_the_lines() {
    let args = ["analyse", GAME, "--ply", "55", "--bot", "net", "--json", "--top", "1"];
    let (done, told) = bastide(&args, "");
    assert!(done, "{told}");
    let found: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert!(found["played_rank"].is_u64(), "{told}");
    assert_eq!(found["lines"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["best"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_list_of_moves_is_analysed_from_standard_input() {
    let list = r#"[{"tile":"D","rotation":0,"position":[0,0]},{},{"tile":"B"}]"#;
    let (done, told) = bastide(&["analyse", "-", "--bot", "greedy"], list);
    assert!(done, "{told}");
    assert!(told.contains("; monastery\n"), "{told}");
}

#[test]
fn where_nobody_is_to_move_it_says_where_to_look() {
    for (args, expected) in [
        (["analyse", GAME, "--ply", "54"], "--ply 55 is the position with tile F in hand"),
        (["analyse", GAME, "--ply", "999"], "the record has only 213 plies"),
        (["analyse", GAME, "--bot", "nobody"], "no bot is called 'nobody'; known: "),
        (["analyse", GAME, "--top", "2"], "is over after ply 213; --ply 211 is the last position"),
        (["analyse", GAME, "--top", "0"], "top: a whole number from 1 to "),
        (["analyse", GAME, "--top", "-1"], "top: a whole number from 1 to "),
        (["analyse", GAME, "--ply", "-1"], "a whole number from 0 to the plies of the record"),
        (["analyse", GAME, "--ply", "first"], "a whole number from 0 to the plies of the record"),
        (["analyse", GAME, "--movetime", "-1"], "a time such as 200ms"),
        (["analyse", "docs", "--top", "2"], "cannot read docs: "),
    ] {
        let (done, told) = bastide(&args, "");
        assert!(!done && told.contains(expected), "{told}");
    }
}

#[test]
fn a_game_in_the_terminal_is_played_by_script() {
    let script = "1\n1 r0\n1 r1\n1 r2\n1 r3\npass\n".repeat(40);
    let args = ["play", "--bot", "greedy", "--bot", "random", "--seat", "1", "--seed", "9"];
    let (done, told) = bastide(&args, &script);
    assert!(done, "{told}");
    assert!(!told.contains('\x1b'), "no colours where nobody sees them");
    let end = told.lines().last().unwrap_or_default();
    assert!(end.contains("win") || end.contains("draw"), "{end}");
}

#[test]
fn a_game_that_cannot_be_seated_says_why() {
    for (args, expected) in [
        (["play", "--seat", "2"], "--seat 2: the seats are 0 to 1"),
        (["play", "--bot", "nobody"], "no bot is called 'nobody'"),
        (["play", "--setup", "players=7"], "players=7: 2 to 6 players can play"),
        (["play", "--resume", "README.md"], "README.md: line 2: expected a record"),
        (["play", "--bot", "cmd:no-such-program"], "cannot be started"),
    ] {
        let (done, told) = bastide(&args, "");
        assert!(!done && told.contains(expected), "{args:?}: {told}");
    }
}

#[test]
fn a_game_with_sets_is_analysed_too() {
    let record = "carcassonne players=2 sets=inns,traders\nU";
    let (done, told) = bastide(&["analyse", "-", "--bot", "greedy", "--top", "2"], record);
    assert!(done && told.contains("player 0 has tile U"), "{told}");
}

/// The first turns of a game.
const OPENING: &str = "carcassonne players=2\nK; 0,1 r2; city0\nD; 0,2 r3; city0\nE; -1,1 r0; pass\nB; 1,2 r0; monastery\n";

#[test]
fn a_review_says_what_was_lost_and_what_was_luck() {
    let (done, told) = bastide(&["review", "-"], OPENING);
    assert!(done, "{told}");
    for words in ["quick review", "accuracy", "start +   luck", "the record ends before the game"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (done, told) = bastide(&["review", "-", "--json"], OPENING);
    let review: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(done && review["depth"] == "quick" && review["finished"] == false);
    let steps = review["steps"].as_array().unwrap();
    let kinds: Vec<_> = steps.iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["draw", "decision"].repeat(4));
    assert_eq!(steps[7]["played"], serde_json::json!(["1,2 r0", "monastery"]));
    for player in review["players"].as_array().unwrap() {
        let part = |name: &str| player[name]["margin"].as_f64().unwrap();
        let sum = part("start") + part("luck") + part("skill") + part("rest");
        assert!((sum - part("result")).abs() < 1e-6, "{player}");
    }
}

#[test]
fn a_review_refuses_what_it_cannot_do() {
    for (args, words) in [
        (vec!["review", "-", "--player", "2"], "this game has players 0 to 1"),
        (vec!["review", "-", "--quick", "--deep"], "cannot be used with"),
        (vec!["review", "-", "--out", "/nowhere/x.json"], "can't write /nowhere/x.json"),
        (vec!["review", "no-such-file"], "cannot open no-such-file"),
    ] {
        let (done, told) = bastide(&args, OPENING);
        assert!(!done && told.contains(words), "{args:?}: {told}");
    }
    let (done, told) = bastide(&["review", "-"], "carcassonne\nK; 9,9 r0");
    assert!(!done && told.contains("ply 2"), "{told}");
}
