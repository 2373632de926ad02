//! What the engine must know of a game beyond its rules.

use anyhow::anyhow;
use bots::review::{Depth, Review, ReviewError, Step};
use game::{Game, Record};
use search::{Agent, Stop};

/// A game that the engine hosts. Implemented in `for_GAME`, listed in `games`.
pub(super) trait EngineGame: Game {
    /// The bot that plays where none is named.
    const DEFAULT_BOT: &'static str;

    /// The setup where none is given.
    fn default_setup() -> Self::Setup;

    /// The bots by name, each with a line about it.
    fn bots() -> Vec<(&'static str, &'static str)>;

    /// Makes a bot that thinks on so many threads, or on one if it knows no more.
    ///
    /// # Errors
    /// If there is no such bot; says what is known.
    fn bot(name: &str, threads: usize, setup: &Self::Setup)
    -> anyhow::Result<Box<dyn Agent<Self>>>;

    /// Reads a whole game, legal to its end; `setup` is for forms that have none.
    ///
    /// # Errors
    /// Names the first thing that is wrong, and what would have been right.
    fn read(text: &str, setup: &Self::Setup) -> anyhow::Result<Record<Self>> {
        let _ = setup;
        let record: Record<Self> = text.parse().map_err(|error| anyhow!("{error}"))?;
        record.replay()?;
        Ok(record)
    }

    /// Reviews a recorded game, telling every step as soon as it is known.
    ///
    /// # Errors
    /// If the review is stopped.
    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Result<Review, ReviewError>;

    /// How many turns are to come for who is to move, this one included: what is left on a clock is for all
    /// of them.
    fn turns_left(&self) -> u32;

    /// What `show` prints of a position beside turn and scores, by name.
    fn facts(&self) -> Vec<(&'static str, String)>;

    /// The position as text for people.
    fn board(&self) -> String;
}
