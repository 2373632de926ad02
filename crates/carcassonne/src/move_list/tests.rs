//! Lists are read and written, and wrong ones are refused with reasons.

use super::*;
use crate::edition::AllSets;
use crate::game::{Carcassonne, Expanded};
use crate::interpreter::{interpret, interpret_with};
use crate::setup::{ExpandedSetup, Setup};
use game::Random;

const OPENING: &str = r#"{"tile":"D","rotation":0,"position":[0,0]},{}"#;

fn list(entries: &str) -> String {
    format!("[{OPENING},{entries}]")
}

fn error(text: &str) -> String {
    interpret(text).err().expect("this is wrong").to_string()
}

#[test]
fn a_wrong_placement_is_told_with_placements() {
    let told = interpret(
        r#"[{"tile":"D","rotation":0,"position":[0,0]},{},{"tile":"U","rotation":7,"position":[1,0]}]"#,
    );
    let told = told.err().unwrap();
    assert_eq!(told.ply, 2);
    assert!(told.reason.contains("a rotation is 0 to 3"), "{told}");
    assert!(told.legal.contains(&"1,0 r0".to_owned()), "{told}");
}

#[test]
fn the_two_lists_of_the_seed_are_read() {
    let start = interpret(&format!("[{OPENING}]")).unwrap();
    assert_eq!(start.game.tiles().len(), 1);
    assert!(start.record.moves.is_empty());
    // A straight road east of the start tile; turned by one quarter it would not fit there.
    let text = list(r#"{"tile":"U","rotation":0,"position":[1,0]},{"meeple":0,"spot":"road0"}"#);
    let read = interpret(&text).unwrap();
    assert_eq!(read.record.to_string().lines().nth(1), Some("U; 1,0 r0; road0"));
}

#[test]
fn other_ways_of_writing_mean_the_same() {
    let short = list(r#"{"tile":"U","rotation":2,"position":[1,0]},{"meeple":0,"spot":"road0"}"#);
    let long = list(
        r#"{"tile":"U","rotation":180,"position":{"x":1,"y":0},"discarded":false},{"spot":"road_EW"}"#,
    );
    let read = |text: &str| interpret(text).unwrap().record;
    assert_eq!(read(&short), read(&long));
    for cell in ["1,0", "N13"] {
        let text = list(&format!(
            r#"{{"tile":"U","rotation":2,"position":"{cell}"}},{{"meeple":0,"spot":"road0"}}"#
        ));
        assert_eq!(read(&short), read(&text), "{cell}");
    }
    let object = format!(r#"{{"setup":"players=4","moves":{short}}}"#);
    assert_eq!(read(&object).setup.players(), 4);
    assert_eq!(read(&object).moves, read(&short).moves);
}

#[test]
fn an_empty_board_has_no_start_pair() {
    let setup: Setup = "start=empty".parse().unwrap();
    let text = r#"[{"tile":"U","rotation":1,"position":[0,0]},{"meeple":0,"spot":"field0"}]"#;
    assert_eq!(interpret_with(text, &setup).unwrap().game.tiles().len(), 1);
    let told = error(text);
    assert!(told.starts_with("entry 1: with start=tile a list begins with"), "{told}");
    assert!(error(r#"[{"tile":"D","rotation":0,"position":[0,0]}]"#).starts_with("entry 2: "));
}

#[test]
fn an_illegal_move_is_named_with_what_was_legal() {
    let told = error(&list(r#"{"tile":"U","rotation":1,"position":[1,0]},{}"#));
    assert_eq!(
        told,
        "entry 3, ply 2 '{\"position\":[1,0],\"rotation\":1,\"tile\":\"U\"}': the west edge of U \
         r1 shows field but road lies there; legal: 1,0 r0 | 1,0 r2 | 0,-1 r0 | 0,-1 r2 | -1,0 r0 \
         | -1,0 r2"
    );
    let told = error(&list(r#"{"tile":"U","rotation":0,"position":[1,0]},{"spot":"city_N"}"#));
    assert!(
        told.contains("tile U has no spot 'city_N'; it has road0 or road_EW, field0"),
        "{told}"
    );
    assert!(told.ends_with("legal: road0 | field0 | field1 | pass"), "{told}");
    let told =
        error(&list(r#"{"tile":"U","rotation":0,"position":[1,0]},{"meeple":3,"spot":"road0"}"#));
    assert!(
        told.contains("ply 3") && told.contains("the lowest free meeple is number 0"),
        "{told}"
    );
    assert!(told.ends_with("legal: road0 | field0 | field1 | pass"), "{told}");
    let told = error(&list("{}"));
    assert!(
        told.contains("entry 3, ply 1 '{}': a tile must be drawn first; legal: A | B"),
        "{told}"
    );
}

#[test]
fn a_discard_must_be_one() {
    let told = error(&list(r#"{"tile":"U","discarded":true}"#));
    assert!(told.contains("tile U fits, so it cannot be set aside; legal: "), "{told}");
    // On a board of one cell nothing fits beside the start tile.
    let setup: Setup = "board=1x1".parse().unwrap();
    let text = list(r#"{"tile":"C","discarded":true},{"tile":"B","discarded":true}"#);
    assert_eq!(interpret_with(&text, &setup).unwrap().game.discards().iter().sum::<u8>(), 2);
    let text = list(r#"{"tile":"C","rotation":0,"position":[1,0]}"#);
    let told = interpret_with(&text, &setup).err().unwrap().to_string();
    assert!(told.contains("fits nowhere and is set aside: {\"tile\":\"C\""), "{told}");
}

#[test]
fn wrong_entries_say_what_was_expected() {
    let reason = |entry: &str| interpret(&list(entry)).err().expect(entry).reason;
    for entry in ["1", "null", "[]", "\"U\"", r#"{"meeple":0}"#, r#"{"spot":1}"#] {
        assert!(reason(entry).starts_with("expected {\"tile\""), "{entry}");
    }
    assert!(reason(r#"{"tyle":"U"}"#).starts_with("'tyle' is no key here"));
    assert!(reason(r#"{"tile":"Z"}"#).contains("A to X"));
    assert!(reason(r#"{"tile":7}"#).contains("A to X"));
    assert!(reason(r#"{"tile":"U","rotation":0}"#).contains("a position is [x, y]"));
    assert!(reason(r#"{"tile":"U","rotation":0,"position":[1]}"#).contains("a position"));
    assert!(reason(r#"{"tile":"U","rotation":0,"position":[1,1e9]}"#).contains("a position"));
    assert!(reason(r#"{"tile":"U","rotation":0,"position":"M0"}"#).contains("or its name"));
    assert!(reason(r#"{"tile":"U","position":[1,0]}"#).contains("a rotation is"));
    assert!(reason(r#"{"tile":"U","rotation":4,"position":[1,0]}"#).contains("a rotation is"));
    assert!(reason(r#"{"tile":"U","discarded":1}"#).contains("true or false"));
    assert!(reason(r#"{"tile":"U","rotation":0,"discarded":true}"#).contains("no position"));
    assert!(reason(r#"{"spot":"road0","meeple":"a"}"#).contains("a meeple is a number"));
    for text in ["[", "[1", "{\"moves\":3}", "{\"setup\":3,\"moves\":[]}", "{\"x\":[]}"] {
        assert!(error(text).starts_with("the list: "), "{text}");
    }
    assert!(error("{\"setup\":\"players=9\",\"moves\":[]}").contains("players=9"));
    assert!(error(&"[".repeat(100_000)).contains("recursion limit"));
    assert!(error(&format!("[{}", " ".repeat(2 << 20))).contains("longer than 1 MiB"));
}

#[test]
fn lists_of_whole_games_come_back() {
    let mut random = Random::new(9);
    let (mut moves, mut discards) = (Vec::new(), 0);
    for setup in ["players=2", "players=3 start=empty", "players=6 board=4x4", "farmers=off"] {
        let setup: Setup = setup.parse().unwrap();
        for _ in 0..20 {
            let mut game = Carcassonne::new(&setup);
            let mut record = Record::<Carcassonne>::new(setup);
            loop {
                game.moves(&mut moves);
                let Some(m) = random.pick(&moves) else { break };
                game.play_unchecked(*m, |_| {});
                record.moves.push(*m);
                if random.below(16) == 0 {
                    check_round_trip(&record);
                }
            }
            check_round_trip(&record);
            discards += game.discards().iter().map(|n| u32::from(*n)).sum::<u32>();
            check_without_discards(&record, &game, &setup);
        }
    }
    assert!(discards > 0, "some game had a discard");
}

fn check_round_trip<E: Edition>(record: &Record<Position<E>>) {
    let list = write_list(record).unwrap();
    let back = Interpreted::<E>::read(&list, &record.setup);
    let back = back.unwrap_or_else(|error| panic!("{error}\n{list}"));
    assert_eq!(back.record, *record, "{list}");
}

#[test]
fn lists_of_whole_games_with_sets_come_back() {
    let mut random = Random::new(10);
    let (mut moves, mut all) = (Vec::new(), String::new());
    for setup in [
        "sets=inns,traders",
        "players=3 sets=river,gardens",
        "players=6 sets=inns,traders,river,gardens",
    ] {
        let setup: ExpandedSetup = setup.parse().unwrap();
        for _ in 0..10 {
            let mut game = Expanded::new(&setup);
            let mut record = Record::<Expanded>::new(setup);
            loop {
                game.moves(&mut moves);
                // Figures rather than meeples, so that all of them are seen.
                let figures: Vec<_> = moves
                    .iter()
                    .filter(|m| m.to_string().contains("r ") || **m == Move::RECALL)
                    .collect();
                let Some(m) = random.pick(&figures).copied().or(random.pick(&moves)).copied()
                else {
                    break;
                };
                game.play_unchecked(m, |_| {});
                record.moves.push(m);
            }
            check_round_trip(&record);
            all += &write_list(&record).unwrap();
        }
    }
    for seen in
        ["\"figure\":\"big\"", "\"builder\"", "\"pig\"", "\"abbot\"", "{\"recall\":true}", "RI/s"]
    {
        assert!(all.contains(seen), "no {seen}");
    }
}

#[test]
fn figures_of_the_sets_are_read() {
    let read =
        |setup: &str, text: &str| Interpreted::<AllSets>::read(text, &setup.parse().unwrap());
    let road = r#"{"tile":"IC/RFr.i","rotation":0,"position":[1,0]},"#;
    for big in
        [r#"{"figure":"big","spot":"road_EW"}"#, r#"{"figure":"big","meeple":7,"spot":"road0"}"#]
    {
        let read = read("sets=inns", &list(&format!("{road}{big}"))).unwrap();
        assert_eq!(read.record.to_string().lines().nth(1), Some("IC/RFr.i; 1,0 r0; big road0"));
    }
    let told = |setup: &str, text: &str| read(setup, text).err().unwrap().to_string();
    let wrong = list(&format!(r#"{road}{{"figure":"big","meeple":1,"spot":"road0"}}"#));
    assert!(
        told("sets=inns", &wrong).contains("the big is number 7"),
        "{}",
        told("sets=inns", &wrong)
    );
    for (entry, reason) in [
        (r#"{"figure":"pig","spot":"field0"}"#, "player 0 has no pig left"),
        (
            r#"{"figure":"cow","spot":"field0"}"#,
            "expected a figure: meeple, big, builder, pig or abbot",
        ),
        (r#"{"recall":true}"#, "player 0 has no abbot on an unfinished monastery or garden"),
        (r#"{"recall":1}"#, "expected {\"tile\""),
        (r#"{"recall":true,"spot":"city0"}"#, "'spot' is no key here"),
    ] {
        let told = told("sets=inns", &list(&format!("{road}{entry}")));
        assert!(told.contains(reason), "{told}");
    }
    let told = told("sets=river", &list("{}"));
    assert!(
        told.contains(r#"a list begins with {"tile":"RI/s","rotation":0,"position":[0,0]}, {}"#),
        "{told}"
    );
}

/// A list that leaves out what was set aside leads to the same board.
fn check_without_discards(record: &Record<Carcassonne>, game: &Carcassonne, setup: &Setup) {
    let list = write_list(record).unwrap();
    let value: Value = serde_json::from_str(&list).unwrap();
    let kept = value.as_array().unwrap().iter().filter(|entry| entry.get("discarded").is_none());
    let text = Value::Array(kept.cloned().collect()).to_string();
    let back = interpret_with(&text, setup).unwrap();
    assert!(back.game.tiles().eq(game.tiles()));
    assert!(back.game.meeples().eq(game.meeples()));
}

#[test]
fn a_list_that_does_not_replay_is_not_written() {
    let record: Record<Carcassonne> = "carcassonne\nU; 0,1 r0".parse().unwrap();
    assert_eq!(write_list(&record).unwrap_err().ply, 2);
}
