//! Perfect play by search agrees with the sweep over all states.

use game::{Game, Random};
use std::collections::HashMap;
use tinytown::{Action, Optimal, Setup, Solution, Tinytown, without_progress};

fn both(text: &str) -> (Setup, Solution, Optimal) {
    let setup = text.parse().expect("a setup");
    let solution = Solution::new(setup, u64::MAX, &mut without_progress).expect("it fits");
    (setup, solution, Optimal::new(setup, &mut without_progress).expect("nobody stops it"))
}

fn assert_agree(solution: &Solution, optimal: &Optimal, town: &Tinytown) {
    let at = || format!("{} {}", town.setup(), town.line());
    let value = solution.value(town);
    assert_eq!(optimal.value(town), value, "{}", at());
    assert_eq!(optimal.action_values(town), solution.action_values(town), "{}", at());
    assert_eq!(optimal.optimal_actions(town), solution.optimal_actions(town), "{}", at());
    let best = optimal.best_action(town);
    assert_eq!(best.is_none(), town.is_over(), "{}", at());
    if let Some(best) = best {
        assert!(solution.optimal_actions(town).contains(&best), "{} {best}", at());
    }
}

#[test]
fn every_state_of_small_grids_has_the_same_values_and_best_actions() {
    for text in ["1x1", "1x4", "2x2", "2x3", "3x2", "2x2 older", "2x3 older", "3x2 older"] {
        let (_, solution, optimal) = both(text);
        let space = solution.space();
        for rank in 0..space.len() as u32 {
            let town = space.state(rank);
            let reached = Tinytown::from_line(town.setup(), &town.line()).is_ok();
            if reached {
                assert_agree(&solution, &optimal, &town);
            }
        }
    }
}

#[test]
fn random_states_of_larger_grids_have_the_same_values_and_best_actions() {
    let mut random = Random::new(2024);
    for text in ["2x4", "4x2", "3x3", "3x3 older", "2x5"] {
        let (setup, solution, optimal) = both(text);
        for game in 0..60 {
            // Some games end every building phase at once, some build whatever they can.
            let eager = game % 3;
            let mut town = Tinytown::new(&setup);
            let mut moves = Vec::new();
            loop {
                assert_agree(&solution, &optimal, &town);
                town.moves(&mut moves);
                let Some(mut action) = random.pick(&moves).copied() else { break };
                if eager == 1 && action == Action::End {
                    action = moves[0];
                } else if eager == 2 && moves.contains(&Action::End) {
                    action = Action::End;
                }
                town.step(action).unwrap();
            }
        }
    }
}

#[test]
fn perfect_play_keeps_the_value_of_random_states_of_the_real_board() {
    let setup: Setup = "4x4".parse().expect("a setup");
    let optimal = Optimal::new(setup, &mut without_progress).unwrap();
    let mut random = Random::new(4);
    for _ in 0..40 {
        let mut town = Tinytown::new(&setup);
        let mut moves = Vec::new();
        for _ in 0..random.below(40) {
            town.moves(&mut moves);
            let Some(action) = random.pick(&moves) else { break };
            town.step(*action).unwrap();
        }
        let value = optimal.value(&town);
        let mut earned = 0;
        while let Some(action) = optimal.best_action(&town) {
            earned += town.step(action).unwrap();
        }
        assert_eq!(earned, value, "{}", town.line());
    }
}

/// A state of the real board with at most so many squares without a building, from a game that
/// mixes best and random actions; `None` if that game does not come so far.
fn late(optimal: &Optimal, random: &mut Random, free: usize) -> Option<Tinytown> {
    let mut town = Tinytown::new(&optimal.setup());
    let mut moves = Vec::new();
    while town.cells().filter(|code| *code < 3).count() > free {
        town.moves(&mut moves);
        let action = match random.below(12) {
            0 => *random.pick(&moves)?,
            _ => optimal.best_action(&town)?,
        };
        town.step(action).expect("a legal action");
    }
    Some(town)
}

/// V* by the rules alone: every action of every state that can follow.
fn by_the_rules(town: &Tinytown, known: &mut HashMap<Tinytown, i32>) -> i32 {
    if let Some(value) = known.get(town) {
        return *value;
    }
    let mut moves = Vec::new();
    town.moves(&mut moves);
    let values = moves.into_iter().map(|action| {
        let mut then = *town;
        let reward = then.step(action).expect("a legal action");
        reward + by_the_rules(&then, known)
    });
    let value = values.max().unwrap_or(0);
    known.insert(*town, value);
    value
}

#[test]
fn late_states_of_the_real_board_have_the_value_that_the_rules_give() {
    for text in ["4x4", "4x4 older"] {
        let optimal = Optimal::new(text.parse().unwrap(), &mut without_progress).unwrap();
        let mut random = Random::new(16);
        let mut found = 0;
        for _ in 0..200 {
            let Some(town) = late(&optimal, &mut random, 6) else { continue };
            let value = by_the_rules(&town, &mut HashMap::new());
            assert_eq!(optimal.value(&town), value, "{text} {}", town.line());
            found += 1;
            if found == 8 {
                break;
            }
        }
        assert!(found >= 4, "{text}: {found} late states");
    }
}

#[test]
fn the_value_of_a_state_of_the_real_board_is_that_of_its_best_action() {
    for text in ["4x4", "4x4 older"] {
        let optimal = Optimal::new(text.parse().unwrap(), &mut without_progress).unwrap();
        let mut random = Random::new(44);
        let mut found = 0;
        for _ in 0..60 {
            let free = 7 + random.below(5) as usize;
            let Some(town) = late(&optimal, &mut random, free) else { continue };
            found += 1;
            let mut moves = Vec::new();
            town.moves(&mut moves);
            let after: Vec<(Action, i32)> = moves
                .into_iter()
                .map(|action| {
                    let mut then = town;
                    let reward = then.step(action).unwrap();
                    (action, reward + optimal.value(&then))
                })
                .collect();
            let best = after.iter().map(|(_, value)| *value).max().unwrap_or(0);
            assert_eq!(optimal.value(&town), best, "{text} {}", town.line());
            assert_eq!(optimal.action_values(&town), after, "{text} {}", town.line());
        }
        assert!(found >= 10, "{text}: {found} late states");
    }
}

#[test]
#[ignore = "3.3 GB and a minute in a release build: make test-long"]
fn random_states_of_3x4_have_the_same_values_and_best_actions() {
    let (setup, solution, optimal) = both("3x4");
    let mut random = Random::new(34);
    let mut moves = Vec::new();
    for _ in 0..300 {
        let mut town = Tinytown::new(&setup);
        loop {
            assert_agree(&solution, &optimal, &town);
            town.moves(&mut moves);
            let Some(action) = random.pick(&moves).copied() else { break };
            town.step(action).unwrap();
        }
    }
}
