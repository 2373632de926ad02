//! A training run is the same on any number of threads and machines, and when it is stopped and taken up again.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use bots::train::{BatchGradient, Checkpoint, Config, Trainer, play_batches};
use search::Stop;
use std::sync::Arc;

fn config() -> Config {
    let config = Config::parse(include_str!("../nets/two-returns.toml")).unwrap();
    Config { games: 8, round_games: 4, ..config }
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
    let whole = bytes(Trainer::new(config(), None, None, 1));
    assert_eq!(whole, bytes(Trainer::new(config(), None, None, 3)), "three threads");

    let mut half = Trainer::new(config(), None, None, 2);
    half.round(&Stop::new()).unwrap();
    let mut saved = Vec::new();
    half.checkpoint().write(&mut saved).unwrap();
    let taken_up = Checkpoint::read(&saved[..]).unwrap();
    assert_eq!(whole, bytes(Trainer::new(config(), None, Some(taken_up), 2)), "taken up again");
}

#[test]
fn a_net_that_sees_more_is_trained_the_same_way() {
    is_trained_the_same_way(&Config { games: 4, unclaimed: true, ..config() }, 3);
    is_trained_the_same_way(&Config { games: 4, threats: true, ..config() }, 4);
}

fn is_trained_the_same_way(config: &Config, version: u32) {
    let config = || config.clone();
    let whole = bytes(Trainer::new(config(), None, None, 1));
    assert_eq!(whole, bytes(Trainer::new(config(), None, None, 2)), "two threads");
    let read = Checkpoint::read(&whole[..]).unwrap();
    assert_eq!(Trainer::new(config(), None, Some(read), 1).net().version(), version);
    let trainer = Trainer::new(config(), None, None, 1);
    let batches = handed_in(&trainer, &config(), 1);
    let mut elsewhere = Trainer::new(config(), None, None, 1);
    elsewhere.learn(batches.clone()).unwrap();
    assert_eq!(whole, bytes(elsewhere), "played elsewhere");
    let plain = Config { unclaimed: false, threats: false, ..config() };
    let error = Trainer::new(plain.clone(), None, None, 1).learn(batches).unwrap_err().to_string();
    assert!(error.contains("another net"), "{error}");
    let seeing = trainer.net();
    assert_eq!(
        Trainer::new(plain.clone(), Some(&seeing), None, 1).net().version(),
        version,
        "kept"
    );
    assert_eq!(Trainer::new(plain, None, None, 1).net().version(), 2);
}

/// The next round's batches as machines hand them in that play so many of them at a time, the last part first.
fn handed_in(trainer: &Trainer, config: &Config, at_a_time: usize) -> Vec<BatchGradient> {
    let mut net = Vec::new();
    trainer.playing_net().write(&mut net).unwrap();
    let net = Arc::new(bots::net::Net::read(&net).unwrap());
    let batches = trainer.next_batches();
    let mut all = Vec::new();
    for part in batches.chunks(at_a_time).rev() {
        let games = part[0].start..part[part.len() - 1].end;
        let mut file = Vec::new();
        for batch in play_batches(config, &net, games, at_a_time, &Stop::new()).unwrap() {
            batch.write(&mut file).unwrap();
        }
        all.extend(BatchGradient::read_all(&file[..], part.len()).unwrap());
    }
    all.sort_by_key(|batch| batch.games().start);
    all
}

#[test]
fn machines_change_nothing() {
    // Five games to a round leave a batch that is smaller than the others; with sets all is played by other code.
    let odd = Config { games: 10, round_games: 5, batch_games: 2, ..config() };
    let mut sets = Config { games: 4, ..config() };
    sets.setups.truncate(1);
    sets.setups[0].setup = "players=3 sets=inns,river".to_owned();
    sets.other_views = true;
    for config in [odd, sets] {
        let whole = bytes(Trainer::new(config.clone(), None, None, 1));
        for at_a_time in 1..=3 {
            let mut trainer = Trainer::new(config.clone(), None, None, 1);
            while !trainer.finished() {
                let batches = handed_in(&trainer, &config, at_a_time);
                trainer.learn(batches).unwrap();
            }
            assert_eq!(whole, bytes(trainer), "{at_a_time} batches at a time");
        }
    }
}

#[test]
fn what_others_taught_is_refused_where_it_does_not_belong() {
    let config = Config { batch_games: 2, ..config() };
    let mut trainer = Trainer::new(config.clone(), None, None, 1);
    let first = handed_in(&trainer, &config, 2);
    let mut refused = |batches: &[BatchGradient]| {
        let error = trainer.learn(batches.to_vec()).unwrap_err().to_string();
        assert_eq!(trainer.checkpoint().games, 0, "nothing is learned");
        error
    };
    assert!(refused(&first[..1]).contains("the batch to learn from has games 2-3"));
    assert!(refused(&[]).contains("the batch to learn from has games 0-1"));
    let swapped = [first[1].clone(), first[0].clone()];
    assert!(refused(&swapped).contains("the gradient is of games 2-3"));
    let other = Config { lambda: 0.5, ..config.clone() };
    let fresh = Trainer::new(config.clone(), None, None, 1);
    let other = handed_in(&fresh, &other, 2);
    assert!(
        refused(&[first[0].clone(), other[1].clone()]).contains("games 2-3 comes from another")
    );
    trainer.learn(first.clone()).unwrap();
    let twice = trainer.learn(first.clone()).unwrap_err().to_string();
    assert!(twice.contains("is of games 0-1, the batch to learn from has games 4-5"), "{twice}");

    let mut bytes = Vec::new();
    first[0].write(&mut bytes).unwrap();
    let error = |bytes: &[u8]| BatchGradient::read_all(bytes, 1).unwrap_err().to_string();
    assert!(error(b"something else entirely").contains("no gradient"));
    assert!(error(&bytes[..30]).contains("cut off"));
    assert!(error(&bytes[..bytes.len() - 1]).contains("cut off"));
    assert!(error(&[&bytes[..], &bytes[..]].concat()).contains("longer"));
    let mut other_shape = bytes.clone();
    other_shape[16] ^= 1;
    assert!(error(&other_shape).contains("another shape"));
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(error(&bytes).contains("no finite number"));
}

#[test]
fn a_stopped_round_learns_nothing_and_a_bad_checkpoint_is_refused() {
    let mut trainer = Trainer::new(config(), None, None, 1);
    let stop = Stop::new();
    stop.stop();
    assert!(trainer.round(&stop).is_none());
    assert_eq!(trainer.checkpoint().games, 0);
    let error = |bytes: &[u8]| Checkpoint::read(bytes).err().unwrap().to_string();
    assert!(error(b"something else entirely").contains("no training checkpoint"));
    let mut bytes = Vec::new();
    trainer.checkpoint().write(&mut bytes).unwrap();
    assert!(error(&bytes[..10]).contains("cut off"));
    assert!(error(&bytes[..bytes.len() - 1]).contains("cut off"));
    assert!(error(&[&bytes[..], b"\n"].concat()).contains("longer"));
    bytes[100..104].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(error(&bytes).contains("no finite number"));
}

/// A run may become longer or shorter as long as its rate does not fall yet, and nothing else.
#[test]
fn only_the_length_of_a_run_may_change_and_only_in_time() {
    let run = |games, falling_games| Config { games, falling_games, ..config() };
    assert!(run(8, None).continues(&run(8, None), 8));
    assert!(!run(9, None).continues(&run(8, None), 0), "the rate falls from the start");
    let (short, long) = (run(80, Some(30)), run(100, Some(30)));
    assert!(long.continues(&short, 50) && short.continues(&long, 50));
    assert!(!long.continues(&short, 51) && !short.continues(&long, 51));
    assert!(!long.continues(&Config { lambda: 0.5, ..long.clone() }, 0));
    // What was said is true: until then both runs learn the same.
    let first = |config: Config| {
        let mut trainer = Trainer::new(config, None, None, 1);
        trainer.round(&Stop::new()).unwrap();
        let mut bytes = Vec::new();
        trainer.checkpoint().write(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(first(run(8, Some(4))), first(run(12, Some(4))));
    assert_ne!(first(run(8, Some(5))), first(run(12, Some(5))));
}

#[test]
fn a_senseless_configuration_is_refused() {
    let text = include_str!("../nets/two-returns.toml");
    for (good, bad, said) in [
        ("games = ", "games = 0 # ", "at least 1"),
        ("games = ", "games = -1 # ", "-1"),
        ("lambda = 0.95", "lambda = 2", "between 0 and 1"),
        ("lambda = 0.95", "lambda = nan", "between 0 and 1"),
        ("temperature = 1.5", "temperature = inf", "finite and above 0"),
        ("rate = 1e-3", "rate = 1e300", "finite and above 0"),
        ("weight = 0.88", "weight = 0", "weight must be finite and above 0"),
        ("weight = 0.88", "weight = inf", "weight must be finite and above 0"),
        ("explore", "explroe", "unknown field `explroe`"),
        ("players=2\"", "players=9\"", "2 to 6 players"),
    ] {
        let error = Config::parse(&text.replacen(good, bad, 1)).unwrap_err().to_string();
        assert!(error.contains(said), "{bad}: {error}");
    }
}
