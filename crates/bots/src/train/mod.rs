//! Training: self-play, one ply on both sides, temporal differences.
//!
//! Training runs in rounds. Each game of a round is played with the same weights and a seed of
//! its own; their gradients are applied in the order of the games. So a run is the same however
//! many threads or machines play it.

mod adam;
mod batch;
mod checkpoint;
mod config;
mod hidden;
mod self_play;
mod trial;

pub use batch::{BatchError, BatchGradient, play_batches};
pub use checkpoint::Checkpoint;
pub use config::{Config, ConfigError};
pub use hidden::Ablation;
pub use trial::{Trial, Trials};

use crate::net::Net;
use batch::{batches_of, origin};
use carcassonne::{AllSets, Base, Edition, ExpandedSetup, Options, Setup};
use search::Stop;
use std::ops::Range;
use std::sync::Arc;

/// An edition whose games can be trained on.
trait TrainedEdition: Edition {
    /// What a run's setup settles for a game of this edition.
    fn setup_of(setup: &ExpandedSetup) -> Self::Setup;
}

impl TrainedEdition for Base {
    fn setup_of(setup: &ExpandedSetup) -> Setup {
        *setup.rules()
    }
}

impl TrainedEdition for AllSets {
    fn setup_of(setup: &ExpandedSetup) -> ExpandedSetup {
        *setup
    }
}

/// A training run that can be stopped after any round and taken up again.
pub struct Trainer {
    config: Config,
    state: Checkpoint,
    threads: usize,
}

/// What a round showed.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Games played so far.
    pub games: u64,
    /// The root of the mean squared error of the margin in this round, in points.
    pub error: f32,
    /// The mean final score of all seats in this round.
    pub score: f32,
    /// The learning rate at its end.
    pub rate: f32,
}

impl Trainer {
    /// A run from its start, or from a checkpoint of the same configuration. `start` is the net that
    /// the configuration names to start from.
    #[must_use]
    pub fn new(
        config: Config,
        start: Option<&Net>,
        from: Option<Checkpoint>,
        threads: usize,
    ) -> Self {
        let state = from.unwrap_or_else(|| {
            let fresh = || Net::untrained(config.seed, config.scope());
            let mut net = start.cloned().unwrap_or_else(fresh);
            if config.unclaimed {
                net = net.with_unclaimed();
            }
            config.hidden.iter().for_each(|group| group.clear(&mut net.weights));
            Checkpoint::new(&net)
        });
        Self { config, state, threads: threads.max(1) }
    }

    /// Whether all games have been played.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.state.games >= self.config.games
    }

    /// Everything needed to go on later.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.state
    }

    /// The net so far: the average of the last weights, which plays better than the last ones.
    #[must_use]
    pub fn net(&self) -> Net {
        Net { weights: self.state.average.clone(), scope: self.config.scope() }
    }

    /// The batches of the next round, by their games.
    #[must_use]
    pub fn next_batches(&self) -> Vec<Range<u64>> {
        batches_of(&self.config, &self.next_games()).collect()
    }

    fn next_games(&self) -> Range<u64> {
        self.state.games..self.state.games + self.config.round_games as u64
    }

    /// The net that plays the next round.
    #[must_use]
    pub fn playing_net(&self) -> Net {
        Net { weights: self.state.weights.clone(), scope: self.config.scope() }
    }

    /// Plays one round and learns from it. `None` if it was stopped: nothing is learned then.
    pub fn round(&mut self, stop: &Stop) -> Option<Round> {
        let net = Arc::new(self.playing_net());
        let batches = play_batches(&self.config, &net, self.next_games(), self.threads, stop)?;
        Some(self.step(batches))
    }

    /// Learns from the next round's batches, wherever they were played.
    ///
    /// # Errors
    /// If they are not those of [`Trainer::next_batches`] in their order, played with [`Trainer::playing_net`] by this
    /// configuration. Nothing is learned then.
    pub fn learn(&mut self, batches: Vec<BatchGradient>) -> Result<Round, BatchError> {
        let (expected, origin) = (self.next_batches(), origin(&self.config, &self.playing_net()));
        let nothing = self.state.games..self.state.games;
        for at in 0..expected.len().max(batches.len()) {
            let expected = expected.get(at).unwrap_or(&nothing).clone();
            let found = batches.get(at).map_or(nothing.clone(), BatchGradient::games);
            if found != expected {
                return Err(BatchError::Games { found, expected });
            }
        }
        let weights = self.state.weights.len();
        let other =
            |batch: &&BatchGradient| batch.origin != origin || batch.gradient.len() != weights;
        match batches.iter().find(other) {
            Some(batch) => Err(BatchError::Origin { games: batch.games() }),
            None => Ok(self.step(batches)),
        }
    }

    fn step(&mut self, batches: Vec<BatchGradient>) -> Round {
        let (mut error, mut positions, mut score, mut games) = (0.0, 0, 0.0, 0);
        for mut batch in batches {
            error += batch.squared_error;
            score += batch.score;
            positions += batch.positions;
            games += batch.games;
            self.config.hidden.iter().for_each(|group| group.clear(&mut batch.gradient));
            self.state.games += batch.games;
            let rate = self.config.rate_at(self.state.games);
            self.state.step(&mut batch.gradient, 1.0 / batch.positions.max(1) as f32, rate);
        }
        Round {
            games: self.state.games,
            error: (error / positions.max(1) as f64).sqrt() as f32,
            score: score / games.max(1) as f32,
            rate: self.config.rate_at(self.state.games),
        }
    }
}
