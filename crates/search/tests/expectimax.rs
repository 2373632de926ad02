//! Expectimax in all its forms equals brute force.

mod common;

use common::{Opinion, Ring, Setup, brute, position_of_many_kinds, random_position, turn_worth};
use game::{Game, Random, Turn, laws};
use search::{
    Agent, Evaluator, Expectimax, ExpectimaxParams, Limits, Pruning, Solver, Stop, Turns,
};

const ALL: [Pruning; 6] = [
    Pruning::Off,
    Pruning::Star1,
    Pruning::Star2,
    Pruning::Star25(2),
    Pruning::Star25(9),
    Pruning::Best,
];

fn mover(position: &Ring) -> game::Player {
    let Turn::Player(player) = position.turn() else { panic!("a player is to move") };
    player
}

#[test]
fn the_test_game_keeps_the_laws() {
    let setups = [2, 3, 6].map(|players| Setup { players, bag: [3, 2, 3, 0, 0, 0] });
    laws::check::<Ring>(&setups, 50, 1);
}

#[test]
fn every_pruning_equals_brute_force_at_every_depth() {
    let mut random = Random::new(5);
    for round in 0..210 {
        let position = random_position(2, 2 + round % 4, &mut random);
        let depth = [1, 2, 2, 3, 2, 2, 1][round % 7];
        let expected = brute(&position, Some(depth), &mut Opinion::default());
        let player = mover(&position);
        for pruning in ALL {
            for opinion in [Opinion::default(), Opinion::sharp()] {
                let params = ExpectimaxParams { pruning, ..ExpectimaxParams::default() };
                let mut agent = Expectimax::new(params, opinion);
                let report = agent.search(&position, &Limits::depth(depth), &Stop::new());
                let (found, wanted) = (report.values[player], expected[player]);
                assert!(
                    (found.margin - wanted.margin).abs() < 1e-3
                        && (found.win - wanted.win).abs() < 1e-4,
                    "{pruning:?} at depth {depth} of {position:?}: {found:?}, not {wanted:?}"
                );
            }
        }
    }
}

/// The fewer tiles of a kind are left, the less it weighs; it weighs all the same.
#[test]
fn draws_of_many_kinds_equal_brute_force() {
    let mut random = Random::new(17);
    for round in 0..40 {
        let position = position_of_many_kinds(2 + round % 2, &mut random);
        let player = mover(&position);
        for (depth, opinion) in [(Some(2), Opinion::default()), (None, Opinion::sharp())] {
            let wanted = brute(&position, depth, &mut Opinion::default())[player];
            for pruning in ALL {
                let params = ExpectimaxParams { pruning, ..ExpectimaxParams::default() };
                let (stop, opinion) = (Stop::new(), opinion.clone());
                let report = match depth {
                    Some(depth) => Expectimax::new(params, opinion).search(
                        &position,
                        &Limits::depth(depth),
                        &stop,
                    ),
                    None => {
                        Solver::new(params, opinion).solve(&position, &Limits::NONE, &stop).unwrap()
                    }
                };
                let found = report.values[player];
                assert!(
                    (found.margin - wanted.margin).abs() < 1e-3,
                    "{pruning:?} at depth {depth:?} of {position:?}: {found:?}, not {wanted:?}"
                );
            }
        }
    }
}

#[test]
fn endings_equal_brute_force() {
    let mut random = Random::new(6);
    for round in 0..300 {
        let tiles = [1, 2, 2, 3, 3, 3, 4][round % 7];
        let position = random_position(2, tiles, &mut random);
        let player = mover(&position);
        let wanted = brute(&position, None, &mut Opinion::default())[player];
        for pruning in ALL {
            for opinion in [Opinion::default(), Opinion::sharp()] {
                let params = ExpectimaxParams { pruning, ..ExpectimaxParams::default() };
                let mut solver = Solver::new(params, opinion);
                let report = solver.solve(&position, &Limits::NONE, &Stop::new()).unwrap();
                let found = report.values[player];
                assert!(report.exact);
                assert!((found.margin - wanted.margin).abs() < 1e-3, "{pruning:?} {position:?}");
                let worth = turn_worth(&position, &report.turn);
                assert!((worth - wanted.margin).abs() < 1e-3, "the turn is worth its value");
            }
        }
    }
}

#[test]
fn three_and_more_players_equal_brute_force() {
    let mut random = Random::new(7);
    for round in 0..120 {
        let players = [3, 4, 1][round % 3];
        let position = random_position(players, 1 + round % 4, &mut random);
        let player = mover(&position);
        let params = ExpectimaxParams::default();
        let depth = 1 + (round % 2) as u32;
        let wanted = brute(&position, Some(depth), &mut Opinion::default())[player].margin;
        let mut agent = Expectimax::new(params, Opinion::sharp());
        let found = agent.search(&position, &Limits::depth(depth), &Stop::new());
        assert!((found.values[player].margin - wanted).abs() < 1e-3, "depth {depth} {position:?}");

        let wanted = brute(&position, None, &mut Opinion::default())[player].margin;
        let mut solver = Solver::new(params, Opinion::default());
        let found = solver.solve(&position, &Limits::NONE, &Stop::new()).unwrap();
        assert!((found.values[player].margin - wanted).abs() < 1e-3, "{position:?}");
    }
}

#[test]
fn several_threads_find_the_same_values() {
    let mut random = Random::new(12);
    for round in 0..40 {
        let position = random_position(2 + round % 2, 4, &mut random);
        let params = ExpectimaxParams::default();
        let solve = |threads| {
            let mut solver = Solver::new(params, Opinion::sharp()).with_threads(threads);
            solver.solve(&position, &Limits::NONE, &Stop::new()).unwrap()
        };
        let (one, three) = (solve(1), solve(3));
        let player = mover(&position);
        let [a, b] = [&one, &three].map(|report| report.values[player].margin);
        assert!((a - b).abs() < 1e-3 && three.exact, "{a} and {b} in {position:?}");
        common::assert_legal(&position, &three.turn);
        let mut agent = Expectimax::new(params, Opinion::sharp()).with_threads(2);
        let report = agent.search(&position, &Limits::nodes(200), &Stop::new());
        common::assert_legal(&position, &report.turn);
    }
}

#[test]
fn deepening_without_a_limit_ends_when_all_is_known() {
    let mut random = Random::new(8);
    for _ in 0..20 {
        let position = random_position(2, 3, &mut random);
        let mut agent = Expectimax::new(ExpectimaxParams::default(), Opinion::sharp());
        let report = agent.search(&position, &Limits::NONE, &Stop::new());
        assert!(report.exact && report.depth <= 3);
    }
}

#[test]
fn the_asked_number_of_lines_is_exact() {
    let mut random = Random::new(9);
    for _ in 0..30 {
        let position = random_position(2, 3, &mut random);
        let params = ExpectimaxParams { lines: 3, ..ExpectimaxParams::default() };
        let report = Solver::new(params, Opinion::sharp())
            .solve(&position, &Limits::NONE, &Stop::new())
            .unwrap();
        let mut turns = Turns::new();
        turns.list(&position);
        let mut worths: Vec<f32> =
            (0..turns.len()).map(|i| turn_worth(&position, turns.moves(i))).collect();
        worths.sort_by(|a, b| b.total_cmp(a));
        for (line, worth) in report.lines.iter().zip(worths).take(3) {
            assert!((line.value.margin - worth).abs() < 1e-3);
            assert!((turn_worth(&position, &line.moves) - worth).abs() < 1e-3);
        }
    }
}

#[test]
fn pruning_saves_nodes() {
    let mut random = Random::new(10);
    let positions: Vec<Ring> = (0..30).map(|_| random_position(2, 4, &mut random)).collect();
    let nodes = |pruning, opinion: &Opinion| -> u64 {
        let params = ExpectimaxParams { pruning, ..ExpectimaxParams::default() };
        let solve = |p: &Ring| {
            let mut solver = Solver::new(params, opinion.clone());
            solver.solve(p, &Limits::NONE, &Stop::new()).unwrap().nodes
        };
        positions.iter().map(solve).sum()
    };
    let bounded = Opinion { keyed: false, bounded: true, asked: 0 };
    let [off, star1, star2, star25] =
        [Pruning::Off, Pruning::Star1, Pruning::Star2, Pruning::Star25(3)]
            .map(|pruning| nodes(pruning, &bounded));
    println!("off {off}, Star1 {star1}, Star2 {star2}, Star2.5 {star25}");
    assert!(star1 < off && star2 < star1, "off {off}, Star1 {star1}, Star2 {star2}");
    let keyed = nodes(Pruning::Star2, &Opinion::sharp());
    println!("Star2 with keys {keyed}");
    assert!(keyed < star2);
}

#[test]
fn a_limit_ends_the_search_with_a_legal_turn() {
    let mut random = Random::new(11);
    for nodes in [0, 1, 10, 100, 1_000] {
        let position = random_position(2, 6, &mut random);
        let mut agent = Expectimax::new(ExpectimaxParams::default(), Opinion::sharp());
        let report = agent.search(&position, &Limits::nodes(nodes), &Stop::new());
        common::assert_legal(&position, &report.turn);
        assert!(report.nodes <= nodes + 32, "{} nodes of {nodes}", report.nodes);
        let mut solver = Solver::new(ExpectimaxParams::default(), Opinion::sharp());
        let solved = solver.solve(&position, &Limits::nodes(nodes), &Stop::new());
        assert!(solved.is_none_or(|report| report.exact));
    }
    let mut opinion = Opinion::default();
    let position = random_position(2, 3, &mut random);
    assert!(opinion.key(&position).is_none());
}
