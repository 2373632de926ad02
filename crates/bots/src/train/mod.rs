//! Training: self-play, one ply on both sides, temporal differences; or the values that a net has two plies ahead.
//!
//! Training runs in rounds. Each game of a round is played with the same weights and a seed of
//! its own; their gradients are applied in the order of the games. So a run is the same however
//! many threads or machines play it.

mod adam;
mod batch;
mod checkpoint;
mod config;
mod hidden;
mod label_file;
mod label_store;
mod labels;
mod parallel;
mod self_play;
mod trial;

pub use batch::{BatchError, BatchGradient, play_batches};
pub use checkpoint::Checkpoint;
pub use config::{Config, ConfigError, Targets};
pub use hidden::Ablation;
pub use label_file::LabelError;
pub use labels::{GameLabels, PositionLabels, TurnLabel};
pub use trial::{Trial, Trials};

use crate::net::Net;
use batch::{batches_of, learn_labels, origin};
use carcassonne::{AllSets, Base, Edition, ExpandedSetup, Options, Setup};
use label_store::LabelStore;
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
    /// What is learned from, if that is two-ply values.
    labels: Option<LabelStore>,
}

/// What a round showed.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Games played so far.
    pub games: u64,
    /// The root of the mean squared error of the margin in this round, in points; for two-ply targets that of how
    /// the margins of a position's turns differ from their mean.
    pub error: f32,
    /// The mean final score of all seats in this round.
    pub score: f32,
    /// The learning rate at its end.
    pub rate: f32,
}

impl Trainer {
    /// A run from its start, or from a checkpoint of the same configuration. `start` is the net that
    /// the configuration names to start from; two-ply targets are its values also when a run is taken up again.
    #[must_use]
    pub fn new(
        config: Config,
        start: Option<&Net>,
        from: Option<Checkpoint>,
        threads: usize,
    ) -> Self {
        let start =
            || start.cloned().unwrap_or_else(|| Net::untrained(config.seed, config.scope()));
        let state = from.unwrap_or_else(|| {
            let mut net = start();
            if config.unclaimed {
                net = net.with_unclaimed();
            }
            if config.threats {
                net = net.with_threats();
            }
            config.hidden.iter().for_each(|group| group.clear(&mut net.weights));
            Checkpoint::new(&net)
        });
        let labels = LabelStore::new(&config, start);
        Self { config, state, threads: threads.max(1), labels }
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

    /// Plays one round, or labels its games, and learns from it. `None` if it was stopped: nothing is learned then.
    pub fn round(&mut self, stop: &Stop) -> Option<Round> {
        let net = Arc::new(self.playing_net());
        let (config, games, threads) = (&self.config, self.next_games(), self.threads);
        let batches = match &mut self.labels {
            Some(labels) => labels.make(config, &games, threads, stop).and_then(|made| {
                learn_labels(config, &net, &games, threads, stop, |number| made.of(number))
            }),
            None => play_batches(config, &net, games, threads, stop),
        }?;
        Some(self.step(batches))
    }

    /// The labels made so far for two-ply targets, of the first games of the run; none for other targets. A
    /// file of them is the line of [`Trainer::labels_header`] and [`GameLabels::line`] of each.
    #[must_use]
    pub fn labels(&self) -> &[GameLabels] {
        self.labels.as_ref().map_or(&[], |labels| &labels.games)
    }

    /// The first line of a file of the run's labels, if it has any.
    #[must_use]
    pub fn labels_header(&self) -> Option<String> {
        self.labels.as_ref().map(|labels| labels.header(&self.config))
    }

    /// Takes labels from a file, so that they need not be made again. A last line without an end is left out.
    ///
    /// # Errors
    /// If the file does not hold labels of this run; the error says which line is wrong.
    pub fn read_labels(&mut self, text: &str) -> Result<(), LabelError> {
        match &mut self.labels {
            Some(labels) => labels.read(&self.config, text),
            None => Ok(()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Prediction, layout::BIAS_3};
    use crate::value::Learned;
    use carcassonne::Carcassonne;
    use game::{Game, Player};

    /// What a net says of its start after training on labels that it gave itself, and on so much of what came of games.
    fn trained_on_itself(net: &Net, returns: f32) -> Prediction {
        let parsed = Config::parse(include_str!("../../nets/two-returns.toml")).unwrap();
        let config = Config {
            games: 96,
            rate: 1e-3,
            targets: Targets::TwoPly,
            label_games: Some(2),
            start: Some("a.net".into()),
            returns,
            ..parsed
        };
        let mut trainer = Trainer::new(config, Some(net), None, 2);
        while !trainer.finished() {
            trainer.round(&Stop::new()).unwrap();
        }
        let start = Carcassonne::new(&Setup::default());
        Learned::<Base>::new(Arc::new(trainer.net())).predict(&start, Player::new(0))
    }

    #[test]
    fn the_level_that_labels_keep_is_that_of_results_where_these_count_too() {
        let mut net = Net::clone(&crate::nets::for_setup(&Setup::default()).net);
        net.weights[BIAS_3.start] += 1.0;
        let [kept, corrected] = [0.0, 0.5].map(|returns| trained_on_itself(&net, returns).margin);
        assert!(corrected < kept - 2.0, "{kept} from labels alone, {corrected} from games too");
    }
}
