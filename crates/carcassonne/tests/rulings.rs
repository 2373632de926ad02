//! Rulings: every `rulings/*.txt` is a scenario of the rule book, played line by line.
//!
//! ```text
//! carcassonne players=2            a new game with its setup
//! E; 0,1 r2; city0                 moves
//!     meeple_placed player 0: …    indented: everything those moves made happen, in order
//! legal: city0 | pass              all moves that are legal now
//! refused: 0,1 r0: a tile lies on 0,1 already
//! scores: 4 0                      the points now
//! projected: 4 3                   the points if the game ended now
//! supply: 7 6                      the meeples in hand
//! turn: player 1                   or `chance`, or `over`
//! discard the rest                 draws all that is left, which must fit nowhere; indented:
//!                                  everything else that this made happen
//! ```
//! `#` starts a comment. Moves without indented lines after them may do anything legal.

#[path = "support/ruling.rs"]
mod ruling;
#[path = "support/simple/mod.rs"]
mod simple;

use ruling::{Ruling, Step};
use simple::play::{Move, Phase, Simple};

#[test]
fn every_ruling_holds() {
    let failures: Vec<String> =
        ruling::all().iter().filter_map(|ruling| ruling.check().err()).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The rulings are right by the second implementation too.
#[test]
fn the_simple_rules_agree_with_every_ruling() {
    for ruling in ruling::all() {
        check_simply(&ruling);
    }
}

#[test]
fn the_page_of_rulings_names_every_file() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rulings.md");
    let page = std::fs::read_to_string(page).expect("the page of rulings");
    let files: Vec<String> = ruling::all().into_iter().map(|ruling| ruling.name).collect();
    let unnamed: Vec<_> = files.iter().filter(|f| !page.contains(&format!("`{f}`"))).collect();
    assert!(unnamed.is_empty(), "not named: {unnamed:?}");
    let named = page.split('`').filter(|word| word.ends_with(".txt"));
    let missing: Vec<_> = named.filter(|name| !files.iter().any(|file| file == name)).collect();
    assert!(missing.is_empty(), "named, but not there: {missing:?}");
}

fn check_simply(ruling: &Ruling) {
    let mut game: Option<Simple> = None;
    let mut told = Vec::new();
    for (line, step) in &ruling.steps {
        let at = format!("{} line {line}", ruling.name);
        if let Step::Start(setup) = step {
            game = Some(Simple::new(&setup.to_string()));
            continue;
        }
        let game = game.as_mut().unwrap_or_else(|| panic!("{at}: a game must start first"));
        match step {
            Step::Start(_) => {}
            Step::Moves(moves) => {
                told.clear();
                for m in moves {
                    told.extend(play_simply(game, &m.to_string(), &at));
                }
            }
            Step::DiscardRest => {
                told.clear();
                while let (Phase::Draw, Some(m)) = (game.phase, game.moves().first()) {
                    told.extend(game.play(*m));
                }
                told.retain(|event| !event.starts_with("tile_discarded"));
            }
            Step::Events(expected) => {
                let merges = |event: &&String| !event.starts_with("feature_merged");
                let opening = |event: &&String| !event.contains("start");
                let expected = expected.iter().filter(merges).filter(opening);
                assert_eq!(sorted(told.iter()), sorted(expected), "{at}");
            }
            Step::Legal(expected) => {
                let moves: Vec<String> = game.moves().iter().map(Move::to_string).collect();
                assert_eq!(sorted(moves.iter()), sorted(expected.iter()), "{at}");
            }
            Step::Refused(m, _) => {
                assert!(!game.moves().iter().any(|legal| legal.to_string() == *m), "{at}");
            }
            Step::Scores(expected) => assert_eq!(game.scores, *expected, "{at}"),
            Step::Projected(expected) => {
                assert_eq!(game.projected(&game.land.features()), *expected, "{at}");
            }
            Step::Supply(expected) => {
                let supply: Vec<usize> = (0..expected.len()).map(|p| game.supply(p)).collect();
                assert_eq!(supply, *expected, "{at}");
            }
            Step::Turn(expected) => {
                let turn = match game.phase {
                    Phase::Draw => "chance".to_owned(),
                    Phase::Over => "over".to_owned(),
                    _ => format!("player {}", game.player),
                };
                assert_eq!(turn, *expected, "{at}");
            }
        }
    }
}

fn play_simply(game: &mut Simple, m: &str, at: &str) -> Vec<String> {
    let legal = game.moves();
    let found = legal.iter().find(|legal| legal.to_string() == m);
    game.play(*found.unwrap_or_else(|| panic!("{at}: the simple rules refuse {m}")))
}

fn sorted<'a>(texts: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    let mut texts: Vec<&String> = texts.collect();
    texts.sort();
    texts
}
