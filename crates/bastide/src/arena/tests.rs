//! Whole matches of cheap bots.

use super::records::split_records;
use super::*;
use crate::external::ProgramOptions;
use carcassonne::{Carcassonne, Expanded, ExpandedSetup};
use game::{Game, Record};
use search::Stop;
use search::arena::Sprt;
use std::path::PathBuf;

fn plan(a: &str, b: &str, rounds: u64) -> Plan {
    let sides = [a.to_owned(), b.to_owned()];
    let paces = [Pace::Nodes(40); 2];
    let (setup, programs) = (ExpandedSetup::default(), ProgramOptions::default());
    Plan { setup, sides, paces, seed: 5, rounds, sprt: None, programs, tried: Default::default() }
}

fn play(plan: &Plan, store: &mut Store, threads: usize) -> (Summary, Ending) {
    run(plan, store, threads, &Stop::new(), &mut Progress::silent()).unwrap()
}

fn records(plan: &Plan, threads: usize) -> String {
    let mut store = Store::in_memory();
    let (summary, ending) = play(plan, &mut store, threads);
    assert_eq!(ending, Ending::Complete);
    write_records(plan, &store, &summary)
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bastide-arena-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn open(path: &std::path::Path, plan: &Plan) -> anyhow::Result<Store> {
    Store::open(path, plan, |warning| panic!("{warning}"))
}

#[test]
fn greedy_beats_random_and_every_game_replays() {
    let plan = plan("greedy", "random", 4);
    let mut store = Store::in_memory();
    let (summary, ending) = play(&plan, &mut store, 2);
    assert_eq!(ending, Ending::Complete);
    let tally = summary.tally();
    assert_eq!((tally.rounds(), tally.games(), tally.wins), (4, 8, 8));
    assert!(tally.margin().mean > 30.0);
    let text = summary.to_string();
    let last = text.lines().last().unwrap();
    assert!(last.ends_with(&tally.margin().to_string()), "{text}");
    assert!(text.contains("A won 8, drew 0, lost 0"), "{text}");

    let text = write_records(&plan, &store, &summary);
    let games = split_records(&text);
    assert_eq!(games.len(), 8);
    for (game, stored) in games.iter().zip(store.games()) {
        let record: Record<Carcassonne> = game.parse().unwrap();
        assert_eq!(record.replay().unwrap().scores().as_slice(), stored.scores);
    }
    // Both games of a pair draw the same tiles, as far as no tile had to be set aside.
    let draws = |game: &str| -> Vec<String> {
        let lines = game.lines().skip(1).filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| line.split(';').next()).take(30).map(str::to_owned).collect()
    };
    assert_eq!(draws(games[0]), draws(games[1]));
    assert_ne!(draws(games[0]), draws(games[2]));
    assert!(text.starts_with("# pair 1, game 1: seat 0 greedy, seat 1 random: "), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    for (a, b) in [("greedy", "random"), ("mcts", "look:eval=greedy")] {
        let plan = plan(a, b, 2);
        assert_eq!(records(&plan, 1), records(&plan, 3), "{a} {b}");
    }
    let other = Plan { seed: 6, ..plan("greedy", "random", 2) };
    assert_ne!(records(&other, 2), records(&plan("greedy", "random", 2), 2));
}

#[test]
fn a_match_that_goes_on_is_the_match_that_was_not_stopped() {
    let path = folder("resume");
    let plan = plan("greedy", "random", 6);
    let whole = records(&plan, 2);
    {
        let part = Plan { rounds: 2, ..plan.clone() };
        play(&part, &mut open(&path, &part).unwrap(), 1);
    }
    // A kill in the middle of a line, and half a pair more.
    let games = path.join("games.jsonl");
    let text = std::fs::read_to_string(&games).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(&games, [&lines[..3].join("\n"), "\n", &lines[3][..50]].concat()).unwrap();
    let mut store = open(&path, &plan).unwrap();
    assert_eq!(store.games().count(), 3);
    let (summary, ending) = play(&plan, &mut store, 2);
    assert_eq!(ending, Ending::Complete);
    assert_eq!(write_records(&plan, &store, &summary), whole);
    let error = |plan: &Plan| format!("{:#}", open(&path, plan).err().unwrap());
    assert!(error(&plan).contains("another match is writing"));
    drop(store);

    let other = Plan { seed: 9, sides: ["net".into(), "random".into()], ..plan.clone() };
    let said = error(&other);
    assert!(said.contains("A was 'greedy', is 'net'"), "{said}");
    assert!(said.contains("seed was '5', is '9'") && !said.contains("B was"), "{said}");
    // All is there: nothing is played, even on a stop that is used.
    let (again, stop) = (&mut open(&path, &plan).unwrap(), Stop::new());
    stop.stop();
    let (same, ending) = run(&plan, again, 1, &stop, &mut Progress::silent()).unwrap();
    assert_eq!((same.to_string(), ending), (summary.to_string(), Ending::Complete));
    std::fs::remove_dir_all(&path).unwrap();
}

/// What was changed by another hand is refused, whatever it is.
#[test]
fn a_damaged_folder_is_refused() {
    let path = folder("damaged");
    let plan = plan("greedy", "random", 1);
    play(&plan, &mut open(&path, &plan).unwrap(), 1);
    let games = path.join("games.jsonl");
    let whole = std::fs::read_to_string(&games).unwrap();
    let error = |text: &str| {
        std::fs::write(&games, text).unwrap();
        format!("{:#}", open(&path, &plan).err().expect("it is damaged"))
    };
    let first = whole.lines().next().unwrap();
    let scores = whole.replacen("\"scores\":[", "\"scores\":[1", 1);
    assert!(error(&scores).contains("line 1: the scores are not those of the record"));
    assert!(error(&whole.replacen("farmers=on", "farmers=off", 1)).contains("another setup"));
    assert!(error(&format!("{whole}{first}\n")).contains("line 3: the game is there already"));
    assert!(error(&format!("{whole}nothing\n")).contains("line 3"));
    // The record ends with a line's end; its last turn begins behind the one before.
    let (cut, _) = whole.rmatch_indices("\\n").nth(1).unwrap();
    let short = format!("{}\"}}\n", &whole[..cut]);
    assert!(error(&short).contains("line 2"), "{}", error(&short));

    // A kill may leave half a letter behind.
    let mut bytes = whole.clone().into_bytes();
    bytes.extend_from_slice(&[b'{', 0xc3]);
    std::fs::write(&games, bytes).unwrap();
    assert_eq!(open(&path, &plan).unwrap().games().count(), 2);

    // Nobody knows whose games they are.
    std::fs::remove_file(path.join("match.json")).unwrap();
    let said = error(&whole);
    std::fs::remove_dir_all(&path).unwrap();
    assert!(said.contains("no match.json"), "{said}");
}

#[test]
fn another_net_in_the_same_file_is_refused() {
    let path = folder("net");
    std::fs::create_dir_all(&path).unwrap();
    let file = path.join("a.net");
    let save = |seed| {
        let mut bytes = Vec::new();
        bots::net::Net::untrained(seed, bots::Scope::of(2, carcassonne::Sets::NONE))
            .write(&mut bytes)
            .unwrap();
        std::fs::write(&file, bytes).unwrap();
    };
    save(1);
    let plan = plan(&format!("net:file={}", file.display()), "random", 1);
    play(&plan, &mut open(&path, &plan).unwrap(), 1);
    assert_eq!(open(&path, &plan).unwrap().games().count(), 2);
    save(2);
    let said = format!("{:#}", open(&path, &plan).err().unwrap());
    std::fs::remove_dir_all(&path).unwrap();
    assert!(said.contains("a match of A with another net in the same file"), "{said}");
}

#[test]
fn a_stop_leaves_what_was_finished() {
    let plan = plan("greedy", "random", 1_000_000);
    let stop = Stop::new();
    let mut store = Store::in_memory();
    let (summary, ending) = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(700));
            stop.stop();
        });
        run(&plan, &mut store, 2, &stop, &mut Progress::silent()).unwrap()
    });
    assert_eq!(ending, Ending::Stopped);
    assert!(summary.tally().rounds() < 1_000_000);
    assert!(store.games().count() as u64 >= summary.tally().games());
}

#[test]
fn a_test_ends_the_match_at_the_same_round_on_any_number_of_threads() {
    let sprt = Some(Sprt::new(0.0, 400.0));
    let plan = Plan { sprt, ..plan("greedy", "random", 500) };
    let [one, three] = [1, 3].map(|threads| {
        let mut store = Store::in_memory();
        let (summary, ending) = play(&plan, &mut store, threads);
        assert_eq!(ending, Ending::Decided);
        (summary.tally().clone(), write_records(&plan, &store, &summary))
    });
    assert_eq!(one, three);
    assert!((2..30).contains(&one.0.rounds()), "{}", one.0.rounds());
}

#[test]
fn three_players_play_rounds() {
    let setup = "players=3 farmers=off".parse().unwrap();
    let plan = Plan { setup, ..plan("greedy", "random", 2) };
    let mut store = Store::in_memory();
    let (summary, _) = play(&plan, &mut store, 2);
    let tally = summary.tally();
    assert_eq!((tally.rounds(), tally.games(), tally.comparisons()), (2, 6, 12));
    assert!(tally.margin().mean > 20.0 && tally.first >= 5);
    let seats: Vec<usize> = store.games().map(|game| game.seat).collect();
    assert_eq!(seats, [0, 1, 2, 0, 1, 2]);
    assert!(summary.to_string().contains("A first "), "{summary}");
}

#[test]
fn games_with_sets_are_played_stored_and_read_again() {
    let setup = "sets=inns,traders,river,gardens".parse().unwrap();
    let plan = Plan { setup, ..plan("greedy", "random", 2) };
    let path = folder("sets");
    let (summary, ending) = play(&plan, &mut open(&path, &plan).unwrap(), 2);
    assert_eq!((ending, summary.tally().games()), (Ending::Complete, 4));
    assert!(summary.tally().margin().mean > 20.0, "{summary}");
    let store = open(&path, &plan).unwrap();
    let text = write_records(&plan, &store, &summary);
    for (game, stored) in split_records(&text).iter().zip(store.games()) {
        let record: Record<Expanded> = game.parse().unwrap();
        assert_eq!(record.replay().unwrap().scores().as_slice(), stored.scores);
    }
    let base = Plan { setup: ExpandedSetup::default(), ..plan.clone() };
    assert!(Store::open(&path, &base, |_| {}).is_err(), "another setup");
    let mut none = Plan { sides: ["nobody".to_owned(), "greedy".to_owned()], ..plan };
    let told = format!("{:#}", none.check().unwrap_err());
    assert!(told.contains("no bot is called 'nobody'; known: shepherd"), "{told}");
    std::fs::remove_dir_all(&path).unwrap();
}
