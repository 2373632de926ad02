//! The engine protocol from outside: the dialogues of its document, hostile input, other programs
//! as players, and the samples in Python.

#![allow(dead_code, reason = "the modules under test are shared with the binary")]

#[path = "../src/external/mod.rs"]
mod external;
#[path = "../src/lines.rs"]
mod lines;
#[path = "../src/move_text.rs"]
mod move_text;

use carcassonne::{Base, Carcassonne, Setup};
use external::{External, Place, ProgramOptions, Timeouts};
use game::Game;
use search::arena::{Contestant, Reason, deal_random, play_game};
use search::{Agent, Limits, Stop, Uniform};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BASTIDE: &str = env!("CARGO_BIN_EXE_bastide");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What the engine answers to this input.
fn engine(input: &[u8]) -> String {
    let mut command = Command::new(BASTIDE);
    command.arg("engine").current_dir(ROOT).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the engine starts");
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let out = child.wait_with_output().expect("the engine ends");
    writer.join().expect("the writer ends").expect("the engine reads to the end");
    assert!(out.status.success(), "{:?}", out.status);
    String::from_utf8(out.stdout).expect("the answers are text")
}

/// Whether a line is as expected; `…` stands for anything.
fn like(line: &str, expected: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    for part in parts {
        if part.is_empty() {
            rest = "";
            continue;
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// Whether lines are as expected; a line `…` stands for any lines.
fn all_like(lines: &[&str], expected: &[&str]) -> bool {
    match (lines, expected) {
        ([], []) => true,
        (lines, ["…", more @ ..]) => {
            (0..=lines.len()).any(|skipped| all_like(&lines[skipped..], more))
        }
        ([line, lines @ ..], [first, more @ ..]) => like(line, first) && all_like(lines, more),
        _ => false,
    }
}

#[test]
fn the_dialogues_of_the_document_happen() {
    let path = format!("{ROOT}/docs/engine-protocol.md");
    let document = std::fs::read_to_string(path).expect("the document is there");
    let mut dialogues = 0;
    for part in document.split("```dialogue\n").skip(1) {
        let dialogue = part.split("```").next().expect("a dialogue ends");
        let sent: String = dialogue
            .lines()
            .filter_map(|l| l.strip_prefix("> "))
            .map(|l| format!("{l}\n"))
            .collect();
        let expected: Vec<&str> = dialogue.lines().filter(|l| !l.starts_with("> ")).collect();
        let answers = engine(sent.as_bytes());
        let lines: Vec<&str> = answers.lines().collect();
        assert!(all_like(&lines, &expected), "expected:\n{dialogue}\nanswered:\n{answers}");
        dialogues += 1;
    }
    assert!(dialogues >= 10, "{dialogues} dialogues");
}

#[test]
fn hostile_bytes_are_answered_with_errors() {
    let mut input = vec![b'x'; 1 << 20];
    input.extend(b"\n\xff\xfe\x00\nplay \0\ndraw U\ndraw \xf0\x9f\x8f\xb0\n");
    input.extend(b"record\n");
    input.extend([b'y'; 300_000]);
    input.extend(b"\nend\nisready\nrecord\ncarcassonne\nU;");
    let answers = engine(&input);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[0], "error the line is longer than 256 KiB");
    assert_eq!(lines[1], "error the line is not UTF-8 text");
    assert_eq!(lines[2], "error the line holds control characters");
    assert_eq!(lines[3..5], ["drew U", "ok player 0"]);
    assert!(lines[5].starts_with("error it is not chance's turn"), "{}", lines[5]);
    let unended = "error the record was not taken: the input ended before its line 'end'";
    assert_eq!(lines[lines.len() - 2..], ["readyok", unended]);
}

/// A game of an outside program against random moves; the scores, or who answered what.
fn play(command: &str, setup: &str, patience: Timeouts) -> Result<(), (usize, String)> {
    let setup: Setup = setup.parse().expect("a setup");
    let options = ProgramOptions { patience, ..ProgramOptions::default() };
    let mut program =
        External::<Base>::start(command, &setup, &options, &Place::default()).expect("it starts");
    let mut others: Vec<Uniform> = vec![Uniform::new(); setup.players() - 1];
    let limits = Limits::nodes(20);
    let mut seats =
        vec![Contestant::<Carcassonne> { agent: &mut program, limits, game_time: None }];
    seats.extend(others.iter_mut().map(|agent| Contestant {
        agent: agent as &mut dyn Agent<_>,
        limits,
        game_time: None,
    }));
    match play_game(&setup, &mut seats, 1, &Stop::new(), deal_random(3), |_, _| {}) {
        Ok(played) => {
            assert!(played.record.moves.len() > 100, "{}", played.record);
            Ok(())
        }
        Err(failed) => match failed.reason {
            Reason::Illegal(player, text) => Err((player.index(), text)),
            other => panic!("{other:?}"),
        },
    }
}

#[test]
fn our_own_engine_plays_as_an_outside_program() {
    let command = format!("'{BASTIDE}' engine");
    assert_eq!(play(&command, "players=2", Timeouts::default()), Ok(()));
    assert_eq!(play(&command, "players=3 farmers=off", Timeouts::default()), Ok(()));
}

#[test]
fn an_outside_program_answers_like_the_bot_it_is() {
    let setup = Setup::default();
    let (command, options) = (format!("'{BASTIDE}' engine"), ProgramOptions::default());
    let mut program =
        External::<Base>::start(&command, &setup, &options, &Place::default()).expect("it starts");
    let mut game = Carcassonne::new(&setup);
    program.new_game(&game, 5);
    let drawn = "U".parse().expect("a move");
    program.observe(&game, drawn);
    game.play(drawn, |_| {}).expect("a legal draw");
    let report = program.search(&game, &Limits::nodes(300), &Stop::new());
    assert_eq!(report.turn.len(), 2);
    assert!(report.nodes > 0);
    assert!(report.values.as_slice().iter().all(|value| value.margin.is_finite()));
    assert!(report.values.as_slice().iter().any(|value| value.margin != 0.0));
    // One that is stopped answers soon.
    let (stop, started) = (Stop::new(), Instant::now());
    stop.stop();
    let report = program.search(&game, &Limits::time(Duration::from_secs(60)), &stop);
    assert_eq!(report.turn.len(), 2);
    assert!(started.elapsed() < Duration::from_secs(30));
    // A position that it was not told of is not answered.
    let elsewhere = Carcassonne::new(&setup);
    assert!(program.search(&elsewhere, &Limits::nodes(1), &Stop::new()).turn.is_empty());
}

/// A program that does `act` when it should search, and says `ok` to all else.
fn fake(act: &str) -> String {
    format!(r#"sh -c 'while read line; do case "$line" in go*) {act};; *) echo ok;; esac; done'"#)
}

#[test]
fn a_program_that_fails_forfeits_and_never_hangs() {
    let [answer, grace, search] = [5_000, 300, 300].map(Duration::from_millis);
    let patience = Timeouts { answer, grace, search };
    let started = Instant::now();
    for act in ["exit 1", "exec sleep 100", "echo best nonsense", "echo best", "echo error no"] {
        let played = play(&fake(act), "players=2", patience);
        assert_eq!(played, Err((0, String::new())), "{act}");
    }
    let played = play(&fake("echo best 77,77 r0"), "players=2", patience);
    assert_eq!(played, Err((0, "77,77 r0".to_owned())));
    let quick = Timeouts { answer: grace, ..patience };
    let quick = ProgramOptions { patience: quick, ..ProgramOptions::default() };
    for command in ["true", "sleep 100", "sh -c 'echo error; exec sleep 100'", "cat /dev/zero"] {
        let setup = Setup::default();
        assert!(
            External::<Base>::start(command, &setup, &quick, &Place::default()).is_err(),
            "{command}"
        );
    }
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_program_that_died_is_started_again_for_the_next_game() {
    let folder = std::env::temp_dir().join(format!("bastide-external-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mark = folder.join("died");
    // The first one dies at its first search, the next one lives.
    let act = format!(
        "if [ -e {mark} ]; then echo best -1,0 r0\\; pass; else touch {mark}; exit 1; fi",
        mark = mark.display()
    );
    let setup = Setup::default();
    let options = ProgramOptions::default();
    let mut program = External::<Base>::start(&fake(&act), &setup, &options, &Place::default())
        .expect("it starts");
    for expected in [0, 2] {
        let mut game = Carcassonne::new(&setup);
        program.new_game(&game, 1);
        let drawn = "U".parse().expect("a move");
        program.observe(&game, drawn);
        game.play(drawn, |_| {}).expect("a legal draw");
        let report = program.search(&game, &Limits::nodes(1), &Stop::new());
        assert_eq!(report.turn.len(), expected);
    }
    std::fs::remove_dir_all(folder).expect("the folder can go");
}

/// Whether Python is there; says so if not.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success());
    if !there {
        eprintln!("skipped: python3 is not installed");
    }
    there
}

#[test]
fn the_sample_client_plays_a_whole_game() {
    if !python() {
        return;
    }
    let mut command = Command::new("python3");
    command.current_dir(ROOT).args(["examples/engine_client.py", BASTIDE, "--seed", "7"]);
    let out = command.output().expect("python runs");
    let text = String::from_utf8_lossy(&out.stdout);
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{told}");
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("random moves ") && last.ends_with("winners: 1"), "{last}\n{told}");
}

#[test]
fn the_sample_client_says_what_went_wrong() {
    if !python() {
        return;
    }
    for (args, told) in [
        (["no-such-program", "--bot", "greedy"], "the engine 'no-such-program' cannot be started"),
        ([BASTIDE, "--bot", "nobody"], "error no bot is called 'nobody'; known: "),
        ([BASTIDE, "--nodes", "0"], "error nodes: a whole number from 1 to "),
    ] {
        let mut command = Command::new("python3");
        command.current_dir(ROOT).arg("examples/engine_client.py").args(args);
        let out = command.output().expect("python runs");
        let error = String::from_utf8_lossy(&out.stderr);
        assert!(!out.status.success() && error.contains(told), "{args:?}: {error}");
        assert!(!error.contains("Traceback"), "{error}");
    }
}

#[test]
fn the_sample_engine_is_matched() {
    if !python() {
        return;
    }
    let command = format!("python3 '{ROOT}/examples/random_engine.py'");
    for setup in ["players=2", "players=4 start=empty board=30x30"] {
        assert_eq!(play(&command, setup, Timeouts::default()), Ok(()), "{setup}");
    }
}
