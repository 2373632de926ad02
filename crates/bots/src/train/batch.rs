//! What a batch of games taught, which can be found out on another machine.

use super::self_play::{Samples, SelfPlay};
use super::{Config, TrainedEdition};
use crate::gradient::learn;
use crate::net::{Net, WEIGHTS};
use carcassonne::{AllSets, Base};
use search::Stop;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What one game taught.
struct GameGradient {
    gradient: Vec<f32>,
    positions: u64,
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
        let positions = samples.positions.len() as u64;
        Self { gradient, positions, squared_error, score: samples.score }
    }
}

/// What some games taught: their gradients, added in the order of the games.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchGradient {
    pub(super) gradient: Vec<f32>,
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) squared_error: f64,
    pub(super) score: f32,
}

const MAGIC: &[u8; 16] = b"bastide-batch-1\n";

impl BatchGradient {
    fn of(games: &[GameGradient]) -> Self {
        let mut sum = Self {
            gradient: vec![0.0; WEIGHTS],
            games: games.len() as u64,
            positions: 0,
            squared_error: 0.0,
            score: 0.0,
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

    /// Writes it.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        for number in [WEIGHTS as u64, self.games, self.positions] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&self.squared_error.to_le_bytes())?;
        out.write_all(&self.score.to_le_bytes())?;
        let bytes: Vec<u8> = self.gradient.iter().flat_map(|x| x.to_le_bytes()).collect();
        out.write_all(&bytes)?;
        out.flush()
    }

    /// Reads one.
    ///
    /// # Errors
    /// If the reader fails, or what it gives is no gradient of a net of this shape.
    pub fn read(mut from: impl Read) -> io::Result<Self> {
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let mut bytes = Vec::new();
        // One more than there may be, so that a longer file is noticed.
        let length = 16 + 3 * 8 + 8 + 4 + WEIGHTS * 4;
        from.by_ref().take(length as u64 + 1).read_to_end(&mut bytes)?;
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| bad("this is no gradient of a batch"))?;
        if bytes.len() != length {
            return Err(bad("the gradient is cut off, or of a net of another shape"));
        }
        let (numbers, rest) = rest.split_at(4 * 8);
        let (numbers, _) = numbers.as_chunks::<8>();
        let whole = |at: usize| u64::from_le_bytes(numbers[at]);
        let (score, rest) = rest.split_first_chunk::<4>().ok_or_else(|| bad("it is cut off"))?;
        let (words, _) = rest.as_chunks::<4>();
        let read = Self {
            gradient: words.iter().map(|word| f32::from_le_bytes(*word)).collect(),
            games: whole(1),
            positions: whole(2),
            squared_error: f64::from_le_bytes(numbers[3]),
            score: f32::from_le_bytes(*score),
        };
        let finite = read.gradient.iter().all(|number| number.is_finite())
            && read.squared_error.is_finite()
            && read.score.is_finite();
        match whole(0) == WEIGHTS as u64 && finite {
            true => Ok(read),
            false => Err(bad("the gradient is of a net of another shape, or holds what is no finite number")),
        }
    }
}

/// Plays games of a run with the weights that it has when its round begins, on so many threads, and gives what each
/// batch of them taught. `None` if it was stopped.
#[must_use]
pub fn play_batches(
    config: &Config,
    net: &Arc<Net>,
    games: Range<u64>,
    threads: usize,
    stop: &Stop,
) -> Option<Vec<BatchGradient>> {
    let played = match config.has_sets() {
        true => play::<AllSets>(config, net, games, threads, stop),
        false => play::<Base>(config, net, games, threads, stop),
    }?;
    Some(played.chunks(config.batch_games).map(BatchGradient::of).collect())
}

fn play<E: TrainedEdition>(
    config: &Config,
    net: &Arc<Net>,
    games: Range<u64>,
    threads: usize,
    stop: &Stop,
) -> Option<Vec<GameGradient>> {
    let next = AtomicU64::new(games.start);
    let worker = || {
        let mut player = SelfPlay::<E>::new(Arc::clone(net));
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games.end || stop.is_stopped() {
                return done;
            }
            let samples = player.play(config, number);
            done.push((number, GameGradient::learn_from(net, &samples)));
        }
    };
    let mut all: Vec<(u64, GameGradient)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        let done = workers.into_iter().map(|w| w.join().expect("self-play does not panic"));
        done.flatten().collect()
    });
    all.sort_unstable_by_key(|(number, _)| *number);
    let whole = all.len() as u64 == games.end - games.start;
    whole.then(|| all.into_iter().map(|(_, played)| played).collect())
}
