//! Hostile text: setups, moves, records and lists are refused with a reason, never a panic.

use carcassonne::{
    AllSets, AnyInterpreted, Base, Carcassonne, Cell, Edition, Expanded, ExpandedSetup,
    Interpreted, Move, Position, Segment, Setup, Tile, interpret, interpret_any, write_list,
};
use game::{Game, Random, Record};
use std::fmt::Display;
use std::str::FromStr;

/// Pieces that texts of ours are made of, and some that they are not.
const PIECES: [&str; 50] = [
    "\"figure\":\"pig\"",
    "{\"recall\":true}",
    "sets=",
    "inns,river",
    "IC/RrRr",
    "big ",
    "recall",
    "players=",
    "=",
    "2",
    "6",
    "7",
    "-1",
    "999999999999999999999",
    "farmers=on",
    "start=empty",
    "board=",
    "30x30",
    "x",
    "tiny-city=2",
    "expansions=",
    " ",
    "\t",
    "\n",
    "\r",
    ";",
    "#",
    ",",
    "r0",
    "r3",
    "r4",
    "M13",
    "ZZ999",
    "A1 r0",
    "city0",
    "road7",
    "field",
    "monastery",
    "pass",
    "A",
    "X",
    "Y",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    "\u{0}",
    "é𝄞",
];

/// Cuts, doubles, swaps and replaces parts of a text.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(chars.len() as u32 + 1) as usize;
        let to = (at + random.below(6) as usize).min(chars.len());
        match random.below(5) {
            0 => drop(chars.drain(at..to)),
            1 => chars.truncate(at),
            2 => drop(chars.splice(at..at, chars[at..to].to_vec())),
            _ => {
                let piece = random.pick(&PIECES).copied().unwrap_or_default();
                chars.splice(at..to, piece.chars());
            }
        }
    }
    chars.into_iter().collect()
}

/// Whatever parses comes back from its own text.
fn check<T: FromStr<Err: Display> + Display + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert!(value.to_string().parse().ok() == Some(value), "{text:?}"),
        Err(error) => {
            let told = error.to_string();
            assert!(!told.is_empty() && told.len() < 2_000, "{text:?}: {told}");
        }
    }
}

/// A game played at random to its end, or nearly.
fn record<E: Edition>(setup: &str, random: &mut Random) -> Record<Position<E>> {
    let Ok(setup) = setup.parse::<E::Setup>() else { panic!("'{setup}' is no setup") };
    let mut record = Record::new(setup);
    let mut game = Position::<E>::new(&setup);
    let mut moves = Vec::new();
    loop {
        game.moves(&mut moves);
        let Some(m) = random.pick(&moves) else { return record };
        game.play_unchecked(*m, |_| {});
        record.moves.push(*m);
    }
}

#[test]
fn setups_and_moves() {
    let mut random = Random::new(1);
    let setups = [
        "",
        "players=3 farmers=off start=empty board=30x30 tiny-city=2",
        "expansions=x",
        "players=6 sets=inns,traders,river,gardens",
    ];
    let moves = [
        "A",
        "3,-1 r2",
        "-72,72 r0",
        "P14 r2",
        "VO885 r1",
        "city0",
        "road3",
        "field2",
        "monastery",
        "pass",
        "IC/CRcR+",
        "builder road1",
        "abbot garden",
        "recall",
    ];
    for _ in 0..20_000 {
        check::<Setup>(&mutated(random.pick(&setups).unwrap(), &mut random.clone()));
        check::<ExpandedSetup>(&mutated(random.pick(&setups).unwrap(), &mut random.clone()));
        let text = mutated(random.pick(&moves).unwrap(), &mut random);
        check::<Move>(&text);
        check::<Cell>(&text);
        check::<Segment>(&text);
        check::<Tile>(&text);
        for tile in Tile::all_sets() {
            let _ = Segment::named(tile, &text);
        }
    }
}

#[test]
fn records() {
    let mut random = Random::new(2);
    let base = record::<Base>("players=4 tiny-city=2", &mut random).to_string();
    let sets = "players=3 sets=inns,traders,river,gardens";
    let sets = record::<AllSets>(sets, &mut random).to_string();
    for whole in [base, sets] {
        let opening: String = whole.lines().take(6).map(|line| format!("{line}\n")).collect();
        for round in 0..3_000 {
            let text = mutated(if round % 3 == 0 { &whole } else { &opening }, &mut random);
            check::<Record<Carcassonne>>(&text);
            check::<Record<Expanded>>(&text);
            interpreted(&text);
        }
    }
}

#[test]
fn lists_of_moves() {
    let mut random = Random::new(3);
    lists_of::<Base>("players=2 board=9x9", &mut random);
    lists_of::<AllSets>("players=2 sets=inns,traders,gardens", &mut random);
    for open in ["[", "{\"moves\":", "[{\"position\":"] {
        assert!(interpret(&open.repeat(50_000)).is_err());
    }
    assert!(interpret(&format!("[{}1]", "1,".repeat(400_000))).is_err());
    assert!(interpret(&"[]".repeat(3)).is_err());
}

fn lists_of<E: Edition>(setup: &str, random: &mut Random) {
    let played = record::<E>(setup, random);
    let whole = write_list(&played).expect("what was played can be written");
    let opening = whole.lines().take(5).collect::<String>() + "{}]";
    for round in 0..3_000 {
        let text = mutated(if round % 3 == 0 { &whole } else { &opening }, random);
        interpreted(&text);
        let _ = Interpreted::<E>::read(&text, &played.setup);
    }
}

#[test]
fn any_legal_looking_move_in_any_position() {
    stray_moves::<Base>("players=5 board=4x4");
    stray_moves::<AllSets>("players=5 board=8x8 sets=inns,traders,river,gardens");
}

fn stray_moves<E: Edition>(setup: &str) {
    let mut random = Random::new(4);
    let mut stray = record::<Base>("players=3", &mut random).moves;
    stray.extend(record::<AllSets>("players=3 sets=traders,gardens", &mut random).moves);
    let Ok(setup) = setup.parse::<E::Setup>() else { panic!("'{setup}' is no setup") };
    let mut game = Position::<E>::new(&setup);
    let mut moves = Vec::new();
    loop {
        for m in stray.iter().step_by(7) {
            let before = game.clone();
            if !game.is_legal(*m) {
                assert!(game.play(*m, |_| {}).is_err());
                assert_eq!(game.scores(), before.scores());
            }
        }
        game.moves(&mut moves);
        let Some(m) = random.pick(&moves) else { break };
        game.play_unchecked(*m, |_| {});
    }
}

/// What was understood can be played and written again.
fn understood<E: Edition>(read: &Interpreted<E>) {
    let again = read.record.replay().expect("it was played once");
    assert_eq!(again.scores(), read.game.scores());
    assert!(write_list(&read.record).is_ok());
    let _ = read.game.picture().to_string();
}

/// An error names a place and a reason, and is not endless whatever was in the text.
fn interpreted(text: &str) {
    match interpret_any(text, &ExpandedSetup::default()) {
        Ok(AnyInterpreted::Base(read)) => understood(&read),
        Ok(AnyInterpreted::Expanded(read)) => understood(&read),
        Err(error) => {
            assert!(!error.reason.is_empty() && !error.place.is_empty(), "{text:?}");
            assert!(error.to_string().len() < 2_000, "{error}");
        }
    }
}
