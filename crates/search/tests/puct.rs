//! PUCT: converges to the truth, keeps its tree.

mod common;

use common::{Opinion, Ring, Setup, assert_legal, brute, random_position};
use game::{Game, Random, Turn};
use search::arena::{Contestant, deal_random, play_game};
use search::puct::{Backup, FinalMove};
use search::{Agent, Limits, Puct, PuctParams, Stop, Uniform};

fn wide() -> PuctParams {
    PuctParams {
        root_width: 0,
        width: 0,
        temperature: 4.0,
        choice: FinalMove::Value(0.1),
        ..PuctParams::default()
    }
}

#[test]
fn values_converge_to_brute_force() {
    let mut random = Random::new(1);
    for round in 0..30 {
        let position = random_position(2 + round % 3, 2, &mut random);
        let Turn::Player(player) = position.turn() else { unreachable!() };
        let wanted = brute(&position, None, &mut Opinion::default())[player].margin;
        let mut agent = Puct::new(wide(), Opinion::default());
        let report = agent.search(&position, &Limits::nodes(30_000), &Stop::new());
        let found = report.values[player].margin;
        assert!((found - wanted).abs() < 1e-2, "{found}, not {wanted}: {position:?}");
    }
}

#[test]
fn averaging_backups_come_near_it_too() {
    let mut random = Random::new(2);
    let mut off = 0.0;
    for _ in 0..20 {
        let position = random_position(2, 2, &mut random);
        let Turn::Player(player) = position.turn() else { unreachable!() };
        let wanted = brute(&position, None, &mut Opinion::default())[player].margin;
        let params = PuctParams { backup: Backup::Visits, exploration: 1.0, ..wide() };
        let mut agent = Puct::new(params, Opinion::default());
        let report = agent.search(&position, &Limits::nodes(40_000), &Stop::new());
        off += (report.values[player].margin - wanted).abs() / 20.0;
    }
    assert!(off < 0.3, "off by {off}");
}

/// Plays a game alone, and adds up the visits of all root turns.
fn visits(observes: bool, players: usize, seed: u64) -> u64 {
    let mut total = 0;
    let mut agent = Puct::new(PuctParams::default(), Opinion::default());
    let mut game = Ring::new(&Setup { players, bag: [3, 2, 3, 0, 0, 0] });
    agent.new_game(&game, seed);
    let mut random = Random::new(seed);
    while game.turn() != Turn::Over {
        let moves = match game.turn() {
            Turn::Chance => vec![game.sample_outcome(&mut random).expect("chance is to move")],
            _ => {
                let report = agent.search(&game, &Limits::nodes(2_000), &Stop::new());
                assert_legal(&game, &report.turn);
                total += report.lines.iter().map(|line| line.visits).sum::<u64>();
                report.turn
            }
        };
        for m in moves {
            if observes {
                agent.observe(&game, m);
            }
            game.play(m, |()| {}).expect("the turn is legal");
        }
    }
    total
}

#[test]
fn a_kept_tree_gives_legal_turns_and_knows_more() {
    for players in [1, 2, 3] {
        let kept: u64 = (0..6).map(|seed| visits(true, players, seed)).sum();
        let fresh: u64 = (0..6).map(|seed| visits(false, players, seed)).sum();
        println!("{players} players: {kept} visits with the tree kept, {fresh} without");
        assert!(kept > fresh, "{players} players: {kept} visits kept, {fresh} fresh");
    }
}

#[test]
fn a_tree_of_another_game_is_not_used() {
    let mut random = Random::new(9);
    let params = PuctParams { reuse: true, ..PuctParams::default() };
    for _ in 0..50 {
        let mut agent = Puct::new(params, Opinion::default());
        let (a, b) = (random_position(2, 6, &mut random), random_position(2, 5, &mut random));
        let limits = Limits::nodes(1_000);
        let first = agent.search(&a, &limits, &Stop::new());
        for m in &first.turn {
            agent.observe(&a, *m);
        }
        let report = agent.search(&b, &limits, &Stop::new());
        assert_legal(&b, &report.turn);
        let mut fresh = Puct::new(params, Opinion::default());
        let expected = fresh.search(&b, &limits, &Stop::new());
        assert_eq!(report.lines, expected.lines);
    }
}

#[test]
fn it_plays_whole_games_against_dice() {
    let mut margin = 0;
    for game in 0..20 {
        let mut strong = Puct::new(PuctParams::default(), Opinion::default());
        let mut weak = Uniform::new();
        let limits = Limits::nodes(1_000);
        let mut seats = [
            Contestant { agent: &mut strong as &mut dyn Agent<Ring>, limits, game_time: None },
            Contestant { agent: &mut weak, limits, game_time: None },
        ];
        let setup = Setup { players: 2, bag: [3, 2, 3, 0, 0, 0] };
        let played =
            play_game(&setup, &mut seats, game, &Stop::new(), deal_random(game), |_, _| {});
        margin += played.unwrap().scores.margin(game::Player::new(0));
    }
    assert!(margin > 30, "{margin}");
}
