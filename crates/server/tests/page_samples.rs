//! The positions that the page shows without a game: the lessons, the pictures of the rules, the
//! replay on the first page. The engine makes them, so that the page needs no rules of its own.
//!
//! Run with `BLESS=1` to write them anew.

use game::{Game, Player, Record, Turn};
use serde_json::{Value, json};
use server::games::Hosted;
use server::games::carcassonne::AnyCarcassonne;
use std::path::{Path, PathBuf};

/// What a step of a lesson asks for.
#[derive(Clone, Copy)]
enum Goal {
    /// Any placement; meeples come later.
    Place,
    /// The second half of the turn begins so: a terrain, a figure, a recall.
    Choose(&'static str),
    /// This event, for the learner.
    Event(&'static str),
    /// A farmer on a field beside a finished city.
    Farm,
}

/// A step: its name, what was played before, and what the learner is to do. The learner sits on
/// seat 0.
type Step = (&'static str, &'static str, Goal);

const LESSON: [Step; 4] = [
    ("place", "U", Goal::Place),
    ("claim", "U; 1,0 r0; pass; B; 0,-1 r0; monastery; V", Goal::Choose("road")),
    ("finish", "M; 0,1 r3; city0; U; 1,0 r0; road0; E", Goal::Event("feature_scored")),
    (
        "farm",
        "M; 0,1 r3; city0; U; 1,0 r0; road0; E; -1,1 r1; pass; B; 1,-1 r0; monastery; V",
        Goal::Farm,
    ),
];

/// The lessons of the sets, each by the name of its set.
const SET_LESSONS: [(&str, &[Step]); 4] = [
    (
        "inns",
        &[
            (
                "inn",
                "IC/RFr.i; 1,0 r0; road0; A; -1,0 r3; monastery; A",
                Goal::Event("feature_scored"),
            ),
            ("big", "U; 1,0 r0; pass; M; 0,1 r3; city0; E", Goal::Choose("big city")),
            (
                "majority",
                "U; 1,0 r0; pass; M; 0,1 r3; city0; E; 0,2 r3; big city0; N; -1,2 r2; pass; N",
                Goal::Event("feature_scored"),
            ),
            (
                "cathedral",
                "IC/Cccc.c; 0,1 r0; city0; E; 1,1 r3; pass; E; -1,1 r1; pass; U; 1,0 r0; road0; E",
                Goal::Event("feature_scored"),
            ),
        ],
    ),
    (
        "traders",
        &[
            ("goods", "U; 1,0 r0; road0; TB/CFc.w; 0,1 r1; city0; E", Goal::Event("goods_taken")),
            ("builder", "U; 1,0 r0; road0; B; 0,-1 r0; monastery; U", Goal::Choose("builder")),
            (
                "double",
                "U; 1,0 r0; road0; B; 0,-1 r0; monastery; U; 2,0 r0; builder road0; E; 0,1 r2; pass; V",
                Goal::Event("turn_doubled"),
            ),
            ("pig", "E; 0,1 r2; field0; B; 0,-1 r0; monastery; U", Goal::Choose("pig")),
        ],
    ),
    (
        "river",
        &[
            ("flow", "RI/IFI; 1,0 r0; pass; RI/II; 2,0 r0; pass; RI/II", Goal::Place),
            (
                "bank",
                "RI/IFI; 1,0 r0; pass; RI/II; 2,0 r0; pass; RI/II; 2,-1 r2; pass; RI/RIrI; 3,-1 r1; \
                 road0; RI/IFI",
                Goal::Choose("field"),
            ),
            (
                "lake",
                "RI/IFI; 1,0 r0; pass; RI/II; 2,0 r0; pass; RI/II; 2,-1 r2; pass; RI/RIrI; 3,-1 r1; \
                 road0; RI/IFI; 4,-1 r0; field0; RI/CICI; 5,-1 r0; city0; RI/CcII; 6,-1 r1; city0; \
                 RI/RrII; 6,-2 r2; pass; RI/LIRI; 7,-2 r0; monastery; RI/CIRI; 8,-2 r0; pass; RI/I.e",
                Goal::Place,
            ),
        ],
    ),
    (
        "gardens",
        &[
            (
                "garden",
                "U; 1,0 r0; road0; B; 0,-1 r0; monastery; V-garden",
                Goal::Choose("abbot garden"),
            ),
            (
                "surround",
                "E-garden; 0,-1 r2; abbot garden; U; 1,0 r0; road0; U; -1,0 r0; pass; E; 1,-1 r1; \
                 pass; E; -1,-1 r3; pass; E; 0,-2 r0; pass; V; 1,-2 r3; pass; U; 2,0 r0; pass; V",
                Goal::Event("feature_scored"),
            ),
            (
                "recall",
                "U-garden; 1,0 r0; abbot garden; B; 0,-1 r0; monastery; E; 1,1 r0; pass; U; 2,0 r0; \
                 pass; V",
                Goal::Choose("recall"),
            ),
        ],
    ),
];

/// The pictures of the rules. Most end before the last turn does, while the meeples still stand.
const PICTURES: [(&str, &str); 6] = [
    ("edges", "U; 1,0 r0; pass; E; 0,1 r2; pass; V; -1,0 r3"),
    ("road", "A; 1,0 r1; road0; B; 0,-1 r0; pass; A; -1,0 r3"),
    ("city", "M; 0,1 r3; city0; U; 1,0 r0; road0; E; -1,1 r1"),
    (
        "monastery",
        "B; 0,-1 r0; monastery; U; 1,0 r0; pass; U; -1,0 r0; pass; E; 1,-1 r1; pass; E; -1,-1 r3; \
         pass; E; 0,-2 r2; pass; V; 1,-2 r3; pass; V; -1,-2 r0",
    ),
    ("field", "E; 0,1 r2; pass; U; 1,0 r0; field1; E; 1,1 r0; field0; E; 1,2 r2; pass; V; -1,1 r0"),
    ("share", "M; 0,1 r3; city0; E; 0,2 r3; city0; N; -1,2 r2; pass; N; -1,1 r1"),
];

#[test]
fn the_lesson_is_what_the_engine_says() {
    let steps: Vec<Value> = LESSON.iter().map(|step| lesson_step("", *step)).collect();
    check("lesson.json", &json!(steps));
}

#[test]
fn the_lessons_of_the_sets_are_what_the_engine_says() {
    for (set, steps) in SET_LESSONS {
        let setup = format!(" sets={set}");
        let steps: Vec<Value> = steps.iter().map(|step| lesson_step(&setup, *step)).collect();
        check(&format!("lesson_{set}.json"), &json!(steps));
    }
}

#[test]
fn the_pictures_of_the_rules_are_what_the_engine_says() {
    let picture = |(name, moves): &(&str, &str)| {
        let (game, tally, events) = play("", moves);
        json!({"name": name, "view": game.view(&tally), "events": events})
    };
    check("pictures.json", &json!(PICTURES.iter().map(picture).collect::<Vec<_>>()));
}

#[test]
fn the_replay_of_the_first_page_is_a_real_game() {
    let text = std::fs::read_to_string(folder().join("showcase.txt")).expect("it is kept there");
    let record = AnyCarcassonne::read_record(&text).expect("the record replays");
    let moves: Vec<_> = record.moves.iter().map(ToString::to_string).collect();
    let (game, _, events) = play("", &moves.join("; "));
    assert_eq!(game.turn(), Turn::Over, "a whole game");
    check("showcase.json", &json!({"events": events}));
}

/// A step: the position, the turns that are legal, and for each that reaches the goal what comes
/// of it.
fn lesson_step(setup: &str, (name, moves, goal): Step) -> Value {
    let (game, tally, before) = play(setup, moves);
    assert_eq!(game.turn(), Turn::Player(Player::new(0)), "{name}: the learner is to move");
    let legal = game.legal_turns();
    let mut reached = serde_json::Map::new();
    for turn in &legal {
        for second in &turn.then {
            let after = format!("{moves}; {}; {second}", turn.moved);
            let (next, tally, events) = play(setup, &after);
            let news: Vec<_> = events.into_iter().skip(before.len()).collect();
            // The turn after belongs to another story: the draw is not part of the picture.
            if reaches(goal, second, &next, &news) {
                let mut view = json!(next.view(&tally));
                let shown = ["board", "meeples", "scores", "features", "meeple_supply", "sets"];
                view.as_object_mut()
                    .expect("a view")
                    .retain(|key, _| shown.contains(&key.as_str()));
                let key = format!("{}; {second}", turn.moved);
                reached.insert(key, json!({"view": view, "events": news}));
            }
        }
    }
    assert!(!reached.is_empty(), "{name}: the goal can be reached");
    json!({"name": name, "view": game.view(&tally), "legal": legal, "reached": reached})
}

fn reaches(goal: Goal, second: &str, after: &AnyCarcassonne, news: &[Value]) -> bool {
    match goal {
        Goal::Place => second == "pass",
        Goal::Choose(start) => second.starts_with(start),
        Goal::Event(name) => news.iter().any(|e| e["event"] == name && e["player"] == 0),
        Goal::Farm => second.starts_with("field") && farms_a_city(after),
    }
}

/// Whether the field that the learner lies in touches a finished city.
fn farms_a_city(game: &AnyCarcassonne) -> bool {
    let view = game.view(&<AnyCarcassonne as Hosted>::Tally::default());
    let mine =
        view.meeples.iter().filter(|one| one.player == 0 && one.segment.starts_with("field"));
    mine.into_iter().any(|meeple| view.features[&meeple.feature].points > 0)
}

/// Plays moves of a two-player game by the usual rules or with a set; what happened, one list an
/// event.
fn play(
    setup: &str,
    moves: &str,
) -> (AnyCarcassonne, <AnyCarcassonne as Hosted>::Tally, Vec<Value>) {
    let record: Record<AnyCarcassonne> =
        AnyCarcassonne::read_record(&format!("carcassonne players=2{setup}\n{moves}"))
            .unwrap_or_else(|error| panic!("{moves}: {error}"));
    let (mut tally, mut told, mut all) = (Default::default(), Vec::new(), Vec::new());
    let mut game = AnyCarcassonne::start(&record.setup, |event| told.push(event));
    for (index, m) in record.moves.iter().enumerate() {
        game.play(*m, |event| told.push(event)).expect("it was replayed once");
        for event in told.drain(..) {
            AnyCarcassonne::count(&mut tally, &event);
            let mut event = game.event(&event);
            event.as_object_mut().expect("an event").remove("text");
            event["ply"] = (index + 1).into();
            all.push(event);
        }
    }
    (game, tally, all)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/samples")
}

fn check(name: &str, made: &Value) {
    let path = folder().join(name);
    let made = format!("{made}\n");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).expect("the folder is there");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "{name} is not what the engine says; run this test with BLESS=1");
}
