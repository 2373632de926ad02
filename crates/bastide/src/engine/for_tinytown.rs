//! Tinytown as the engine hosts it.

use super::command::shorten;
use super::hosted::Hosted;
use game::{ByPlayer, Game, Turn};
use search::{Agent, Limits, Line, Report, Stop, Uct, UctParams, Uniform, Value};
use std::time::Instant;
use tinytown::{Action, Optimal, Phase, Setup, Size, Tinytown, unwatched};

impl Hosted for Tinytown {
    const DEFAULT_BOT: &'static str = "optimal";

    fn default_setup() -> Setup {
        Setup::new("3x3".parse::<Size>().expect("a size that is supported"))
    }

    fn bots() -> Vec<(&'static str, &'static str)> {
        vec![
            ("optimal", "plays perfectly; needs no limits"),
            ("mcts", "UCT with random playouts"),
            ("random", "any legal move"),
        ]
    }

    fn bot(name: &str, threads: usize, setup: &Setup) -> Result<Box<dyn Agent<Self>>, String> {
        if threads > 1 {
            return Err("the bots of Tinytown think on one thread".to_owned());
        }
        Ok(match name {
            "optimal" => Box::new(Perfect { setup: *setup, optimal: None }),
            "mcts" => Box::new(Uct::new(UctParams::default())),
            "random" => Box::new(Uniform::default()),
            _ => {
                let name = shorten(name);
                return Err(format!("no bot is called '{name}'; known: optimal, mcts, random"));
            }
        })
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let phase = match self.phase() {
            Phase::Resource => "resource",
            Phase::Building => "building",
        };
        let (cottages, greenhouses) = self.buildings();
        vec![
            ("phase", phase.to_owned()),
            ("cottages", cottages.to_string()),
            ("greenhouses", greenhouses.to_string()),
            ("projected", self.points().to_string()),
            ("state", self.line()),
        ]
    }

    fn board(&self) -> String {
        self.to_string()
    }
}

/// The perfect player.
struct Perfect {
    setup: Setup,
    /// Made at the first search: on the largest grids it takes a moment.
    optimal: Option<Optimal>,
}

impl Agent<Tinytown> for Perfect {
    fn search(&mut self, position: &Tinytown, _: &Limits, _: &Stop) -> Report<Action> {
        let started = Instant::now();
        let worth = |points: i32| Value { margin: points as f32, win: 1.0 };
        if position.turn() == Turn::Over {
            return Report::empty(ByPlayer::from_slice(&[worth(position.points())]));
        }
        if self.optimal.as_ref().is_none_or(|optimal| optimal.setup() != position.setup()) {
            self.setup = position.setup();
            self.optimal = Optimal::new(self.setup, &mut unwatched).ok();
        }
        let values = self.optimal.as_ref().map(|optimal| optimal.action_values(position));
        let mut values = values.unwrap_or_default();
        values.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
        let line = |(action, points): &(Action, i32)| Line {
            moves: vec![*action],
            value: worth(*points),
            visits: 1,
        };
        let best = values.first().copied();
        Report {
            turn: best.iter().map(|(action, _)| *action).collect(),
            values: ByPlayer::from_slice(&[worth(best.map_or(0, |(_, points)| points))]),
            lines: values.iter().map(line).collect(),
            nodes: values.len() as u64,
            time: started.elapsed(),
            depth: 1,
            exact: true,
        }
    }
}
