//! The reference games, through the command.

use std::process::{Command, Output};

fn verify(files: &[&str]) -> Output {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/games");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.current_dir(folder).arg("verify").args(files).output().expect("the command runs")
}

#[test]
fn the_reference_games_have_no_difference() {
    let names = ["base2", "base3", "base4", "base5", "base6", "tiny2"];
    let files = names.map(|name| format!("{name}.jsonl.gz"));
    let out = verify(&files.each_ref().map(String::as_str));
    assert_eq!(String::from_utf8_lossy(&out.stdout), "57 games, 4044 turns, 0 differences\n");
    assert!(out.status.success());
}

#[test]
fn the_reference_games_with_sets_have_no_difference() {
    let files = ["ic6", "ictb6", "abbot3", "river4"].map(|name| format!("{name}.jsonl.gz"));
    let out = verify(&files.each_ref().map(String::as_str));
    assert_eq!(String::from_utf8_lossy(&out.stdout), "11 games, 954 turns, 0 differences\n");
    assert!(out.status.success());
}

#[test]
fn a_file_that_is_not_there_fails() {
    let out = verify(&["base6.jsonl.gz", "nothing.jsonl"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("nothing.jsonl: cannot be opened"), "{text}");
    assert!(text.ends_with(" 0 differences\n"), "{text}");
    assert!(!out.status.success());
}
