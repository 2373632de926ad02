//! The command from its arguments to its files.

use super::*;
use clap::Parser;
use serde_json::Value;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn parse(words: &[&str]) -> Result<Args, clap::Error> {
    Cli::try_parse_from([&["match"], words].concat()).map(|cli| cli.args)
}

fn play_match(words: &[&str]) -> anyhow::Result<(String, Ending)> {
    parse(words)?.play(&Stop::new(), &mut Progress::silent())
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
    assert!(one.ends_with("± inf\n"), "{one}");
}

#[test]
fn wrong_arguments_say_what_is_allowed() {
    assert!(error(&["greedy", "grumpy"]).contains("side B"));
    assert!(error(&["greedy", "grumpy"]).contains("random, greedy, heuristic"));
    assert!(error(&["greedy", "random", "--movetime", "5h"]).contains("200ms, 1.5s or 2m"));
    let program = ["greedy", "cmd:./program", "--movetime", "5", "--clock", "cpu"];
    assert!(error(&program).contains("--clock wall"));
    assert!(error(&["greedy", "random", "--nodes", "many"]).contains("a whole number from 1 to "));
    assert!(error(&["greedy", "random", "--sprt", "5"]).contains("ELO0,ELO1,ALPHA,BETA"));
    assert!(error(&["greedy", "random", "--setup", "players=9"]).contains("2 to 6"));
    assert!(error(&["greedy", "random", "--pairs", "0"]).contains("0"));
    assert!(error(&["greedy", "random", "--nodes", "1", "--movetime", "1s"]).contains("cannot be"));
    assert!(error(&["greedy", "cmd:./program"]).contains("./program"));
}

#[test]
fn limits_are_for_both_or_each() {
    let paces = |words: &[&str]| {
        let [a, b] = parse(&[&["best", "best"], words].concat()).unwrap().plan().paces;
        format!("{a} {b}")
    };
    assert_eq!(paces(&[]), "100ms 100ms");
    assert_eq!(paces(&["--movetime", "0.1s,0.05s"]), "100ms 50ms");
    assert_eq!(paces(&["--nodes", "500", "--clock", "cpu"]), "500 nodes 500 nodes");
}
