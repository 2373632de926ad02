//! The same seed, nodes and one thread give the same moves: on any machine, in any run.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use bots::levels::LEVELS;
use bots::roster::{self, BotSpec};
use carcassonne::{AllSets, Base, Carcassonne, Expanded, ExpandedSetup, Setup};
use game::{Game, Random, Turn};
use search::{Limits, Stop, play_turn};

/// Plays a game between bots of this kind and gives its moves as text.
fn game_of(bot: &str, setup: &str, nodes: u64, turns: usize) -> String {
    let setup: Setup = setup.parse().unwrap();
    let spec: BotSpec = bot.parse().unwrap();
    let mut player = roster::make::<Base>(&spec, &setup).unwrap();
    let mut game = Carcassonne::new(&setup);
    player.new_game(&game, 7);
    let mut random = Random::new(11);
    let mut text = String::new();
    let mut played = 0;
    while game.turn() != Turn::Over && played < turns {
        if game.turn() == Turn::Chance {
            let draw = game.sample_outcome(&mut random).unwrap();
            game.play(draw, |_| {}).unwrap();
            continue;
        }
        let report = player.search(&game, &Limits::nodes(nodes), &Stop::new());
        assert!(!report.turn.is_empty(), "{bot} answers");
        for m in report.turn {
            text += &format!("{m}; ");
            player.observe(&game, m);
            game.play(m, |_| {}).unwrap();
        }
        played += 1;
    }
    text
}

#[test]
fn every_bot_plays_the_same_game_twice() {
    let bots = ["greedy", "heuristic", "net", "mcts", "star", "look", "rollouts", "puct", "best"];
    for bot in bots {
        let one = game_of(bot, "players=2", 400, 6);
        assert_eq!(one, game_of(bot, "players=2", 400, 6), "{bot}");
    }
}

#[test]
fn every_bot_thinks_on_as_many_threads_as_it_is_given() {
    let searching = ["mcts", "star", "look", "puct", "best", "best:search=puct", "master"];
    for bot in searching.iter().chain(&["greedy", "net", "random", "abbess", "rollouts"]) {
        let sign = if bot.contains(':') { ',' } else { ':' };
        let two = format!("{bot}{sign}threads=2");
        assert!(!game_of(&two, "players=3", 400, 3).is_empty(), "{two}");
    }
}

/// Expectimax searches whole depths, so threads change how long it takes and nothing else.
#[test]
fn threads_do_not_change_what_expectimax_and_endings_find() {
    let setup: Setup = "players=2".parse().unwrap();
    let mut game = Carcassonne::new(&setup);
    let mut random = Random::new(3);
    let mut moves = Vec::new();
    while game.tiles_left() > 2 || game.turn() == Turn::Chance {
        game.moves(&mut moves);
        let sampled = game.sample_outcome(&mut random);
        game.play(sampled.or_else(|| random.pick(&moves).copied()).unwrap(), |_| {}).unwrap();
    }
    let value = |bot: &str, limits: Limits| {
        let mut player = roster::make::<Base>(&bot.parse().unwrap(), &setup).unwrap();
        player.search(&game, &limits, &Stop::new()).values
    };
    for bot in ["star", "best"] {
        let deep = Limits { depth: Some(2), ..Limits::NONE };
        assert_eq!(value(bot, deep), value(&format!("{bot}:threads=3"), deep), "{bot}");
    }
}

#[test]
fn every_level_finishes_games_of_every_number_of_players_and_setup() {
    let setups = [
        "players=2",
        "players=3 farmers=off",
        "players=4 tiny-city=2 board=9x9",
        "players=5 start=empty board=30x30",
        "players=6",
    ];
    for setup in setups {
        for level in &LEVELS {
            let turns = if level.name == "master" { 4 } else { 100 };
            assert!(!game_of(level.name, setup, 200, turns).is_empty());
        }
    }
}

#[test]
fn an_unknown_bot_or_parameter_is_refused_by_name() {
    let error = |text: &str| {
        let spec = text.parse::<BotSpec>();
        spec.and_then(|spec| roster::make::<Base>(&spec, &Setup::default()).map(|_| ()))
            .unwrap_err()
            .to_string()
    };
    assert!(error("gandalf").contains("known: shepherd, pilgrim"));
    assert!(error("mcts:q=3").contains("no parameter 'q'"));
    assert!(error("random:q=3").ends_with("it has: threads"));
    assert!(
        error("greedy:meeple=much").ends_with("meeple=much is no value for it; one is meeple=0.75")
    );
    assert!(error("look:width=3,tie=1,width=4").contains("width is given twice"));
    assert!(error("net:file=/no/such/net").contains("can't read"));
    assert!(error("net:file").contains("key=value"));
    for threads in ["0", "257", "-1", "many"] {
        assert!(error(&format!("mcts:threads={threads}")).contains("threads="), "{threads}");
    }
}

#[test]
fn who_plays_by_a_net_of_other_games_says_so() {
    let note = |bot: &str, setup: &str| {
        let setup: ExpandedSetup = setup.parse().unwrap();
        roster::net_note(&bot.parse().unwrap(), &setup)
    };
    for bot in ["net", "best:width=3", "peddler", "mason", "master"] {
        assert_eq!(note(bot, "players=3"), None, "{bot}");
        let said = note(bot, "sets=gardens").unwrap();
        assert!(said.contains("no net was trained for 2 players with gardens"), "{said}");
    }
    for bot in ["greedy", "shepherd", "pilgrim", "mcts", "star:eval=greedy", "net:file=mine"] {
        assert_eq!(note(bot, "sets=gardens"), None, "{bot}");
    }
}

/// The searches need nothing more for sets: a second turn part that a builder gives is one more draw
/// whose next mover is the same player, and they ask every position who moves.
#[test]
fn whole_games_with_every_set_are_played() {
    let setup = "players=2 sets=inns,traders,river,gardens".parse().unwrap();
    let mut random = Random::new(5);
    let pairs = [
        ["greedy", "random"],
        ["star:width=2,root=3", "best:width=2"],
        ["net", "heuristic"],
        ["puct", "mason"],
        ["shepherd", "peddler"],
    ];
    for names in pairs {
        let mut players =
            names.map(|name| roster::make::<AllSets>(&name.parse().unwrap(), &setup).unwrap());
        let mut game = Expanded::new(&setup);
        let mut doubled = 0;
        while game.turn() != Turn::Over {
            if let Some(draw) = game.sample_outcome(&mut random) {
                game.play_unchecked(draw, |_| {});
                continue;
            }
            let seat = game.player().index();
            doubled += u32::from(game.is_second_part());
            let report = players[seat].search(&game, &Limits::nodes(60), &Stop::new());
            let after = play_turn(&game, &report.turn).expect("a bot's turn is legal");
            assert_ne!(after.turn(), game.turn(), "a turn part is played to its end");
            game = after;
        }
        assert!(doubled > 0, "{names:?}: no builder gave a second part");
    }
}
