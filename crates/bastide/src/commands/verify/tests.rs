//! Planted faults are found, and hostile files never end the program.

use super::location::Location;
use super::{Tally, compare, reference, source};
use carcassonne::{
    Carcassonne, Event, Feature, Move, MoveKind, PlacedTile, Score, Segment, Setup, Start, Tile,
};
use game::{Game, Random, Turn};
use serde_json::{Value, json};

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/fixtures/games/{name}.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn first_game(name: &str) -> Value {
    game_with(name, "")
}

/// The first game of a file whose text has this in it.
fn game_with(name: &str, text: &str) -> Value {
    let packed = fixture(name);
    let mut lines = source::Lines::new(packed.as_slice()).unwrap();
    loop {
        let (_, line) = lines.next_line().unwrap().expect("there is such a game");
        let line = line.unwrap();
        if line.contains(text) {
            return serde_json::from_str(&line).unwrap();
        }
    }
}

fn differences(game: &Value) -> Vec<String> {
    let game = reference::Game::parse(&game.to_string()).unwrap();
    compare::game(&game).unwrap().differences
}

/// Plants a fault and expects it to be the first one told, under this name.
fn planted(name: &str, fault: impl FnOnce(&mut Value), told: &str) {
    planted_in(first_game(name), fault, told);
}

fn planted_in(mut game: Value, fault: impl FnOnce(&mut Value), told: &str) {
    fault(&mut game);
    let found = differences(&game);
    assert!(found.first().is_some_and(|first| first.contains(told)), "{told}: {found:?}");
}

/// The first of the turns that has something under the key.
fn turn_with<'a>(game: &'a mut Value, key: &str) -> &'a mut Value {
    let turns = game["turns"].as_array_mut().unwrap();
    let has = |turn: &&mut Value| turn[key].as_array().is_some_and(|list| !list.is_empty());
    turns.iter_mut().find(has).unwrap()
}

#[test]
fn an_untouched_game_has_no_difference() {
    assert_eq!(differences(&first_game("base3")), Vec::<String>::new());
}

#[test]
fn faults_in_a_turn_are_found() {
    let drop_first = |list: &mut Value| drop(list.as_array_mut().unwrap().remove(0));
    planted("base2", |g| drop_first(&mut g["turns"][9]["legal"]), "turn 10: legal placements");
    planted(
        "base2",
        |g| g["turns"][9]["legal"].as_array_mut().unwrap().push(json!([40, 40, 90])),
        "only in the reference [[40, 40, 90]], only here []",
    );
    planted("base2", |g| drop_first(&mut turn_with(g, "meeples")["meeples"]), "meeple spots");
    planted("base2", |g| g["turns"][3]["scores"][1] = json!(7), "turn 4: scores: reference");
    planted("base2", |g| g["turns"][3]["supply"][0] = json!({"SmallFollower": 2}), "supply");
    planted("base2", |g| g["turns"][3]["supply"][0]["BigFollower"] = json!(1), "supply: reference");
    planted("base2", |g| g["turns"][3]["p"] = json!(0), "player: reference 0, here 1");
    planted("base2", |g| g["turns"][0]["place"] = json!([0, 1, 0]), "illegal here");
    planted("base2", |g| g["turns"][0]["discarded"] = json!(["BA/L"]), "tiles set aside");
    planted("base2", |g| g["turns"][0]["tile"] = json!("BA/L"), "tile drawn");
    planted("base2", |g| g["turns"][4]["scores"] = json!(null), "scores: reference null, here [");
    planted("base2", |g| g["turns"][4]["p"] = json!(null), "player: reference null, here 0");
}

#[test]
fn what_cannot_be_read_hides_nothing_before_it() {
    let malformed: [(&str, Value, &str); 6] = [
        ("place", json!([0, 0, 45]), "[0, 0, 45] is no placement"),
        ("place", json!(null), "no placement"),
        ("place", json!("there"), "the turn cannot be read"),
        ("action", json!(["deploy", "SmallFollower", "Volcano", "I"]), "'Volcano' is no feature"),
        ("action", json!(["fly\u{1b}[31m"]), "the action 'fly\\u{1b}[31m' is not supported"),
        ("meeples", json!([["SmallFollower", "City", "Q"]]), "'Q' is no location of a city"),
    ];
    for (key, value, told) in malformed {
        let mut game = first_game("base2");
        let score = game["turns"][3]["scores"][0].as_i64().unwrap();
        game["turns"][3]["scores"][0] = json!(score + 5);
        game["turns"][20][key] = value;
        let found = differences(&game);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("turn 4: scores: reference ["), "{found:?}");
        assert!(found[1].contains("turn 21: ") && found[1].contains(told), "{found:?}");
        assert!(!found[1].contains("Some("), "{found:?}");
    }
    let mut game = first_game("base2");
    game["turns"][3]["scores"][0] = json!(77);
    game["final_scores"] = json!("many");
    let found = differences(&game);
    assert!(found.len() == 2 && found[1].contains("end: final_scores cannot be read"), "{found:?}");
}

#[test]
fn a_game_without_farmers_is_followed() {
    let mut game = played("players=3 farmers=off", 7);
    assert_eq!(differences(&game), Vec::<String>::new());
    game["elements"]["farmers"] = json!(true);
    assert!(differences(&game)[0].contains("meeple spots"));
}

#[test]
fn a_game_ended_by_tiles_that_fit_nowhere_is_followed() {
    // Random games hardly ever end so. Here tile C is drawn last, and played against.
    let mut games = (0..20).map(|seed| played_with("players=2", seed, true));
    let ends = |game: &Value| game["turns"].as_array().unwrap().last().unwrap()["tile"].is_null();
    let mut game = games.find(ends).expect("one of the games ends so");
    assert_eq!(differences(&game), Vec::<String>::new());
    let last = game["turns"].as_array().unwrap().len() - 1;
    // Less may be told of that turn, and what is told is compared.
    for key in ["points", "scores", "supply"] {
        let told = game["turns"][last][key].take();
        assert_eq!(differences(&game), Vec::<String>::new());
        game["turns"][last].as_object_mut().unwrap().remove(key);
        assert_eq!(differences(&game), Vec::<String>::new());
        game["turns"][last][key] = told;
    }
    let mut wrong = game.clone();
    wrong["turns"][last]["scores"][0] = json!(-1);
    assert!(differences(&wrong)[0].contains("scores: reference [-1,"));
    wrong = game.clone();
    wrong["turns"][last]["p"] = json!(5);
    assert!(differences(&wrong)[0].contains("player: reference 5"));
    // A reference that stops drawing when nothing fits means the same.
    let aside = game["turns"][last]["discarded"].as_array().unwrap().len();
    let drawn = game["draw_order"].as_array_mut().unwrap();
    drawn.truncate(drawn.len() - aside);
    game["turns"].as_array_mut().unwrap().pop();
    assert_eq!(differences(&game), Vec::<String>::new());
}

/// A random game of ours, written as a reference game.
fn played(setup: &str, seed: u64) -> Value {
    played_with(setup, seed, false)
}

/// The same; tile C may be drawn last, and every tile put where it leaves the fewest cells for C.
fn played_with(setup: &str, seed: u64, against_c: bool) -> Value {
    let c: Tile = "C".parse().unwrap();
    let setup: Setup = setup.parse().unwrap();
    let mut random = Random::new(seed);
    let mut game = Carcassonne::new(&setup);
    let (mut order, mut turns) = (Vec::new(), Vec::new());
    let mut scores = vec![0; setup.players()];
    let mut given = Vec::new();
    let mut list = Vec::new();
    while game.turn() != Turn::Over {
        let mut turn = json!({"p": game.player().index()});
        let mut aside = Vec::new();
        while let Some(m) = game.sample_outcome(&mut random) {
            let MoveKind::Draw(tile) = m.kind() else { unreachable!() };
            if against_c && tile == c && game.tiles_left() > 1 {
                continue;
            }
            order.push(reference::id(tile));
            game.play_unchecked(m, |event| given.push(event));
            if game.tile_in_hand().is_none() {
                aside.push(reference::id(tile));
            }
        }
        if !aside.is_empty() {
            turn["discarded"] = json!(aside);
        }
        let mut scored = Vec::new();
        if let Some(tile) = game.tile_in_hand() {
            turn["tile"] = json!(reference::id(tile));
            game.moves(&mut list);
            let place = |m: &Move| match m.kind() {
                MoveKind::Place { cell, rotation } => {
                    let [x, y] = reference::position(cell);
                    [x, y, rotation.degrees().into()]
                }
                _ => unreachable!(),
            };
            turn["legal"] = list.iter().map(place).collect();
            let mut m = *random.pick(&list).unwrap();
            if against_c {
                m = *list.iter().min_by_key(|m| cells_for(c, &game, **m)).unwrap();
            }
            turn["place"] = json!(place(&m));
            game.play_unchecked(m, |_| {});
            let placed = game.last_placed().unwrap();
            let spot = |segment| located(segment, placed);
            game.moves(&mut list);
            let segments: Vec<_> = game.spots().iter().map(|(segment, _)| *segment).collect();
            turn["meeples"] = segments.iter().map(|s| spot(*s)).collect();
            turn["action"] = json!(["pass"]);
            let mut m = Move::PASS;
            if let Some(segment) = random.pick(&segments).copied() {
                m = Move::meeple(segment);
                let mut action = spot(segment);
                action.as_array_mut().unwrap().insert(0, json!("deploy"));
                turn["action"] = action;
            }
            let mut told = Vec::new();
            game.play_unchecked(m, |event| told.push(event));
            for event in &told {
                if let Event::FeatureScored(score) = event {
                    scores[score.player.index()] += i64::from(score.points);
                    scored.push(points(&game, score));
                }
            }
            given.extend(told);
        }
        turn["points"] = json!(scored);
        turn["scores"] = json!(scores);
        let supply = game.supply();
        turn["supply"] = supply.as_slice().iter().map(|n| json!({"SmallFollower": n})).collect();
        turns.push(turn);
    }
    let end = given.iter().filter_map(|event| match event {
        Event::EndGamePoints(score) => Some(points(&game, score)),
        _ => None,
    });
    let start = json!([{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}]);
    json!({
        "players": setup.players(),
        "sets": {"basic:1": 1},
        "elements": {"small-follower": 7, "farmers": setup.farmers},
        "rules": {},
        "start": if setup.start == Start::Tile { start } else { json!([]) },
        "seed": "ours",
        "draw_order": order,
        "turns": turns,
        "final_points": end.collect::<Vec<_>>(),
        "final_scores": game.scores().as_slice(),
        "final_features": game.features().iter().map(|f| feature(&game, f)).collect::<Vec<_>>(),
        "final_meeples": game.meeples().map(|meeple| {
            let [_, feature, location] = names(meeple.segment, game.tile_at(meeple.cell).unwrap());
            json!({
                "type": "SmallFollower",
                "player": meeple.player.index(),
                "position": reference::position(meeple.cell),
                "feature": feature,
                "location": location,
            })
        }).collect::<Vec<_>>(),
    })
}

/// How many cells a tile fits after a move.
fn cells_for(tile: Tile, game: &Carcassonne, m: Move) -> usize {
    let mut game = game.clone();
    game.play_unchecked(m, |_| {});
    game.open_cells().filter(|cell| game.fitting_kinds(*cell).any(|kind| kind == tile)).count()
}

/// Meeple, feature and location, as a reference game names them.
fn names(segment: Segment, placed: PlacedTile) -> [String; 3] {
    let text = Location::of(segment, placed).unwrap().to_string();
    let (feature, location) = text.split_once(' ').unwrap();
    ["SmallFollower".to_owned(), feature.to_owned(), location.to_owned()]
}

fn located(segment: Segment, placed: PlacedTile) -> Value {
    json!(names(segment, placed))
}

fn points(game: &Carcassonne, score: &Score) -> Value {
    let (name, items) = compare::explained(score, false);
    let (cell, segment) = game.feature(score.feature).unwrap().segments[0];
    let [_, feature, location] = names(segment, game.tile_at(cell).unwrap());
    json!({
        "player": score.player.index(),
        "points": score.points,
        "name": name,
        "items": items,
        "ptr": {
            "position": reference::position(cell),
            "location": location,
            "feature": feature,
        },
    })
}

fn feature(game: &Carcassonne, feature: &Feature) -> Value {
    let mut kind = String::new();
    let places = feature.segments.iter().map(|(cell, segment)| {
        let [_, name, location] = names(*segment, game.tile_at(*cell).unwrap());
        kind = name;
        let [x, y] = reference::position(*cell);
        json!([x, y, location])
    });
    let places: Vec<Value> = places.collect();
    let owners: Vec<_> = feature.summary.owners.iter().map(game::Player::index).collect();
    json!({"type": kind, "places": places, "owners": owners, "cities": feature.city_segments})
}

#[test]
fn faults_in_points_are_found() {
    let points = |g: &mut Value, key: &str, value: Value| {
        turn_with(g, "points")["points"][0][key] = value;
    };
    planted("base2", |g| points(g, "points", json!(5)), "points: only in");
    planted("base2", |g| points(g, "player", json!(0)), "points: only in");
    planted("base2", |g| points(g, "name", json!("city.tiny")), "points: only in");
    planted("base2", |g| points(g, "items", json!([[4, "tiles", 4]])), "points: only in");
    let elsewhere = json!({"position": [0, 0], "location": "WE", "feature": "Road"});
    planted("base2", |g| points(g, "ptr", elsewhere), "points: only in");
    let nowhere = json!({"position": [60, 0], "location": "WE", "feature": "Road"});
    planted("base2", |g| points(g, "ptr", nowhere), "nothing lies at");
    let mut tiny = game_with("tiny2", "city.tiny");
    assert!(differences(&tiny).is_empty());
    tiny["rules"] = json!({});
    assert!(differences(&tiny)[0].contains("city.tiny"));
}

#[test]
fn faults_at_the_end_are_found() {
    planted("base2", |g| g["final_scores"][0] = json!(1), "end: final scores");
    planted("base2", |g| g["final_points"][0]["points"] = json!(1), "end: final points");
    planted("base2", |g| g["final_features"][0]["owners"] = json!([1]), "end: final features");
    planted("base2", |g| g["final_features"][1]["cities"] = json!(1), "end: final features");
    let drop_first = |list: &mut Value| drop(list.as_array_mut().unwrap().remove(0));
    planted("base2", |g| drop_first(&mut g["final_features"][0]["places"]), "final features");
    planted("base2", |g| drop_first(&mut g["final_features"]), "final features");
    planted("base2", |g| drop_first(&mut g["final_meeples"]), "final meeples");
    planted("base2", |g| g["final_meeples"][0]["player"] = json!(1), "final meeples");
    planted("base2", |g| drop(g["turns"].as_array_mut().unwrap().pop()), "can be placed");
    planted("base2", |g| drop(g["draw_order"].as_array_mut().unwrap().pop()), "tile drawn");
    planted("base2", |g| g["draw_order"].as_array_mut().unwrap().push(json!("BA/L")), "never drew");
}

#[test]
fn faults_in_games_with_sets_are_found() {
    let drop_first = |list: &mut Value| drop(list.as_array_mut().unwrap().remove(0));
    for name in ["ic6", "ictb6", "abbot3", "river4"] {
        assert_eq!(differences(&first_game(name)), Vec::<String>::new(), "{name}");
    }
    let with_goods = || game_with("ictb6", "\"tokens\"");
    let more_wine = |g: &mut Value| turn_with(g, "tokens")["tokens"][0] = json!({"WINE": 9});
    planted_in(with_goods(), more_wine, "goods");
    planted("ictb6", |g| g["turns"][0]["supply"][1]["Pig"] = json!(0), "supply");
    planted("ic6", |g| drop_first(&mut turn_with(g, "meeples")["meeples"]), "meeple spots");
    planted("abbot3", |g| drop_first(&mut turn_with(g, "returns")["returns"]), "to take back");
    planted("river4", |g| drop_first(&mut g["turns"][2]["legal"]), "legal placements");
    let dropped = |g: &mut Value| {
        let points = g["final_points"].as_array_mut().unwrap();
        points.retain(|points| points["name"] != "trade-goods");
    };
    planted_in(with_goods(), dropped, "final points");
}

#[test]
fn what_is_not_supported_is_named() {
    let refused = |key: &str, value: Value| {
        let mut game = first_game("base2");
        game[key] = value;
        reference::Game::parse(&game.to_string()).err().unwrap()
    };
    let sets = json!({"basic:1": 1, "abbey-and-mayor:1": 1, "river/1:1": 2});
    let told = refused("sets", sets);
    assert_eq!(told, "sets that are not supported yet: abbey-and-mayor:1 x1, river/1:1 x2");
    let sets = json!({"basic:1": 1, "inns-and-cathedrals:1": 1});
    assert_eq!(refused("sets", sets), "the element 'big-follower' is missing");
    assert!(refused("sets", json!({"basic:1": 1, "basic:2": 1})).contains("twice"));
    assert!(refused("sets", json!({"basic:1": 2})).contains("basic:1 x2"));
    assert!(refused("sets", json!({})).contains("no set"));
    let abbot = json!({"small-follower": 7, "farmers": true, "abbot": 1});
    assert!(refused("elements", abbot).contains("'abbot' = 1"));
    assert!(refused("elements", json!({"small-follower": 8})).contains("'small-follower' = 8"));
    assert!(refused("rules", json!({"field-scoring": "2"})).contains("'field-scoring'"));
    let spring = json!([{"tile": "RI/s", "x": 0, "y": 0, "rotation": 0}]);
    assert!(refused("start", spring).contains("'RI/s'"));
    assert!(refused("players", json!(7)).contains("2 to 6"));
}

#[test]
fn the_closing_line_counts_and_the_first_differences_are_shown() {
    let mut game = first_game("base2");
    game["turns"][3]["scores"][1] = json!(7);
    game["final_scores"][0] = json!(1);
    let text = format!("{game}\n\n{{}}\n{game}\n");
    let text = [b"\xef\xbb\xbf", text.as_bytes(), b"\xff\n"].concat();
    let mut tally = Tally { show: 3, ..Tally::default() };
    let mut out = Vec::new();
    tally.file("some.jsonl", text.as_slice(), &mut out).unwrap();
    assert!(!tally.close(&mut out).unwrap());
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 8, "{out}");
    assert!(lines[0].starts_with("some.jsonl line 1: game base2/1/0 turn 4: scores"), "{out}");
    assert!(lines[2].contains("line 3: this is no reference game"), "{out}");
    assert_eq!(lines[4], "some.jsonl line 5: this is not UTF-8 text");
    assert_eq!(lines[5], "and 1 more differences (--show prints more)");
    assert_eq!(lines[7], "2 games, 142 turns, 4 differences");
}

/// Any outcome is right but a panic.
fn read(line: &str) {
    if let Ok(game) = reference::Game::parse(line) {
        let _ = compare::game(&game);
    }
}

#[test]
fn broken_text_never_panics() {
    let mut random = Random::new(1);
    let whole = first_game("base2").to_string().into_bytes();
    for _ in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(4) {
                0 => bytes[at] = random.bits() as u8,
                1 => bytes[at] = b"0123456789-[]{},:\"E."[random.below(20) as usize],
                2 => bytes.truncate(at.max(1)),
                _ => drop(bytes.remove(at)),
            }
        }
        read(&String::from_utf8_lossy(&bytes));
    }
    let deep = |open: &str| open.repeat(100_000);
    read(&deep("["));
    read(&deep("{\"turns\":"));
    read(&format!("{{\"sets\":{{\"a\":{}", deep("[")));
}

#[test]
fn broken_values_never_panic() {
    let mut random = Random::new(2);
    let whole = first_game("base5");
    for _ in 0..1_500 {
        let mut game = whole.clone();
        for _ in 0..=random.below(2) {
            spoil(&mut game, &mut random);
        }
        read(&game.to_string());
    }
}

#[test]
fn broken_files_never_panic() {
    let mut random = Random::new(3);
    let packed = fixture("base6");
    for _ in 0..300 {
        let mut bytes = packed.clone();
        bytes.truncate(1 + random.below(4_000) as usize);
        let at = random.below(bytes.len() as u32) as usize;
        bytes[at] ^= 1 << random.below(8);
        let mut tally = Tally::default();
        let _ = tally.file("broken", bytes.as_slice(), &mut Vec::new());
    }
}

/// Replaces something within the value by what does not belong there.
fn spoil(value: &mut Value, random: &mut Random) {
    let deeper = random.below(8) != 0;
    match value {
        Value::Array(list) if deeper && !list.is_empty() => {
            let at = random.below(list.len() as u32) as usize;
            match random.below(12) {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                2 => list.swap(0, at),
                _ => spoil(&mut list[at], random),
            }
        }
        Value::Object(map) if deeper && !map.is_empty() => {
            let at = random.below(map.len() as u32) as usize;
            let key = map.keys().nth(at).cloned().unwrap_or_default();
            match random.below(16) {
                0 => drop(map.remove(&key)),
                _ => spoil(&mut map[&key], random),
            }
        }
        other => {
            let strange = [
                json!(null),
                json!(-1),
                json!(i64::MIN),
                json!(i64::MAX),
                json!(1e300),
                json!(128),
                json!(90),
                json!([]),
                json!({}),
                json!(""),
                json!("BA/L"),
                json!("_N"),
                json!("Field"),
                json!([0, 0, 0]),
                json!("\u{0}é"),
            ];
            *other = random.pick(&strange).cloned().unwrap_or_default();
        }
    }
}
