//! The commands as a person runs them.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn bastide(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    // A command that refuses its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the command ends")
}

fn stdout(args: &[&str], input: &str) -> String {
    let out = bastide(args, input);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("the output is text")
}

fn complaint(args: &[&str], input: &str) -> String {
    let out = bastide(args, input);
    assert!(!out.status.success(), "{args:?} fails");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

const GAME: &str = "carcassonne players=3\nU; 1,0 r0; road0\nE; 0,1 r2; city0\nB; 0,-1 r0; pass\n";

#[test]
fn replay_shows_the_board_and_the_scores() {
    let text = stdout(&["replay", "-"], GAME);
    assert!(text.contains("ply 9 (pass) of 9, draw_tile for player 0"), "{text}");
    assert!(text.contains("0 ---D------U--0"), "{text}");
    assert!(text.contains("     1       4                 4                 7"), "{text}");
    assert!(text.contains("68 tiles left: A2 B3"), "{text}");
}

#[test]
fn replay_stops_at_a_ply_and_tells_events() {
    let text = stdout(&["replay", "-", "--ply", "6", "--events"], GAME);
    let scored = "   6  feature_scored player 1: +4 for city 0: 2 tiles, finished\n";
    assert!(text.contains(scored), "{text}");
    assert!(!text.contains("B at 0,-1"), "{text}");
    let told = complaint(&["replay", "-", "--ply", "10"], GAME);
    assert_eq!(told, "bastide: --ply 10: the record has only 9 plies\n");
}

#[test]
fn replay_reads_and_writes_both_forms() {
    let list = stdout(&["replay", "-", "--write", "list"], GAME);
    assert!(
        list.starts_with("[{\"tile\":\"D\",\"rotation\":0,\"position\":[0,0]}, {},\n"),
        "{list}"
    );
    let back = stdout(&["replay", "-", "--setup", "players=3", "--write", "record"], &list);
    let setup = "carcassonne players=3 farmers=on start=tile board=unlimited tiny-city=4";
    assert_eq!(back, GAME.replace("carcassonne players=3", setup));
}

#[test]
fn replay_gives_json() {
    let text = stdout(&["replay", "-", "--json", "--events", "--ply", "5"], GAME);
    let view: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(view["phase"], "place_meeple");
    assert_eq!(view["player"], 1);
    assert_eq!(view["scores"], serde_json::json!([0, 0, 0]));
    assert_eq!(view["last_placed_position"], serde_json::json!({"x": 0, "y": 1}));
    assert_eq!(view["placed_meeples"][0]["spot"], "road_EW");
    let city = &view["features"][0];
    assert_eq!((&city["type"], &city["is_complete"]), (&"city".into(), &true.into()));
    assert_eq!(view["legal"], serde_json::json!(["city0", "field0", "pass"]));
    assert_eq!(view["events"][0]["event"], "game_started");
    let mut events = view["events"].as_array().expect("a list").iter().rev();
    let placed = events.find(|event| event["event"] == "tile_placed").expect("a tile was placed");
    assert_eq!((&placed["ply"], &placed["y"]), (&5.into(), &1.into()));
}

#[test]
fn json_tells_for_whom_a_tile_is_drawn_and_no_dead_cells_at_the_end() {
    let view = |args: &[&str], game: &str| -> serde_json::Value {
        serde_json::from_str(&stdout(args, game)).expect("it is JSON")
    };
    let drawing = view(&["replay", "-", "--json", "--ply", "3"], GAME);
    assert_eq!((&drawing["phase"], &drawing["player"]), (&"draw_tile".into(), &1.into()));
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/game.txt");
    let over = view(&["replay", game, "--json"], "");
    assert_eq!((&over["phase"], &over["player"]), (&"game_over".into(), &().into()));
    assert_eq!(over["board"]["dead_positions"], serde_json::json!([]));
}

#[test]
fn a_setup_that_is_not_the_records_is_refused() {
    for command in [&["replay", "-"][..], &["perft", "--depth", "1", "--record", "-"]] {
        let told = complaint(&[command, &["--setup", "players=4"]].concat(), GAME);
        assert!(told.contains("is a game of 'players=3 "), "{told}");
        stdout(&[command, &["--setup", "players=3"]].concat(), GAME);
    }
}

#[test]
fn odd_numbers_are_told() {
    let counted = stdout(&["perft", "--depth", "0", "--divide"], "");
    assert!(counted.ends_with("tiny-city=4\ntotal: 1\n"), "{counted}");
    assert!(stdout(&["perft", "--depth", "0"], "").contains("depth 0:               1"));
    for seconds in ["NaN", "0", "-1", "1e9", "inf"] {
        let told = complaint(&["bench", &format!("--seconds={seconds}")], "");
        assert!(told.contains("from 0.01 to 3600"), "{told}");
    }
}

#[test]
fn replay_says_what_is_wrong() {
    let told = complaint(&["replay", "-"], "carcassonne\nU; 0,1 r0");
    assert!(told.starts_with("bastide: -: line 2, ply 2 '0,1 r0': the south edge of U"), "{told}");
    assert!(told.contains("; legal: "), "{told}");
    assert!(complaint(&["replay", "/nothing/there"], "").contains("cannot open /nothing/there"));
    assert!(complaint(&["replay", "-", "--setup", "players=9"], "[]").contains("2 to 6 players"));
}

#[test]
fn perft_counts() {
    let text = stdout(&["perft", "--depth", "3"], "");
    let count = |line: &str| line.split_whitespace().nth(2).map(str::to_owned);
    let counts: Vec<_> = text.lines().skip(1).filter_map(count).collect();
    assert_eq!(counts, ["24", "123", "589"]);
    let text = stdout(&["perft", "--depth", "1", "--divide", "--record", "-", "--ply", "2"], GAME);
    assert!(text.ends_with("road0: 1\nfield0: 1\nfield1: 1\npass: 1\ntotal: 4\n"), "{text}");
}

#[test]
fn bench_plays_exactly_so_many_games() {
    let text = stdout(&["bench", "--random-games", "3", "--seed", "1"], "");
    assert!(text.starts_with("3 random games, signature "), "{text}");
    assert_eq!(text, stdout(&["bench", "--random-games", "3"], ""), "the seed is 1 if not given");
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(["perft", "--depth", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let out = child.wait_with_output().expect("the command ends");
    assert!(!String::from_utf8_lossy(&out.stderr).contains("panicked"));
}

#[test]
fn a_wrong_argument_is_quoted_short_and_without_its_control_characters() {
    let setup = format!("players=2 \u{1b}[31mfarmers={}", "x".repeat(5_000));
    for command in [&["match", "net", "greedy"][..], &["perft"]] {
        let told = complaint(&[command, &["--setup", &setup]].concat(), "");
        assert!(!told.contains('\u{1b}') && told.len() < 2_000, "{told:?}");
        assert!(told.contains("farmers="), "{told:?}");
    }
    assert!(!complaint(&["fly\u{7}"], "").contains('\u{7}'));
}

#[test]
fn the_table_of_a_net_corrects_its_margins_and_the_plot_shows_both() {
    let folder = std::env::temp_dir().join(format!("bastide-calibrate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let plot = folder.join("margins.svg");
    let args = ["calibrate", "--games", "12", "--margin-plot", plot.to_str().unwrap()];
    let early = |text: &str| -> f64 {
        let line = text.lines().skip_while(|line| !line.starts_with("tiles left")).nth(1).unwrap();
        line.split_whitespace().nth(2).unwrap().parse().unwrap()
    };
    let plain = early(&stdout(&args, ""));
    let corrected = early(&stdout(&[&args[..], &["--corrected"]].concat(), ""));
    assert!((4.0..7.0).contains(&(plain - corrected)), "{plain} and {corrected}");
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(svg.contains("the net") && svg.contains("corrected"), "{svg}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_stopped_calibration_says_what_it_knows_by_then_and_writes_no_file() {
    let plot = std::env::temp_dir().join(format!("bastide-stopped-{}.svg", std::process::id()));
    let child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(["calibrate", "--games", "10000000", "--plot", plot.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let (told, warned) =
        (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert_eq!(ended.status.code(), Some(130), "{told} {warned}");
    assert!(told.contains("Brier score") && told.contains("tiles left"), "{told}");
    let played =
        warned.split_once("stopped after ").map(|(_, rest)| rest.split_once(" of ").unwrap());
    let (games, rest) = played.expect(&warned);
    assert!(games.parse::<u64>().unwrap() > 0, "{warned}");
    assert!(rest.starts_with("10000000 games; no file was written"), "{warned}");
    assert!(!plot.exists());
}

#[test]
fn one_game_has_no_error_and_two_outputs_have_two_files() {
    let told = stdout(&["calibrate", "--games", "1"], "");
    assert!(told.contains("± unknown") && !told.contains("inf"), "{told}");
    for command in [
        &["calibrate", "--plot", "one.svg", "--margin-plot", "one.svg"][..],
        &["match", "random", "random", "--json", "one.svg", "--games", "one.svg"],
    ] {
        let told = complaint(command, "");
        assert!(told.contains("two outputs go to one.svg"), "{told}");
    }
}

#[test]
fn a_dataset_is_made_and_goes_on() {
    let folder = std::env::temp_dir().join(format!("bastide-dataset-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let name = folder.to_str().unwrap();
    let common =
        ["dataset", name, "--bot", "random", "--setup", "board=7x7", "--games-per-shard", "2"];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    let told = stdout(&with(&["--games", "4", "--threads", "2"]), "");
    assert_eq!(told, format!("4 games in 2 shards: {name}\n"));
    let first = std::fs::read(folder.join("shard-00000.npz")).unwrap();
    // A shard that is missing is made again, just as it was.
    std::fs::remove_file(folder.join("shard-00000.npz")).unwrap();
    let again = bastide(&with(&["--games", "6", "--threads", "1"]), "");
    assert!(again.status.success());
    let progress = String::from_utf8_lossy(&again.stderr).into_owned();
    assert_eq!(progress, "shard 1 of 3\nshard 2 of 3\nshard 3 of 3\n");
    assert_eq!(std::fs::read(folder.join("shard-00000.npz")).unwrap(), first);
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["dataset.json", "shard-00000.npz", "shard-00001.npz", "shard-00002.npz"]);

    let told = complaint(&with(&["--games", "6", "--seed", "3"]), "");
    assert_eq!(told, format!("bastide: {name}: seed was 0 in this dataset, now 3\n"));
    let told = complaint(&with(&["--games", "2"]), "");
    assert!(told.contains("games was 6, a whole number of shards goes on to more"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn datasets_of_nonsense_are_refused_before_anything_is_written() {
    let folder = std::env::temp_dir().join(format!("bastide-no-dataset-{}", std::process::id()));
    let name = folder.to_str().unwrap();
    for (args, words) in [
        (&["--games", "0"][..], "--games"),
        (&[], "--games"),
        (&["--games", "2", "--bot", "nobody"], "nobody"),
        (
            &["--games", "2", "--bot", "net", "--bot", "net", "--bot", "net"],
            "3 bots: expected one or two",
        ),
        (&["--games", "2", "--setup", "players=9"], "players=9"),
        (&["--games", "2", "--policy"], "--values"),
        (&["--games", "2", "--values", "nobody"], "nobody"),
        (&["--games", "2", "--records", "."], "--records"),
        (&["--records", "nowhere"], "nowhere"),
        (&["--records", "src"], "there are no .txt or .json files in it"),
    ] {
        let told = complaint(&[&["dataset", name], args].concat(), "");
        assert!(told.contains(words), "{args:?}: {told}");
        assert!(!folder.exists(), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_dataset_has_whole_shards_only() {
    let folder = std::env::temp_dir().join(format!("bastide-stopped-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(["dataset", folder.to_str().unwrap(), "--games", "1000000", "--bot", "random"])
        .args(["--values", "greedy", "--games-per-shard", "2", "--threads", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = std::time::Instant::now();
    while !folder.join("shard-00002.npz").exists() {
        assert!(began.elapsed().as_secs() < 60, "no shards in a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(130));
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    std::fs::remove_dir_all(folder).unwrap();
    assert!(!files.iter().any(|name| name.ends_with(".part")), "{files:?}");
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    let last = format!("stopped after {} of 500000 shards; run again to go on\n", files.len() - 1);
    assert!(told.ends_with(&last), "{told}");
}
