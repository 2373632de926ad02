//! The command from its arguments to its files.

#[path = "../../tests/without_times/mod.rs"]
mod without_times;

use super::*;
use clap::Parser;
use serde_json::Value;
use without_times::without_times;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn parse(words: &[&str]) -> Result<Args, clap::Error> {
    Cli::try_parse_from([&["match"], words].concat()).map(|cli| cli.args)
}

fn play_match(words: &[&str]) -> anyhow::Result<(String, Ending)> {
    let mut out = Vec::new();
    let ending = parse(words)?.play(&Stop::new(), None, &mut Progress::silent(), &mut out)?;
    Ok((String::from_utf8(out)?, ending))
}

fn error(words: &[&str]) -> String {
    format!("{:#}", play_match(words).expect_err("this is wrong"))
}

#[test]
fn results_are_json_and_games_are_records() {
    let dir = std::env::temp_dir().join(format!("bastide-match-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let [json, games] = ["match.json", "games.txt"].map(|name| dir.join(name));
    let (json_name, games_name) = (json.to_str().unwrap(), games.to_str().unwrap());
    let line = ["random", "greedy", "--pairs", "2", "--nodes", "9,8", "--sprt", "-50,0"];
    let (text, ending) =
        play_match(&[&line[..], &["--json", json_name, "--games", games_name]].concat()).unwrap();
    assert_eq!(ending, Ending::Complete);
    let value: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let records = std::fs::read_to_string(&games).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();

    assert_eq!((&value["rounds"], &value["games"]), (&Value::from(2), &Value::from(4)));
    assert_eq!((&value["a"]["name"], &value["b"]["limit"]), (&"random".into(), &"8 nodes".into()));
    assert_eq!(value["results_by_game"].as_array().unwrap().len(), 4);
    assert_eq!(value["sprt"]["verdict"], "open");
    assert!(value["b"]["ms_a_move"].as_f64().unwrap() > 0.0);
    let (mean, error) = (&value["margin"]["mean"], &value["margin"]["error"]);
    let margin = format!("{:+.1} ± {:.1}", mean.as_f64().unwrap(), error.as_f64().unwrap());
    assert!(text.lines().last().unwrap().ends_with(&margin), "{text}");
    assert_eq!(records.matches("carcassonne players=2").count(), 4);
    // One pair alone has no standard error, which JSON calls null.
    let one = play_match(&["random", "random", "--pairs", "1"]).unwrap().0;
    assert!(one.ends_with("± unknown\n") && !one.contains("inf"), "{one}");
}

#[test]
fn wrong_arguments_say_what_is_allowed() {
    assert!(error(&["greedy", "grumpy"]).contains("side B"));
    assert!(error(&["greedy", "grumpy"]).contains("random, greedy, heuristic"));
    assert!(error(&["greedy", "random", "--movetime", "5h"]).contains("200ms, 1.5s or 2m"));
    let nodes = ["greedy", "random", "--nodes", "5", "--clock", "cpu"];
    assert!(error(&nodes).contains("--clock cpu is what --movetime and --gametime are taken by"));
    let endless = ["greedy", "best", "--nodes", "5,none"];
    assert!(error(&endless).contains("'none' is for programs"), "{}", error(&endless));
    let twice = ["greedy", "best", "--nodes", "5", "--movetime", "5ms,-"];
    assert!(error(&twice).contains("side A has two limits"), "{}", error(&twice));
    assert!(error(&["greedy", "random", "--nodes", "many"]).contains("a whole number from 1 to "));
    assert!(error(&["greedy", "random", "--sprt", "5"]).contains("ELO0,ELO1,ALPHA,BETA"));
    assert!(error(&["greedy", "random", "--setup", "players=9"]).contains("2 to 6"));
    for pairs in ["0", "1000001", "18446744073709551615"] {
        assert!(error(&["greedy", "random", "--pairs", pairs]).contains("1..=1000000"), "{pairs}");
    }
    assert!(error(&["greedy", "random", "--threads", "0"]).contains("from 1 to 1024"));
    let both = ["greedy", "random", "--nodes", "1", "--movetime", "1s"];
    assert!(error(&both).contains("side A has two limits"));
    assert!(error(&["greedy", "cmd:./program"]).contains("./program"));
}

/// Games without the time they took, as they are kept: those of a folder, in the order of the rounds.
fn games_in(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games: Vec<Value> =
        text.lines().map(|line| without_times(serde_json::from_str(line).unwrap())).collect();
    games.sort_by_key(|game| (game["round"].as_u64(), game["seat"].as_u64()));
    games
}

/// Pairs that are played apart make the same match when their games lie in one folder.
#[test]
fn a_match_in_parts_is_the_match_at_once() {
    let dir = std::env::temp_dir().join(format!("bastide-match-parts-{}", std::process::id()));
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let line = ["best", "greedy", "--pairs", "5", "--nodes", "40", "--setup", "players=3"];
    let line = [&line[..], &["--seed", "7"]].concat();
    let play_to = |folder: &str, more: &[&str]| {
        play_match(&[&line[..], &["--out", &at(folder)], more].concat()).unwrap()
    };
    let (whole, _) = play_to("whole", &["--json", &at("whole.json")]);
    for (parts, number) in [(&["1-2", "3-3", "4-5"][..], 3), (&["2-5", "1-1"][..], 2)] {
        let together = dir.join(format!("together-{number}"));
        std::fs::create_dir_all(&together).unwrap();
        let mut games = String::new();
        for part in parts {
            let folder = format!("part-{number}-{part}");
            assert_eq!(play_to(&folder, &["--only", part]).1, Ending::Complete);
            let head = dir.join(&folder).join("match.json");
            std::fs::copy(head, together.join("match.json")).unwrap();
            games += &std::fs::read_to_string(dir.join(&folder).join("games.jsonl")).unwrap();
        }
        std::fs::write(together.join("games.jsonl"), &games).unwrap();
        let (name, json) = (format!("together-{number}"), at("together.json"));
        let (text, ending) = play_to(&name, &["--json", &json]);
        assert_eq!(
            std::fs::read_to_string(together.join("games.jsonl")).unwrap(),
            games,
            "no more"
        );
        assert_eq!((text.lines().last(), ending), (whole.lines().last(), Ending::Complete));
        assert_eq!(games_in(&together), games_in(&dir.join("whole")));
        let [one, other] = ["whole.json", "together.json"].map(|name| {
            let text = std::fs::read_to_string(dir.join(name)).unwrap();
            without_times(serde_json::from_str(&text).unwrap())
        });
        assert_eq!(one, other);
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn wrong_parts_say_what_is_allowed() {
    let dir = std::env::temp_dir().join(format!("bastide-match-wrong-{}", std::process::id()));
    let play_only = |only: &str, more: &[&str]| {
        let line = ["random", "random", "--pairs", "5", "--out", dir.to_str().unwrap()];
        error(&[&line[..], &["--only", only], more].concat())
    };
    for wrong in ["0-2", "3-2", "3", "-3", "a-b", "1-99999999999999999999", ""] {
        let said = play_only(wrong, &[]);
        assert!(said.contains("counted from 1, as 101-200"), "{wrong}: {said}");
    }
    for beyond in ["1-6", "6-6", "9-12"] {
        let said = play_only(beyond, &[]);
        assert!(said.contains("the match has 5"), "{beyond}: {said}");
    }
    assert!(!dir.exists(), "nothing was begun");
    for other in ["--luck-adjusted", "--sprt=0,5", "--hand-out"] {
        assert!(play_only("1-2", &[other]).contains("cannot be used with"), "{other}");
    }
    assert!(error(&["random", "random", "--only", "1-2"]).contains("--out"));
    assert!(error(&["random", "random", "--hand-out=0"]).contains("pairs"));
}

/// A file that cannot be written is refused before the first game, not after the last.
#[test]
fn files_are_tried_before_the_match() {
    for option in ["--json", "--games"] {
        for path in ["/no/such/folder/file", "/"] {
            let began = std::time::Instant::now();
            let said = error(&["random", "random", "--pairs", "1000000", option, path]);
            assert!(said.contains(&format!("can't write {path}")), "{said}");
            assert!(began.elapsed() < Duration::from_secs(60));
        }
    }
}

/// The results may lie beside what the match is resumed from, but not in its place.
#[test]
fn the_files_of_a_match_are_not_overwritten() {
    let dir = std::env::temp_dir().join(format!("bastide-match-kept-{}", std::process::id()));
    let play_to = |option: &str, name: &str| {
        let path = dir.join(name);
        let line = ["random", "random", "--pairs", "1", "--out", dir.to_str().unwrap()];
        play_match(&[&line[..], &[option, path.to_str().unwrap()]].concat())
    };
    let [json, games] = [("--json", "match.json"), ("--games", "games.jsonl")]
        .map(|(option, name)| format!("{:#}", play_to(option, name).unwrap_err()));
    let beside = play_to("--json", "result.json");
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(json.contains("where the match itself is kept"), "{json}");
    assert!(games.contains("where the match itself is kept"), "{games}");
    assert_eq!(beside.unwrap().1, Ending::Complete);
}

#[test]
fn the_help_names_every_bot_and_level() {
    let help = help();
    let levels = LEVELS.iter().map(|level| level.name);
    for name in levels.chain(bots::roster::NAMES.map(|(name, _)| name)) {
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
    }
}

#[test]
fn limits_are_for_both_or_each() {
    let paces = |words: &[&str]| {
        let [a, b] = parse(&[&["best", "best"], words].concat()).unwrap().plan().unwrap().paces;
        format!("{a} {b}")
    };
    assert_eq!(paces(&[]), "100ms 100ms");
    assert_eq!(paces(&["--movetime", "0.1s,0.05s"]), "100ms 50ms");
    let mixed = ["--nodes", "500,-", "--movetime", "-,1s", "--clock", "cpu"];
    assert_eq!(paces(&mixed), "500 nodes 1s of CPU time");
}
