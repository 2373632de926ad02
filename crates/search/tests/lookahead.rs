//! The two-turn search: exact where nothing is left out, sensible where it is.

mod common;

use common::{Opinion, Ring, assert_legal, brute, random_position};
use game::{Game, Player, Random, Turn};
use search::lookahead::ComparedRounds;
use search::{
    Agent, CurrentScore, Limits, Lookahead, LookaheadParams, Rollouts, RolloutsParams, Stop, Turns,
};

/// Nothing left out, nothing played on.
const FULL: LookaheadParams = LookaheadParams {
    aim: search::Objective::MARGIN,
    width: 0,
    window: f32::INFINITY,
    reply_width: 0,
    give_up: f32::INFINITY,
    tie: 0.0,
    tied: 1,
    turns_on: 0,
    trust: 1.0,
    rounds: 0,
};

fn mover(position: &Ring) -> Player {
    let Turn::Player(player) = position.turn() else { panic!("a player is to move") };
    player
}

#[test]
fn in_full_it_is_two_turns_of_expectimax() {
    let mut random = Random::new(1);
    for round in 0..100 {
        let position = random_position(1 + round % 4, 1 + round % 6, &mut random);
        let wanted = brute(&position, Some(2), &mut Opinion::default())[mover(&position)].margin;
        for threads in [1, 2] {
            let mut agent = Lookahead::new(FULL, Opinion::default()).with_threads(threads);
            let report = agent.search(&position, &Limits::NONE, &Stop::new());
            let found = report.values[mover(&position)].margin;
            assert!((found - wanted).abs() < 1e-3, "{found}, not {wanted}: {position:?}");
        }
    }
}

#[test]
fn looking_only_at_good_replies_is_cheaper_and_hardly_worse() {
    let mut random = Random::new(2);
    let (mut all, mut few, mut off) = (0, 0, 0.0);
    for _ in 0..60 {
        let position = random_position(2, 7, &mut random);
        let search = |reply_width| {
            let params = LookaheadParams { reply_width, ..FULL };
            let mut agent = Lookahead::new(params, CurrentScore);
            agent.search(&position, &Limits::NONE, &Stop::new())
        };
        let (full, narrow) = (search(0), search(4));
        all += full.nodes;
        few += narrow.nodes;
        let player = mover(&position);
        off += (full.values[player].margin - narrow.values[player].margin).abs();
    }
    assert!(few * 3 < all * 2 && off / 60.0 < 0.5, "{few} of {all}, off by {}", off / 60.0);
}

#[test]
fn near_ties_are_played_on_and_the_answer_is_legal_with_any_number_of_threads() {
    let mut random = Random::new(3);
    let mut deeper = 0;
    for round in 0..40 {
        let position = random_position(2 + round % 3, 7, &mut random);
        for threads in [1, 3] {
            let params = LookaheadParams { tie: 3.0, rounds: 40, ..Default::default() };
            let mut agent = Lookahead::new(params, Opinion::default()).with_threads(threads);
            agent.new_game(&position, 5);
            let report = agent.search(&position, &Limits::nodes(20_000), &Stop::new());
            assert_legal(&position, &report.turn);
            deeper += usize::from(report.depth > 2);
        }
    }
    assert!(deeper > 20, "only {deeper} of 80 searches were played on");
}

#[test]
fn few_nodes_are_spent_whole_on_any_number_of_threads() {
    let position = random_position(2, 8, &mut Random::new(5));
    for nodes in [500, 5_000] {
        let mut agent =
            Lookahead::new(LookaheadParams::default(), Opinion::default()).with_threads(32);
        agent.new_game(&position, 5);
        let spent = agent.search(&position, &Limits::nodes(nodes), &Stop::new()).nodes;
        assert!(spent * 10 > nodes * 7, "{spent} of {nodes} nodes");
    }
}

#[test]
fn playing_on_to_the_end_prefers_what_is_really_better() {
    // With three tiles left, playing on for two more turns reaches the end of the game.
    let mut random = Random::new(4);
    let (mut short, mut long) = (0.0, 0.0);
    for _ in 0..60 {
        let position = random_position(2, 4, &mut random);
        let best = brute(&position, None, &mut Opinion::default())[mover(&position)].margin;
        let lost = |turns_on| {
            let params = LookaheadParams {
                turns_on,
                tie: 6.0,
                tied: 8,
                trust: 10.0,
                rounds: 300,
                ..LookaheadParams::default()
            };
            let mut agent = Lookahead::new(params, Opinion::default());
            let report = agent.search(&position, &Limits::NONE, &Stop::new());
            best - common::turn_worth(&position, &report.turn)
        };
        short += lost(0);
        long += lost(2);
    }
    println!("two turns lose {short}, playing on loses {long}");
    assert!(long < short * 0.8, "two turns lose {short}, playing on loses {long}");
}

/// The answer of rollouts with these draws.
fn rolled_out(
    position: &Ring,
    params: RolloutsParams,
    limits: &Limits,
) -> search::Report<<Ring as Game>::Move> {
    let mut agent = Rollouts::new(params, Opinion::default());
    agent.new_game(position, 5);
    agent.search(position, limits, &Stop::new())
}

#[test]
fn rollouts_to_the_end_find_what_is_really_better() {
    let mut random = Random::new(14);
    let (mut one_turn, mut to_the_end) = (0.0, 0.0);
    for _ in 0..30 {
        let position = random_position(2, 4, &mut random);
        let best = brute(&position, None, &mut Opinion::default())[mover(&position)].margin;
        let lost = |turns| {
            let params = RolloutsParams { width: 100, turns, rounds: 60, draws: 1 };
            let report = rolled_out(&position, params, &Limits::NONE);
            best - common::turn_worth(&position, &report.turn)
        };
        one_turn += lost(0);
        to_the_end += lost(100);
    }
    println!("one turn loses {one_turn}, rollouts lose {to_the_end}");
    assert!(to_the_end < one_turn * 0.7, "one turn loses {one_turn}, rollouts lose {to_the_end}");
}

#[test]
fn rollouts_play_all_turns_equally_often_with_draws_of_their_own() {
    let mut random = Random::new(15);
    for round in 0..20 {
        let position = random_position(2 + round % 3, 7, &mut random);
        let with = |draws, nodes| {
            let params = RolloutsParams { width: 6, turns: 3, rounds: 50, draws };
            rolled_out(&position, params, &Limits::nodes(nodes))
        };
        let few = with(1, 2_000);
        let times = few.lines[0].visits;
        assert!(times > 0 && few.lines.iter().all(|line| line.visits == times), "{few:?}");
        assert!(few.lines.is_sorted_by(|a, b| a.value.margin >= b.value.margin));
        assert!((2..=6).contains(&few.lines.len()) && few.turn == few.lines[0].moves);
        let values = |report: &search::Report<_>| -> Vec<f32> {
            report.lines.iter().map(|line| line.value.margin).collect()
        };
        assert_eq!(values(&few), values(&with(1, 2_000)), "the same draws");
        assert_ne!(values(&few), values(&with(2, 2_000)), "other draws");
        let params = RolloutsParams { width: 6, turns: 3, rounds: 50, draws: 1 };
        let one_turn = rolled_out(&position, params, &Limits::depth(1));
        assert_eq!((one_turn.depth, one_turn.lines[0].visits), (1, 1), "no turn is played on");
    }
}

#[test]
fn what_a_turn_is_worth_to_the_others_need_not_be_given() {
    let mut random = Random::new(11);
    for round in 0..40 {
        let position = random_position(1 + round % 4, 6, &mut random);
        let params = LookaheadParams { tie: 3.0, rounds: 20, ..Default::default() };
        let search = |agent: &mut dyn Agent<Ring>| {
            agent.new_game(&position, 5);
            agent.search(&position, &Limits::nodes(5_000), &Stop::new())
        };
        let all = search(&mut Lookahead::new(params, Opinion::default()));
        let own = search(&mut Lookahead::new(params, common::OwnOpinion::default()));
        assert_eq!((all.turn, all.values), (own.turn, own.values), "{position:?}");
        assert!(all.lines.iter().zip(&own.lines).all(|(a, b)| a.value == b.value));
    }
}

#[test]
fn more_time_goes_further() {
    let mut random = Random::new(12);
    let (mut few, mut many) = (0, 0);
    for _ in 0..20 {
        let position = random_position(2, 12, &mut random);
        let params = LookaheadParams { tie: 3.0, ..Default::default() };
        let depth = |nodes| {
            let mut agent = Lookahead::new(params, Opinion::default());
            agent.search(&position, &Limits::nodes(nodes), &Stop::new()).depth
        };
        few += depth(2_000);
        many += depth(60_000);
    }
    println!("{few} turns, {many} with thirty times the nodes");
    assert!(many >= few + 20, "{few} turns, {many} with thirty times the nodes");
}

#[test]
fn where_two_play_with_little_time_the_likelier_replies_must_do() {
    let deeper = |players| {
        let mut random = Random::new(15);
        let mut deeper = 0;
        for _ in 0..40 {
            let position = random_position(players, 10, &mut random);
            let search = |turns_on, limits| {
                let params = LookaheadParams { turns_on, tied: 8, tie: 6.0, trust: 3.0, ..FULL };
                let mut agent =
                    Lookahead::new(LookaheadParams { rounds: 40, ..params }, Opinion::default());
                agent.search(&position, &limits, &Stop::new())
            };
            let replies = search(0, Limits::NONE).nodes;
            let report = search(3, Limits::nodes(replies * 9 / 10));
            assert_legal(&position, &report.turn);
            deeper += u32::from(report.depth > 2);
        }
        deeper
    };
    let (two, three) = (deeper(2), deeper(3));
    assert!(two > 30 && three == 0, "{two} and {three} of 40 searches were played on");
}

#[test]
fn replies_that_were_not_seen_are_guessed_from_those_that_were() {
    let mut random = Random::new(16);
    let (mut one_turn, mut cut) = (0.0, 0.0);
    for _ in 0..100 {
        let position = random_position(2, 10, &mut random);
        let value = |limits| {
            let report =
                Lookahead::new(FULL, Opinion::default()).search(&position, &limits, &Stop::new());
            (report.values[mover(&position)].margin, report.nodes)
        };
        let (all, nodes) = value(Limits::NONE);
        one_turn += (value(Limits::depth(1)).0 - all).abs();
        cut += (value(Limits::nodes(nodes * 7 / 10)).0 - all).abs();
    }
    assert!(
        cut < one_turn / 5.0,
        "one turn is off by {}, two in part by {}",
        one_turn / 100.0,
        cut / 100.0
    );
}

#[test]
fn what_is_hardly_better_is_played_on_less() {
    let mut random = Random::new(14);
    let (mut first, mut last) = (0, 0);
    for _ in 0..20 {
        let position = random_position(2, 12, &mut random);
        let params = LookaheadParams { give_up: f32::INFINITY, ..Default::default() };
        let mut agent = Lookahead::new(params, Opinion::default());
        let report = agent.search(&position, &Limits::nodes(60_000), &Stop::new());
        let played = report.lines.iter().take(params.tied).map(|line| line.visits);
        let played: Vec<u64> = played.collect();
        first += played[0];
        last += played[played.len() - 1];
    }
    println!("{first} visits of the best, {last} of the last that was played on");
    assert!(last * 2 < first, "{first} visits of the best, {last} of the last");
}

#[test]
fn a_limit_of_depth_is_how_far_near_ties_are_played_on() {
    let mut random = Random::new(13);
    let mut reached = [0; 6];
    for _ in 0..40 {
        let position = random_position(2, 12, &mut random);
        for limit in 1..6 {
            let params = LookaheadParams { tie: 3.0, rounds: 30, ..Default::default() };
            let mut agent = Lookahead::new(params, Opinion::default());
            let depth = agent.search(&position, &Limits::depth(limit), &Stop::new()).depth;
            assert!(depth <= limit, "{depth} turns, and {limit} were allowed");
            reached[limit as usize] += u32::from(depth == limit);
        }
    }
    assert!(reached[1..].iter().all(|times| *times > 20), "{reached:?}");
}

#[test]
fn two_turns_are_two_turns_also_where_there_is_only_one_choice() {
    let mut random = Random::new(6);
    for round in 0..60 {
        let position = random_position(1 + round % 4, 1 + round % 6, &mut random);
        let wanted = brute(&position, Some(2), &mut Opinion::default())[mover(&position)].margin;
        let mut agent = Lookahead::new(FULL, Opinion::default());
        let found = agent.two_turns(&position, &Stop::new()).unwrap()[mover(&position)].margin;
        assert!((found - wanted).abs() < 1e-3, "{found}, not {wanted}: {position:?}");
    }
}

/// So many rounds that measure, none that chooses.
const fn rounds(measure: u32) -> ComparedRounds {
    ComparedRounds { choose: 0, measure }
}

#[test]
fn the_better_of_two_turns_is_chosen_with_draws_that_do_not_measure_it() {
    let mut random = Random::new(8);
    let stop = Stop::new();
    let (mut chosen, mut negative, mut gained) = (0, 0, 0.0);
    for _ in 0..40 {
        let position = random_position(2, 5, &mut random);
        let player = mover(&position);
        let mut turns = Turns::new();
        turns.list(&position);
        let (a, b) = (turns.moves(0), turns.moves(turns.len() - 1));
        let params = LookaheadParams { turns_on: 2, ..FULL };
        let mut agent = Lookahead::new(params, Opinion::default());
        let rounds = ComparedRounds { choose: 2, measure: 6 };
        let mut compare = |turns| agent.compare(&position, turns, rounds, 9, &stop).unwrap();
        let (there, back) = (compare([a, b]), compare([b, a]));
        assert!(!(there.first_chosen && back.first_chosen), "only one of the two is better");
        for found in [there, back] {
            let margin = found.difference[player].margin;
            match found.first_chosen {
                true => {
                    negative += usize::from(margin < 0.0);
                    gained += margin;
                }
                false => assert_eq!((margin, found.error.margin), (0.0, 0.0)),
            }
            chosen += usize::from(found.first_chosen);
        }
    }
    assert!(chosen > 20, "{chosen} of 40 pairs differ");
    assert!(gained > 0.0, "those that were chosen are better in the mean, not {gained}");
    assert!(negative > 0, "other draws may say the opposite of those that chose");
}

#[test]
fn turns_are_compared_by_what_comes_after_them() {
    let mut random = Random::new(7);
    let stop = Stop::new();
    let mut differed = 0;
    for _ in 0..40 {
        let position = random_position(2, 5, &mut random);
        let player = mover(&position);
        let mut turns = Turns::new();
        turns.list(&position);
        let (a, b) = (turns.moves(0), turns.moves(turns.len() - 1));
        let worth =
            |turn: usize| brute(turns.end(turn), Some(1), &mut Opinion::default())[player].margin;
        let wanted = worth(0) - worth(turns.len() - 1);
        // However few replies a search looks at, here all of them count after both turns.
        for reply_width in [0, 1] {
            let params = LookaheadParams { reply_width, ..FULL };
            let mut two_deep = Lookahead::new(params, Opinion::default());
            let found = two_deep.compare(&position, [a, b], rounds(0), 1, &stop).unwrap();
            let margin = found.difference[player].margin;
            assert!((margin - wanted).abs() < 1e-3, "{margin}, not {wanted}");
        }

        let params = LookaheadParams { turns_on: 2, ..FULL };
        let mut agent = Lookahead::new(params, Opinion::default());
        let mut compare = |turns| agent.compare(&position, turns, rounds(20), 9, &stop).unwrap();
        let (there, back, same) = (compare([a, b]), compare([b, a]), compare([a, a]));
        let sum = there.difference[player].margin + back.difference[player].margin;
        assert!(sum.abs() < 1e-3, "turned round it is the opposite, not {sum} apart");
        assert_eq!(same.difference[player].margin, 0.0);
        assert_eq!(same.error.margin, 0.0, "the same draws for both");
        differed += usize::from(there.error.margin > 0.0);
    }
    assert!(differed > 20, "playing on made a difference in {differed} of 40");
    let position = random_position(2, 5, &mut random);
    let mut agent = Lookahead::new(FULL, Opinion::default());
    assert!(agent.compare(&position, [&[], &[]], rounds(4), 1, &stop).is_none(), "no turn at all");
}
