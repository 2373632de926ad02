//! Puzzles mined from many games into a file.

use super::Source;
use super::mine::{MineError, Mined, mine, self_play};
use super::mined_file::MinedFile;
use crate::BotError;
use crate::roster::BotSpec;
use carcassonne::{Expanded, ExpandedSetup};
use game::{Random, Record};
use search::Stop;
use std::collections::VecDeque;
use std::error::Error;
use std::thread::JoinHandle;
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
    /// Who mined it on another machine could not.
    Elsewhere(String),
    /// It was stopped; the file has what was found in whole games.
    Stopped,
}

impl fmt::Display for MiningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(error) => error.fmt(f),
            Self::Game { name, error } => write!(f, "{name}: {error}"),
            Self::File(error) => error.fmt(f),
            Self::Elsewhere(why) => write!(f, "a worker could not mine a game: {why}"),
            Self::Stopped => f.write_str("it was stopped"),
        }
    }
}

impl Error for MiningError {}

/// A game that is to be mined.
#[derive(Clone, Debug)]
pub struct GameToMine {
    /// Its name in the file.
    pub name: String,
    /// Only decisions with at most so many tiles left.
    pub tiles_left: usize,
    /// The game itself.
    pub game: MinedGame,
}

/// A game, or how bots play it.
#[derive(Clone, Debug)]
pub enum MinedGame {
    /// Bots play it first; the seed is that of this game.
    SelfPlay(SelfPlay),
    /// It was played.
    Record {
        /// What it is called as the source of a puzzle.
        id: String,
        /// Its moves.
        record: Record<Expanded>,
    },
}

impl GameToMine {
    /// Looks for puzzles; `each` is called between two decisions.
    ///
    /// # Errors
    /// If a bot cannot be made, the record is not legal, or it is stopped.
    pub fn mine(&self, stop: &Stop, each: &mut dyn FnMut()) -> Result<Mined, MiningError> {
        let found = match &self.game {
            MinedGame::Record { id, record } => {
                mine(record, &Source::Game(id.clone()), self.tiles_left, stop, each)
            }
            MinedGame::SelfPlay(SelfPlay { setup, bots, nodes, seed }) => {
                let record =
                    self_play(setup, bots, *nodes, *seed, stop).map_err(MiningError::Bot)?;
                if stop.is_stopped() {
                    return Err(MiningError::Stopped);
                }
                mine(&record, &Source::Engine, self.tiles_left, stop, each)
            }
        };
        found.map_err(|error| match error {
            MineError::Stopped => MiningError::Stopped,
            error @ MineError::Record(_) => MiningError::Game { name: self.name.clone(), error },
        })
    }
}

/// Who mines games: several at the same time, and tells of them in the order in which they were begun.
pub trait Miners {
    /// How many games can be mined at the same time now; at least one.
    fn room(&self) -> usize;

    /// Begins with a game.
    fn begin(&mut self, game: GameToMine);

    /// Waits for the game that was begun first.
    ///
    /// # Errors
    /// As [`GameToMine::mine`], or if who mines does not answer.
    fn finish(&mut self) -> Result<Mined, MiningError>;
}

/// Threads of this process that mine.
struct Threads<'a> {
    count: usize,
    stop: &'a Stop,
    begun: VecDeque<JoinHandle<Result<Mined, MiningError>>>,
}

impl Miners for Threads<'_> {
    fn room(&self) -> usize {
        self.count.max(1)
    }

    fn begin(&mut self, game: GameToMine) {
        let stop = self.stop.clone();
        self.begun.push_back(std::thread::spawn(move || game.mine(&stop, &mut || {})));
    }

    fn finish(&mut self) -> Result<Mined, MiningError> {
        let first = self.begun.pop_front().ok_or(MiningError::Stopped)?;
        first.join().expect("mining does not panic")
    }
}

impl Mining {
    /// Adds puzzles to a file, game by game, on threads of this process; `each` sees the file after every game. Games
    /// that the file has already are passed over, so the same mining goes on where it was ended.
    ///
    /// # Errors
    /// If a bot cannot be made, a record is not legal, the file cannot be written, or it is stopped.
    pub fn run(
        &self,
        file: &mut MinedFile,
        stop: &Stop,
        each: &mut dyn FnMut(&MinedFile),
    ) -> Result<(), MiningError> {
        let mut threads = Threads { count: self.threads, stop, begun: VecDeque::new() };
        let done = self.run_by(file, &mut threads, each);
        // What was begun for nothing is waited for, so that no thread outlives this.
        while !threads.begun.is_empty() {
            let _ = threads.finish();
        }
        done
    }

    /// The same by others; the file is the same whoever they are.
    ///
    /// # Errors
    /// As for [`Mining::run`].
    pub fn run_by(
        &self,
        file: &mut MinedFile,
        miners: &mut dyn Miners,
        each: &mut dyn FnMut(&MinedFile),
    ) -> Result<(), MiningError> {
        let mut games = (0..).map_while(|number| self.game(number));
        let mut begun = VecDeque::new();
        while file.puzzles() < self.count {
            while begun.len() < miners.room()
                && let Some(game) = games.next()
            {
                if !file.has(&game.name) {
                    begun.push_back(game.name.clone());
                    miners.begin(game);
                }
            }
            let Some(name) = begun.pop_front() else { break };
            let mined = miners.finish()?;
            file.add(&name, &mined).map_err(MiningError::File)?;
            each(file);
        }
        Ok(())
    }

    /// A game by its number; `None` if there are no more.
    fn game(&self, number: usize) -> Option<GameToMine> {
        let (name, game) = match &self.games {
            Games::Records(records) => {
                let (id, record) = records.get(number)?.clone();
                (format!("game {id}"), MinedGame::Record { id, record })
            }
            Games::SelfPlay(play) => {
                let SelfPlay { setup, bots, nodes, seed } = play;
                let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
                let bots = bots.join(" ");
                let name =
                    format!("game {number} of seed {seed}, {setup}, {bots} with {nodes} nodes");
                let seed = Random::new(Random::new(*seed).bits() ^ number as u64).bits();
                (name, MinedGame::SelfPlay(SelfPlay { seed, ..play.clone() }))
            }
        };
        let name = match self.tiles_left {
            usize::MAX => name,
            left => format!("{name}, at most {left} tiles left"),
        };
        Some(GameToMine { name, tiles_left: self.tiles_left, game })
    }
}
