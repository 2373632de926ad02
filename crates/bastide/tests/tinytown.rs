//! `bastide tinytown` as a user meets it: what it prints, and how it refuses.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn tinytown(args: &[&str], input: impl AsRef<[u8]>) -> Output {
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
    let _ = stdin.write_all(input.as_ref());
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
    let mut bytes = fs::read(&path).expect("it was written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    let broken = scratch("broken.npz");
    fs::write(&broken, bytes).expect("it can be written");
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
    assert!(text.contains("tinytown 1x1\nbrick 0,0; end\n"), "{text}");
    // After the end the last action can still be taken back.
    let text = printed(&["play", "1x1"], "Brick 0 0\nEND\nundo\nHint\nend\n\nbrick 0,0\n");
    assert_eq!(text.matches("The game is over.").count(), 2, "{text}");
    assert!(text.contains("best: end") && !text.contains("illegal"), "{text}");
    let text = printed(
        &["play", "2x2"],
        "glass 0 0\nend\nbrick 0, 1\nend\nbrick 1 0\ncottage 0 0 on 1 0\nrecord\n",
    );
    assert!(text.contains("brick 1,0; cottage 0,0 on 1,0"), "{text}");
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

#[test]
fn a_line_that_is_no_text_does_not_end_the_game() {
    let output = tinytown(&["play", "1x1"], b"\xff\xfe\nbrick 0,0\nend\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("not understood") && text.contains("The game is over."), "{text}");
    assert!(output.status.success());
}

#[test]
fn memory_is_refused_before_the_work_with_the_total() {
    let path = scratch("values.npz");
    let name = path.to_str().expect("a plain path");
    let error = refused(&["graph", "2x5", "--out", name, "--values", "--memory", "250M"]);
    assert!(error.contains("the graph with its values of 2x5"), "{error}");
    assert!(error.contains("allowed are 250.0 MiB (262,144,000 bytes)"), "{error}");
    assert!(!path.exists() && !scratch("values.npz.part").exists());
    let error = refused(&["count", "2x3", "--enumerate", "--memory", "1K"]);
    assert!(error.contains("the enumeration of 2x3") && error.contains("14,849"), "{error}");
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = scratch("replaced");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("d.csv")).expect("a folder");
    let at = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let graph = |out: &str| refused(&["graph", "2x2", "--format", "csv", "--out", out]);

    let pipe = at("pipe.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    assert!(graph(&pipe).contains("it is a pipe"));
    assert!(fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
    assert!(graph(&at("d.csv")).contains("it is a directory"));
    assert!(graph("/dev/null").contains("it is a device"));
    symlink(at("nothing"), at("nowhere.csv")).expect("a link");
    assert!(graph(&at("nowhere.csv")).contains("leads nowhere"));
    symlink("/dev/null", at("null.csv")).expect("a link");
    assert!(graph(&at("null.csv")).contains("it is a device"));

    fs::write(at("behind.csv"), "old").expect("it can be written");
    symlink(at("behind.csv"), at("link.csv")).expect("a link");
    printed(&["graph", "1x1", "--out", &at("link.csv")], "");
    assert!(fs::symlink_metadata(at("link.csv")).expect("it is there").is_symlink());
    assert!(fs::read_to_string(at("behind.csv")).expect("a file").starts_with("source,target"));
    let names = fs::read_dir(&folder).expect("a folder").map(|entry| entry.unwrap().file_name());
    let parts: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert!(parts.is_empty(), "{parts:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_and_never_a_panic() {
    let bastide = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
        command.arg("tinytown").args(args).stdin(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let path = scratch("full.csv");
    let out = path.to_str().expect("a plain path");
    let commands: [&[&str]; 4] =
        [&["count", "2x2"], &["solve", "2x2"], &["play", "2x2"], &["graph", "2x2", "--out", out]];
    for args in commands {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let output = bastide(args).stdout(full).output().expect("the binary ends");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
        assert!(error.contains("No space left") && !error.contains("panicked"), "{error}");

        // Nobody reads: the pipe is closed before anything is written.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = bastide(args).stdout(writer).output().expect("the binary ends");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
        assert!(!error.contains("panicked") && !error.contains("Broken pipe"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_the_work_and_leaves_nothing() {
    let path = scratch("stopped.graphml");
    let part = scratch("stopped.graphml.part");
    let mut child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(["tinytown", "graph", "2x5", "--out", path.to_str().expect("a plain path")])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Its first line says that the work has begun.
    let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("a line");
    assert!(line.contains("of memory") && part.exists(), "{line}");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill runs").success());
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it goes on");
        sleep(Duration::from_millis(20));
    };
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut errors, &mut rest).expect("text");
    assert_eq!(status.code(), Some(130), "{rest}");
    assert!(rest.contains("stopped;") && rest.contains("was not written"), "{rest}");
    assert!(!path.exists() && !part.exists());
}
