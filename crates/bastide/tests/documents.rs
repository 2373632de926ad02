//! What the documents show is what the commands give.
//!
//! Run with `BLESS=1` to write the pictures anew.

use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const BEGIN: &str = "<!-- picture: written by crates/bastide/tests/documents.rs -->\n";
const END: &str = "<!-- end of picture -->\n";

fn replay(args: &[&str]) -> String {
    bastide(&[&["replay"], args].concat())
}

fn bastide(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    let out = command.current_dir(ROOT).args(args).output();
    let out = out.expect("the command runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("the output is text")
}

#[test]
fn the_picture_in_the_readme_is_a_game() {
    let shown = replay(&["docs/examples/game.txt", "--ply", "54"]);
    let board = shown.split("\n\n").nth(1).expect("the board is the second paragraph");
    let picture = format!("```text\n{board}\n```\n");
    let path = Path::new(ROOT).join("README.md");
    let document = std::fs::read_to_string(&path).expect("the README is there");
    let (before, rest) = document.split_once(BEGIN).expect("the picture has a beginning");
    let (written, after) = rest.split_once(END).expect("the picture has an end");
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{before}{BEGIN}{picture}{END}{after}");
        std::fs::write(&path, text).expect("the README can be written");
        return;
    }
    assert_eq!(written, picture, "run this test with BLESS=1 to write the picture anew");
}

/// The kinds of tiles in `docs/tiles.md` are what `bastide tiles` prints, a section for each set.
#[test]
fn the_page_of_tiles_is_what_the_command_prints() {
    const BEGIN: &str = "<!-- tiles: written by crates/bastide/tests/documents.rs -->\n";
    const END: &str = "<!-- end of tiles -->\n";
    let printed = bastide(&["tiles"]);
    let mut tiles = String::new();
    for section in printed.split("== ").skip(1) {
        let (heading, kinds) = section.split_once("\n\n").expect("a section has a heading");
        tiles += &format!("### {heading}\n```text\n{}\n```\n\n", kinds.trim_end());
    }
    let path = Path::new(ROOT).join("docs/tiles.md");
    let document = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = document.split_once(BEGIN).expect("the tiles have a beginning");
    let (written, after) = rest.split_once(END).expect("the tiles have an end");
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{before}{BEGIN}{tiles}{END}{after}");
        std::fs::write(&path, text).expect("the page can be written");
        return;
    }
    assert_eq!(written, tiles, "run this test with BLESS=1 to write the tiles anew");
}

/// The line of JSON that the page explains is one that the command prints.
#[test]
fn the_sample_of_the_tiles_in_json_is_printed() {
    let document = std::fs::read_to_string(Path::new(ROOT).join("docs/tiles.md"));
    let document = document.expect("the page is there");
    let sample = document.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let sample: serde_json::Value =
        serde_json::from_str(sample.expect("the page has a sample")).expect("it is JSON");
    let table: serde_json::Value =
        serde_json::from_str(&bastide(&["tiles", "--json"])).expect("the table is JSON");
    let kinds = table["kinds"].as_array().expect("the table has kinds");
    assert!(kinds.contains(&sample), "{sample} is not printed");
}

#[test]
fn the_example_game_is_complete() {
    assert!(replay(&["docs/examples/game.txt"]).contains("game_over, won by player 0"));
}

#[test]
fn the_counted_positions_of_the_state_space_are_those_of_the_document() {
    let document = Path::new(ROOT).join("docs/state-space.md");
    let document = std::fs::read_to_string(document).expect("the document is there");
    let row = document
        .lines()
        .find(|line| line.starts_with("| 4 | 11,551 | "))
        .expect("the row of four plies");
    let numbers: Vec<String> = row.split('|').map(|cell| cell.trim().replace(',', "")).collect();
    let model = "players=2 farmers=off start=empty board=35x35";
    for (setup, shown) in [("players=2", &numbers[2..4]), (model, &numbers[4..6])] {
        let counted = bastide(&[
            "statespace",
            "--setup",
            setup,
            "--games",
            "0",
            "--runs",
            "0",
            "--depth",
            "4",
        ]);
        let last = counted.lines().last().expect("a line for each depth");
        let words: Vec<&str> = last.split_whitespace().collect();
        assert_eq!([words[2], words[4]], [shown[0].as_str(), shown[1].as_str()], "{setup}");
    }
}
