//! Decisions without a server: no task, no database, no connection.

use super::rebuild::Rebuilt;
use super::*;
use crate::games::toy::Toy;
use crate::play::table::command::Moves;
use crate::play::table::store::{Saved, SavedSeat};
use crate::wire::{ClockRule, Occupant, Reason};

fn who(user: &str) -> Requester {
    Requester {
        user: user.to_owned(),
        name: user.to_uppercase(),
        guest: false,
        bot_token: false,
        session: None,
        token: None,
    }
}

fn sitter(user: &str) -> Occupant {
    Occupant::User { user: user.to_owned(), name: user.to_uppercase(), bot_account: false }
}

/// A table of the toy game that waits, with these sitters; `change` settles the rest.
fn table(sitters: [Occupant; 2], change: impl FnOnce(&mut Saved)) -> Table<Toy> {
    let seat =
        |sitter| SavedSeat { sitter, nonce: String::new(), rating: None, rating_change: None };
    let mut saved = Saved {
        id: "game".to_owned(),
        seed: crate::games::deck::Seed::random().reveal(),
        host: UserRef { id: "ada".to_owned(), name: "ADA".to_owned() },
        seats: sitters.map(seat).into(),
        ..Saved::blank()
    };
    change(&mut saved);
    let when = Rebuilt { served: 0, up_since: 0 };
    Table::rebuild(&saved, 2, None, TableSettings::default(), when).unwrap()
}

/// The same, being played by Ada and Bob.
fn playing(change: impl FnOnce(&mut Saved)) -> Table<Toy> {
    let mut table = table([sitter("ada"), sitter("bob")], change);
    assert!(table.can_start());
    let draft = table.start();
    table.apply(*draft, 1);
    table
}

/// Decides an action and, where the game changes, applies it.
fn act(table: &mut Table<Toy>, user: &str, action: Action) -> Result<Decision<Toy>, Refusal> {
    table.conditions(&who(user), &action)?;
    let decision = table.decide(&who(user), &action, Duration::ZERO)?;
    let Decision::Change(draft) = decision else { return Ok(decision) };
    table.apply(*draft, 2);
    Ok(Decision::Nothing)
}

fn play() -> Action {
    Action::Play { version: None, moves: Moves::Text(vec!["a".to_owned()]) }
}

fn refused(result: Result<Decision<Toy>, Refusal>) -> Refusal {
    result.err().expect("it is refused")
}

#[test]
fn players_move_in_turn_and_a_refusal_changes_nothing() {
    let mut table = playing(|_| {});
    let before = table.game.version();
    assert!(matches!(refused(act(&mut table, "bob", play())), Refusal::NotYourTurn(_)));
    assert!(matches!(refused(act(&mut table, "eve", play())), Refusal::Forbidden(_)));
    let stale = Action::Play { version: Some(99), moves: Moves::Text(vec!["a".to_owned()]) };
    assert!(matches!(refused(act(&mut table, "ada", stale)), Refusal::StaleVersion { .. }));
    assert_eq!(table.game.version(), before);
    act(&mut table, "ada", play()).unwrap();
    assert_eq!((table.game.version(), table.to_move()), (before + 1, Some(1)));
    let again = Action::Play { version: Some(before), moves: Moves::Text(vec!["a".to_owned()]) };
    let again = act(&mut table, "ada", again).unwrap();
    assert!(matches!(again, Decision::PlayedBefore(_)), "the same message, again");
}

#[test]
fn a_draft_is_decided_and_not_the_state_before_it_is_applied() {
    let mut table = playing(|_| {});
    let before = table.game.version();
    let decided = table.decide(&who("ada"), &play(), Duration::ZERO).unwrap();
    let Decision::Change(draft) = decided else { panic!("a move changes the game") };
    assert_eq!((table.game.version(), table.to_move()), (before, Some(0)));
    let change = table.record(&draft, 7);
    assert_eq!(change.log.len(), 1);
    assert_eq!((change.log[0].kind, change.log[0].body.as_str()), ("move", "a"));
}

#[test]
fn a_takeback_needs_the_consent_of_the_other() {
    let mut table = playing(|_| {});
    assert!(matches!(
        refused(act(&mut table, "ada", Action::Takeback(true))),
        Refusal::Conflict(_)
    ));
    act(&mut table, "ada", play()).unwrap();
    let asked = act(&mut table, "ada", Action::Takeback(true)).unwrap();
    assert!(matches!(asked, Decision::Offers));
    assert_eq!(table.game.position().moves(), 1, "asking alone takes nothing back");
    act(&mut table, "bob", Action::Takeback(false)).unwrap();
    let late = refused(act(&mut table, "bob", Action::Takeback(true)));
    assert!(matches!(late, Refusal::Conflict(_)), "it was declined, and Bob has not moved");
    act(&mut table, "ada", Action::Takeback(true)).unwrap();
    act(&mut table, "bob", Action::Takeback(true)).unwrap();
    assert_eq!((table.game.position().moves(), table.to_move()), (0, Some(0)));
    let mut rated = playing(|saved| saved.rated = true);
    act(&mut rated, "ada", play()).unwrap();
    assert!(matches!(
        refused(act(&mut rated, "ada", Action::Takeback(true))),
        Refusal::Conflict(_)
    ));
}

#[test]
fn a_draw_needs_both_and_a_move_withdraws_the_offer() {
    let mut table = playing(|_| {});
    act(&mut table, "bob", Action::Draw(true)).unwrap();
    act(&mut table, "ada", play()).unwrap();
    assert!(table.offers.open().draw.is_empty());
    act(&mut table, "ada", Action::Draw(true)).unwrap();
    assert_eq!(table.status(), Status::Playing);
    act(&mut table, "bob", Action::Draw(true)).unwrap();
    assert_eq!(table.game.result().unwrap().reason, Reason::Draw);
}

#[test]
fn a_private_table_is_not_there_for_a_stranger() {
    let mut table = playing(|saved| saved.visibility = Visibility::Private);
    let there = |who: Option<&Requester>| table.must_see(who).is_ok();
    assert!(there(Some(&who("ada"))) && there(Some(&who("bob"))));
    assert!(!there(None) && !there(Some(&who("eve"))));
    for action in [Action::Chat("hello".to_owned()), Action::Resign, Action::Join { nonce: None }] {
        let refusal = refused(act(&mut table, "eve", action));
        assert_eq!(refusal, Refusal::no_game("game"));
    }
}

#[test]
fn a_guest_does_not_join_a_rated_game_and_what_others_know_is_asked_for() {
    let rated = |saved: &mut Saved| saved.rated = true;
    let table = table([sitter("ada"), Occupant::Open], rated);
    let join = Action::Join { nonce: None };
    let guest = Requester { guest: true, ..who("eve") };
    assert!(matches!(table.conditions(&guest, &join), Err(Refusal::Forbidden(_))));
    let user = || "eve".to_owned();
    let conditions = table.conditions(&who("eve"), &join).unwrap();
    let expected = [Condition::MayPlayRated(user()), Condition::NotBlocked(user())];
    assert_eq!(conditions, expected);
    assert_eq!(table.conditions(&who("ada"), &join).unwrap(), [], "who sits here asks for nothing");
}

#[test]
fn a_spectator_talks_to_spectators_and_a_player_to_players() {
    let mut table = playing(|_| {});
    for (user, plays) in [("ada", true), ("eve", false)] {
        let said = act(&mut table, user, Action::Chat("hello".to_owned())).unwrap();
        let Decision::Say(line) = said else { panic!("a line is said") };
        assert_eq!((line.players, line.user.as_str()), (plays, user));
    }
}

#[test]
fn missed_turns_are_counted_and_in_rated_games_for_two_the_first_one_loses() {
    let clock = ClockRule::Move { per_move_ms: 1000 };
    let mut casual = playing(|saved| saved.clock = clock);
    let draft = casual.time_is_up(0, false, 7).unwrap();
    casual.apply(*draft, 2);
    assert_eq!((casual.seats.missed(0), casual.to_move()), (1, Some(1)));
    act(&mut casual, "bob", play()).unwrap();
    act(&mut casual, "ada", play()).unwrap();
    assert_eq!(casual.seats.missed(0), 0, "who moves is here");
    let mut rated = playing(|saved| (saved.clock, saved.rated) = (clock, true));
    let draft = rated.time_is_up(0, false, 7).unwrap();
    rated.apply(*draft, 2);
    let result = rated.game.result().unwrap();
    assert_eq!((result.reason, &result.winners), (Reason::Time, &vec![1]));
}

#[test]
fn who_resigns_has_lost_and_nothing_follows() {
    let mut table = playing(|_| {});
    act(&mut table, "bob", Action::Resign).unwrap();
    assert_eq!(table.game.result().unwrap().winners, [0]);
    assert!(matches!(refused(act(&mut table, "ada", play())), Refusal::Conflict(_)));
    assert!(matches!(refused(act(&mut table, "ada", Action::Abort)), Refusal::Conflict(_)));
    let asked = act(&mut table, "ada", Action::Rematch(true)).unwrap();
    assert!(matches!(asked, Decision::Offers));
    let agreed = act(&mut table, "bob", Action::Rematch(true)).unwrap();
    let Decision::Rematch(plan) = agreed else { panic!("both agreed") };
    assert_eq!(plan.sitters, [sitter("bob"), sitter("ada")], "the seats are swapped");
}

#[test]
fn a_game_is_called_off_by_who_plays_it_and_only_before_the_second_turn() {
    let mut table = playing(|_| {});
    assert!(matches!(refused(act(&mut table, "eve", Action::Abort)), Refusal::Forbidden(_)));
    act(&mut table, "ada", play()).unwrap();
    act(&mut table, "bob", play()).unwrap();
    assert!(matches!(refused(act(&mut table, "ada", Action::Abort)), Refusal::Conflict(_)));
    let mut table = playing(|_| {});
    act(&mut table, "bob", Action::Abort).unwrap();
    assert_eq!(table.game.result().unwrap().reason, Reason::Abort);
}
