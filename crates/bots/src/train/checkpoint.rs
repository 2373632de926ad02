//! A training run at rest: weights, their average, the optimiser's memory.

use super::adam::{self, AdamState};
use crate::net::{Net, SIZES};
use std::io::{self, Read, Write};

/// Everything needed to go on with a run as if it had never stopped.
#[derive(Clone)]
pub struct Checkpoint {
    /// Games played.
    pub games: u64,
    pub(crate) steps: u64,
    pub(crate) weights: Vec<f32>,
    pub(crate) average: Vec<f32>,
    direction: Vec<f32>,
    size: Vec<f32>,
}

const MAGIC: &[u8; 16] = b"bastide-train-1\n";

impl Checkpoint {
    /// The start of a run from these weights.
    #[must_use]
    pub fn new(net: &Net) -> Self {
        Self {
            games: 0,
            steps: 0,
            weights: net.weights.clone(),
            average: net.weights.clone(),
            direction: vec![0.0; net.weights.len()],
            size: vec![0.0; net.weights.len()],
        }
    }

    /// One step of the weights; `scale` turns the gradient's sum into a mean.
    pub(crate) fn step(&mut self, gradient: &mut [f32], scale: f32, rate: f32) {
        for g in gradient.iter_mut() {
            *g *= scale;
        }
        self.steps += 1;
        let state = AdamState {
            weights: &mut self.weights,
            average: &mut self.average,
            direction: &mut self.direction,
            size: &mut self.size,
        };
        adam::step(state, gradient, self.steps, rate);
    }

    /// Writes the checkpoint.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        for number in [self.weights.len() as u64, self.games, self.steps] {
            out.write_all(&number.to_le_bytes())?;
        }
        for list in [&self.weights, &self.average, &self.direction, &self.size] {
            let bytes: Vec<u8> = list.iter().flat_map(|x| x.to_le_bytes()).collect();
            out.write_all(&bytes)?;
        }
        out.flush()
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the reader fails, or what it gives is no checkpoint of a net of this shape.
    pub fn read(mut from: impl Read) -> io::Result<Self> {
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let fill = |from: &mut dyn Read, bytes: &mut [u8]| {
            from.read_exact(bytes).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => bad("the checkpoint is cut off"),
                _ => error,
            })
        };
        let mut magic = [0; 16];
        fill(&mut from, &mut magic)?;
        if magic != *MAGIC {
            return Err(bad("this is no training checkpoint"));
        }
        let mut number = || -> io::Result<u64> {
            let mut bytes = [0; 8];
            fill(&mut from, &mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        };
        let (size, games, steps) = (number()?, number()?, number()?);
        let size = SIZES.into_iter().map(|(_, size)| size).find(|known| *known as u64 == size);
        let size = size.ok_or_else(|| bad("the checkpoint is of a net of another shape"))?;
        let mut list = || -> io::Result<Vec<f32>> {
            let mut bytes = vec![0; size * 4];
            fill(&mut from, &mut bytes)?;
            let (words, _) = bytes.as_chunks::<4>();
            let numbers: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
            match numbers.iter().all(|number| number.is_finite()) {
                true => Ok(numbers),
                false => Err(bad("the checkpoint holds what is no finite number")),
            }
        };
        let [weights, average, direction, size] = [list()?, list()?, list()?, list()?];
        if from.read(&mut [0])? > 0 {
            return Err(bad("the checkpoint is longer than it should be"));
        }
        Ok(Self { games, steps, weights, average, direction, size })
    }
}
