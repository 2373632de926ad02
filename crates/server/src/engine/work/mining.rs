//! Puzzles that are looked for in a game, on any machine.

use super::queue::WorkQueue;
use super::task::{Line, Outcome, Task};
use super::ticket::Ticket;
use crate::error::Refusal;
use bots::puzzle::{
    GameToMine, Mined, MinedGame, Miners, MiningError, SelfPlay, read_all, write_all,
};
use search::Stop;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tokio::runtime::Handle;

/// A game that is to be mined, as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MiningOrder {
    name: String,
    tiles_left: Option<usize>,
    game: GameText,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum GameText {
    SelfPlay { setup: String, bots: Vec<String>, nodes: u64, seed: u64 },
    Record { id: String, record: String },
}

/// What was found in a game, as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MinedText {
    positions: usize,
    puzzles: String,
}

impl From<GameToMine> for MiningOrder {
    fn from(GameToMine { name, tiles_left, game }: GameToMine) -> Self {
        let game = match game {
            MinedGame::SelfPlay(SelfPlay { setup, bots, nodes, seed }) => GameText::SelfPlay {
                setup: setup.to_string(),
                bots: bots.iter().map(ToString::to_string).collect(),
                nodes,
                seed,
            },
            MinedGame::Record { id, record } => GameText::Record { id, record: record.to_string() },
        };
        Self { name, tiles_left: Some(tiles_left).filter(|left| *left < usize::MAX), game }
    }
}

impl MiningOrder {
    fn read(&self) -> Result<GameToMine, Refusal> {
        let bad = |error: &dyn std::fmt::Display| Refusal::Bad(error.to_string());
        let game = match &self.game {
            GameText::SelfPlay { setup, bots, nodes, seed } => MinedGame::SelfPlay(SelfPlay {
                setup: setup.parse().map_err(|error| bad(&error))?,
                bots: bots
                    .iter()
                    .map(|bot| bot.parse().map_err(|error| bad(&error)))
                    .collect::<Result<_, _>>()?,
                nodes: *nodes,
                seed: *seed,
            }),
            GameText::Record { id, record } => MinedGame::Record {
                id: id.clone(),
                record: record.parse().map_err(|error| bad(&error))?,
            },
        };
        let tiles_left = self.tiles_left.unwrap_or(usize::MAX);
        Ok(GameToMine { name: self.name.clone(), tiles_left, game })
    }

    pub(super) fn mine(&self, stop: &Stop, each: &mut dyn FnMut()) -> Result<MinedText, Refusal> {
        let Mined { positions, puzzles } =
            self.read()?.mine(stop, each).map_err(|error| match error {
                MiningError::Stopped => Refusal::Unavailable(error.to_string()),
                error => Refusal::Bad(error.to_string()),
            })?;
        Ok(MinedText { positions, puzzles: write_all(&puzzles) })
    }
}

/// Those who take from a queue as miners.
pub struct QueuedMiners {
    queue: WorkQueue,
    /// Threads of this process, for when there are no workers elsewhere.
    threads: usize,
    stop: Stop,
    runtime: Handle,
    begun: VecDeque<Ticket>,
}

impl QueuedMiners {
    /// What is begun is waited for on the calling thread, which must not be one of the runtime's.
    #[must_use]
    pub const fn new(queue: WorkQueue, threads: usize, stop: Stop, runtime: Handle) -> Self {
        Self { queue, threads, stop, runtime, begun: VecDeque::new() }
    }
}

impl Miners for QueuedMiners {
    fn room(&self) -> usize {
        // Games take differently long: with twice as many as threads nobody waits for the slowest.
        2 * self.queue.threads_elsewhere().max(self.threads)
    }

    fn begin(&mut self, game: GameToMine) {
        let task = Task::Mining(game.into());
        self.begun.push_back(self.queue.push(Line::Mining, "mining", &self.stop, task));
    }

    fn finish(&mut self) -> Result<Mined, MiningError> {
        let mut first = self.begun.pop_front().ok_or(MiningError::Stopped)?;
        let (answer, _) = self.runtime.block_on(first.answer());
        if self.stop.is_stopped() {
            return Err(MiningError::Stopped);
        }
        let elsewhere = |error: &dyn std::fmt::Display| MiningError::Elsewhere(error.to_string());
        match answer.map_err(|error| elsewhere(&error))? {
            Outcome::Mined(MinedText { positions, puzzles }) => {
                let puzzles = read_all(&puzzles).map_err(|error| elsewhere(&error))?;
                Ok(Mined { positions, puzzles })
            }
            Outcome::Turn(_) | Outcome::Analysis(_) | Outcome::Review(_) => {
                Err(elsewhere(&"it answered something else"))
            }
        }
    }
}
