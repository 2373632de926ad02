//! Outside programs in matches: how they are ended, watched, and told of.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod outside;

use outside::{bastide, engine, finished, folder};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a command printed, and what it said beside that.
struct Told {
    ok: bool,
    text: String,
    said: String,
}

fn told(command: &mut Command) -> Told {
    let out = finished(command.spawn().unwrap());
    let [text, said] =
        [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Told { ok: out.status.success(), text, said }
}

/// One pair of a random bot against a side.
fn pair(side: &str, more: &[&str]) -> Command {
    let line = ["match", "random", side, "--pairs", "1", "--threads", "1"];
    bastide(&[&line[..], more].concat())
}

/// A script that starts an engine and waits for it, as wrappers do.
fn wrapped(folder: &Path, then: &str) -> String {
    let side = engine(folder, then);
    let path = folder.join("wrapper.sh");
    let script = format!("#!/bin/sh\n{} \"$@\"\ntrue\n", &side["cmd:".len()..]);
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("cmd:{}", path.display())
}

/// It notes its process and never answers its second `go`, nor the end of its input.
const HANGS: &str =
    "open(__file__ + '.pids', 'a').write(f'{os.getpid()}\\n')\n    if turns == 2: time.sleep(40)";

/// The engines that live on after some seconds. One that has ended and waits for its parent does not live.
fn alive(folder: &Path) -> Vec<String> {
    let pids = std::fs::read_to_string(folder.join("engine.py.pids")).unwrap();
    let lives = |pid: &&str| {
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
        !state.is_empty() && !state.starts_with(b"Z")
    };
    let began = Instant::now();
    loop {
        let alive: Vec<String> = pids.lines().filter(lives).map(str::to_owned).collect();
        if alive.is_empty() || began.elapsed() > Duration::from_secs(5) {
            return alive;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_a_wrapper_started_ends_with_it() {
    for option in [None, Some("--stderr")] {
        let dir = folder("wrapper");
        let side = wrapped(&dir, HANGS);
        let mut command = pair(&side, &["--movetime", "20ms"]);
        if let Some(option) = option {
            command.arg(option).arg(dir.join("errors.txt"));
        }
        let began = Instant::now();
        let Told { text, said, .. } = told(&mut command);
        let (alive, took) = (alive(&dir), began.elapsed());
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(text.contains("B forfeit 2 games"), "{text}{said}");
        assert!(alive.is_empty(), "{alive:?}");
        assert!(took < Duration::from_secs(35), "{took:?}: its error stream is held open");
    }
}

#[test]
fn a_second_interrupt_ends_programs_too() {
    let dir = folder("second-interrupt");
    let child = pair(&wrapped(&dir, HANGS), &["--nodes", "9"]).spawn().unwrap();
    let began = Instant::now();
    let turns =
        || std::fs::read_to_string(dir.join("engine.py.pids")).unwrap_or_default().lines().count();
    // hello, game; hello, game, seed, game, seat, play, go, play, go
    while turns() < 11 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..2 {
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        std::thread::sleep(Duration::from_millis(300));
    }
    // What lives on holds the error stream open.
    let (began, out) = (Instant::now(), finished(child));
    let (alive, took) = (alive(&dir), began.elapsed());
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(out.status.code(), Some(130));
    assert!(alive.is_empty() && took < Duration::from_secs(20), "{took:?}: {alive:?}");
}

#[test]
fn a_file_that_a_program_writes_is_no_part_of_it() {
    for (name, log) in [("from-the-start", "pass"), ("in-games", "if turns == 1: ")] {
        let dir = folder(&format!("writes-{name}"));
        let side = engine(
            &dir,
            &format!("{log}\n    open(sys.argv[1], 'a').write(line)").replace(": \n    ", ": "),
        );
        let (log, out) = (dir.join("own.txt"), dir.join("out"));
        let go_on = |pairs: &str| {
            let side = format!("{side} {}", log.display());
            let line = ["match", "random", &side, "--nodes", "9", "--pairs", pairs, "--out"];
            told(bastide(&line).arg(&out))
        };
        let (first, second) = (go_on("1"), go_on("2"));
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(first.ok && second.ok, "{name}: {}{}", first.said, second.said);
        for said in [first.said, second.said] {
            assert!(!said.contains("changed"), "{name}: {said}");
        }
    }
}

#[test]
fn a_file_that_changed_is_named() {
    let dir = folder("changes");
    // It rewrites what was there before the match: nobody can tell that from another hand.
    let side = engine(&dir, "if turns == 1: open(sys.argv[1], 'a').write(line)");
    let weights = dir.join("weights");
    std::fs::write(&weights, "1").unwrap();
    let side = format!("{side} {}", weights.display());
    let Told { ok, said, .. } = told(&mut pair(&side, &["--nodes", "9"]));
    std::fs::remove_dir_all(&dir).unwrap();
    let expected = format!("{} changed while the match was played", weights.display());
    assert!(ok && said.contains(&expected), "{said}");
}

#[test]
fn files_of_a_folder_that_is_named_belong_to_the_program() {
    let dir = folder("classes");
    let (side, classes) = (engine(&dir, "pass"), dir.join("classes"));
    std::fs::create_dir_all(classes.join("deep")).unwrap();
    let class = classes.join("deep/Bot.class");
    std::fs::write(&class, "1").unwrap();
    let go_on = |pairs: &str| {
        let side = format!("{side} -cp {}", classes.display());
        let line = ["match", "random", &side, "--nodes", "9", "--pairs", pairs, "--out"];
        told(bastide(&line).arg(dir.join("out")))
    };
    let (first, same) = (go_on("1"), go_on("2"));
    std::fs::write(&class, "2").unwrap();
    let changed = go_on("3");
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(first.ok && same.ok, "{}{}", first.said, same.said);
    assert!(!changed.ok && changed.said.contains("Bot.class has changed"), "{}", changed.said);
}

#[test]
fn who_does_not_answer_is_told_what_to_and_what_came_instead() {
    let dir = folder("unanswered");
    let seed = "if line.startswith('set'): print('uciok', flush=True); continue";
    let partial = "if line.startswith('set'): print('half a', end='', flush=True); continue";
    let quiet = "if line.startswith('set'): continue";
    for (then, expected) in [
        (seed, "(its last line: 'uciok')"),
        (partial, "(it sent 6 bytes without a line end)"),
        (quiet, "(it sent nothing)"),
    ] {
        let side = engine(&dir, then);
        let said = told(&mut pair(&side, &["--nodes", "9", "--answer-time", "5s"])).said;
        assert!(said.contains("it did not answer 'set seed "), "{said}");
        assert!(said.contains(&format!("' in 5s {expected}")), "{said}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn who_gives_no_turn_is_told_what_came_instead() {
    let dir = folder("no-turn");
    let says = |what: &str| format!("if turns == 2: {what}; continue");
    for (then, expected) in [
        (
            says("print('bestmove 1,0 r0', flush=True)"),
            "(its last line: 'bestmove 1,0 r0'; the answer is 'best MOVE; MOVE')",
        ),
        (
            says("print('Best pass', flush=True)"),
            "(its last line: 'Best pass'; the answer is 'best MOVE; MOVE')",
        ),
        (says("print('1,0 r0', flush=True)"), "(its last line: '1,0 r0')"),
        (says("print('best 1,0', end='', flush=True)"), "(it sent 8 bytes without a line end)"),
        (says("pass"), "(it sent nothing)"),
    ] {
        let side = engine(&dir, &then);
        let said = told(&mut pair(&side, &["--nodes", "9", "--search-time", "2500ms"])).said;
        assert!(said.contains("it gave no turn in "), "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// A search without a limit of time is not waited for as long as it takes, and who watches is told.
#[test]
fn the_time_for_a_search_without_a_limit_is_an_option() {
    let dir = folder("search-time");
    let side = engine(&dir, "if turns == 2: time.sleep(60)");
    let began = Instant::now();
    let Told { ok, text, said } = told(&mut pair(&side, &["--nodes", "9", "--search-time", "3s"]));
    let none = told(&mut pair(&side, &["--search-time", "0"]));
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(ok && text.contains("B forfeit 2 games"), "{text}{said}");
    assert!(began.elapsed() < Duration::from_secs(50), "{:?}", began.elapsed());
    assert!(said.contains("waiting for B (cmd:python3 "), "{said}");
    assert!(none.said.contains("search-time: a time above 0 such as 10m"), "{}", none.said);
}

#[test]
fn who_ends_is_told_how_and_after_what() {
    let dir = folder("ends");
    for (then, expected) in [
        ("if turns == 2: sys.exit(3)", "it ended (exit status 3) after 'go nodes 9'"),
        ("if turns == 2: os.kill(os.getpid(), 9)", "it ended (signal 9) after 'go nodes 9'"),
        ("if line.startswith('play'): sys.exit(0)", "it ended (exit status 0) after 'play "),
        ("if turns == 2: os.close(1); time.sleep(9)", "it closed its output after 'go nodes 9'"),
    ] {
        let side = engine(&dir, then);
        let said = told(&mut pair(&side, &["--nodes", "9"])).said;
        assert!(said.contains(expected), "{expected}: {said}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// The place and the legal moves are those of the word that is wrong.
#[test]
fn a_bad_word_is_told_of_where_it_stands() {
    let dir = folder("bad-word");
    let then = "if turns == 3:\n        print('best ' + position.placements()[0] + '; Pass', flush=True); continue";
    let said = told(&mut pair(&engine(&dir, then), &["--nodes", "9"])).said;
    std::fs::remove_dir_all(&dir).unwrap();
    // In its first game the engine sits on seat 1: its third turn begins with ply 17.
    let line = said.lines().find(|line| line.contains("seat 1")).unwrap();
    assert!(line.contains(", ply 18, tile "), "{line}");
    assert!(
        line.contains(": move 2 'Pass' is no move: expected a segment such as city0"),
        "{line}"
    );
    assert!(line.ends_with("| pass") && line.contains("; legal: "), "{line}");
    assert!(!line.contains("drawn tile"), "{line}");
}

#[test]
fn late_moves_are_counted() {
    let dir = folder("late");
    let (side, json) = (engine(&dir, "if turns == 1: time.sleep(0.2)"), dir.join("result.json"));
    let line = ["--movetime", "5s,100ms", "--json", json.to_str().unwrap()];
    let Told { text, said, .. } = told(&mut pair(&side, &line));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let (late, turns) = (json["b"]["late"].as_u64().unwrap(), json["b"]["turns"].as_u64().unwrap());
    assert!(late >= 1 && json["a"]["late"] == 0, "{json}");
    assert!(text.contains(&format!("B late    {late} of {turns} moves")), "{text}{said}");
}

/// After `quit` there is time to write down what was learnt.
#[test]
fn a_program_has_two_seconds_to_end() {
    let dir = folder("quits");
    let side = engine(&dir, "pass");
    let path = dir.join("engine.py");
    let text = std::fs::read_to_string(&path).unwrap()
        + "time.sleep(0.7)\nopen(__file__ + '.done', 'a').write('x')\n";
    std::fs::write(&path, text).unwrap();
    let told = told(&mut pair(&side, &["--nodes", "9"]));
    let done = std::fs::read_to_string(dir.join("engine.py.done")).unwrap_or_default();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(told.ok, "{}", told.said);
    assert_eq!(done, "xx", "the trial and the match");
}

#[test]
fn the_dialogue_with_programs_is_logged() {
    let dir = folder("log");
    let (side, log) = (engine(&dir, "pass"), dir.join("dialogue.log"));
    std::fs::write(&log, "# what was there stays\n").unwrap();
    let Told { ok, said, .. } = told(pair(&side, &["--nodes", "9", "--log"]).arg(&log));
    let text = std::fs::read_to_string(&log).unwrap();
    let refused =
        told(bastide(&["match", "random", "greedy", "--pairs", "1"]).args(["--log", "/no/x"]));
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(ok, "{said}");
    assert!(text.starts_with("# what was there stays\n"), "{text}");
    let shape = |line: &&str, end: &str| {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        words.len() == 4 && words[0].parse::<f64>().is_ok() && words[1..].join(" ") == end
    };
    for end in [
        "B - > hello",
        "B - < name random_engine",
        "B 1.1 > seat 1",
        "B 1.2 > seat 0",
        "B 1.2 > go nodes 9",
    ] {
        assert!(text.lines().any(|line| shape(&line, end)), "{end}: {text}");
    }
    assert!(!refused.ok && refused.said.contains("can't write /no/x"), "{}", refused.said);
}

/// A program is called by the name that it tells, and what it says carries its side.
#[test]
fn a_program_has_its_own_name_in_tables_and_its_side_before_its_errors() {
    let dir = folder("names");
    let [one, two] = ["one", "two"].map(|name| dir.join(name));
    let side = engine(&one, "print('a word', file=sys.stderr, flush=True)");
    let Told { text, said, .. } = told(&mut pair(&side, &["--nodes", "9"]));
    assert!(
        text.contains(&format!("B         random_engine ({side}), 9 nodes a move\n")),
        "{text}"
    );
    assert!(said.contains("B: a word\n") && !said.contains("\na word"), "{said}");
    assert!(text.contains("played    1 of 1 pair, 2 games"), "{text}");
    let twin = engine(&two, "if turns == 3: print('best 9,9 r0; pass', flush=True); continue");
    let web = dir.join("web");
    let ladder = |bots: &[&str]| {
        let mut command = bastide(&["ladder", "--nodes", "9", "--pairs", "1", "--web"]);
        command.arg(&web);
        command.args(bots.iter().flat_map(|bot| ["--bots", bot]));
        told(&mut command)
    };
    let alone = ladder(&["random", &twin]).text;
    let page = |index: &str| {
        let link = index.split("<li><a href=\"").nth(1).unwrap().split('"').next().unwrap();
        std::fs::read_to_string(web.join(link)).unwrap()
    };
    let games = page(&std::fs::read_to_string(web.join("index.html")).unwrap());
    let both = ladder(&[&side, &twin]).text;
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(alone.contains("| random_engine |") && alone.contains("1 pair a pairing"), "{alone}");
    assert!(
        both.contains(&format!("| {side} |")) && both.contains(&format!("| {twin} |")),
        "{both}"
    );
    assert!(games.contains("<th>seat 1</th><th>given up</th></tr>"), "{games}");
    assert!(games.contains(">by seat 1 at ply 1") && games.contains(" with tile "), "{games}");
}

#[test]
fn small_things_are_said_as_they_are() {
    // No program plays, and the file is refused all the same.
    let refused = told(bastide(&["match", "random", "random"]).args(["--stderr", "/no/x"]));
    assert!(!refused.ok && refused.said.contains("can't write /no/x"), "{}", refused.said);
    let dir = folder("small");
    let gives_up = engine(&dir, "if turns == 1: sys.exit(3)");
    let all = told(&mut pair(&gives_up, &["--nodes", "9"]));
    assert!(
        all.said.contains("B (cmd:") && all.said.contains(") gave up every game"),
        "{}",
        all.said
    );
    // A program in this folder needs its './'.
    let hint = told(pair("cmd:engine.py", &[]).current_dir(&dir));
    // An engine that tells no margins is not taken to expect a draw.
    let side = engine(&dir, "pass");
    let record = dir.join("game.txt");
    std::fs::write(&record, "carcassonne\nU").unwrap();
    let record = record.to_str().unwrap();
    let analysed = told(&mut bastide(&["analyse", record, "--bot", &side]));
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(hint.said.contains("a program in this folder is './engine.py'"), "{}", hint.said);
    assert!(analysed.text.contains("expected: not known"), "{}{}", analysed.text, analysed.said);
}

/// Nothing was played, and nothing is known.
#[test]
fn a_match_without_a_game_claims_nothing() {
    let dir = folder("nothing");
    let side = engine(&dir, "if line.startswith('go'): time.sleep(3)");
    let json = dir.join("result.json");
    let child = pair(&side, &["--nodes", "9", "--json", json.to_str().unwrap()]).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let out = finished(child);
    let json = std::fs::read_to_string(&json).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(130), "{text}");
    assert!(text.contains("win rate  not known, no game counts yet"), "{text}");
    assert!(json["elo"]["mean"].is_null() && json["score"]["mean"].is_null(), "{json}");
}

/// The time of a program that was given up is that until then, not that of ending it.
#[test]
fn ending_a_program_takes_no_time_of_its_moves() {
    let dir = folder("time");
    let (side, json) = (engine(&dir, "if turns == 1: time.sleep(9)"), dir.join("result.json"));
    let line = ["--nodes", "9", "--search-time", "2s", "--json", json.to_str().unwrap()];
    let Told { text, said, .. } = told(&mut pair(&side, &line));
    let json = std::fs::read_to_string(&json).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let longest = json["b"]["longest_ms"].as_f64().unwrap();
    assert!((2_000.0..3_900.0).contains(&longest), "{longest} ms: {text}{said}");
}
