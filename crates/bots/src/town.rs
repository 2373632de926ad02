//! Players of Tinytown: the perfect one, tree search, dice.

use game::{ByPlayer, Game, Turn};
use search::{
    Agent, Clock, Limits, Line, Report, Stop, Uct, UctParams, Uniform, Value, uct::Reward,
};
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
pub fn make(name: &str, setup: Setup) -> Result<Box<dyn Agent<Tinytown>>, String> {
    match name {
        "optimal" => Ok(Box::new(Perfect::new(setup))),
        "mcts" => {
            // A grid full of rubble costs a point a square: that is the scale of rewards.
            let reward = Reward::Margin(setup.size.cells() as f32);
            Ok(Box::new(Uct::new(UctParams { reward, ..UctParams::default() })))
        }
        "random" => Ok(Box::new(Uniform::new())),
        _ => {
            let known: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            Err(format!("no player of tinytown is called '{name}'; known: {}", known.join(", ")))
        }
    }
}

/// Plays perfectly from any state of its setup.
pub struct Perfect {
    optimal: Optimal,
}

impl Perfect {
    /// Prepares for a setup: at once up to 16 squares, a few seconds for 25.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { optimal: prepared(setup) }
    }
}

fn prepared(setup: Setup) -> Optimal {
    Optimal::new(setup, &mut tinytown::unwatched).expect("nobody stops an unwatched preparation")
}

impl Agent<Tinytown> for Perfect {
    fn new_game(&mut self, start: &Tinytown, _seed: u64) {
        if self.optimal.setup() != start.setup() {
            self.optimal = prepared(start.setup());
        }
    }

    fn search(&mut self, position: &Tinytown, limits: &Limits, stop: &Stop) -> Report<Action> {
        let clock = Clock::new(limits, stop);
        self.new_game(position, 0);
        let worth = |points: i32| Value { margin: points as f32, win: 1.0 };
        let best = match position.turn() {
            Turn::Over => worth(position.points()),
            _ => worth(self.optimal.value(position)),
        };
        let turn: Vec<Action> = self.optimal.best_action(position).into_iter().collect();
        let line = Line { moves: turn.clone(), value: best, visits: 1 };
        Report {
            lines: if turn.is_empty() { Vec::new() } else { vec![line] },
            turn,
            values: ByPlayer::new(1, best),
            nodes: 1,
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
    fn tree_search_earns_more_than_dice() {
        let dice: i32 = (0..20).map(|seed| play_seeded("random", "3x3", 1, seed)).sum();
        let tree: i32 = (0..4).map(|seed| play_seeded("mcts", "3x3", 1_000, seed)).sum();
        assert!(tree * 5 > dice + 60, "tree search {tree} in 4 games, dice {dice} in 20");
    }

    #[test]
    fn an_unknown_name_is_refused() {
        assert!(make("alpha", "2x2".parse().unwrap()).err().unwrap().contains("optimal"));
    }
}
