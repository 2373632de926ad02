//! The engine against the simple rules: after every move of thousands of random games both must
//! agree on everything that can be asked.
//!
//! `make test-long` plays more games; `ORACLE_GAMES=100` with the usual tests plays fewer.
//! `make fuzz-rules` goes on for ten million moves over random setups, and tells how it goes.

#[path = "support/compare.rs"]
mod compare;
#[path = "support/simple/mod.rs"]
mod simple;
#[path = "support/styles.rs"]
mod styles;

use carcassonne::{AllSets, Base, Edition, Event, Position};
use game::{Game, Random, Record};
use simple::land::{Feature, Features};
use simple::play::{Move, Phase, Simple};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use styles::Style;

/// Games that are played unless `ORACLE_GAMES` says otherwise.
const GAMES: u64 = 500;

/// Games of the tests that take minutes.
const MANY_GAMES: u64 = 20_000;

#[test]
fn the_engine_agrees_with_the_simple_rules_after_every_move_of_random_games() {
    let games = std::env::var("ORACLE_GAMES").map_or(GAMES, |n| n.parse().expect("a number"));
    compare_games::<Base>(0..games);
}

#[test]
fn the_engine_agrees_with_the_simple_rules_with_any_of_the_sets() {
    let games = std::env::var("ORACLE_GAMES").map_or(GAMES, |n| n.parse().expect("a number"));
    compare_games::<AllSets>(0..games);
}

#[test]
#[ignore = "takes minutes; `make test-long` runs it"]
fn the_engine_agrees_with_the_simple_rules_in_many_more_games() {
    compare_games::<Base>(1_000_000..1_000_000 + MANY_GAMES);
}

#[test]
#[ignore = "takes minutes; `make test-long` runs it"]
fn the_engine_agrees_with_the_simple_rules_in_many_more_games_with_sets() {
    compare_games::<AllSets>(1_000_000..1_000_000 + MANY_GAMES);
}

/// Moves that random setups are compared over unless `ORACLE_MOVES` says otherwise.
const MOVES: u64 = 200_000;

#[test]
#[ignore = "takes minutes; `make test-long` runs it, `make fuzz-rules` runs it for hours"]
fn the_engine_agrees_with_the_simple_rules_over_so_many_moves_of_random_setups() {
    const BATCH: u64 = 40;
    const FIRST: u64 = 2_000_000;
    let number =
        |name: &str, or: u64| std::env::var(name).map_or(or, |n| n.parse().expect("a number"));
    let (moves, skipped) = (number("ORACLE_MOVES", MOVES), number("ORACLE_SKIP", 0));
    let started = Instant::now();
    let (mut games, mut played) = (skipped, 0);
    while played < moves {
        let first = FIRST + games;
        played += play_games::<AllSets>(first..first + BATCH).0["move"];
        games += BATCH;
        let seconds = started.elapsed().as_secs();
        println!("{played} moves of games {skipped} to {games} without a difference, {seconds} s");
    }
}

/// Plays the games with these numbers, and checks that they saw enough.
fn compare_games<E: Edition>(numbers: Range<u64>) {
    let seen = play_games::<E>(numbers.clone());
    println!("games {numbers:?}: {seen:?}");
    if numbers.end - numbers.start >= GAMES {
        seen.assert_rich(E::EXPANDED);
    }
}

/// Plays the games with these numbers on all cores; gives what they saw.
fn play_games<E: Edition>(numbers: Range<u64>) -> Seen {
    let next = AtomicU64::new(numbers.start);
    let seen = Mutex::new(Seen::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut own = Seen::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if !numbers.contains(&number) {
                        break;
                    }
                    compare_game::<E>(number, &mut own);
                }
                seen.lock().expect("no other thread failed").add(own);
            });
        }
    });
    seen.into_inner().expect("no thread failed")
}

/// How often the games saw what is worth seeing.
#[derive(Default, Debug)]
struct Seen(BTreeMap<&'static str, u64>);

impl Seen {
    const MARKS: [(&'static str, &'static str); 14] = [
        ("finished city", "feature_scored|for city"),
        ("finished city with a pennant", "feature_scored|for city|pennant"),
        ("finished road", "feature_scored|for road"),
        ("finished monastery", "feature_scored|for monastery"),
        ("finished city shared", "feature_scored|for city|tied"),
        ("finished road shared", "feature_scored|for road|tied"),
        ("unfinished city", "end_game_points|for city"),
        ("unfinished road", "end_game_points|for road"),
        ("unfinished monastery", "end_game_points|for monastery"),
        ("field", "end_game_points|for field"),
        ("field shared", "end_game_points|for field|tied"),
        ("discarded tile", "tile_discarded"),
        ("last tile discarded", "tile_discarded|, 0 left"),
        ("end of a game", "game_over"),
    ];

    /// What only games with sets see.
    const MARKS_OF_SETS: [(&'static str, &'static str); 21] = [
        ("finished city with a cathedral", "feature_scored|for city|cathedral"),
        ("unfinished city with a cathedral", "end_game_points|for city|cathedral"),
        ("finished road with an inn", "feature_scored|for road|inn"),
        ("unfinished road with an inn", "end_game_points|for road|inn"),
        ("big meeple placed", "meeple_placed|big meeple"),
        ("big meeple in a field", "meeple_placed|big meeple|field"),
        ("big meeple returned", "meeple_returned|big meeple"),
        ("builder placed", "meeple_placed|builder"),
        ("builder returned", "meeple_returned|builder"),
        ("turn doubled", "turn_doubled"),
        ("pig placed", "meeple_placed|pig"),
        ("field with a pig", "end_game_points|for field|pig"),
        ("field with a pig shared", "end_game_points|for field|pig|tied"),
        ("goods taken", "goods_taken"),
        ("several goods taken", "goods_taken|, "),
        ("most goods", "end_game_goods"),
        ("abbot in a garden", "meeple_placed|abbot|garden"),
        ("abbot in a monastery", "meeple_placed|abbot|monastery"),
        ("finished garden", "feature_scored|for garden|, finished"),
        ("abbot recalled", "feature_scored|unfinished"),
        ("river tile set aside", "tile_discarded|RI/"),
    ];

    fn note(&mut self, simple: &Simple, events: &[String]) {
        for (name, mark) in Self::MARKS.into_iter().chain(Self::MARKS_OF_SETS) {
            let hit = |event: &&String| mark.split('|').all(|part| event.contains(part));
            *self.0.entry(name).or_default() += events.iter().filter(hit).count() as u64;
        }
        *self.0.entry("move").or_default() += 1;
        let empty_hand = simple.phase == Phase::Meeple && simple.supply(simple.player) == 0;
        *self.0.entry("empty hand").or_default() += u64::from(empty_hand);
    }

    /// Notes the features to which a tile belongs with several of its segments.
    fn note_features(&mut self, features: &Features) {
        for feature in features.all.iter().filter(|f| f.segments.len() > f.tiles.len()) {
            let name = match feature.terrain {
                simple::tiles::Terrain::City => "city with two segments of a tile",
                simple::tiles::Terrain::Road => "road with two segments of a tile",
                _ => "field with two segments of a tile",
            };
            *self.0.entry(name).or_default() += 1;
        }
    }

    fn add(&mut self, other: Self) {
        for (name, count) in other.0 {
            *self.0.entry(name).or_default() += count;
        }
    }

    /// Fails if the games were too poor to prove anything.
    fn assert_rich(&self, sets: bool) {
        let of_sets = |name: &str| Self::MARKS_OF_SETS.iter().any(|(mark, _)| *mark == name);
        for (name, count) in self.0.iter().filter(|(name, _)| sets || !of_sets(name)) {
            let least = if sets { 10 } else { 25 };
            assert!(*count >= least, "only {count} times: {name}");
        }
    }
}

fn compare_game<E: Edition>(number: u64, seen: &mut Seen) {
    let mut random = Random::new(number);
    let setup: E::Setup = match random_setup(&mut random, E::EXPANDED).parse() {
        Ok(setup) => setup,
        Err(error) => panic!("every option is allowed: {error}"),
    };
    let style = Style::random(&mut random);
    let mut engine = Position::<E>::new(&setup);
    let mut simple = Simple::new(&setup.to_string());
    let mut record = Record::<Position<E>>::new(setup);
    let mut features = simple.land.features();
    loop {
        let moves = simple.moves();
        let rarely = record.moves.len().is_multiple_of(16) || simple.phase == Phase::Over;
        let compared = compare::positions(&engine, &simple, &features)
            .and_then(|()| compare::moves(&engine, &simple, &moves))
            .and_then(|()| if rarely { compare::cells(&engine, &simple) } else { Ok(()) });
        if let Err(what) = compared {
            panic!("game {number} ({style:?}): {what}, after\n{record}");
        }
        if simple.phase == Phase::Over {
            break;
        }
        let m = style.pick(&simple, &moves, &mut random);
        let mut expected = simple.play(m);
        expected.sort();
        let mut gone = Vec::new();
        if let Move::Place(..) = m {
            let before = std::mem::replace(&mut features, simple.land.features());
            gone = merged(&before, &simple, &features);
            seen.note_features(&features);
        }
        let played = m.to_string().parse().expect("the move parses");
        let told = play(&mut engine, played);
        record.moves.push(played);
        seen.note(&simple, &expected);
        assert_eq!(told, (expected, gone), "game {number}: told by the last move of\n{record}");
    }
}

fn random_setup(random: &mut Random, with_sets: bool) -> String {
    let boards = [145, 35, 30, 12, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    let mut one_of = |options: &[&str]| (*random.pick(options).expect("options")).to_owned();
    let players = one_of(&["2", "3", "4", "5", "6"]);
    let farmers = one_of(&["on", "on", "off"]);
    let start = one_of(&["tile", "empty"]);
    let tiny = one_of(&["4", "2"]);
    let board = match random.below(3) {
        0 => "unlimited".to_owned(),
        _ => random.pick(&boards).map(|n| format!("{n}x{n}")).expect("boards"),
    };
    let names = ["inns", "traders", "river", "gardens"];
    let sets: Vec<&str> = names.into_iter().filter(|_| with_sets && random.below(2) == 0).collect();
    let start = if sets.contains(&"river") { "tile" } else { start.as_str() };
    let sets = if sets.is_empty() { String::new() } else { format!(" sets={}", sets.join(",")) };
    format!(
        "players={players} farmers={farmers} start={start} board={board} tiny-city={tiny}{sets}"
    )
}

/// The ids that are gone because their features merged with older ones.
fn merged(before: &Features, simple: &Simple, after: &Features) -> Vec<usize> {
    let old = before.all.iter().map(Feature::id);
    let laid = simple.land.tiles.last().expect("a tile was just laid");
    let new = (0..laid.kind.segments.len()).map(|index| laid.first + index);
    old.chain(new).filter(|id| after.of(*id).id() != *id).collect()
}

/// The events of the engine's move, sorted, and the ids that are gone.
fn play<E: Edition>(engine: &mut Position<E>, m: carcassonne::Move) -> (Vec<String>, Vec<usize>) {
    let (mut events, mut gone) = (Vec::new(), Vec::new());
    let played = engine.play(m, |event| match event {
        Event::FeatureMerged { gone: id, .. } => gone.push(usize::from(id.0)),
        _ => events.push(event.to_string()),
    });
    assert_eq!(played, Ok(()), "a move of the simple rules is legal");
    events.sort();
    gone.sort_unstable();
    (events, gone)
}
