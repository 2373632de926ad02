//! Matches through the command: what a script sees.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn bastide(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Whether a line ends in a margin such as `+12.3 ± 0.9`.
fn ends_in_a_margin(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let [.., mean, "±", error] = words[..] else { return false };
    let signed = mean.starts_with(['+', '-']);
    signed && mean.parse::<f64>().is_ok() && error.parse::<f64>().is_ok_and(|e| e >= 0.0)
}

#[test]
fn the_last_line_holds_the_margin() {
    let out = bastide(&["match", "greedy", "random", "--pairs", "3"]).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}");
    assert!(ends_in_a_margin(text.lines().last().unwrap()), "{text}");
}

#[test]
fn a_wrong_side_fails_with_what_is_known() {
    let out = bastide(&["match", "greedy", "grumpy"]).output().unwrap();
    assert!(!out.status.success() && out.stdout.is_empty());
    let text = String::from_utf8(out.stderr).unwrap();
    assert!(text.contains("random, greedy"), "{text}");
}

/// Ctrl-C leaves what was finished, and the same command goes on.
#[cfg(unix)]
#[test]
fn an_interrupted_match_goes_on() {
    let dir = std::env::temp_dir().join(format!("bastide-interrupt-{}", std::process::id()));
    let line = ["match", "random", "random", "--threads", "1", "--out", dir.to_str().unwrap()];
    let long = [&line[..], &["--pairs", "1000000"]].concat();
    let mut child = bastide(&long).spawn().unwrap();
    let games = || std::fs::read_to_string(dir.join("games.jsonl")).unwrap_or_default();
    let began = Instant::now();
    while games().lines().count() < 5 {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("no games in a minute");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let out = child.wait_with_output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(130), "{text}");
    assert!(ends_in_a_margin(text.lines().last().unwrap()), "{text}");

    let pairs = (games().lines().count() / 2 + 3).to_string();
    let out = bastide(&[&line[..], &["--pairs", &pairs]].concat()).output().unwrap();
    let (text, said) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{text}{said}");
    assert!(text.contains(&format!("played    {pairs} of {pairs} pairs")), "{text}");
    assert!(said.contains("going on after"), "{said}");
    let other = bastide(&[&line[..], &["--seed", "7"]].concat()).output().unwrap();
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(!other.status.success() && said.contains("seed was '1', is '7'"), "{said}");
}
