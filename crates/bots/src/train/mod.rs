//! Training: self-play, one ply on both sides, temporal differences.
//!
//! Training runs in rounds. Each game of a round is played with the same weights and a seed of
//! its own; their gradients are applied in the order of the games. So a run is the same however
//! many threads play it.

mod adam;
mod checkpoint;
mod config;
mod hidden;
mod self_play;
mod trial;

pub use checkpoint::Checkpoint;
pub use config::{Config, ConfigError};
pub use hidden::Ablation;
pub use trial::{Trial, Trials};

use crate::gradient::learn;
use crate::net::{Net, WEIGHTS};
use carcassonne::{AllSets, Base, Edition, ExpandedSetup, Options, Setup};
use search::Stop;
use self_play::{Samples, SelfPlay};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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

    /// Plays one round and learns from it. `None` if it was stopped: nothing is learned then.
    pub fn round(&mut self, stop: &Stop) -> Option<Round> {
        let games = self.config.round_games;
        let weights = self.state.weights.clone();
        let net = Arc::new(Net { weights, scope: self.config.scope() });
        let results = match self.config.has_sets() {
            true => self.play::<AllSets>(&net, games, stop),
            false => self.play::<Base>(&net, games, stop),
        }?;
        let (mut error, mut positions, mut score) = (0.0, 0, 0.0);
        for batch in results.chunks(self.config.batch_games) {
            let mut gradient = vec![0.0; WEIGHTS];
            let mut count = 0;
            for played in batch {
                for (sum, part) in gradient.iter_mut().zip(&played.gradient) {
                    *sum += part;
                }
                count += played.positions;
                error += played.squared_error;
                score += played.score;
            }
            self.config.hidden.iter().for_each(|group| group.clear(&mut gradient));
            positions += count;
            self.state.games += batch.len() as u64;
            let rate = self.config.rate_at(self.state.games);
            self.state.step(&mut gradient, 1.0 / count.max(1) as f32, rate);
        }
        Some(Round {
            games: self.state.games,
            error: (error / positions.max(1) as f64).sqrt() as f32,
            score: score / results.len().max(1) as f32,
            rate: self.config.rate_at(self.state.games),
        })
    }

    fn play<E: TrainedEdition>(
        &self,
        net: &Arc<Net>,
        games: usize,
        stop: &Stop,
    ) -> Option<Vec<GameGradient>> {
        let next = AtomicUsize::new(0);
        let first = self.state.games;
        let worker = || {
            let mut player = SelfPlay::<E>::new(Arc::clone(net));
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= games || stop.is_stopped() {
                    return done;
                }
                let samples = player.play(&self.config, first + index as u64);
                done.push((index, GameGradient::learn_from(net, &samples)));
            }
        };
        let mut all: Vec<(usize, GameGradient)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(worker)).collect();
            let done = workers.into_iter().map(|w| w.join().expect("self-play does not panic"));
            done.flatten().collect()
        });
        all.sort_unstable_by_key(|(index, _)| *index);
        (all.len() == games).then(|| all.into_iter().map(|(_, played)| played).collect())
    }
}

/// What one game taught.
struct GameGradient {
    gradient: Vec<f32>,
    positions: usize,
    squared_error: f64,
    score: f32,
}

impl GameGradient {
    fn learn_from(net: &Net, samples: &Samples) -> Self {
        let mut gradient = vec![0.0; WEIGHTS];
        let mut squared_error = 0.0;
        for (input, target) in &samples.positions {
            squared_error += f64::from(learn(net, input, *target, &mut gradient));
        }
        let positions = samples.positions.len();
        Self { gradient, positions, squared_error, score: samples.score }
    }
}
