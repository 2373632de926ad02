//! `bastide tinytown` as a user meets it: what it prints, and how it refuses.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn tinytown(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .arg("tinytown")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("the input is piped");
    // A command that reads nothing may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

fn printed(args: &[&str], input: &str) -> String {
    let output = tinytown(args, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(args: &[&str]) -> String {
    let output = tinytown(args, "");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{args:?} is refused");
    assert!(!errors.contains("panicked"), "{args:?}: {errors}");
    errors
}

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn counts_of_the_real_board() {
    let text = printed(&["count", "4x4"], "");
    for figure in ["206,813,040,371", "832,141,679,711", "2,170,804,224", "25 (9 cottages and 5"] {
        assert!(text.contains(figure), "{text}");
    }
    assert_eq!(printed(&["count", "2x3"], ""), printed(&["count", "2x3", "--enumerate"], ""));
    assert!(printed(&["count", "2x3", "--variant", "older"], "").contains("13,661"));
}

#[test]
fn solutions_of_small_and_large_grids() {
    let text = printed(&["solve", "2x2"], "");
    assert!(text.contains("-3.845703") && text.contains("8 to 20"), "{text}");
    let text = printed(&["solve", "4x4", "--state", "gbb./...g/..C./.... place"], "");
    assert!(text.contains("V*               15"), "{text}");
}

#[test]
fn a_graph_is_written_and_checked_in_every_format() {
    for (name, values) in [("a.npz", true), ("a.graphml", true), ("a.gexf", true), ("a.csv", false)]
    {
        let path = scratch(name);
        let mut args = vec!["graph", "2x2", "--out", path.to_str().expect("a plain path")];
        args.extend(values.then_some("--values"));
        assert!(printed(&args, "").contains("593 states, 942 transitions, 84 terminal"));
        assert!(path.exists() && !path.with_extension("npz.part").exists());
    }
    let path = scratch("a.npz");
    let name = path.to_str().expect("a plain path");
    assert!(printed(&["check", name], "").contains("the whole graph of 2x2"));
    let mut bytes = std::fs::read(&path).expect("it was written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    let broken = scratch("broken.npz");
    std::fs::write(&broken, bytes).expect("it can be written");
    let error = refused(&["check", broken.to_str().expect("a plain path")]);
    assert!(error.contains("not a valid graph file"), "{error}");
}

#[test]
fn a_game_is_played_with_help() {
    let moves = "best\nbrick 0,0\nbrick 0,0\nundo\nbrick 0,0\nvalues\nend\n";
    let text = printed(&["play", "1x1"], moves);
    assert!(text.contains("best: brick 0,0"), "{text}");
    assert!(text.contains("it is the building phase"), "{text}");
    assert!(text.contains("Points: -1. The best game earns -1."), "{text}");
    assert!(text.ends_with("tinytown 1x1\nbrick 0,0; end\n"), "{text}");
    let text = printed(&["play", "2x2"], "glass 0,0\nend\nbrick 0,1\nend\nbrick 1,0\nquit\n");
    assert!(text.contains("can be built: cottage 0,0 on 0,0 | cottage 0,0 on 0,1"), "{text}");
}

#[test]
fn bad_input_gets_a_clear_error() {
    assert!(refused(&["count", "0x3"]).contains("at least 1 row"));
    assert!(refused(&["count", "40x40"]).contains("at most 25 squares"));
    assert!(refused(&["count", "three"]).contains("ROWSxCOLUMNS"));
    assert!(refused(&["count", "3x3", "--variant", "new"]).contains("spec and older"));
    assert!(refused(&["solve", "2x2", "--state", "CC/CC build"]).contains("no game reaches"));
    assert!(refused(&["check", "/nowhere.npz"]).contains("cannot read"));
    assert!(refused(&["graph", "2x2", "--out", "/nowhere/a.npz"]).contains("cannot write"));
    assert!(refused(&["graph", "2x2", "--out", "a.txt"]).contains("the formats are"));
    let path = scratch("large.npz");
    let error = refused(&["graph", "4x4", "--out", path.to_str().expect("a plain path")]);
    assert!(error.contains("206,813,040,371 states") && error.contains("TiB"), "{error}");
    assert!(!path.exists());
}
