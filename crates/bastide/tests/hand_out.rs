//! Training, matches and ladders that other machines play: the program asks, and this test answers by running the same
//! program elsewhere. What comes of it is what one machine makes alone.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod without_times;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use without_times::without_times;

/// A folder of this test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bastide-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        self.at(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn bastide(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.args(words);
    command
}

fn alone(words: &[&str]) -> String {
    let out = bastide(words).output().unwrap();
    assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Does a piece as another machine does: in an empty folder with the files it needs.
fn play(piece: &Value, place: &Path) -> PathBuf {
    let folder = place.join(format!("piece-{}", piece["play"]));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, from) in piece["files"].as_object().unwrap() {
        fs::copy(from.as_str().unwrap(), folder.join(name)).unwrap();
    }
    let words: Vec<&str> =
        piece["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let out = bastide(&words).args(["--threads", "1"]).current_dir(&folder).output().unwrap();
    assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
    folder.join(piece["result"].as_str().unwrap())
}

struct Asking {
    child: Child,
    answers: Option<ChildStdin>,
    lines: BufReader<std::process::ChildStdout>,
}

impl Asking {
    fn start(words: &[&str]) -> Self {
        let pipes = [Stdio::piped(), Stdio::piped(), Stdio::piped()];
        let [stdin, stdout, stderr] = pipes;
        let mut child = bastide(words).stdin(stdin).stdout(stdout).stderr(stderr).spawn().unwrap();
        let (answers, lines) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, answers, lines }
    }

    /// The next piece that is asked for; `None` at the end. What is said besides is added to `said`.
    fn next(&mut self, said: &mut String) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if line.starts_with("{\"play\":") {
                return Some(serde_json::from_str(&line).unwrap());
            }
            said.push_str(&line);
        }
    }

    /// Whether the answer is heard: who has enough, as a match that is decided, hears no more.
    fn answer(&mut self, number: &Value, file: &Path) -> bool {
        let line = json!({ "done": number, "file": file }).to_string() + "\n";
        self.answers.as_mut().unwrap().write_all(line.as_bytes()).is_ok()
    }

    /// Nobody answers any more: the exit status, and what was said.
    fn leave(mut self) -> (Option<i32>, String) {
        drop(self.answers.take());
        let mut said = String::new();
        self.lines.read_to_string(&mut said).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

/// Answers so many pieces, those of a handful in the wrong order; gives the exit status and what was said.
fn answered(words: &[&str], place: &Path, most: usize) -> (Option<i32>, String) {
    let (mut asking, mut said, mut waiting) = (Asking::start(words), String::new(), Vec::new());
    let mut count = 0;
    while count < most
        && let Some(piece) = asking.next(&mut said)
    {
        waiting.push(piece);
        // Two are always asked for at once here.
        if waiting.len() == 2 {
            for piece in waiting.drain(..).rev() {
                let file = play(&piece, place);
                let heard = asking.answer(&piece["play"], &file);
                count = if heard { count + 1 } else { most };
            }
        }
    }
    let (code, rest) = asking.leave();
    (code, said + &rest)
}

/// Three rounds of two parts: six games each, two to a batch, two batches to a part but in the last.
fn configure(folder: &Folder) -> String {
    let text = include_str!("../../bots/nets/two-returns.toml");
    let start = text.find("games =").unwrap();
    let end = start + text[start..].find('\n').unwrap();
    let text =
        format!("{}round_games = 6\nbatch_games = 2\ngames = 18{}", &text[..start], &text[end..]);
    fs::write(folder.at("run.toml"), text).unwrap();
    folder.text("run.toml")
}

const TRIALS: [&str; 4] = ["--trial-every", "1000", "--trial-decks", "1"];

#[test]
fn a_net_is_the_same_wherever_its_games_were_played_also_after_a_stop() {
    let folder = Folder::new("hand-out-train");
    let config = configure(&folder);
    let (one, many) = (folder.text("one"), folder.text("many"));
    alone(&[&["train", &config, "--out", &one, "--threads", "1"][..], &TRIALS].concat());
    let words = [&["train", &config, "--out", &many, "--hand-out=2"][..], &TRIALS].concat();
    let (code, said) = answered(&words, &folder.0, 2);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("training from 0 games on other machines"), "{said}");
    assert!(said.contains("stopped at 6 games; run again to go on"), "{said}");
    let (code, said) = answered(&words, &folder.0, 100);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("training from 6 games") && said.contains("18 of 18 games"), "{said}");
    for file in ["net", "checkpoint"] {
        let [one, many] = ["one", "many"].map(|run| fs::read(folder.at(run).join(file)).unwrap());
        assert!(one == many, "{file} differs");
    }
}

#[test]
fn what_does_not_belong_to_the_round_is_refused() {
    let folder = Folder::new("hand-out-wrong");
    let config = configure(&folder);
    let many = folder.text("many");
    let words = [&["train", &config, "--out", &many, "--hand-out=2"][..], &TRIALS].concat();
    let told = |wrong: &dyn Fn(&Path, &Path)| {
        let (mut asking, mut said) = (Asking::start(&words), String::new());
        let first = asking.next(&mut said).unwrap();
        let second = asking.next(&mut said).unwrap();
        let files = [&first, &second].map(|piece| play(piece, &folder.0));
        wrong(&files[0], &files[1]);
        asking.answer(&first["play"], &files[0]);
        asking.answer(&second["play"], &files[1]);
        let (code, said) = asking.leave();
        assert_eq!(code, Some(1), "{said}");
        said
    };
    let said = told(&|first, second| assert!(fs::copy(first, second).is_ok()));
    assert!(said.contains("for games 4-5 is wrong: the file is longer"), "{said}");
    let said = told(&|first, second| assert!(fs::copy(second, first).is_ok()));
    assert!(said.contains("for games 0-3 is wrong: it is of games 4-5"), "{said}");
    let said = told(&|first, _| {
        let bytes = fs::read(first).unwrap();
        fs::write(first, &bytes[..bytes.len() - 9]).unwrap();
    });
    assert!(said.contains("the gradient is cut off"), "{said}");
    let said = told(&|first, _| fs::write(first, "nonsense").unwrap());
    assert!(said.contains("this is no gradient"), "{said}");
    // The net of a later round, as if an answer came from a run that is further on.
    let other = folder.text("other");
    alone(&[&["train", &config, "--out", &other, "--threads", "1"][..], &TRIALS].concat());
    let said = told(&|first, _| {
        let net = folder.at("other").join("net");
        let words = ["train", &config, "--games=0-3", "--net", net.to_str().unwrap()];
        alone(&[&words[..], &["--gradient", first.to_str().unwrap()]].concat());
    });
    assert!(said.contains("games 0-1 comes from another net"), "{said}");
}

#[test]
fn games_that_are_no_batches_are_refused() {
    let folder = Folder::new("hand-out-games");
    let config = configure(&folder);
    let (net, gradient) = (folder.text("net"), folder.text("gradient"));
    for (games, why) in [
        ("3-2", "counted from 0, as 0-3"),
        ("4", "counted from 0, as 0-3"),
        ("0-18446744073709551615", "counted from 0, as 0-3"),
        ("0-6", "not of one round, which has 6 games"),
        ("4-9", "not of one round, which has 6 games"),
        ("0-2", "no whole batches, of which each has 2 games"),
        ("1-2", "no whole batches, of which each has 2 games"),
        ("0-1", "net"),
    ] {
        let games = format!("--games={games}");
        let words = ["train", &config, &games, "--net", &net, "--gradient", &gradient];
        let out = bastide(&words).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && said.contains(why), "{games}: {said}");
    }
    let out = bastide(&["train", &config, "--games=0-1"]).output().unwrap();
    assert!(String::from_utf8_lossy(&out.stderr).contains("--net"), "{out:?}");
}

fn result(path: PathBuf) -> Value {
    without_times(serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
}

#[test]
fn a_match_is_the_same_wherever_its_pairs_were_played_also_after_a_stop() {
    let folder = Folder::new("hand-out-match");
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/nets/two.net");
    fs::copy(net, folder.at("mine.net")).unwrap();
    let side = format!("net:file={}", folder.text("mine.net"));
    let line = ["match", &side, "greedy", "--pairs", "7", "--nodes", "30,20", "--seed", "5"];
    let [one, many] = ["one.json", "many.json"].map(|name| folder.text(name));
    let told = alone(&[&line[..], &["--json", &one, "--threads", "1"]].concat());
    let state = folder.text("many");
    let words = [&line[..], &["--json", &many, "--out", &state, "--hand-out=2"]].concat();
    let (code, said) = answered(&words, &folder.0, 2);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("the same command goes on"), "{said}");
    let games = fs::read_to_string(folder.at("many/games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 8, "two parts of two pairs");
    let (code, said) = answered(&words, &folder.0, 100);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(told.lines().last().unwrap()), "{told} {said}");
    assert_eq!(result(folder.at("one.json")), result(folder.at("many.json")));
}

#[test]
fn a_test_decides_at_the_same_pair_when_others_play() {
    let folder = Folder::new("hand-out-sprt");
    let line = ["match", "greedy", "random", "--pairs", "30", "--nodes", "5", "--sprt", "0,200"];
    let [one, many] = ["one.json", "many.json"].map(|name| folder.text(name));
    alone(&[&line[..], &["--json", &one, "--threads", "1"]].concat());
    let words = [&line[..], &["--json", &many, "--hand-out=2"]].concat();
    let (code, said) = answered(&words, &folder.0, 100);
    assert_eq!(code, Some(0), "{said}");
    let (one, many) = (result(folder.at("one.json")), result(folder.at("many.json")));
    assert_eq!(one["sprt"]["verdict"], "accepted", "{one}");
    assert_eq!(one, many);
}

#[test]
fn a_ladder_is_the_same_wherever_its_pairs_were_played() {
    let folder = Folder::new("hand-out-ladder");
    let line = ["ladder", "--bots", "random,greedy,net", "--pairs", "4", "--nodes", "20"];
    let [one, many] = ["one.json", "many.json"].map(|name| folder.text(name));
    alone(&[&line[..], &["--json", &one, "--threads", "1"]].concat());
    let state = folder.text("state");
    let words = [&line[..], &["--json", &many, "--state", &state, "--hand-out=2"]].concat();
    let (code, said) = answered(&words, &folder.0, 2);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("Not complete: it was stopped."), "{said}");
    let (code, said) = answered(&words, &folder.0, 100);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(result(folder.at("one.json")), result(folder.at("many.json")));
}
