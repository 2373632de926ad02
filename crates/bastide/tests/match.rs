//! Matches through the command: what a script sees.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod outside;

use outside::{bastide, engine, finished, folder};
use std::process::Command;
use std::time::{Duration, Instant};

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
fn luck_is_taken_off_where_it_is_asked_for() {
    let small = ["--pairs", "2", "--setup", "players=2 board=5x5", "--luck-adjusted"];
    let json = std::env::temp_dir().join(format!("bastide-luck-{}.json", std::process::id()));
    let mut command = bastide(&["match", "greedy", "random"]);
    let out = command.args(small).arg("--json").arg(&json).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}");
    assert!(text.contains("luck      of A: ") && text.contains("; margin less luck "), "{text}");
    assert!(ends_in_a_margin(text.lines().last().unwrap()), "{text}");
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    std::fs::remove_file(&json).unwrap();
    let mean = |of: &serde_json::Value| of["mean"].as_f64().unwrap();
    let luck = &summary["luck"];
    let parts = mean(&luck["margin"]) + mean(&luck["luck"]);
    assert!((parts - mean(&summary["margin"])).abs() < 1e-6, "{summary}");
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

/// The game is lost, the match goes on, and everybody is told why.
#[cfg(unix)]
#[test]
fn a_broken_engine_loses_its_games_with_the_reason() {
    let dir = folder("broken");
    let refuses = "if line.startswith('game') and os.path.exists(__file__ + '.ran'):\n        \
                   print('error not again', flush=True)\n        continue\n    \
                   if line.startswith('go'): open(__file__ + '.ran', 'w')\n    \
                   if turns == 3: sys.exit()";
    for (then, reason) in [
        ("if turns == 3: sys.exit()", "it ended"),
        ("if turns == 3: print('error lost', flush=True); continue", "'error lost' to go"),
        (
            "if turns == 3: print('best here', flush=True); continue",
            "it answered 'here': move 1 'here' is no move: expected a placement",
        ),
        ("if turns == 3: print('best 9,9 r0; pass', flush=True); continue", "is not legal"),
        (refuses, "it did not start: engine"),
    ] {
        let (side, games) = (engine(&dir, then), dir.join("games.txt"));
        let line = ["match", "random", &side, "--pairs", "1", "--threads", "1", "--nodes", "9"];
        let line = [&line[..], &["--games", games.to_str().unwrap()]].concat();
        let out = finished(bastide(&line).spawn().unwrap());
        let (text, said) =
            (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
        assert!(out.status.success(), "{said}");
        assert!(text.contains("B forfeit 2 games"), "{text}{said}");
        assert!(
            said.contains("loses game 2 of round 1 at seat 0") && said.contains(reason),
            "{said}"
        );
        let records = std::fs::read_to_string(&games).unwrap();
        assert!(records.contains(reason), "{records}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// A match of one pair against an engine that does this at its third turn: what the command prints,
/// says, and writes as JSON, as records and in its folder.
#[cfg(unix)]
struct Reports {
    text: String,
    said: String,
    json: serde_json::Value,
    records: String,
    stored: Vec<serde_json::Value>,
}

#[cfg(unix)]
fn reports(name: &str, then: &str) -> Reports {
    let dir = folder(name);
    let side = engine(&dir, then);
    let [json, games, out] = ["result.json", "games.txt", "out"].map(|name| dir.join(name));
    let mut command = bastide(&["match", "random", &side, "--pairs", "1", "--nodes", "9"]);
    command.arg("--json").arg(&json).arg("--games").arg(&games).arg("--out").arg(&out);
    let output = finished(command.spawn().unwrap());
    let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    let stored = read(&out.join("games.jsonl"));
    let reports = Reports {
        text: String::from_utf8(output.stdout).unwrap(),
        said: String::from_utf8(output.stderr).unwrap(),
        json: serde_json::from_str(&read(&json)).unwrap(),
        records: read(&games),
        stored: stored.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    };
    std::fs::remove_dir_all(&dir).unwrap();
    reports
}

/// Where it happened, what was in hand, what was answered and what was legal.
#[cfg(unix)]
#[test]
fn a_forfeit_says_where_it_happened_and_what_was_legal() {
    let illegal = "if turns == 3: print('best 9,9 r0; pass', flush=True); continue";
    let Reports { said, json, records, stored, .. } = reports("where", illegal);
    let game = stored.iter().find(|game| game["seat"] == 0).unwrap();
    let forfeit = &game["forfeit"];
    // The engine sits on seat 1: two turns before its third are three of the other, three moves each.
    assert_eq!((&forfeit["seat"], &forfeit["ply"]), (&1.into(), &17.into()), "{forfeit}");
    let tile = forfeit["tile"].as_str().unwrap();
    let drawn = game["record"].as_str().unwrap().trim_end().lines().last().unwrap();
    assert_eq!(tile, drawn, "{game}");
    let legal = forfeit["legal"].as_array().unwrap();
    assert!(legal[0].as_str().unwrap().contains(" r"), "{forfeit}");
    let why = forfeit["why"].as_str().unwrap();
    assert!(why.starts_with("it answered '9,9 r0; pass': move 1 '9,9 r0' is not legal: "), "{why}");
    let told = format!("{why}; legal: {}", legal[0].as_str().unwrap());
    assert!(said.contains(&format!("at seat 1, ply 17, tile {tile}: {told}")), "{said}");
    let comment = format!("given up by seat 1 at ply 17 with tile {tile}: {told}");
    assert!(records.contains(&comment), "{records}");
    let told = &json["results_by_game"][0]["forfeit"];
    assert_eq!(told, forfeit, "{json}");
}

/// A program that breaks down is told of in the same way.
#[cfg(unix)]
#[test]
fn a_program_that_ends_leaves_the_place_and_what_was_legal() {
    let Reports { stored, .. } = reports("ended", "if turns == 3: sys.exit()");
    let forfeit = &stored.iter().find(|game| game["seat"] == 0).unwrap()["forfeit"];
    let why = "it ended (exit status 0) after 'go nodes 9'";
    assert_eq!((&forfeit["ply"], &forfeit["why"]), (&17.into(), &why.into()), "{forfeit}");
    assert!(!forfeit["legal"].as_array().unwrap().is_empty(), "{forfeit}");
}

/// What was spent until then is counted, and the answer that was not legal too.
#[cfg(unix)]
#[test]
fn what_was_spent_on_games_that_were_given_up_counts() {
    let illegal = "if turns == 3: print('best 9,9 r0; pass', flush=True); continue";
    let Reports { text, json, .. } = reports("spent", illegal);
    assert!(!text.contains("no move") && text.contains("B spent   "), "{text}");
    // The process plays both games: it fails at its third turn of the first, and is started again.
    assert_eq!((&json["b"]["turns"], &json["a"]["turns"]), (&6.into(), &5.into()), "{json}");
}

/// One pair shows nothing of the spread; nothing infinite is printed for it.
#[cfg(unix)]
#[test]
fn a_summary_has_points_and_nothing_infinite() {
    let Reports { text, json, .. } = reports("points", "pass");
    let [a, b] = ["a", "b"].map(|side| json[side]["points_a_game"].as_f64().unwrap());
    assert!(text.contains(&format!("points    A {a:.1}, B {b:.1} a game\n")), "{text}");
    let sums = [0, 1].map(|game| {
        let [first, second] =
            [0, 1].map(|seat| json["results_by_game"][game]["scores"][seat].as_i64().unwrap());
        if game == 0 { [first, second] } else { [second, first] }
    });
    assert_eq!(a, (sums[0][0] + sums[1][0]) as f64 / 2.0, "{json}");
    assert_eq!(b, (sums[0][1] + sums[1][1]) as f64 / 2.0, "{json}");
    assert!(!text.contains("inf") && text.trim_end().ends_with("± unknown"), "{text}");
    assert!(json["margin"]["error"].is_null() && json["elo"]["high"].is_null(), "{json}");
    // Games that were given up have no final points.
    let Reports { text, json, .. } = reports("no-points", "if turns == 3: sys.exit()");
    assert!(text.contains("points    not known: no game was played to its end\n"), "{text}");
    assert!(json["a"]["points_a_game"].is_null(), "{json}");
}

/// What a program writes to standard error does not mix with what the match says.
#[cfg(unix)]
#[test]
fn the_error_stream_of_a_program_goes_to_a_file() {
    let dir = folder("stderr");
    let side = engine(&dir, "if turns == 3: sys.exit('a word before I go')");
    let path = dir.join("programs.txt");
    let mut command = bastide(&["match", "random", &side, "--pairs", "1", "--threads", "1"]);
    let out = finished(command.arg("--stderr").arg(&path).spawn().unwrap());
    let (said, kept) =
        (String::from_utf8(out.stderr).unwrap(), std::fs::read_to_string(&path).unwrap());
    let mut command = bastide(&["match", "random", &side, "--pairs", "1"]);
    let refused = command.args(["--stderr", "/no/such/folder/file"]).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(out.status.success() && !said.contains("a word before I go"), "{said}");
    assert_eq!(kept.matches("a word before I go").count(), 2, "{kept}");
    // One for the trial before the match, one for each game that it lost.
    let started = format!("# started: {}\n", &side["cmd:".len()..]);
    assert_eq!(kept.matches(&started).count(), 3, "{kept}");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("/no/such/folder/file"), "{said}");
}

/// A program that was changed is another player.
#[cfg(unix)]
#[test]
fn a_changed_program_is_refused_where_a_match_goes_on() {
    let dir = folder("changed");
    let (side, out) = (engine(&dir, "pass"), dir.join("out"));
    let go_on = |pairs: &str| {
        let line = ["match", "random", &side, "--nodes", "9", "--pairs", pairs, "--out"];
        let out = finished(bastide(&line).arg(&out).spawn().unwrap());
        (out.status.success(), String::from_utf8(out.stderr).unwrap())
    };
    let first = go_on("1");
    let same = go_on("2");
    engine(&dir, "time.sleep(0)");
    let changed = go_on("3");
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(first.0 && same.0, "{}{}", first.1, same.1);
    assert!(!changed.0, "{}", changed.1);
    assert!(changed.1.contains("engine.py") && changed.1.contains("has changed"), "{}", changed.1);
}

/// An engine that writes down every line it is sent.
#[cfg(unix)]
const LISTENING: &str = "open(__file__ + '.log', 'a').write(line + '\\n')";

/// The lines that an engine in a folder was sent.
#[cfg(unix)]
fn heard(folder: &std::path::Path) -> Vec<String> {
    let log = std::fs::read_to_string(folder.join("engine.py.log")).unwrap();
    log.lines().map(str::to_owned).collect()
}

/// A program knows where it sits, all moves of the game, and how it ended.
#[cfg(unix)]
#[test]
fn a_program_is_told_its_seat_and_the_result() {
    let dir = folder("told");
    let (side, json) = (engine(&dir, LISTENING), dir.join("result.json"));
    let line = ["match", "random", &side, "--pairs", "1", "--threads", "1", "--nodes", "9"];
    let out = finished(bastide(&line).arg("--json").arg(&json).spawn().unwrap());
    let (lines, said) = (heard(&dir), String::from_utf8_lossy(&out.stderr).into_owned());
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    // The sample answers both lines with an error, which is no reason to lose a game.
    assert!(out.status.success() && json["b"]["forfeits"] == 0, "{said}");
    let mut rest = lines.as_slice();
    for (game, seat) in [(0, 1), (1, 0)] {
        let start = rest.iter().position(|line| *line == format!("seat {seat}")).unwrap();
        assert!(rest[start - 1].starts_with("game carcassonne players=2 "), "{lines:?}");
        let end = rest.iter().position(|line| line.starts_with("result ")).unwrap();
        let scores = &json["results_by_game"][game]["scores"];
        assert_eq!(rest[end], format!("result scores {} {}", scores[0], scores[1]));
        let played = rest[start..end].iter().filter_map(|line| line.strip_prefix("play "));
        let moves: usize = played.map(|moves| moves.split(';').count()).sum();
        assert_eq!(moves, 71 * 3, "all that happened, the last turn too");
        rest = &rest[end + 1..];
    }
}

/// Everybody is told who gave up.
#[cfg(unix)]
#[test]
fn a_program_is_told_of_a_forfeit() {
    let (dir, other) = (folder("told-of"), folder("who-gives-up"));
    // It never answers again, and nobody waits for that.
    let illegal = "if turns == 3: print('best 9,9 r0', flush=True); continue";
    let sides = [engine(&dir, LISTENING), engine(&other, &format!("{LISTENING}\n    {illegal}"))];
    let began = Instant::now();
    let line = ["match", &sides[0], &sides[1], "--pairs", "1", "--threads", "1", "--nodes", "9"];
    let out = finished(bastide(&line).spawn().unwrap());
    let heard = [&dir, &other].map(|folder| heard(folder));
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    [dir, other].iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    for lines in heard {
        let results = lines.iter().filter(|line| line.starts_with("result "));
        let seats: Vec<char> = results.filter_map(|line| line.chars().last()).collect();
        assert_eq!(seats, ['1', '0'], "{lines:?}");
    }
}

/// How long a program may take for anything but a search is up to who plays the match.
#[cfg(unix)]
#[test]
fn the_time_for_other_answers_is_an_option() {
    let dir = folder("answer-time");
    let side = engine(&dir, "if line.startswith('game'): time.sleep(40)");
    let began = Instant::now();
    let line = ["match", "random", &side, "--pairs", "1", "--nodes", "9", "--answer-time"];
    let out = finished(bastide(&[&line[..], &["4s"]].concat()).spawn().unwrap());
    let none = bastide(&[&line[..], &["0"]].concat()).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(
        !out.status.success() && said.contains("it did not answer 'game carcassonne"),
        "{said}"
    );
    assert!(began.elapsed() < Duration::from_secs(60));
    let said = String::from_utf8_lossy(&none.stderr);
    assert!(said.contains("answer-time: a time above 0 such as 20s; found 0"), "{said}");
}

/// Ctrl-C in a terminal goes to engines too; that one dies of it is not its fault.
#[cfg(unix)]
#[test]
fn an_interrupt_is_no_forfeit() {
    let dir = folder("interrupt-engine");
    // It waits so that it is the engine's turn, and dies silently as most programs do.
    let side = engine(&dir, "signal.signal(signal.SIGINT, signal.SIG_DFL); time.sleep(0.01)");
    let (line, out) = (["match", "random", &side, "--nodes", "9", "--out"], dir.join("out"));
    let mut command = bastide(&[&line[..], &[out.to_str().unwrap()]].concat());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.spawn().unwrap();
    let games = || std::fs::read_to_string(out.join("games.jsonl")).unwrap_or_default();
    let began = Instant::now();
    while games().lines().count() < 2 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let output = finished(child);
    let (games, said) = (games(), String::from_utf8_lossy(&output.stderr).into_owned());
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(games.lines().count() >= 2 && !games.contains("forfeit"), "{games}{said}");
}

/// Nobody reads the error stream any more: that is no reason to stop, let alone to hang.
#[cfg(unix)]
#[test]
fn a_closed_error_stream_changes_nothing() {
    let dir = folder("closed");
    let side = engine(&dir, "if turns == 3: print('best 9,9 r0; pass', flush=True); continue");
    let mut child =
        bastide(&["match", "random", &side, "--pairs", "20", "--nodes", "9"]).spawn().unwrap();
    drop(child.stderr.take());
    let out = finished(child);
    std::fs::remove_dir_all(&dir).unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && text.contains("B forfeit 40 games"), "{text}");
}

/// A program is given processor time, not time on the wall: one that shares a processor with others has
/// thought as long as it was promised all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_program_has_the_processor_time_that_it_was_promised() {
    let program = format!("cmd:{} engine", env!("CARGO_BIN_EXE_bastide"));
    let json = std::env::temp_dir().join(format!("bastide-cpu-{}.json", std::process::id()));
    let mut command = bastide(&["match", "greedy", &program, "--pairs", "1", "--threads", "1"]);
    command.args(["--nodes", "10,-", "--movetime", "-,20ms", "--clock", "cpu"]);
    let out = command.arg("--json").arg(&json).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{text}");
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    std::fs::remove_file(&json).unwrap();
    let (a, b) = (&summary["a"], &summary["b"]);
    assert_eq!((&a["limit"], &b["limit"]), (&"10 nodes".into(), &"20ms of CPU time".into()));
    // Some turns are forced or solved at once.
    let spent = b["ms_a_move"].as_f64().unwrap();
    assert!((8.0..24.0).contains(&spent), "{spent} ms of CPU time a move: {summary}");
}
