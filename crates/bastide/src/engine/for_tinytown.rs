//! Tinytown as the engine hosts it.

use super::command::shorten;
use super::engine_game::EngineGame;
use bots::review::{Depth, Review, ReviewError, Step, review_tinytown};
use bots::tinytown_players;
use game::Record;
use search::{Agent, Stop};
use tinytown::{Phase, Setup, Size, Tinytown};

impl EngineGame for Tinytown {
    const DEFAULT_BOT: &'static str = "optimal";

    fn default_setup() -> Setup {
        Setup::new("3x3".parse::<Size>().expect("a size that is supported"))
    }

    fn bots() -> Vec<(&'static str, &'static str)> {
        tinytown_players::NAMES.to_vec()
    }

    /// They all think on one thread.
    fn bot(name: &str, _threads: usize, setup: &Setup) -> anyhow::Result<Box<dyn Agent<Self>>> {
        Ok(tinytown_players::make(&shorten(name), *setup)?)
    }

    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Result<Review, ReviewError> {
        review_tinytown(record, depth, stop, each)
    }

    /// A square is filled in a turn at most.
    fn turns_left(&self) -> u32 {
        let empty = self.cells().filter(|code| *code == 0).count();
        u32::try_from(empty).unwrap_or(u32::MAX).max(1)
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
