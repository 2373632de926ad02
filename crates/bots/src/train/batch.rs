//! What a batch of games taught, which can be found out on another machine.

use super::labels::GameLabels;
use super::parallel::in_parallel;
use super::self_play::{Samples, SelfPlay};
use super::{Config, TrainedEdition};
use crate::fnv::fnv_1a;
use crate::gradient::{learn, learn_siblings};
use crate::net::{Net, SIZES, WEIGHTS_WITH_THREATS};
use carcassonne::{AllSets, Base};
use search::Stop;
use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;

/// What one game taught.
struct GameGradient {
    gradient: Vec<f32>,
    positions: u64,
    squared_error: f64,
    score: f32,
}

impl GameGradient {
    fn learn_from(net: &Net, samples: &Samples) -> Self {
        let mut gradient = vec![0.0; net.weights.len()];
        let mut squared_error = 0.0;
        for (input, target) in &samples.positions {
            squared_error += f64::from(learn(net, input, *target, &mut gradient));
        }
        let positions = samples.positions.len() as u64;
        Self { gradient, positions, squared_error, score: samples.score }
    }

    fn learn_from_labels(net: &Net, labels: &GameLabels) -> Self {
        let samples = labels.samples(net.version()).expect("labels are of games");
        let mut gradient = vec![0.0; net.weights.len()];
        let (mut squared_error, mut positions) = (0.0, 0);
        for siblings in &samples.positions {
            squared_error += f64::from(learn_siblings(net, siblings, &mut gradient));
            positions += siblings.len() as u64;
        }
        Self { gradient, positions, squared_error, score: samples.score }
    }

    /// Adds what came of a game, whose errors weigh so much beside those of labels.
    fn add_returns(&mut self, net: &Net, samples: &Samples, weight: f32) {
        let returns = Self::learn_from(net, samples);
        for (sum, part) in self.gradient.iter_mut().zip(&returns.gradient) {
            *sum += weight * part;
        }
    }
}

/// What a batch of games taught: their gradients, added in the order of the games.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchGradient {
    /// The configuration and the net it was played with, as a number that others do not have.
    pub(super) origin: u64,
    /// The number of its first game in the run.
    pub(super) first: u64,
    /// How many games it has.
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) squared_error: f64,
    pub(super) score: f32,
    pub(super) gradient: Vec<f32>,
}

const MAGIC: &[u8; 16] = b"bastide-batch-1\n";
/// The numbers before the gradient: five of eight bytes, the error, the score.
const NUMBERS: usize = 5 * 8 + 8 + 4;

/// How long the gradient of a net of so many weights is in a file.
const fn length(weights: usize) -> usize {
    MAGIC.len() + NUMBERS + weights * 4
}

impl BatchGradient {
    fn of(origin: u64, first: u64, weights: usize, games: &[GameGradient]) -> Self {
        let mut sum = Self {
            origin,
            first,
            games: games.len() as u64,
            positions: 0,
            squared_error: 0.0,
            score: 0.0,
            gradient: vec![0.0; weights],
        };
        for played in games {
            for (sum, part) in sum.gradient.iter_mut().zip(&played.gradient) {
                *sum += part;
            }
            sum.positions += played.positions;
            sum.squared_error += played.squared_error;
            sum.score += played.score;
        }
        sum
    }

    /// The games of the run that it is of.
    #[must_use]
    pub const fn games(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.games)
    }

    /// Writes it. A file may hold several, one after the other.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        let weights = self.gradient.len() as u64;
        for number in [weights, self.origin, self.first, self.games, self.positions] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&self.squared_error.to_le_bytes())?;
        out.write_all(&self.score.to_le_bytes())?;
        let bytes: Vec<u8> = self.gradient.iter().flat_map(|x| x.to_le_bytes()).collect();
        out.write_all(&bytes)
    }

    /// Reads those that a file holds, which may be so many at most.
    ///
    /// # Errors
    /// If the reader fails, or gives something else.
    pub fn read_all(from: impl Read, most: usize) -> io::Result<Vec<Self>> {
        let mut bytes = Vec::new();
        // One more than there may be, so that a longer file is noticed.
        from.take((most * length(WEIGHTS_WITH_THREATS)) as u64 + 1).read_to_end(&mut bytes)?;
        let (mut rest, mut all) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            if all.len() == most {
                return Err(wrong("the file is longer than the gradients of these games"));
            }
            let (read, behind) = Self::read(rest)?;
            all.push(read);
            rest = behind;
        }
        Ok(all)
    }

    /// Reads the first that the bytes hold; gives those behind it too.
    fn read(bytes: &[u8]) -> io::Result<(Self, &[u8])> {
        let cut_off = || wrong("the gradient is cut off");
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("this is no gradient"))?;
        let (numbers, rest) = rest.split_at_checked(NUMBERS).ok_or_else(cut_off)?;
        let (numbers, score) = numbers.as_chunks::<8>();
        let whole = |at: usize| u64::from_le_bytes(numbers[at]);
        let weights =
            SIZES.into_iter().map(|(_, size)| size).find(|known| *known as u64 == whole(0));
        let weights = weights.ok_or_else(|| wrong("the gradient is of a net of another shape"))?;
        let (rest, behind) = rest.split_at_checked(weights * 4).ok_or_else(cut_off)?;
        let (words, _) = rest.as_chunks::<4>();
        let read = Self {
            origin: whole(1),
            first: whole(2),
            games: whole(3),
            positions: whole(4),
            squared_error: f64::from_le_bytes(numbers[5]),
            score: f32::from_le_bytes(score.try_into().map_err(|_| cut_off())?),
            gradient: words.iter().map(|word| f32::from_le_bytes(*word)).collect(),
        };
        let finite = read.gradient.iter().all(|number| number.is_finite())
            && read.squared_error.is_finite()
            && read.score.is_finite();
        match finite {
            true => Ok((read, behind)),
            false => Err(wrong("the gradient holds what is no finite number")),
        }
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// A batch that is not the one to learn from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BatchError {
    /// It was played with another net or another configuration.
    Origin {
        /// Its games.
        games: Range<u64>,
    },
    /// Its games are not those that come next.
    Games {
        /// Its games.
        found: Range<u64>,
        /// Those that come next.
        expected: Range<u64>,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |games: &Range<u64>| format!("{}-{}", games.start, games.end.saturating_sub(1));
        match self {
            Self::Origin { games } => write!(
                f,
                "the gradient of games {} comes from another net or another configuration than \
                 this round's",
                named(games)
            ),
            Self::Games { found, expected } => write!(
                f,
                "the gradient is of games {}, the batch to learn from has games {}",
                named(found),
                named(expected)
            ),
        }
    }
}

impl Error for BatchError {}

/// A number that another configuration or another net does not have: FNV-1a of both.
pub(super) fn origin(config: &Config, net: &Net) -> u64 {
    let mut bytes = format!("{config:?}\n").into_bytes();
    net.write(&mut bytes).expect("memory takes all bytes");
    fnv_1a(bytes)
}

/// The batches of games that begin with a batch.
pub(super) fn batches_of(config: &Config, games: &Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let (size, end) = (config.batch_games as u64, games.end);
    games
        .clone()
        .step_by(config.batch_games)
        .map(move |first| first..end.min(first.saturating_add(size)))
}

/// Plays games of a run, whole batches, with the weights that the run has when their round begins, on so many threads,
/// and gives what each batch taught. `None` if it was stopped.
#[must_use]
pub fn play_batches(
    config: &Config,
    net: &Arc<Net>,
    games: Range<u64>,
    threads: usize,
    stop: &Stop,
) -> Option<Vec<BatchGradient>> {
    let played = match config.has_sets() {
        true => play::<AllSets>(config, net, &games, threads, stop),
        false => play::<Base>(config, net, &games, threads, stop),
    }?;
    Some(sums(config, net, &games, &played))
}

/// Learns from the labels of games of a run as [`play_batches`] does from games, and if the run weighs them also from
/// these games. `labels` gives those of each game.
pub(super) fn learn_labels<'a>(
    config: &Config,
    net: &Arc<Net>,
    games: &Range<u64>,
    threads: usize,
    stop: &Stop,
    labels: impl Fn(u64) -> &'a GameLabels + Sync,
) -> Option<Vec<BatchGradient>> {
    let learned = match config.has_sets() {
        true => learn_labels_of::<AllSets>(config, net, games, threads, stop, &labels),
        false => learn_labels_of::<Base>(config, net, games, threads, stop, &labels),
    }?;
    Some(sums(config, net, games, &learned))
}

fn learn_labels_of<'a, E: TrainedEdition>(
    config: &Config,
    net: &Arc<Net>,
    games: &Range<u64>,
    threads: usize,
    stop: &Stop,
    labels: &(impl Fn(u64) -> &'a GameLabels + Sync),
) -> Option<Vec<GameGradient>> {
    let worker = || {
        let mut player = (config.returns > 0.0).then(|| SelfPlay::<E>::new(Arc::clone(net)));
        move |number| {
            let mut learned = GameGradient::learn_from_labels(net, labels(number));
            if let Some(player) = &mut player {
                learned.add_returns(net, &player.play(config, number), config.returns);
            }
            learned
        }
    };
    all_of(games, in_parallel(games, threads, stop, worker))
}

/// Adds up what the games of each batch taught.
fn sums(
    config: &Config,
    net: &Net,
    games: &Range<u64>,
    taught: &[GameGradient],
) -> Vec<BatchGradient> {
    let origin = origin(config, net);
    let batches = batches_of(config, games).zip(taught.chunks(config.batch_games));
    let sum = |(games, taught): (Range<u64>, _)| {
        BatchGradient::of(origin, games.start, net.weights.len(), taught)
    };
    batches.map(sum).collect()
}

fn play<E: TrainedEdition>(
    config: &Config,
    net: &Arc<Net>,
    games: &Range<u64>,
    threads: usize,
    stop: &Stop,
) -> Option<Vec<GameGradient>> {
    let worker = || {
        let mut player = SelfPlay::<E>::new(Arc::clone(net));
        move |number| GameGradient::learn_from(net, &player.play(config, number))
    };
    all_of(games, in_parallel(games, threads, stop, worker))
}

/// All that was to be done, unless it was stopped before.
fn all_of<T>(games: &Range<u64>, done: Vec<T>) -> Option<Vec<T>> {
    (done.len() as u64 == games.end - games.start).then_some(done)
}
