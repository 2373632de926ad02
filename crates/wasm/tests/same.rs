//! The program's answers that the page compares its own with, bit by bit: `web/src/engine/same.json`.
//! `BLESS=1 cargo test --workspace --test same` writes it anew, after a change that is meant.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use carcassonne::{Expanded, ExpandedSetup};
use game::{Game, Random, Record, Turn, ignore};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/engine/same.json");

/// Nodes of each search.
const NODES: u64 = 1_000;
/// Positions of each game.
const POSITIONS: usize = 5;
/// Plies of the games of which a beginning is reviewed.
const REVIEWED: usize = 14;

/// Every number of players with every choice of sets that has a net, and some that have none; then
/// house rules.
fn setups() -> Vec<String> {
    let sets =
        ["", "inns", "inns,traders", "inns,traders,river,gardens", "river", "gardens", "traders"];
    let with = |players: usize, sets: &&str| match sets.is_empty() {
        true => format!("players={players}"),
        false => format!("players={players} sets={sets}"),
    };
    let mut all: Vec<_> =
        (2..=6).flat_map(|players| sets.iter().map(move |sets| with(players, sets))).collect();
    all.extend(
        [
            "players=2 farmers=off",
            "players=2 start=empty",
            "players=2 board=15x15",
            "players=3 tiny-city=2",
            "players=2 farmers=off sets=inns",
        ]
        .map(str::to_owned),
    );
    all
}

/// A game by quick players, the tiles drawn by a seed.
fn play(setup: &str, seed: u64) -> Record<Expanded> {
    let setup: ExpandedSetup = setup.parse().unwrap();
    let mut random = Random::new(seed);
    let mut bot =
        bots::roster::make::<carcassonne::AllSets>(&"greedy".parse().unwrap(), &setup).unwrap();
    let mut game = Expanded::new(&setup);
    bot.new_game(&game, seed);
    let mut record = Record::new(setup);
    let mut moves = Vec::new();
    while game.turn() != Turn::Over {
        let next = match game.turn() {
            Turn::Chance => {
                game.moves(&mut moves);
                let weights = moves.iter().flat_map(|m| (0..game.odds(*m)).map(move |_| *m));
                vec![*random.pick(&weights.collect::<Vec<_>>()).unwrap()]
            }
            _ => bot.search(&game, &search::Limits::nodes(1), &search::Stop::new()).turn,
        };
        for m in next {
            game.play_unchecked(m, ignore);
            record.moves.push(m);
        }
    }
    record
}

/// Positions in which a player begins a turn, spread over the game.
fn plies(record: &Record<Expanded>) -> Vec<usize> {
    let mut game = Expanded::new(&record.setup);
    let mut found = Vec::new();
    for (index, m) in record.moves.iter().enumerate() {
        let drawn = game.turn() == Turn::Chance;
        game.play_unchecked(*m, ignore);
        if drawn && matches!(game.turn(), Turn::Player(_)) {
            found.push(index + 1);
        }
    }
    let last = found.len() - 2;
    (0..POSITIONS).map(|i| found[(last * (i + 1)) / POSITIONS]).collect()
}

/// The text of an answer; it is never read and written again, which may cost the last digit.
fn ask(request: &Value) -> String {
    let answer = engine_wasm::answer(&request.to_string(), &mut |_| {});
    assert!(!answer.contains("\"error\":\""), "{answer}");
    answer
}

/// A game by its setup, with what the engine says of some positions; of two games also the last line of
/// the review of their beginnings. One line of the file.
fn line(index: usize, setup: &str) -> String {
    let record = play(setup, index as u64);
    let text = record.to_string();
    let position = |ply: usize| {
        let answer =
            ask(&json!({"do": "analyse", "record": text, "ply": ply, "nodes": NODES, "top": 1}));
        format!(r#"{{"ply":{ply},"nodes":{NODES},"answer":{answer}}}"#)
    };
    let positions: Vec<_> = plies(&record).into_iter().map(position).collect();
    let review = if matches!(index, 0 | 3) {
        let mut beginning = record.clone();
        beginning.moves.truncate(REVIEWED);
        ask(&json!({"do": "review", "record": beginning.to_string()}))
    } else {
        "null".to_owned()
    };
    let (record, positions) = (json!(text), positions.join(","));
    format!(r#"{{"record":{record},"positions":[{positions}],"review":{review}}}"#)
}

#[test]
fn the_program_answers_as_the_page_is_told() {
    let setups = setups();
    assert_eq!(setups.len() * POSITIONS, 200);
    let lines: Vec<_> =
        setups.iter().enumerate().map(|(index, setup)| line(index, setup)).collect();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(FILE, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let file = std::fs::read_to_string(FILE).unwrap_or_default();
    let told: Vec<_> = file.lines().map(|line| line.trim_end_matches(',')).collect();
    assert_eq!(told.len(), lines.len() + 2);
    for ((line, told), setup) in lines.iter().zip(&told[1..]).zip(setups) {
        assert!(line == told, "{setup}: the answers are others; BLESS=1 if that is meant");
    }
}
