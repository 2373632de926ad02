//! A training run is the same on any number of threads, and when it is stopped and taken up again.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use bots::train::{Checkpoint, Config, Trainer};
use search::Stop;

fn config() -> Config {
    let text = include_str!("../nets/two.toml").replace("games = 160000", "games = 8");
    Config { round_games: 4, ..Config::parse(&text).unwrap() }
}

/// The bytes of a run's checkpoint after all its games.
fn bytes(mut trainer: Trainer) -> Vec<u8> {
    while !trainer.finished() {
        trainer.round(&Stop::new()).unwrap();
    }
    let mut bytes = Vec::new();
    trainer.checkpoint().write(&mut bytes).unwrap();
    bytes
}

#[test]
fn threads_and_stops_change_nothing() {
    let whole = bytes(Trainer::new(config(), None, 1));
    assert_eq!(whole, bytes(Trainer::new(config(), None, 3)), "three threads");

    let mut half = Trainer::new(config(), None, 2);
    half.round(&Stop::new()).unwrap();
    let mut saved = Vec::new();
    half.checkpoint().write(&mut saved).unwrap();
    let taken_up = Checkpoint::read(&saved[..]).unwrap();
    assert_eq!(whole, bytes(Trainer::new(config(), Some(taken_up), 2)), "taken up again");
}

#[test]
fn a_stopped_round_learns_nothing_and_a_bad_checkpoint_is_refused() {
    let mut trainer = Trainer::new(config(), None, 1);
    let stop = Stop::new();
    stop.stop();
    assert!(trainer.round(&stop).is_none());
    assert_eq!(trainer.checkpoint().games, 0);
    assert!(Checkpoint::read(&b"something else entirely"[..]).is_err());
}
