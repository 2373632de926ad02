//! The labels of a run: made when they are needed, and kept, for a run goes over its games many times.

use super::TrainedEdition;
use super::config::{Config, Targets};
use super::label_file::{self, LabelError};
use super::labels::{GameLabels, Labeller};
use super::parallel::in_parallel;
use crate::net::Net;
use carcassonne::{AllSets, Base};
use search::Stop;
use std::ops::Range;
use std::sync::Arc;

/// The labels of the first games of a run.
pub(super) struct LabelStore {
    /// The net that plays the games and values turns.
    start: Arc<Net>,
    /// How many games are labelled.
    count: u64,
    pub(super) games: Vec<GameLabels>,
}

impl LabelStore {
    /// One without any labels yet, for a run that needs them.
    pub(super) fn new(config: &Config, start: impl FnOnce() -> Net) -> Option<Self> {
        let count = config.label_games.unwrap_or(config.games).max(1);
        let needed = config.targets == Targets::TwoPly;
        needed.then(|| Self { start: Arc::new(start()), count, games: Vec::new() })
    }

    /// The first line of their file.
    pub(super) fn header(&self, config: &Config) -> String {
        label_file::header(config, &self.start)
    }

    /// Takes the labels that a file holds.
    pub(super) fn read(&mut self, config: &Config, text: &str) -> Result<(), LabelError> {
        self.games = label_file::read(text, config, &self.header(config))?;
        Ok(())
    }

    /// The labels that a game of the run learns from, which were made.
    pub(super) fn of(&self, number: u64) -> &GameLabels {
        &self.games[(number % self.count) as usize]
    }

    /// Makes what is missing for these games of the run. `None` if it was stopped; what was made until then is kept.
    pub(super) fn make(
        &mut self,
        config: &Config,
        games: &Range<u64>,
        threads: usize,
        stop: &Stop,
    ) -> Option<&Self> {
        let missing = self.games.len() as u64..games.end.min(self.count);
        let made = match config.has_sets() {
            true => self.label::<AllSets>(config, &missing, threads, stop),
            false => self.label::<Base>(config, &missing, threads, stop),
        };
        self.games.extend(made);
        (self.games.len() as u64 >= missing.end).then_some(self)
    }

    fn label<E: TrainedEdition>(
        &self,
        config: &Config,
        numbers: &Range<u64>,
        threads: usize,
        stop: &Stop,
    ) -> Vec<GameLabels> {
        in_parallel(numbers, threads, stop, || {
            let mut labeller = Labeller::<E>::new(Arc::clone(&self.start));
            move |number| labeller.label(config, number)
        })
    }
}
