//! What players must be able to rely on in the draws.

use super::*;
use crate::games::Hosted;
use crate::games::carcassonne::AnyCarcassonne;
use crate::wire::Fairness;
use game::Game;
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let text = include_str!("../../../tests/fixtures/fairness.json");
    let fixture: Value = serde_json::from_str(text).unwrap();
    fixture["vectors"].as_array().unwrap().clone()
}

fn texts(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).unwrap()
}

fn told(vector: &Value, drawn: usize) -> Fairness {
    let head = vector["setup"].as_str().unwrap();
    let setup = head.strip_prefix("carcassonne ").unwrap().parse().unwrap();
    let seed = Seed::from_hex(vector["seed"].as_str().unwrap()).unwrap();
    let (game, commit) = (vector["game"].as_str().unwrap(), vector["commit"].as_str().unwrap());
    let drawn = texts(&vector["order"])[..drawn].to_vec();
    let nonces = texts(&vector["nonces"]);
    fairness_of::<AnyCarcassonne>((game, commit), head.to_owned(), (&seed, &setup), nonces, drawn)
}

#[test]
fn the_vectors_of_an_independent_program_agree() {
    for vector in vectors() {
        let told = told(&vector, 30);
        assert!(told.fair);
        assert_eq!(told.bag, texts(&vector["bag"]));
        assert_eq!(told.order, texts(&vector["order"]));
    }
}

#[test]
fn whatever_is_forged_is_found() {
    let vector = &vectors()[1];
    let honest = told(vector, 30);
    let faults =
        |told: &Fairness| verify(told).iter().filter(|check| check.fault.is_some()).count();
    assert_eq!(faults(&honest), 0);
    let other = |forge: &dyn Fn(&mut Fairness)| {
        let mut told = honest.clone();
        forge(&mut told);
        faults(&told)
    };
    let swap_draws = |told: &mut Fairness| {
        let at = (1..30).find(|at| told.drawn[*at] != told.drawn[0]).unwrap();
        told.drawn.swap(0, at);
    };
    assert_eq!(other(&swap_draws), 1, "a forged draw");
    let both = |told: &mut Fairness| {
        swap_draws(told);
        told.order[..30].clone_from_slice(&told.drawn);
    };
    assert_eq!(other(&both), 2, "with an order to match");
    assert!(other(&|told| told.seed = "11".repeat(32)) >= 2, "another seed");
    assert!(other(&|told| told.nonces[0] = "eve".to_owned()) >= 1, "another nonce");
    assert!(other(&|told| told.nonces.reverse()) >= 1, "other seats");
    assert!(other(&|told| told.game = "aaaaaaaaaa".to_owned()) >= 2, "another game");
    assert!(other(&|told| told.bag.reverse()) >= 1, "another bag");
    assert!(other(&|told| told.setup = "carcassonne start=empty".to_owned()) >= 1);
    assert!(other(&|told| told.setup = "chess".to_owned()) >= 1);
    assert!(other(&|told| told.seed = "zz".to_owned()) >= 1);
    assert!(other(&|told| told.drawn.extend(told.order.clone())) >= 1, "more than there is");
    assert!(other(&|told| told.commit = "00".repeat(32)) == 1);
    let mut upper = honest.clone();
    upper.commit = upper.commit.to_uppercase();
    assert_eq!(faults(&upper), 0, "how digits are written is no forgery");
}

#[test]
fn the_explanation_names_what_is_wrong() {
    let mut forged = told(&vectors()[1], 10);
    forged.drawn[4] = "X".to_owned();
    let text = explain(&verify(&forged));
    assert!(text.contains("ok    the seed is the one that was promised"), "{text}");
    assert!(text.contains("WRONG the draws are the top of that order: number 5"), "{text}");
}

#[test]
fn secrets_do_not_show_and_a_takeback_puts_the_tile_back() {
    let seed = Seed::random();
    let setup = carcassonne::ExpandedSetup::default();
    let bag = AnyCarcassonne::new(&setup).bag();
    let deck = Deck::new(&seed, "game", &[], &bag, AnyCarcassonne::deck_part);
    assert_eq!(format!("{seed:?} {deck:?}"), "Seed(secret) Deck(secret)");
    assert_eq!(deck.next(3), deck.next(3));
    assert_eq!(deck.next(bag.len()), None);
    assert_eq!(Seed::from_hex(&seed.reveal()).unwrap().reveal(), seed.reveal());
    assert_ne!(seed.reveal(), Seed::random().reveal());
    for text in ["", "12", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64), &"é".repeat(64)] {
        assert!(Seed::from_hex(text).is_err());
    }
}

#[test]
fn the_key_is_not_what_was_published() {
    let vector = &vectors()[0];
    assert_ne!(vector["key"], vector["commit"], "without nonces too");
}

#[test]
fn nonces_are_short_and_printable() {
    assert!(check_nonce("").is_ok() && check_nonce(&"é".repeat(64)).is_ok());
    assert!(check_nonce(&"x".repeat(65)).is_err() && check_nonce("a\nb").is_err());
}

#[test]
fn a_game_that_begins_with_a_position_draws_what_is_left_in_the_order_of_the_shuffle() {
    let bag: Vec<u8> = vec![1, 1, 1, 2, 2, 3];
    let deck = || Deck::new(&Seed([7; 32]), "game", &[], &bag, |_| 0);
    let drawn = [3, 1];
    let order = deck().beginning_with(&drawn).order;
    assert_eq!(order[..2], drawn);
    let mut rest = deck().order;
    for one in drawn {
        rest.remove(rest.iter().position(|other| *other == one).unwrap());
    }
    assert_eq!(order[2..], rest);
    assert_eq!(deck().beginning_with(&[]).order, deck().order);
}
