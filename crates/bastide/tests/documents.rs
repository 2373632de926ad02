//! What the documents show is what the commands give.
//!
//! Run with `BLESS=1` to write the pictures anew.

use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const BEGIN: &str = "<!-- picture: written by crates/bastide/tests/documents.rs -->\n";
const END: &str = "<!-- end of picture -->\n";

fn replay(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    let out = command.current_dir(ROOT).arg("replay").args(args).output();
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

#[test]
fn the_example_game_is_complete() {
    assert!(replay(&["docs/examples/game.txt"]).contains("game_over, won by player 0"));
}
