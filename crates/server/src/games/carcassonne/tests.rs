//! What a user must be able to rely on in the views, events and actions of Carcassonne.

use super::*;
use carcassonne::{Cell, Figure, Good, Rotation};
use game::Turn;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;
use views::sets;

fn setups() -> Vec<ExpandedSetup> {
    [
        "",
        "players=3 board=35x35",
        "players=4",
        "players=5",
        "players=6",
        "farmers=off",
        "start=empty",
        "tiny-city=2",
        "players=3 start=empty board=9x9",
        "sets=inns",
        "players=3 sets=traders",
        "sets=river",
        "players=4 sets=gardens",
        "players=6 sets=inns,traders,river,gardens",
        "sets=inns,traders start=empty",
    ]
    .map(|text| text.parse().unwrap())
    .to_vec()
}

/// Plays a random game and shows every position with its tally.
fn every_position(setup: &ExpandedSetup, seed: u64, mut look: impl FnMut(&AnyCarcassonne, &Tally)) {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let mut game = AnyCarcassonne::new(setup);
    let mut moves = Vec::new();
    loop {
        look(&game, &tally);
        let m = match game.turn() {
            Turn::Over => break,
            Turn::Chance => game.sample_outcome(&mut random).unwrap(),
            Turn::Player(_) => {
                game.moves(&mut moves);
                *random.pick(&moves).unwrap()
            }
        };
        let mut told = Vec::new();
        game.play(m, |event| told.push(event)).unwrap();
        for event in &told {
            AnyCarcassonne::count(&mut tally, event);
            let value = Hosted::event(&game, event);
            assert_eq!(value["event"], event.name());
            assert!(value["text"].as_str().unwrap().starts_with(event.name()));
        }
    }
}

#[test]
fn the_view_of_every_position_agrees_with_the_engine() {
    for (index, setup) in setups().iter().enumerate() {
        every_position(setup, index as u64, |game, tally| {
            let view = Hosted::view(game, tally);
            let read: CarcassonneView =
                serde_json::from_str(&serde_json::to_string(&view).unwrap()).unwrap();
            assert_eq!(read.scores, game.scores().as_slice());
            either!(game, position => agrees(position, &read));
            for (seat, breakdown) in read.breakdown.iter().enumerate() {
                let Breakdown { city, road, monastery, field, garden, goods } = breakdown;
                assert_eq!(city + road + monastery + field + garden + goods, read.scores[seat]);
            }
            for meeple in &read.meeples {
                let feature = &read.features[&meeple.feature];
                let at = (meeple.position.clone(), meeple.segment.clone());
                assert!(feature.segments.contains(&at) && !feature.owners.is_empty());
            }
        });
    }
}

fn agrees<E: carcassonne::Edition>(game: &Position<E>, read: &CarcassonneView) {
    assert_eq!(read.projected_scores, game.projected_scores().as_slice());
    assert_eq!(read.meeple_supply, game.supply().as_slice());
    assert_eq!(read.tiles_remaining, game.tiles_left());
    let bag: usize = read.bag.values().map(|count| usize::from(*count)).sum();
    assert_eq!(bag, game.tiles_left());
    assert_eq!(read.current_tile, game.tile_in_hand().map(|tile| tile.to_string()));
    assert_eq!(read.board.tiles.len(), game.tiles().len());
    for placed in game.tiles() {
        let tile = &read.board.tiles[placed.cell.to_string().as_str()];
        assert_eq!(tile.kind, placed.tile.to_string());
        assert_eq!(tile.rotation, placed.rotation.degrees());
    }
    let latest = read.board.tiles.values().max_by_key(|tile| tile.turn);
    if let (Phase::PlaceMeeple, Some(latest)) = (game.phase(), latest) {
        assert_eq!(latest.player, Some(game.player().index()), "who placed it");
    }
    let figures: Vec<_> = game.meeples().map(|meeple| sets::figure_name(meeple.figure())).collect();
    assert_eq!(read.meeples.iter().map(|meeple| meeple.figure).collect::<Vec<_>>(), figures);
    let played = game.setup().sets();
    let Some(added) = &read.sets else {
        assert!(played.is_empty() && figures.iter().all(Option::is_none));
        return;
    };
    assert_eq!(added.names, sets::names(played));
    assert_eq!(added.second_part, game.is_second_part());
    assert_eq!(added.goods.len(), if played.contains(Sets::TRADERS) { game.players() } else { 0 });
    for seat in 0..game.players() {
        let player = Player::new(seat);
        for figure in Figure::ALL {
            let Some(name) = sets::figure_name(figure) else { continue };
            assert_eq!(added.figures[seat].contains(&name), game.has_figure(player, figure));
        }
        if let Some(goods) = added.goods.get(seat) {
            let held = Good::ALL.map(|good| game.goods(player)[good]);
            assert_eq!([goods.wine, goods.grain, goods.cloth], held);
        }
    }
    for feature in read.features.values() {
        assert!(!feature.inn || feature.feature_type == "road");
        assert!(!(feature.cathedral || feature.goods.is_some()) || feature.feature_type == "city");
    }
}

#[test]
fn the_keys_are_the_platforms() {
    let keys =
        |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
    let set = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<BTreeSet<String>>();
    let record = "carcassonne players=3\nU; 1,0 r0; road0\nE; 0,1 r2; pass\nV";
    let game = AnyCarcassonne::read_record(record).unwrap().replay().unwrap();
    let bot = Hosted::bot_view(&game, Player::new(2));
    // The keys that bots were promised, and two more that they may ignore.
    let promised = [
        "board",
        "current_tile",
        "tiles_remaining",
        "scores",
        "my_meeples",
        "features",
        "valid_actions",
    ];
    assert_eq!(keys(&bot), set(&[&promised[..], &["phase"]].concat()));
    assert_eq!(bot["board"]["tiles"]["1,0"]["type"], "U");
    assert_eq!(bot["board"]["tiles"]["1,0"]["rotation"], 0);
    assert_eq!(keys(&bot["scores"]), set(&["me", "opponent_1", "opponent_2"]));
    for feature in bot["features"].as_array().unwrap() {
        let own = ["type", "tiles", "is_complete", "claimed_by", "open_edges"];
        assert_eq!(keys(feature), set(&own));
        if feature["type"] == "road" {
            assert_eq!(feature["claimed_by"], json!(["opponent_1"]), "seat 0 plays after seat 2");
            assert_eq!(feature["tiles"], json!(["0,0", "1,0"]));
        }
    }
    for action in bot["valid_actions"].as_array().unwrap() {
        assert_eq!(keys(action), set(&["x", "y", "rotation"]));
    }
    let idle = Hosted::bot_view(&game, Player::new(0));
    assert_eq!(idle["valid_actions"], json!([]), "only the player to move has actions");
    let view = keys(&json!(Hosted::view(&game, &Tally::default())));
    let shown = [
        "board",
        "features",
        "current_tile",
        "tiles_remaining",
        "meeple_supply",
        "scores",
        "last_placed_position",
    ];
    assert!(view.is_superset(&set(&shown)));
    assert!(!view.contains("tile_bag") && !view.contains("rng_state"));
}

#[test]
fn every_action_of_the_bots_view_and_every_turn_of_the_tree_can_be_played() {
    for (index, setup) in setups().iter().enumerate() {
        let mut ply = 0;
        every_position(setup, 100 + index as u64, |game, _| {
            ply += 1;
            let Turn::Player(seat) = game.turn() else {
                assert!(game.legal_turns().is_empty());
                return;
            };
            if ply % 5 != 0 {
                return;
            }
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let view = Hosted::bot_view(game, seat);
            let read = |action: &Value| game.read_action(action).unwrap();
            let meant: Vec<_> =
                view["valid_actions"].as_array().unwrap().iter().flat_map(read).collect();
            assert_eq!(meant, moves);
            let tree = game.legal_turns();
            assert_eq!(tree.len(), moves.len());
            for (m, listed) in moves.iter().zip(&tree) {
                assert_eq!(listed.moved.parse::<Move>().unwrap(), *m);
                let mut next = game.clone();
                next.play(*m, |_| {}).unwrap();
                let mut then = Vec::new();
                if next.turn() == game.turn() {
                    next.moves(&mut then);
                }
                let then: Vec<_> = then.iter().map(ToString::to_string).collect();
                assert_eq!(listed.then, then);
            }
            let mut forced = game.clone();
            for m in game.timeout_moves(ply) {
                forced.play(m, |_| {}).unwrap();
            }
            assert_ne!(forced.turn(), game.turn(), "the timeout rule ends the turn or its part");
        });
    }
}

#[test]
fn all_forms_of_an_action_mean_the_same() {
    let mut game = AnyCarcassonne::read_record("carcassonne\nU").unwrap().replay().unwrap();
    let place = Move::place(Cell::new(1, 0), Rotation::new(2));
    let payload = json!({"x": 1, "y": 0, "rotation": 180});
    for action in [
        payload.clone(),
        json!({"payload": payload}),
        json!({"action_type": "place_tile", "payload": payload}),
        json!({"action_type": "place_tile", "player_id": "u1", "payload": payload}),
        json!({"action": {"payload": payload}}),
        json!({"action": {"action_type": "place_tile", "payload": payload}, "version": 7}),
        json!({"action": payload}),
    ] {
        assert_eq!(game.read_action(&action).unwrap(), [place], "{action}");
    }
    let both = json!({"x": 1, "y": 0, "rotation": 180, "meeple_spot": "road_EW"});
    let road: Move = "road0".parse().unwrap();
    assert_eq!(game.read_action(&both).unwrap(), [place, road]);
    game.play(place, |_| {}).unwrap();
    for (action, text) in [
        (json!({"meeple_spot": "road_EW"}), "road0"),
        (json!({"meeple_spot": "road0"}), "road0"),
        (json!({"action_type": "place_meeple", "payload": {"meeple_spot": "field0"}}), "field0"),
        (json!({"skip": true}), "pass"),
        (json!({"action": {"payload": {"skip": true}}}), "pass"),
    ] {
        assert_eq!(game.read_action(&action).unwrap(), [text.parse().unwrap()], "{action}");
    }
}

#[test]
fn figures_and_recall_have_action_forms() {
    let text = "carcassonne sets=inns,traders,gardens\nE-garden; 0,1 r2; abbot garden\n\
                U; 1,0 r0; road0\nV; -1,0 r3";
    let game = AnyCarcassonne::read_record(text).unwrap().replay().unwrap();
    for (action, text) in [
        (json!({"meeple_spot": "field0", "figure": "big"}), "big field0"),
        (json!({"meeple_spot": "road_SW", "figure": "builder"}), "builder road0"),
        (json!({"meeple_spot": "field0", "figure": "pig"}), "pig field0"),
        (json!({"meeple_spot": "field0", "figure": "meeple"}), "field0"),
        (json!({"recall": true}), "recall"),
        (json!({"action_type": "recall"}), "recall"),
        (json!({"action_type": "recall", "payload": {}}), "recall"),
        (json!({"action": {"action_type": "recall", "payload": {"recall": true}}}), "recall"),
        (
            json!({"action_type": "place_meeple", "payload": {"meeple_spot": "field1", "figure": "big"}}),
            "big field1",
        ),
    ] {
        assert_eq!(game.read_action(&action).unwrap(), [text.parse().unwrap()], "{action}");
    }
    assert!(
        Hosted::bot_view(&game, Player::new(0))["valid_actions"]
            .as_array()
            .unwrap()
            .contains(&json!({"recall": true}))
    );
    for (action, word) in [
        (json!({"figure": "big"}), "a figure needs meeple_spot"),
        (
            json!({"meeple_spot": "field0", "figure": "knight"}),
            "meeple, big, builder, pig and abbot",
        ),
        (json!({"meeple_spot": "field0", "figure": 7}), "figure is 7"),
        (json!({"meeple_spot": "field0", "recall": true}), "exclude each other"),
        (json!({"skip": true, "recall": true}), "exclude each other"),
        (json!({"recall": 1}), "true or false"),
        (json!({"action_type": "recall", "payload": {"recall": false}}), "recall needs nothing"),
        (json!({"action_type": "recall", "payload": {"x": 1}}), "recall needs nothing"),
        (json!({"action_type": "place_tile", "payload": {"recall": true}}), "needs x, y"),
    ] {
        let error = game.read_action(&action).unwrap_err().to_string();
        assert!(error.contains(word), "{action}: {error}");
    }
}

#[test]
fn hostile_actions_are_refused_with_what_is_read() {
    let game = AnyCarcassonne::read_record("carcassonne\nU; 1,0 r0").unwrap().replay().unwrap();
    for (action, word) in [
        (json!(null), "expected {\"x\""),
        (json!([]), "expected {\"x\""),
        (json!({}), "expected {\"x\""),
        (json!("pass"), "expected {\"x\""),
        (json!({"x": 1, "y": 0}), "needs 'rotation'"),
        (json!({"x": 1.5, "y": 0, "rotation": 0}), "x is 1.5"),
        (json!({"x": 1e300, "y": 0, "rotation": 0}), "-128 to 127"),
        (json!({"x": "1", "y": 0, "rotation": 0}), "whole number"),
        (json!({"x": 128, "y": 0, "rotation": 0}), "-128 to 127"),
        (json!({"x": 1, "y": 0, "rotation": 1}), "0, 90, 180 or 270"),
        (json!({"x": 1, "y": 0, "rotation": 360}), "0, 90, 180 or 270"),
        (json!({"meeple_spot": "city_N"}), "it has road0 or road_EW"),
        (json!({"meeple_spot": 3}), "tile U has no spot 3"),
        (json!({"meeple_spot": "road0", "skip": true}), "exclude"),
        (json!({"skip": "yes"}), "true or false"),
        (json!({"skip": false}), "expected"),
        (json!({"tile": "C", "x": 1, "y": 0, "rotation": 0}), "'tile' is no key"),
        (json!({"action_type": "draw_tile", "payload": {"skip": true}}), "no action"),
        (json!({"action_type": "place_tile", "payload": {"skip": true}}), "needs x, y"),
        (json!({"action_type": 5, "payload": {"skip": true}}), "action_type is 5"),
        (json!({"action": {"action": {"skip": true}}}), "'action' is no key"),
        (json!({"payload": [1, 2]}), "found [1,2]"),
        (json!({"action": "x".repeat(100_000)}), "expected"),
    ] {
        let error = game.read_action(&action).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
        assert!(error.len() < 600, "{} characters", error.len());
    }
    let early = AnyCarcassonne::new(&ExpandedSetup::default());
    let error = early.read_action(&json!({"meeple_spot": "road0"})).unwrap_err().to_string();
    assert_eq!(error, "no tile has been placed yet");
}

#[test]
fn the_bag_holds_what_will_be_drawn() {
    for setup in setups() {
        let mut game = AnyCarcassonne::new(&setup);
        let mut bag = AnyCarcassonne::new(&setup).bag();
        assert_eq!(bag.len(), either!(&game, game => game.tiles_left()));
        // In the order of the deck's parts every tile can be drawn.
        bag.sort_by_key(|outcome| AnyCarcassonne::deck_part(*outcome));
        let mut drawn = bag.into_iter();
        while game.turn() != Turn::Over {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let m = if game.turn() == Turn::Chance { drawn.next().unwrap() } else { moves[0] };
            game.play(m, |_| {}).unwrap();
        }
        assert_eq!(drawn.next(), None);
    }
    let drawn = |setup: &str| AnyCarcassonne::new(&setup.parse().unwrap()).bag().len();
    assert_eq!((drawn(""), drawn("start=empty")), (71, 72));
    assert_eq!((drawn("sets=inns"), drawn("sets=gardens"), drawn("sets=river")), (89, 71, 83));
    assert_eq!(drawn("sets=inns,traders,river,gardens"), 125);
}

#[test]
fn bots_of_games_with_sets_play_whole_turns() {
    let setup = "players=3 sets=inns,traders".parse().unwrap();
    let text = "carcassonne players=3 sets=inns,traders\nU";
    let position = AnyCarcassonne::read_record(text).unwrap().replay().unwrap();
    for bot in roster::bots_with_sets() {
        let mut agent = AnyCarcassonne::bot(&bot.name, &setup).unwrap();
        agent.new_game(&position, 1);
        let report = agent.search(&position, &search::Limits::nodes(100), &Stop::new());
        let mut next = position.clone();
        for m in report.turn {
            next.play(m, |_| {}).unwrap();
        }
        assert_ne!(next.turn(), position.turn(), "{} plays a whole turn", bot.name);
        assert_eq!(AnyCarcassonne::rated_nodes(&bot.name, &setup), None);
    }
    assert_eq!(AnyCarcassonne::rated_nodes("master", &setup), None);
    assert!(AnyCarcassonne::rated_nodes("master", &ExpandedSetup::default()).is_some());
}

#[test]
fn listed_bots_play_and_others_are_refused() {
    let setup = ExpandedSetup::default();
    let position = AnyCarcassonne::read_record("carcassonne\nU").unwrap().replay().unwrap();
    for bot in AnyCarcassonne::describe().bots {
        let mut agent = AnyCarcassonne::bot(&bot.name, &setup).unwrap();
        agent.new_game(&position, 1);
        // However little it may spend: every turn is valued once.
        let hurried = search::Limits { nodes: Some(0), ..search::Limits::time(Duration::ZERO) };
        for limits in [search::Limits::nodes(200), hurried] {
            let report = agent.search(&position, &limits, &Stop::new());
            let mut next = position.clone();
            for m in report.turn {
                next.play(m, |_| {}).unwrap();
            }
            assert_ne!(next.turn(), position.turn(), "{} plays a whole turn", bot.name);
        }
    }
    for name in ["net:file=/etc/passwd", "best:threads=64", "person", "", "nobody"] {
        let error = AnyCarcassonne::bot(name, &setup).err().unwrap().to_string();
        assert!(error.contains("there are shepherd, pilgrim"), "{error}");
    }
}

/// The page leads people through the levels from the gentlest on, and describes each.
#[test]
fn the_page_knows_the_levels_in_their_order() {
    let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src");
    let read = |file: &str| std::fs::read_to_string(format!("{web}/{file}")).unwrap();
    let quick = read("lists/quick.ts");
    let list = quick.split("LEVELS = [").nth(1).unwrap().split(']').next().unwrap();
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let levels: Vec<&str> = bots::levels::LEVELS.iter().map(|level| level.name).collect();
    assert_eq!(listed, levels, "LEVELS in web/src/lists/quick.ts");
    for (file, word) in [("create", "level"), ("profile", "about")] {
        let words = read(&format!("i18n/words/en/{file}.ts"));
        for level in &levels {
            assert!(words.contains(&format!("  {word}_{level}: ")), "{word}_{level} in {file}.ts");
        }
    }
}
