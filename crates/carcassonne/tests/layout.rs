//! Positions laid by hand: what a game led to can be laid and plays on as the game does; what no game
//! leads to is refused.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use carcassonne::{AllSets, Base, Carcassonne, Edition, Layout, Move, Position};
use game::{Game, Random, Record, Turn, ignore};
use std::collections::BTreeSet;

/// Everything of a position that players see, without the numbers of features.
fn seen<E: Edition>(game: &Position<E>) -> (Vec<String>, BTreeSet<String>) {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut moves: Vec<String> = moves.iter().map(|m| format!("{m} {}", game.odds(*m))).collect();
    moves.sort();
    let mut seen = BTreeSet::new();
    for feature in game.features() {
        let mut summary = feature.summary;
        let id = summary.id;
        summary.id = carcassonne::FeatureId(0);
        let cities = feature.cities.len();
        let segments: BTreeSet<_> =
            feature.segments.iter().map(|(cell, segment)| format!("{cell} {segment}")).collect();
        seen.insert(format!("{summary:?} {cities} {segments:?}"));
        assert!(feature.segments.iter().all(|(cell, s)| game.feature_at(*cell, *s) == Some(id)));
    }
    seen.extend(game.tiles().map(|tile| format!("{tile:?}")));
    let meeple = |m: carcassonne::PlacedMeeple| {
        format!("{} {} {} {}", m.player, m.figure(), m.cell, m.segment)
    };
    seen.extend(game.meeples().map(meeple));
    seen.insert(format!("{:?} {:?}", game.scores(), game.projected_scores()));
    seen.insert(format!("{:?} {:?}", game.supply(), game.tile_in_hand()));
    seen.insert(format!("{:?} {:?}", game.bag().as_ref(), game.discards().as_ref()));
    seen.insert(format!("{:?} {:?}", game.turn(), game.phase()));
    (moves, seen)
}

fn plays_on<E: Edition>(setup: &str, seed: u64) -> usize
where
    E::Setup: std::str::FromStr<Err: std::fmt::Debug>,
{
    let setup: E::Setup = setup.parse().unwrap();
    let mut random = Random::new(seed);
    let mut game = Position::<E>::new(&setup);
    let mut laid: Vec<Position<E>> = Vec::new();
    let (mut moves, mut compared) = (Vec::new(), 0);
    while game.turn() != Turn::Over {
        if game.turn() == Turn::Chance && !game.is_second_part() && random.below(8) == 0 {
            let text = game.layout().unwrap().to_string();
            let layout: Layout = text.parse().unwrap();
            assert_eq!(layout.to_string(), text);
            let mut shuffled = layout.clone();
            // The river was laid in one way; other tiles come in any order.
            if !setup.to_string().contains("river") {
                random.shuffle(&mut shuffled.tiles);
            }
            laid.push(Position::laid(&setup, &shuffled).unwrap_or_else(|e| panic!("{e}\n{text}")));
        }
        for other in &laid {
            assert_eq!(seen(other), seen(&game));
            compared += 1;
        }
        game.moves(&mut moves);
        let m: Move = match game.sample_outcome(&mut random) {
            Some(drawn) => drawn,
            None => *random.pick(&moves).unwrap(),
        };
        for position in laid.iter_mut().chain([&mut game]) {
            position.play_unchecked(m, ignore);
        }
        laid.truncate(4);
    }
    for other in &laid {
        assert_eq!(other.scores(), game.scores());
    }
    compared
}

#[test]
fn what_a_game_led_to_is_laid_and_plays_on_as_the_game() {
    let mut compared = 0;
    for (seed, setup) in
        ["players=2", "players=3 farmers=off", "players=6 start=empty board=15x15", "tiny-city=2"]
            .into_iter()
            .enumerate()
    {
        compared += plays_on::<Base>(setup, seed as u64);
    }
    for (seed, setup) in [
        "players=2 sets=inns",
        "players=3 sets=traders",
        "players=2 sets=river",
        "players=4 sets=inns,traders,river,gardens",
    ]
    .into_iter()
    .enumerate()
    {
        compared += plays_on::<AllSets>(setup, seed as u64);
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn what_no_game_leads_to_is_refused() {
    let many = (1..=8).map(|x| format!("tile U {x},0 r0 0 field0\n")).collect::<String>();
    for (text, word) in [
        ("tile D 0,0 r1", "0,0: the start tile D r0 lies there"),
        ("tile D 0,0 r0 0 city0", "nobody can stand on the start tile"),
        ("tile U 5,5 r0", "U 5,5 r0: it touches no other tile"),
        ("tile U 1,0 r1", "U 1,0 r1: its edges are not like"),
        ("tile U 1,0 r0\ntile U 1,0 r0", "U 1,0 r0: another tile lies there"),
        ("tile C 0,1 r0\ntile C 0,2 r0", "C: this game has 1 of it"),
        ("gone X X", "gone X: it fits at 1,0, where it fitted all along"),
        ("tile U 1,0 r0\ngone U", "gone U: it fits at 0,-1, where it fitted all along"),
        ("tile E 0,1 r2\ntile E 0,-1 r2\ngone V", "gone V: it fits at 1,0"),
        ("tile IC/RrRr 1,0 r0", "IC/RrRr: this game has 0 of it"),
        ("tile U 1,0 r0 2 road0", "1,0: meeple of player 2: players are numbered from 0 to 1"),
        ("tile U 1,0 r0 0 city0", "1,0: meeple of player 0: U has no city0"),
        ("tile U 1,0 r0 0 big road0", "1,0: big of player 0: it is played with sets=inns"),
        ("tile U 1,0 r0 0 builder road0", "builder of player 0: it is played with sets=traders"),
        (many.as_str(), "8,0: meeple of player 0: the player has no more"),
        ("tile E 0,1 r2 1 city0", "0,1: meeple of player 1: city0 is finished"),
        ("scores 1 2 3", "scores: 3 found, 2 expected, one for each player"),
        ("scores 1", "scores: 1 found, 2 expected, one for each player"),
        ("scores -1 0", "score -1: from 0 to 999"),
        ("scores 1000 0", "score 1000"),
        ("player 2", "player 2: players are numbered from 0 to 1"),
        ("goods 0 1 1 1\ngoods 1 0 0 0", "goods: they are played with sets=traders"),
    ] {
        let said = match text.parse::<Layout>() {
            Ok(layout) => Carcassonne::laid(&Default::default(), &layout).err(),
            Err(error) => Some(error),
        };
        let said = said.unwrap_or_else(|| panic!("{text} was taken")).to_string();
        assert!(said.contains(word), "{text}: {said}");
    }
    for (text, word) in [
        ("tile", "line 1: expected 'tile KIND X,Y rN'"),
        ("\ntile ? 0,0 r0", "line 2: '?': expected a tile letter"),
        ("tile D 0 r0", "expected a cell"),
        ("tile D 0,0 r9", "expected a rotation"),
        ("tile D 0,0 r0 0", "expected one figure"),
        ("tile D 0,0 r0 x city0", "'x': expected a number"),
        ("tile D 0,0 r0 0 horse city0", "expected a figure"),
        ("player", "expected 'player N'"),
        ("scores", "line 1: expected 'scores N N …'"),
        ("gone", "line 1: expected 'gone KIND …'"),
        ("player 0\n\nplayer 1", "line 3: 'player' stands there already"),
        ("scores 1 2\nscores 1 2", "line 2: 'scores' stands there already"),
        ("goods 1 0 0 0", "seats in order from 0"),
        ("goods 0 1", "expected 'goods PLAYER"),
        ("moves U", "'moves': expected tile, scores, gone, goods or player"),
    ] {
        let said = text.parse::<Layout>().unwrap_err().to_string();
        assert!(said.contains(word), "{text}: {said}");
    }
}

/// Two cities are closed and roads lead away on all sides: a tile that is all city fits nowhere.
const CLOSED: &str = "tile E 0,1 r2\ntile U 1,0 r0\ntile U -1,0 r0\ntile B 0,-1 r0\n";

#[test]
fn a_tile_that_fitted_nowhere_is_gone_and_one_that_fitted_all_along_is_not() {
    let lay = |text: &str| Carcassonne::laid(&Default::default(), &text.parse().unwrap());
    let game = lay(&format!("{CLOSED}gone C\n")).unwrap();
    assert_eq!(game.layout().unwrap().to_string().matches("gone C").count(), 1);
    let twice = lay(&format!("{CLOSED}gone C C\n")).err().unwrap().to_string();
    assert_eq!(twice, "C: this game has 1 of it");
    let empty = "start=empty".parse().unwrap();
    let first = Carcassonne::laid(&empty, &"gone C".parse().unwrap()).err().unwrap().to_string();
    assert!(first.contains("gone C: it fits at 0,0"), "{first}");
}

#[test]
fn meeples_on_one_feature_need_a_tile_that_could_have_joined_them() {
    let lay = |text: &str| {
        let laid = Carcassonne::laid(&"players=3".parse().unwrap(), &text.parse().unwrap());
        laid.err().map(|error| error.to_string())
    };
    let refused = [
        // Whichever of the two tiles came second, its road was taken.
        "tile U 1,0 r0 0 road0\ntile U 2,0 r0 1 road0",
        // So was the third.
        "tile U 1,0 r0 0 road0\ntile U 2,0 r0 1 road0\ntile U 3,0 r0 2 road0",
        // The start tile lay before both: it joins nothing later.
        "tile U 1,0 r0 0 road0\ntile U -1,0 r0 1 road0",
        "tile E 0,-1 r2\ntile V 1,0 r0 0 field0\ntile U -1,0 r0 1 field0",
        // One player's meeples too.
        "tile U 1,0 r0 0 road0\ntile U 2,0 r0 0 road0",
    ];
    for text in refused {
        let said = lay(text).unwrap_or_else(|| panic!("{text} was taken"));
        assert!(said.contains("nobody claims what is claimed"), "{text}: {said}");
    }
    let taken = [
        // A tile between them came last.
        "tile U 1,0 r0 0 road0\ntile U 2,0 r0\ntile U 3,0 r0 1 road0",
        // So may have done one whose meeple stands elsewhere.
        "tile U 1,0 r0 0 road0\ntile U 2,0 r0 2 field0\ntile U 3,0 r0 1 road0",
        "tile U 1,0 r0 0 road0\ntile U 2,0 r0 1 field0\ntile U 3,0 r0 2 field1",
    ];
    for text in taken {
        assert_eq!(lay(text), None, "{text}");
    }
}

/// Every position of these games is laid.
fn reached<E: Edition>(setup: &str, seeds: std::ops::Range<u64>) -> (usize, usize)
where
    E::Setup: std::str::FromStr<Err: std::fmt::Debug>,
{
    let setup: E::Setup = setup.parse().unwrap();
    let (mut laid, mut shared, mut moves) = (0, 0, Vec::new());
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut game = Position::<E>::new(&setup);
        while game.turn() != Turn::Over {
            if game.turn() == Turn::Chance && !game.is_second_part() {
                let layout = game.layout().unwrap();
                Position::<E>::laid(&setup, &layout).unwrap_or_else(|e| panic!("{e}\n{layout}"));
                laid += 1;
                let claims: Vec<_> =
                    game.meeples().map(|m| game.feature_at(m.cell, m.segment)).collect();
                let twice = |at: &usize| claims[..*at].contains(&claims[*at]);
                shared += (0..claims.len()).filter(twice).count();
            }
            game.moves(&mut moves);
            let claim = moves.iter().filter(|m| **m != Move::PASS).copied().collect::<Vec<_>>();
            let m = game.sample_outcome(&mut random).or_else(|| random.pick(&claim).copied());
            game.play_unchecked(m.unwrap_or(Move::PASS), ignore);
        }
    }
    (laid, shared)
}

#[test]
fn no_position_that_a_game_reaches_is_refused() {
    let (mut laid, mut shared) = (0, 0);
    for setup in ["players=2", "players=6", "players=5 farmers=off", "players=6 start=empty"] {
        let (positions, claims) = reached::<Base>(setup, 0..12);
        (laid, shared) = (laid + positions, shared + claims);
    }
    for setup in ["players=6 sets=river", "players=6 sets=inns,traders,river,gardens"] {
        let (positions, claims) = reached::<AllSets>(setup, 0..12);
        (laid, shared) = (laid + positions, shared + claims);
    }
    assert!(laid > 4_000 && shared > 4_000, "{laid} positions, {shared} claims shared");
}

#[test]
fn of_the_tiles_that_were_laid_none_was_placed_last() {
    let layout = "tile U 1,0 r0 0 road0".parse().unwrap();
    let mut game = Carcassonne::laid(&Default::default(), &layout).unwrap();
    assert_eq!(game.last_placed(), None);
    for m in ["E", "0,1 r2", "pass"] {
        game.play(m.parse().unwrap(), ignore).unwrap();
    }
    assert_eq!(game.last_placed().unwrap().cell.to_string(), "0,1");
}

#[test]
fn the_river_lies_before_all_others_and_ends_with_its_lake() {
    let setup = "sets=river".parse().unwrap();
    let lay = |text: &str| {
        let laid = Position::<AllSets>::laid(&setup, &text.parse().unwrap());
        laid.err().map(|error| error.to_string())
    };
    assert_eq!(lay("player 1"), None);
    assert_eq!((lay("tile RI/IFI 1,0 r0"), lay("gone RI/IFI")), (None, None));
    for (text, word) in [
        ("tile RI/I.e 1,0 r0", "RI/I.e: the lake ends the river"),
        ("gone RI/I.e", "RI/I.e: the lake ends the river"),
        ("tile E 0,1 r0", "E: the river is laid before all other tiles"),
    ] {
        let said = lay(text).unwrap_or_default();
        assert!(said.contains(word), "{text}: {said}");
    }
}

#[test]
fn the_form_on_one_line_is_the_same_layout_and_shows_what_is_wrong() {
    let text = "tile U 1,0 r0 0 road0\nscores 4 12\nplayer 1\n";
    let layout: Layout = text.parse().unwrap();
    assert_eq!(layout.to_one_line(), "tile U 1,0 r0 0 road0 | scores 4 12 | player 1");
    assert_eq!(Layout::from_one_line(&layout.to_one_line()), Ok(layout));
    let wrong = Layout::from_one_line("player 0 | tile ? 0,0 r0").unwrap_err().to_string();
    assert!(wrong.starts_with("part 2: '?': expected a tile letter"), "{wrong}");
}

#[test]
fn a_record_may_begin_with_a_layout_and_is_written_as_it_was_read() {
    let setup = "players=2 farmers=on start=tile board=unlimited tiny-city=4";
    let text = format!(
        "carcassonne {setup}\nfrom tile U 1,0 r0 0 road0 | scores 4 12 | player 1\nE; 0,1 r2; pass\n"
    );
    let record: Record<Carcassonne> = text.parse().unwrap();
    assert_eq!(record.to_string(), text);
    let game = record.replay().unwrap();
    assert_eq!((game.tiles().len(), game.scores().as_slice()), (3, [4, 12].as_slice()));
    assert_eq!(game.player().index(), 0, "the second seat placed E");
    let read = carcassonne::interpret(&text).unwrap();
    assert_eq!((read.record.clone(), read.game.tiles().len()), (record.clone(), 3));
    assert!(read.events.iter().all(|(ply, _)| *ply > 0), "a laid position has no opening");
    let plain = "carcassonne\nE; 0,1 r2; pass".parse().unwrap();
    assert_ne!(record, plain, "another beginning is another game");
    let list = carcassonne::write_list(&record).unwrap_err().to_string();
    assert!(list.starts_with("the record begins with a position laid by hand"), "{list}");
    for (text, word) in [
        ("carcassonne\nfrom", "line 2: expected 'from LAYOUT'"),
        ("carcassonne\nfrom  # none", "line 2: expected 'from LAYOUT'"),
        ("carcassonne\nfrom lay", "line 2: part 1: 'lay': expected tile"),
        ("carcassonne\nfrom player 0\nfrom player 0", "line 3: 'from' stands once"),
        ("carcassonne\nV\nfrom player 0", "line 3: 'from' stands once"),
    ] {
        let said = text.parse::<Record<Carcassonne>>().unwrap_err().to_string();
        assert!(said.starts_with(word), "{text}: {said}");
        let said = carcassonne::interpret(text).err().unwrap().to_string();
        assert!(said.starts_with(word), "{text}: {said}");
    }
}

#[test]
fn farmers_builders_pigs_and_abbots_stand_where_they_may() {
    let sets = "sets=inns,traders,gardens".parse().unwrap();
    let lay = |text: &str| {
        Position::<AllSets>::laid(&sets, &text.parse().unwrap())
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(lay("tile U 1,0 r0 0 road0\ntile U 2,0 r0 0 builder road0"), None);
    let alone = lay("tile U 1,0 r0 1 road0\ntile U 2,0 r0 0 builder road0").unwrap();
    assert!(alone.contains("no meeple of the player"), "{alone}");
    assert_eq!(lay("tile B 0,-1 r0 0 abbot monastery"), None);
    let pig = lay("tile U 1,0 r0 0 pig road0").unwrap();
    assert!(pig.contains("may not stand on road0"), "{pig}");
    let off = "farmers=off".parse().unwrap();
    let farmer = Carcassonne::laid(&off, &"tile U 1,0 r0 0 field0".parse().unwrap()).err().unwrap();
    assert!(farmer.to_string().contains("may not stand on field0"), "{farmer}");
}

#[test]
fn texts_of_any_kind_are_read_or_refused() {
    let words = [
        "tile",
        "D",
        "U",
        "0,0",
        "1,0",
        "r0",
        "r1",
        "0",
        "1",
        "road0",
        "scores",
        "player",
        "gone",
        "goods",
        "\n",
        "-5",
        "99999999999",
        "big",
        "é",
    ];
    let mut random = Random::new(9);
    for _ in 0..20_000 {
        let count = 1 + random.below(12) as usize;
        let text: Vec<&str> = (0..count).map(|_| *random.pick(&words).unwrap()).collect();
        if let Ok(layout) = text.join(" ").parse::<Layout>() {
            let _ = Carcassonne::laid(&Default::default(), &layout);
        }
    }
}

#[test]
fn the_layout_of_the_documents_is_one() {
    let notation = include_str!("../../../docs/notation.md");
    let (_, from) = notation.split_once("## Positions laid by hand").unwrap();
    let example = from.split("```").nth(1).unwrap().trim_start_matches("text");
    let game = Carcassonne::laid(&Default::default(), &example.parse().unwrap()).unwrap();
    assert_eq!((game.tiles().len(), game.meeples().count()), (4, 2));
}
