//! Training on two-ply values: the same on any number of threads and when it is taken up again, from labels that are
//! read back to the bit and refused where they are not those of the run.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use bots::net::{Net, Prediction};
use bots::one_ply::OnePly;
use bots::train::{Checkpoint, Config, Round, Targets, Trainer};
use bots::value::Learned;
use carcassonne::{Carcassonne, Options};
use game::{Game, Player, Turn, ignore};
use search::{Stop, play_turn};
use std::sync::{Arc, OnceLock};

fn config() -> Config {
    let config = Config::parse(include_str!("../nets/two-returns.toml")).unwrap();
    Config {
        games: 8,
        round_games: 4,
        batch_games: 2,
        targets: Targets::TwoPly,
        label_games: Some(3),
        start: Some("two.net".into()),
        unclaimed: true,
        rate: 2e-4,
        ..config
    }
}

fn start() -> Arc<Net> {
    bots::nets::for_setup(&carcassonne::Setup::default()).net
}

fn trainer(config: Config, from: Option<Checkpoint>, threads: usize) -> Trainer {
    Trainer::new(config, Some(&start()), from, threads)
}

/// The file of a run's labels.
fn file(trainer: &Trainer) -> String {
    let mut text = trainer.labels_header().unwrap() + "\n";
    for (number, labels) in trainer.labels().iter().enumerate() {
        text += &(labels.line(number as u64) + "\n");
    }
    text
}

/// The labels of the run above, which take a while to make.
fn labels() -> &'static str {
    static LABELS: OnceLock<String> = OnceLock::new();
    LABELS.get_or_init(|| {
        let mut trainer = trainer(config(), None, 2);
        trainer.round(&Stop::new()).unwrap();
        file(&trainer)
    })
}

/// The same run with the labels that were made.
fn labelled(config: Config, from: Option<Checkpoint>, threads: usize) -> Trainer {
    let mut trainer = trainer(config, from, threads);
    trainer.read_labels(labels()).unwrap();
    trainer
}

fn go_on(trainer: &mut Trainer) -> Vec<Round> {
    let mut rounds = Vec::new();
    while !trainer.finished() {
        rounds.push(trainer.round(&Stop::new()).unwrap());
    }
    rounds
}

fn bytes(trainer: &Trainer) -> Vec<u8> {
    let mut bytes = Vec::new();
    trainer.checkpoint().write(&mut bytes).unwrap();
    bytes
}

#[test]
fn threads_and_stops_change_nothing() {
    let config = || Config { returns: 0.1, ..config() };
    let mut whole = trainer(config(), None, 1);
    go_on(&mut whole);
    assert_eq!(file(&whole), labels(), "two threads make the same labels");
    assert_eq!(whole.labels().len(), 3, "the run goes over them again");
    assert!(whole.net().sees_unclaimed());

    let mut read_back = labelled(config(), None, 2);
    assert_eq!(file(&read_back), labels(), "to the bit");
    read_back.round(&Stop::new()).unwrap();
    let saved = || Checkpoint::read(&bytes(&read_back)[..]).unwrap();
    for (what, kept) in [("a cut line", &labels()[..labels().len() - 9]), ("no file", "")] {
        let mut taken_up = trainer(config(), Some(saved()), 2);
        taken_up.read_labels(kept).unwrap();
        assert_eq!(taken_up.labels().len(), kept.lines().count().saturating_sub(2), "{what}");
        go_on(&mut taken_up);
        assert!(bytes(&taken_up) == bytes(&whole), "{what}");
    }
}

#[test]
fn a_stopped_round_learns_nothing() {
    let stop = Stop::new();
    stop.stop();
    let mut trainer = trainer(config(), None, 2);
    assert!(trainer.round(&stop).is_none());
    assert!(trainer.labels().is_empty() && trainer.checkpoint().games == 0);
}

#[test]
fn differences_between_turns_are_learned() {
    let config = Config { games: 240, ..config() };
    let mut trainer = labelled(config, None, 2);
    let rounds = go_on(&mut trainer);
    let (first, last) = (rounds[0].error, rounds[rounds.len() - 1].error);
    assert!(first > 0.1 && first < 4.0, "points: {first}");
    assert!(last < 0.8 * first, "{first} before, {last} after");
}

#[test]
fn games_with_sets_are_labelled_too() {
    let mut config = Config { label_games: Some(1), games: 1, round_games: 1, ..config() };
    config.setups.truncate(1);
    config.setups[0].setup = "players=2 sets=traders,gardens".to_owned();
    let mut labelled = trainer(config.clone(), None, 1);
    assert!(labelled.round(&Stop::new()).unwrap().error > 0.0);
    let mut again = trainer(config, None, 1);
    again.read_labels(&file(&labelled)).unwrap();
    assert_eq!(again.labels(), labelled.labels());
}

/// What a player holds on the mean after every draw and the turn that who moves next likes best, and what that
/// turn is worth to who takes it.
fn by_hand(end: &Carcassonne, me: Player, learned: &mut Learned) -> [Prediction; 2] {
    let (mut draws, mut one_ply) = (Vec::new(), OnePly::default());
    end.moves(&mut draws);
    let (mut total, mut sums) = (0.0, [[0.0; 2]; 2]);
    for draw in draws {
        let mut next = end.clone();
        next.play_unchecked(draw, ignore);
        let Turn::Player(mover) = next.turn() else { continue };
        assert_ne!(mover, me, "nobody moves twice in the base game");
        one_ply.list(&next, learned);
        let values = one_ply.values();
        let best = values.iter().position(|value| values.iter().all(|other| value >= other));
        let left = one_ply.end(best.unwrap());
        let odds = f64::from(end.odds(draw));
        total += odds;
        for (sum, seat) in sums.iter_mut().zip([me, mover]) {
            let said = learned.predict(left, seat);
            sum[0] += odds * f64::from(said.margin);
            sum[1] += odds * f64::from(said.win);
        }
    }
    sums.map(|[margin, win]| Prediction {
        margin: (margin / total) as f32,
        win: (win / total) as f32,
    })
}

#[test]
fn of_many_players_each_label_is_what_its_own_player_holds() {
    for players in [3, 4] {
        let setup = format!("players={players}");
        let text = include_str!("../nets/many-returns.toml");
        let (options, _) = text.split_once("[[setups]]").unwrap();
        let setups = format!("[[setups]]\nsetup = \"{setup}\"\nweight = 1\n");
        let two_ply = "targets = \"two-ply\"\nlabel_games = 1\nstart = \"many.net\"\n";
        let parsed = Config::parse(&format!("{two_ply}{options}{setups}")).unwrap();
        let config = Config { games: 1, round_games: 1, ..parsed };
        let net = bots::nets::for_setup(&setup.parse::<carcassonne::Setup>().unwrap()).net;
        let mut trainer = Trainer::new(config.clone(), Some(&net), None, 1);
        assert!(trainer.round(&Stop::new()).unwrap().error > 0.0);

        let labels = &trainer.labels()[0];
        assert_eq!(labels.setup.rules().players(), players);
        let mut learned = Learned::new(net.clone());
        let mut game = Carcassonne::new(labels.setup.rules());
        let (mut played, mut movers, mut own) = (0, Vec::new(), 0);
        for position in labels.positions.iter().take(6) {
            for m in &labels.moves[played..position.at] {
                game.play(*m, ignore).unwrap();
            }
            played = position.at;
            let Turn::Player(me) = game.turn() else { panic!("a player's turn is labelled") };
            movers.push(me);
            for label in &position.turns {
                let end = play_turn(&game, &label.moves).unwrap();
                let [held, reply] = by_hand(&end, me, &mut learned);
                assert_eq!(label.two_ply, held, "{players} players, {me:?}");
                own += usize::from((held.margin + reply.margin).abs() > 0.5);
            }
        }
        assert!(movers.iter().any(|seat| *seat != movers[0]), "several seats: {movers:?}");
        assert!(own > 5, "what I hold is not what the reply takes from me alone: {own}");

        let mut again = Trainer::new(config, Some(&net), None, 1);
        again.read_labels(&file(&trainer)).unwrap();
        assert_eq!(again.labels(), trainer.labels());
    }
}

#[test]
fn labels_of_something_else_are_refused() {
    let refused = |text: &str| {
        let mut trainer = trainer(config(), None, 1);
        let error = trainer.read_labels(text).unwrap_err().to_string();
        assert!(trainer.labels().is_empty(), "none are taken");
        error
    };
    let lines: Vec<&str> = labels().lines().collect();
    let second = |line: &str| [lines[0], lines[1], line, lines[3], ""].join("\n");
    let wrong = |line: &str| {
        let error = refused(&second(line));
        assert!(error.contains("line 3 holds no labels of game 1"), "{line}: {error}");
    };
    assert!(trainer(config(), None, 1).read_labels(&second(lines[2])).is_ok());
    let good = lines[2];
    wrong("");
    wrong("something else entirely");
    wrong(lines[1]);
    for cut in 1..60 {
        wrong(&good[..good.len() - cut]);
    }
    wrong(&good[..good.len() / 2]);
    wrong(&good.replacen("players=2", "players=3", 1));
    wrong(&good.replacen("players=2", "players=2 farmers=perhaps", 1));
    let (start, rest) = good.split_once(" | ").unwrap();
    let (setup, rest) = rest.split_once(" | ").unwrap();
    let (moves, positions) = rest.split_once(" | ").unwrap();
    let with_moves = |moves: &str| format!("{start} | {setup} | {moves} | {positions}");
    wrong(&with_moves(&moves.replacen("; ", "; pass; ", 1)));
    wrong(&with_moves(moves.rsplit_once("; ").unwrap().0));
    let (at, turns) = positions.split_once(" , ").unwrap();
    let with_turns =
        |at: &str, turns: &str| format!("{start} | {setup} | {moves} | {at} , {turns}");
    wrong(&with_turns("99999999", turns));
    wrong(&with_turns("-1", turns));
    let (turn, numbers) = turns.split_once(" = ").unwrap();
    wrong(&with_turns(at, &format!("{} = {numbers}", turn.split_once("; ").unwrap().0)));
    let (_, rest) = numbers.split_once(" , ").unwrap();
    for bad in [
        "1 0.5 1",
        "1 0.5 1 0.5 1",
        "NaN 0.5 1 0.5",
        "1 0.5 inf 0.5",
        "1 0.5 1 1.5",
        "1 0.5 3e38 0.5",
    ] {
        wrong(&with_turns(at, &format!("{turn} = {bad} , {rest}")));
    }

    let other_net = Net::untrained(1, self::start().scope);
    let mut trainer = Trainer::new(config(), Some(&other_net), None, 1);
    let error = trainer.read_labels(labels()).unwrap_err().to_string();
    assert!(error.contains("another net to start from"), "{error}");
    let error = refused(&labels().replacen("bastide-labels", "labels", 1));
    assert!(error.contains("expected the line 'bastide-labels "), "{error}");
}

#[test]
fn a_senseless_configuration_is_refused() {
    let text = include_str!("../nets/two-returns.toml");
    let good = "targets = \"two-ply\"\nlabel_games = 10\nstart = \"two.net\"\n";
    let parse = |options: &str| Config::parse(&(options.to_owned() + text));
    assert_eq!(parse(good).unwrap().targets, Targets::TwoPly);
    let sample = include_str!("../../../docs/net.md").split("```toml\n").nth(1).unwrap();
    let sample = Config::parse(sample.split("```").next().unwrap()).unwrap();
    assert_eq!(sample.targets, Targets::TwoPly, "the sample in the documents");
    assert_eq!(parse("").unwrap().targets, Targets::Returns);
    assert_eq!(parse("targets = \"returns\"\n").unwrap().targets, Targets::Returns);
    for (from, to, said) in [
        ("two-ply", "three-ply", "unknown variant `three-ply`, expected `returns` or `two-ply`"),
        ("start = ", "# ", "needs start, the net"),
        ("label_games = ", "# ", "needs label_games, at least 1"),
        ("= 10", "= 0", "needs label_games, at least 1"),
        ("= 10", "= -1", "-1"),
        ("two-ply", "returns", "label_games is for targets = \"two-ply\" alone"),
        ("label_games", "returns = 1.5\nlabel_games", "returns must lie between 0 and 1"),
        ("label_games", "returns = nan\nlabel_games", "returns must lie between 0 and 1"),
    ] {
        let error = parse(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(said), "{to}: {error}");
    }
    let error = parse("returns = 0.1\n").unwrap_err().to_string();
    assert!(error.contains("returns is for targets = \"two-ply\" alone"), "{error}");
    let many = good.to_owned() + &text.replacen("players=2 farmers", "players=4 farmers", 1);
    assert_eq!(Config::parse(&many).unwrap().targets, Targets::TwoPly, "for any number");
}
