use super::*;
use crate::games::toy::{MOVES, Say, Toy};
use crate::play::table::seats::Dropouts;
use crate::play::table::store::{Saved, SavedEntry, SavedSeat};
use crate::wire::{Occupant, Reason};

fn saved(log: Vec<SavedEntry>) -> Saved {
    let seat = |bot: &str| SavedSeat {
        sitter: Occupant::Bot { bot: bot.to_owned() },
        nonce: String::new(),
        rating: None,
        rating_change: None,
    };
    Saved {
        seed: Seed::random().reveal(),
        status: Status::Playing,
        started: Some(1),
        seats: ["fair", "fair"].map(seat).into(),
        log,
        ..Saved::blank()
    }
}

fn entry(ply: i64, kind: &str, body: &str) -> SavedEntry {
    let (kind, body) = (kind.to_owned(), body.to_owned());
    SavedEntry { ply, seat: Some((ply + 1) % 2), kind, body, clocks: "[]".to_owned(), at: ply }
}

fn moves(count: i64) -> Vec<SavedEntry> {
    (1..=count).map(|ply| entry(ply, "move", "a")).collect()
}

fn replay(log: Vec<SavedEntry>) -> Result<(PlayedGame<Toy>, Dropouts), CannotReplay> {
    PlayedGame::replay(&saved(log), 2)
}

#[test]
fn a_draft_is_seen_only_once_it_is_applied_and_replays_to_the_same() {
    let (mut game, _) = replay(Vec::new()).unwrap();
    let mut draft = game.draft();
    draft.play(Say::A).unwrap();
    assert!(draft.play(Say::B).is_err());
    draft.play(Say::A).unwrap();
    assert_eq!((game.version(), game.position().moves()), (1, 0));
    let rows = draft.entries().map(|(ply, entry)| SavedEntry {
        seat: entry.seat.map(|seat| seat as i64),
        ..self::entry(ply, entry.kind.word(), &entry.body)
    });
    let rows: Vec<SavedEntry> = rows.collect();
    let (changed, _) = game.apply(draft, 7);
    assert_eq!(changed, Changed { before: 1, moved: true, begins: Begins::Turn, ended: false });
    let (again, _) = replay(rows).unwrap();
    assert_eq!((again.version(), again.to_move()), (game.version(), game.to_move()));
    assert!(again.position().history().eq(game.position().history()));
}

#[test]
fn a_takeback_keeps_its_entries_in_the_log_and_begins_the_turn_anew() {
    let (mut game, _) = replay(moves(3)).unwrap();
    assert_eq!(game.position().before_last_turn_of(&[1]), Some(1));
    let mut draft = game.draft();
    draft.take_back(&Record::new(2), 1, Some(1));
    let (changed, _) = game.apply(draft, 7);
    assert_eq!((changed.begins, game.position().moves()), (Begins::Turn, 1));
    assert_eq!((game.version(), game.to_move()), (5, Some(1)));
    let mut log = moves(3);
    log.push(entry(4, "takeback", "1"));
    let (again, _) = replay(log).unwrap();
    assert_eq!((again.version(), again.position().moves()), (5, 1));
}

#[test]
fn the_same_moves_sent_again_are_known_and_others_are_not() {
    let (game, _) = replay(moves(3)).unwrap();
    let a = || vec!["a".to_owned()];
    assert!(game.was_played(1, &[0], &a()));
    assert!(!game.was_played(1, &[1], &a()), "of another seat");
    assert!(!game.was_played(1, &[0], &["b".to_owned()]), "another move");
    assert!(!game.was_played(1, &[0], &["a".to_owned(), "a".to_owned()]), "more than were played");
    assert!(!game.was_played(9, &[0], &a()) && !game.was_played(1, &[0], &[]));
}

#[test]
fn a_game_that_ends_has_a_result_and_nobody_to_move() {
    let (mut game, dropouts) = replay(moves(MOVES as i64 - 1)).unwrap();
    let mut draft = game.draft();
    draft.play(Say::A).unwrap();
    game.let_chance_draw(&mut draft);
    assert!(draft.is_played_out());
    draft.end(&dropouts, Reason::Normal);
    let (changed, _) = game.apply(draft, 7);
    assert!(changed.ended);
    assert_eq!((game.status(), game.to_move(), game.ended()), (Status::Over, None, Some(7)));
}

#[test]
fn who_comes_back_gets_all_events_since_or_none() {
    let (game, _) = replay(moves(2)).unwrap();
    // The toy's moves have no events; what was not kept gives nothing either.
    assert_eq!((game.events_since(1), game.events_since(99)), (String::new(), String::new()));
    let mut recent = VecDeque::new();
    for before in 0..=RECENT_CHANGES as u64 {
        remember(&mut recent, before, &[serde_json::json!(before)]);
    }
    let game = PlayedGame { recent, ..game };
    assert_eq!(
        game.events_since(RECENT_CHANGES as u64 - 1),
        format!("{},{RECENT_CHANGES}", RECENT_CHANGES - 1)
    );
    assert_eq!(game.events_since(0), "", "it was dropped");
}

#[test]
fn a_log_that_cannot_be_is_refused_and_says_where() {
    let fault = |log: Vec<SavedEntry>| replay(log).map(|_| ()).unwrap_err().to_string();
    assert_eq!(fault(vec![entry(2, "move", "a")]), "entry 2 'a': expected entry 1");
    assert_eq!(fault(vec![entry(1, "move", "c")]), "entry 1 'c': cannot be read: a or b");
    assert!(fault(vec![entry(1, "move", "b")]).starts_with("entry 1 'b': "));
    assert_eq!(fault(vec![entry(1, "dance", "")]), "entry 1 '': unknown kind of entry 'dance'");
    let nobody = SavedEntry { seat: Some(7), ..entry(1, "resign", "") };
    assert_eq!(fault(vec![nobody]), "entry 1 '': no such seat");
    assert!(fault(moves(MOVES as i64)).contains("not marked as over"));
    let one_seat = Saved { seats: Vec::new(), ..saved(Vec::new()) };
    assert!(matches!(PlayedGame::<Toy>::replay(&one_seat, 2), Err(CannotReplay::Seats)));
    let no_seed = Saved { seed: "x".to_owned(), ..saved(Vec::new()) };
    assert!(matches!(PlayedGame::<Toy>::replay(&no_seed, 2), Err(CannotReplay::Seed(_))));
}
