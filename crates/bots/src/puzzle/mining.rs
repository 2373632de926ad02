//! Puzzles mined from many games into a file.

use super::Source;
use super::mine::{MineError, Mined, mine, self_play};
use super::mined_file::MinedFile;
use crate::BotError;
use crate::roster::BotSpec;
use carcassonne::{Expanded, ExpandedSetup};
use game::{Random, Record};
use search::Stop;
use std::error::Error;
use std::{fmt, io};

/// What is mined.
#[derive(Clone, Debug)]
pub struct Mining {
    /// Where the games come from.
    pub games: Games,
    /// Only decisions with at most so many tiles left.
    pub tiles_left: usize,
    /// It ends with the game in which the file has so many puzzles.
    pub count: usize,
    /// How many games are looked at at the same time. It changes nothing in the file.
    pub threads: usize,
}

/// Where games come from.
#[derive(Clone, Debug)]
pub enum Games {
    /// Bots play them.
    SelfPlay(SelfPlay),
    /// They were played, each with its name.
    Records(Vec<(String, Record<Expanded>)>),
}

/// Games that bots play to be mined.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// What is settled before each.
    pub setup: ExpandedSetup,
    /// Each seat is taken by one of these, by lot.
    pub bots: Vec<BotSpec>,
    /// What each may spend on a turn.
    pub nodes: u64,
    /// What the games come from.
    pub seed: u64,
}

/// Why mining ended early.
#[derive(Debug)]
pub enum MiningError {
    /// A bot cannot be made.
    Bot(BotError),
    /// A game cannot be replayed.
    Game {
        /// Its name.
        name: String,
        /// Why.
        error: MineError,
    },
    /// The file cannot be written.
    File(io::Error),
    /// It was stopped; the file has what was found in whole games.
    Stopped,
}

impl fmt::Display for MiningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(error) => error.fmt(f),
            Self::Game { name, error } => write!(f, "{name}: {error}"),
            Self::File(error) => error.fmt(f),
            Self::Stopped => f.write_str("it was stopped"),
        }
    }
}

impl Error for MiningError {}

impl Mining {
    /// Adds puzzles to a file, game by game; `each` sees the file after every game. Games that the file has already
    /// are passed over, so the same mining goes on where it was ended.
    ///
    /// # Errors
    /// If a bot cannot be made, a record is not legal, the file cannot be written, or it is stopped.
    pub fn run(
        &self,
        file: &mut MinedFile,
        stop: &Stop,
        each: &mut dyn FnMut(&MinedFile),
    ) -> Result<(), MiningError> {
        let mut names = (0..).map_while(|number| self.name(number).map(|name| (number, name)));
        while file.puzzles() < self.count {
            let next = names.by_ref().filter(|(_, name)| !file.has(name));
            let batch: Vec<(usize, String)> = next.take(self.threads.max(1)).collect();
            if batch.is_empty() {
                break;
            }
            let found: Vec<Result<Mined, MiningError>> = std::thread::scope(|scope| {
                let look = |(number, name): &(usize, String)| {
                    let (number, name) = (*number, name.clone());
                    scope.spawn(move || self.mined(number, &name, stop))
                };
                let workers: Vec<_> = batch.iter().map(look).collect();
                workers
                    .into_iter()
                    .map(|worker| worker.join().expect("mining does not panic"))
                    .collect()
            });
            for ((_, name), mined) in batch.iter().zip(found) {
                if file.puzzles() >= self.count {
                    break;
                }
                file.add(name, &mined?).map_err(MiningError::File)?;
                each(file);
            }
        }
        Ok(())
    }

    /// The name of a game in the file; `None` if there are no more games.
    fn name(&self, number: usize) -> Option<String> {
        let name = match &self.games {
            Games::Records(records) => format!("game {}", records.get(number)?.0),
            Games::SelfPlay(SelfPlay { setup, bots, nodes, seed }) => {
                let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
                let bots = bots.join(" ");
                format!("game {number} of seed {seed}, {setup}, {bots} with {nodes} nodes")
            }
        };
        Some(match self.tiles_left {
            usize::MAX => name,
            left => format!("{name}, at most {left} tiles left"),
        })
    }

    fn mined(&self, number: usize, name: &str, stop: &Stop) -> Result<Mined, MiningError> {
        let found = match &self.games {
            Games::Records(records) => {
                let (id, record) = &records[number];
                mine(record, &Source::Game(id.clone()), self.tiles_left, stop)
            }
            Games::SelfPlay(SelfPlay { setup, bots, nodes, seed }) => {
                let seed = Random::new(Random::new(*seed).bits() ^ number as u64).bits();
                let record =
                    self_play(setup, bots, *nodes, seed, stop).map_err(MiningError::Bot)?;
                if stop.is_stopped() {
                    return Err(MiningError::Stopped);
                }
                mine(&record, &Source::Engine, self.tiles_left, stop)
            }
        };
        found.map_err(|error| match error {
            MineError::Stopped => MiningError::Stopped,
            error @ MineError::Record(_) => MiningError::Game { name: name.to_owned(), error },
        })
    }
}
