//! What holds for every agent: legal turns, limits kept, the same answer twice.

mod common;

use common::{Opinion, Ring, Setup, assert_legal, brute, random_position, turn_worth};
use game::{Game, Random, Turn};
use search::arena::{Contestant, deal_from, deal_random, play_game};
use search::puct::{Backup, ChanceSampling, FinalMove};
use search::{
    Agent, Expectimax, ExpectimaxParams, Greedy, GreedyParams, Limits, Lookahead, LookaheadParams,
    Parallel, Puct, PuctParams, Report, Solver, Stop, Uct, UctParams, Uniform, WithEndings,
};
use std::time::{Duration, Instant};

type Boxed = Box<dyn Agent<Ring>>;

/// Nothing is left out for good.
const WIDE: PuctParams = PuctParams {
    aim: search::Objective::MARGIN,
    exploration: 4.0,
    temperature: 4.0,
    root_width: 0,
    width: 0,
    first_width: 4,
    widening: 1.0,
    reply_width: 0,
    backup: Backup::Best,
    draws: ChanceSampling::Even,
    jitter: 0.0,
    halving: 0,
    choice: FinalMove::Value(0.1),
    reuse: true,
    capacity: 1 << 16,
};

/// All the other ways.
const OTHER: PuctParams = PuctParams {
    root_width: 12,
    width: 8,
    reply_width: 6,
    backup: Backup::Visits,
    draws: ChanceSampling::Sampled,
    jitter: 0.5,
    halving: 8,
    choice: FinalMove::Visits,
    ..WIDE
};

fn solver() -> Solver<Ring, Opinion> {
    Solver::new(ExpectimaxParams::default(), Opinion::sharp())
}

fn all() -> Vec<(&'static str, Boxed)> {
    vec![
        ("uniform", Box::new(Uniform::new()) as Boxed),
        ("greedy", Box::new(Greedy::new(GreedyParams::default(), Opinion::default()))),
        ("expectimax", Box::new(Expectimax::new(ExpectimaxParams::default(), Opinion::sharp()))),
        ("lookahead", Box::new(Lookahead::new(LookaheadParams::default(), Opinion::default()))),
        ("uct", Box::new(Uct::new(UctParams::default()))),
        ("puct", Box::new(Puct::new(WIDE, Opinion::default()))),
        ("puct narrow", Box::new(Puct::new(PuctParams::default(), Opinion::sharp()))),
        ("puct other", Box::new(Puct::new(OTHER, Opinion::default()))),
        ("two ucts", Box::new(Parallel::new(vec![Uct::new(UctParams::default()); 2]))),
        ("two pucts", Box::new(Parallel::new(vec![Puct::new(OTHER, Opinion::default()); 2]))),
        (
            "endings",
            Box::new(WithEndings::new(Uniform::new(), solver(), |game, limits| {
                (game.tiles_left() <= 2).then_some(*limits)
            })),
        ),
    ]
}

/// Everything but the time.
fn timeless(report: Report<common::Action>) -> Report<common::Action> {
    Report { time: Duration::ZERO, ..report }
}

#[test]
fn every_turn_is_legal_for_any_number_of_players_and_any_limit() {
    let mut random = Random::new(1);
    for (name, mut agent) in all() {
        for round in 0..60 {
            let players = 1 + round % 6;
            let mut position = random_position(players, 1 + round % 8, &mut random);
            if round % 5 == 0 {
                // In the middle of a turn.
                let mut moves = Vec::new();
                position.moves(&mut moves);
                position.play_unchecked(moves[0], |_| {});
            }
            agent.new_game(&position, round as u64);
            let nodes = [0, 1, 7, 300][round % 4];
            let report = agent.search(&position, &Limits::nodes(nodes), &Stop::new());
            assert_legal(&position, &report.turn);
            assert_eq!(report.values.len(), players, "{name}");
            for line in &report.lines {
                assert_legal(&position, &line.moves);
            }
        }
    }
}

#[test]
fn where_no_player_is_to_move_there_is_no_turn() {
    for (name, mut agent) in all() {
        let start = Ring::new(&Setup { players: 2, bag: [1, 1, 1, 0, 0, 0] });
        assert_eq!(start.turn(), Turn::Chance);
        let report = agent.search(&start, &Limits::nodes(10), &Stop::new());
        assert!(report.turn.is_empty(), "{name}");
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_report() {
    let mut random = Random::new(2);
    for round in 0..12 {
        let position = random_position(2 + round % 3, 6, &mut random);
        for ((name, mut a), (_, mut b)) in all().into_iter().zip(all()) {
            let limits = Limits { depth: Some(3), ..Limits::nodes(500) };
            let run = |agent: &mut Boxed| {
                agent.new_game(&position, 77);
                timeless(agent.search(&position, &limits, &Stop::new()))
            };
            let first = run(&mut a);
            assert_eq!(first, run(&mut b), "{name}: two agents");
            assert_eq!(first, run(&mut a), "{name}: the same agent again");
        }
    }
}

#[test]
fn limits_are_kept() {
    let mut random = Random::new(3);
    let position = random_position(2, 8, &mut random);
    for (name, mut agent) in all() {
        let report = agent.search(&position, &Limits::nodes(400), &Stop::new());
        assert!(report.nodes <= 400 + 32, "{name}: {} nodes", report.nodes);

        let start = Instant::now();
        let report =
            agent.search(&position, &Limits::time(Duration::from_millis(30)), &Stop::new());
        assert_legal(&position, &report.turn);
        assert!(start.elapsed() < Duration::from_secs(1), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn a_stop_at_any_moment_gives_a_legal_turn_at_once() {
    let mut random = Random::new(4);
    for (name, mut agent) in all() {
        for wait in [0, 0, 1, 5, 20] {
            let position = random_position(2 + wait % 2, 8, &mut random);
            let stop = Stop::new();
            let remote = stop.clone();
            let thread = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(wait as u64));
                remote.stop();
            });
            let start = Instant::now();
            let report = agent.search(&position, &Limits::NONE, &stop);
            assert!(start.elapsed() < Duration::from_secs(1), "{name}: {:?}", start.elapsed());
            assert_legal(&position, &report.turn);
            thread.join().unwrap();
        }
    }
}

#[test]
fn tree_search_finds_the_best_turn() {
    let mut random = Random::new(5);
    for (name, mut agent) in
        all().into_iter().filter(|(name, _)| ["uct", "two ucts", "puct"].contains(name))
    {
        let mut lost = 0.0;
        for round in 0..24 {
            let position = random_position(2 + round % 2, 3, &mut random);
            let Turn::Player(player) = position.turn() else { unreachable!() };
            let best = brute(&position, None, &mut Opinion::default())[player].margin;
            agent.new_game(&position, round as u64);
            let report = agent.search(&position, &Limits::nodes(20_000), &Stop::new());
            lost += best - turn_worth(&position, &report.turn);
        }
        println!("{name} loses {lost} points in 24 positions");
        assert!(lost < 1.0, "{name} loses {lost} points in 24 positions");
    }
}

#[test]
fn agents_play_whole_games_and_thinking_pays() {
    let mut margin = 0;
    for game in 0..40u64 {
        let mut strong = Uct::new(UctParams::default());
        let mut weak = Uniform::new();
        let limits = Limits::nodes(300);
        let strong_first = game % 2 == 0;
        let mut seats = [
            Contestant { agent: &mut strong as &mut dyn Agent<Ring>, limits, game_time: None },
            Contestant { agent: &mut weak, limits, game_time: None },
        ];
        if !strong_first {
            seats.reverse();
        }
        let setup = Setup { players: 2, bag: [3, 3, 2, 0, 0, 0] };
        let deal = deal_random(game / 2);
        let mut reports = 0;
        let played =
            play_game(&setup, &mut seats, game, &Stop::new(), deal, |_, _| reports += 1).unwrap();
        assert_eq!(played.record.replay().unwrap().scores(), played.scores);
        assert_eq!(reports, 8);
        assert_eq!(played.spent.as_slice().iter().map(|s| s.turns).sum::<u32>(), 8);
        margin += played.scores.margin(game::Player::new(usize::from(!strong_first)));
    }
    assert!(margin > 100, "search makes {margin} points on dice in 40 games");
}

#[test]
fn a_temperature_picks_every_turn_now_and_then_and_the_better_ones_more_often() {
    let position = random_position(2, 6, &mut Random::new(5));
    let limits = Limits::nodes(500);
    let warm = GreedyParams { temperature: 2.0, ..GreedyParams::default() };
    let mut agent = Greedy::new(warm, Opinion::default());
    let lines = agent.search(&position, &limits, &Stop::new()).lines;
    let mut picked = vec![0; lines.len()];
    for seed in 0..2_000 {
        agent.new_game(&position, seed);
        let turn = agent.search(&position, &limits, &Stop::new()).turn;
        picked[lines.iter().position(|line| line.moves == turn).expect("it is listed")] += 1;
    }
    assert!(picked.len() > 1 && picked.iter().all(|times| *times > 0), "{picked:?}");
    let (best, worst) = (picked[0], picked[picked.len() - 1]);
    assert!(best > worst, "{picked:?}");
}

#[test]
fn a_deck_is_dealt_in_its_order_but_for_what_cannot_come_now() {
    use common::Action::Draw;
    let game = Ring::new(&Setup { players: 2, bag: [1, 1, 0, 0, 0, 0] });
    let mut dealer = deal_from(vec![Draw(4), Draw(1), Draw(0)]);
    assert_eq!(dealer(&game), Some(Draw(1)));
    assert_eq!(dealer(&game), Some(Draw(0)));
    assert_eq!(dealer(&game), None);
}
