//! Players of Tinytown: the perfect one, tree search, random.

use crate::error::BotError;
use game::{ByPlayer, Game, Turn};
use search::{
    Agent, Clock, Limits, Line, Report, Stop, Uct, UctParams, Uniform, Value, uct::Reward,
};
use std::ops::ControlFlow;
use tinytown::{Action, Optimal, Setup, Tinytown};

/// What can play Tinytown, each with a line about it.
pub const NAMES: [(&str, &str); 3] = [
    ("optimal", "plays perfectly from any state"),
    ("mcts", "UCT with random playouts"),
    ("random", "any legal action"),
];

/// Makes a player of Tinytown for a setup.
///
/// # Errors
/// If the name is unknown; the error says what is known.
pub fn make(name: &str, setup: Setup) -> Result<Box<dyn Agent<Tinytown>>, BotError> {
    match name {
        "optimal" => Ok(Box::new(Perfect::new(setup))),
        "mcts" => {
            // A grid full of rubble costs a point a square: that is the scale of rewards.
            let reward = Reward::Margin(setup.size.cells() as f32);
            Ok(Box::new(Uct::new(UctParams { reward, ..UctParams::default() })))
        }
        "random" => Ok(Box::new(Uniform::new())),
        _ => {
            let known = NAMES.iter().map(|(name, _)| *name).collect();
            Err(BotError::Name { name: name.to_owned(), known })
        }
    }
}

/// Plays perfectly from any state, and knows what every action is worth.
pub struct Perfect {
    setup: Setup,
    /// Made at the first search: at once up to 16 squares, a few seconds for 25.
    optimal: Option<Optimal>,
}

impl Perfect {
    /// A player for a setup; it prepares when it is first asked.
    #[must_use]
    pub const fn new(setup: Setup) -> Self {
        Self { setup, optimal: None }
    }

    /// What knows all values; `None` if it was stopped before it knew them.
    fn prepared(&mut self, setup: Setup, stop: &Stop) -> Option<&Optimal> {
        if self.setup != setup {
            *self = Self::new(setup);
        }
        if self.optimal.is_none() {
            let mut heed = |_: &'static str, _, _| match stop.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            self.optimal = Optimal::new(setup, &mut heed).ok();
        }
        self.optimal.as_ref()
    }
}

impl Agent<Tinytown> for Perfect {
    fn search(&mut self, position: &Tinytown, limits: &Limits, stop: &Stop) -> Report<Action> {
        let mut clock = Clock::new(limits, stop);
        let worth = |points: i32| Value { margin: points as f32, win: 1.0 };
        if position.turn() == Turn::Over {
            return Report::empty(ByPlayer::new(1, worth(position.points())));
        }
        let Some(optimal) = self.prepared(position.setup(), stop) else {
            // Any action is the best it has.
            let mut actions = Vec::new();
            position.moves(&mut actions);
            let nothing_more = ByPlayer::new(1, worth(position.points()));
            let (turn, time) = (actions.into_iter().take(1).collect(), clock.elapsed());
            return Report { turn, time, ..Report::empty(nothing_more) };
        };
        let mut values = optimal.action_values(position);
        values.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
        clock.spend(values.len() as u64);
        let line = |(action, points): &(Action, i32)| Line {
            moves: vec![*action],
            value: worth(*points),
            visits: 1,
        };
        let best = values.first();
        Report {
            turn: best.map(|(action, _)| *action).into_iter().collect(),
            values: ByPlayer::new(1, worth(best.map_or(0, |(_, points)| *points))),
            lines: values.iter().map(line).collect(),
            nodes: clock.nodes(),
            time: clock.elapsed(),
            depth: 1,
            exact: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a game out and gives what it earned.
    fn play(name: &str, setup: &str, nodes: u64) -> i32 {
        play_seeded(name, setup, nodes, 1)
    }

    fn play_seeded(name: &str, setup: &str, nodes: u64, seed: u64) -> i32 {
        let setup: Setup = setup.parse().unwrap();
        let mut player = make(name, setup).unwrap();
        let mut town = Tinytown::new(&setup);
        player.new_game(&town, seed);
        while town.turn() != Turn::Over {
            let report = player.search(&town, &Limits::nodes(nodes), &Stop::new());
            town.play(report.best().expect("a player answers"), |_| {}).unwrap();
        }
        town.points()
    }

    #[test]
    fn the_perfect_player_earns_the_most_there_is() {
        assert_eq!(play("optimal", "3x3", 1), 10);
        assert_eq!(play("optimal", "4x4", 1), 25);
    }

    #[test]
    fn the_perfect_player_is_stopped_while_it_prepares() {
        let setup: Setup = "5x5".parse().unwrap();
        let mut player = make("optimal", setup).unwrap();
        let stop = Stop::new();
        stop.stop();
        let town = Tinytown::new(&setup);
        let report = player.search(&town, &Limits::NONE, &stop);
        assert!(!report.exact, "it did not look");
        assert!(town.is_legal(report.best().expect("a legal action even so")));
    }

    #[test]
    fn tree_search_earns_more_than_dice() {
        let dice: i32 = (0..20).map(|seed| play_seeded("random", "3x3", 1, seed)).sum();
        let tree: i32 = (0..4).map(|seed| play_seeded("mcts", "3x3", 1_000, seed)).sum();
        assert!(tree * 5 > dice + 60, "tree search {tree} in 4 games, dice {dice} in 20");
    }

    #[test]
    fn an_unknown_name_is_refused() {
        assert!(
            make("alpha", "2x2".parse().unwrap()).err().unwrap().to_string().contains("optimal")
        );
    }
}
