//! The numpy arrays that a batch writes into, and how they are cut for its threads.

use super::sub_envs::{Rows, Rules};
use crate::arrays::{Cut, cut, open, open_given, zeros};
use carcassonne::{Edition, Options, Position};
use numpy::{
    PyArray1, PyArray2, PyArrayDyn, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArrayDyn,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is written about every game beside its legal actions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Observation {
    Compact,
    Planes,
    Nothing,
}

/// Planes of the caller's to write into. It has a few such arrays, and gives one that nobody holds.
pub(super) struct GivenPlanes<'py> {
    pub(super) array: Bound<'py, PyArrayDyn<u8>>,
    pub(super) slot: Slot,
}

/// Which of the caller's arrays is written: for each, what was last written into it is known.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    pub(super) at: usize,
    /// Nothing was written into it yet.
    pub(super) new: bool,
}

/// The most arrays of planes that a caller may give in turn.
pub(super) const MOST_SLOTS: usize = 8;

/// A row for each game in every array.
pub(super) struct Arrays {
    pub(super) observation: Observation,
    reward: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    illegal: Py<PyArray1<bool>>,
    seat: Py<PyArray1<i8>>,
    scores: Py<PyArray2<i32>>,
    final_scores: Py<PyArray2<i32>>,
    compact: Option<Py<PyArray2<i16>>>,
    globals: Option<Py<PyArray2<i16>>>,
    planes: Planes,
    pub(super) mask: Option<Py<PyArray2<i8>>>,
}

/// Where planes are written.
enum Planes {
    No,
    /// Always into the same array.
    Own(Py<PyArrayDyn<u8>>),
    /// Into one that the caller gives, so many numbers a game.
    Given(usize),
}

/// Bytes of one game and of its row in every array.
pub(super) fn bytes_per_game<E: Edition>(
    rules: &Rules<E>,
    observation: Observation,
    mask: bool,
) -> usize {
    let (version, players) = (rules.numbering.version(), rules.setup.rules().players());
    let seen = match observation {
        Observation::Compact => 2 * version.compact_len(players),
        Observation::Planes => {
            version.plane_count(players) * rules.numbering.cells()
                + 2 * version.globals_len(players)
        }
        Observation::Nothing => 0,
    };
    let mask = if mask { rules.numbering.actions() } else { 0 };
    // The record of a whole game, and the small arrays.
    let moves = 4 * 3 * E::TILES;
    size_of::<Position<E>>() + moves + 12 * players + 3 + seen + mask
}

impl Arrays {
    /// With `rules.fresh` the caller gives an array for the planes at every step.
    pub(super) fn new<E: Edition>(
        py: Python<'_>,
        n: usize,
        rules: &Rules<E>,
        observation: Observation,
        mask: bool,
    ) -> Self {
        let (version, players) = (rules.numbering.version(), rules.setup.rules().players());
        let planes = version.plane_count(players) * rules.numbering.cells();
        let seen = observation == Observation::Planes;
        Self {
            observation,
            reward: zeros(py, n, players),
            terminated: PyArray1::zeros(py, n, false).unbind(),
            illegal: PyArray1::zeros(py, n, false).unbind(),
            seat: PyArray1::zeros(py, n, false).unbind(),
            scores: zeros(py, n, players),
            final_scores: zeros(py, n, players),
            compact: (observation == Observation::Compact)
                .then(|| zeros(py, n, version.compact_len(players))),
            globals: seen.then(|| zeros(py, n, version.globals_len(players))),
            planes: match (seen, rules.fresh) {
                (false, _) => Planes::No,
                (true, false) => {
                    Planes::Own(PyArrayDyn::zeros(py, vec![n, planes], false).unbind())
                }
                (true, true) => Planes::Given(planes),
            },
            mask: mask.then(|| zeros(py, n, rules.numbering.actions())),
        }
    }

    /// The arrays by name; planes only where they are always the same.
    pub(super) fn named<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("reward", self.reward.bind(py))?;
        dict.set_item("terminated", self.terminated.bind(py))?;
        dict.set_item("illegal", self.illegal.bind(py))?;
        dict.set_item("seat", self.seat.bind(py))?;
        dict.set_item("scores", self.scores.bind(py))?;
        dict.set_item("final_scores", self.final_scores.bind(py))?;
        if let Some(compact) = &self.compact {
            dict.set_item("compact", compact.bind(py))?;
        }
        if let Some(globals) = &self.globals {
            dict.set_item("globals", globals.bind(py))?;
        }
        if let Planes::Own(planes) = &self.planes {
            dict.set_item("planes", planes.bind(py))?;
        }
        if let Some(mask) = &self.mask {
            dict.set_item("mask", mask.bind(py))?;
        }
        Ok(dict)
    }

    /// Takes the arrays for writing.
    pub(super) fn open<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        given: Option<&GivenPlanes<'py>>,
    ) -> PyResult<OpenArrays<'py>> {
        let planes = match (&self.planes, given) {
            (Planes::Own(array), _) => Some(open(py, array)?),
            (Planes::Given(wide), Some(given)) => Some(open_given(&given.array, (rows, *wide))?),
            _ => None,
        };
        Ok(OpenArrays {
            reward: open(py, &self.reward)?,
            terminated: open(py, &self.terminated)?,
            illegal: open(py, &self.illegal)?,
            seat: open(py, &self.seat)?,
            scores: open(py, &self.scores)?,
            final_scores: open(py, &self.final_scores)?,
            compact: self.compact.as_ref().map(|array| open(py, array)).transpose()?,
            globals: self.globals.as_ref().map(|array| open(py, array)).transpose()?,
            planes,
            mask: self.mask.as_ref().map(|array| open(py, array)).transpose()?,
        })
    }
}

/// The arrays while they are written.
pub(super) struct OpenArrays<'py> {
    reward: PyReadwriteArray2<'py, f32>,
    terminated: PyReadwriteArray1<'py, bool>,
    illegal: PyReadwriteArray1<'py, bool>,
    seat: PyReadwriteArray1<'py, i8>,
    scores: PyReadwriteArray2<'py, i32>,
    final_scores: PyReadwriteArray2<'py, i32>,
    globals: Option<PyReadwriteArray2<'py, i16>>,
    compact: Option<PyReadwriteArray2<'py, i16>>,
    planes: Option<PyReadwriteArrayDyn<'py, u8>>,
    mask: Option<PyReadwriteArray2<'py, i8>>,
}

impl OpenArrays<'_> {
    /// All rows of all arrays, to be cut off from the front.
    pub(super) fn rows(&mut self) -> PyResult<RowsLeft<'_>> {
        Ok(RowsLeft {
            reward: cut(&mut self.reward)?,
            terminated: cut(&mut self.terminated)?,
            illegal: cut(&mut self.illegal)?,
            seat: cut(&mut self.seat)?,
            scores: cut(&mut self.scores)?,
            final_scores: cut(&mut self.final_scores)?,
            globals: self.globals.as_mut().map(cut).transpose()?,
            compact: self.compact.as_mut().map(cut).transpose()?,
            planes: self.planes.as_mut().map(cut).transpose()?,
            mask: self.mask.as_mut().map(cut).transpose()?,
        })
    }
}

/// The rows that no chunk has yet.
pub(super) struct RowsLeft<'a> {
    reward: Cut<'a, f32>,
    terminated: Cut<'a, bool>,
    illegal: Cut<'a, bool>,
    seat: Cut<'a, i8>,
    scores: Cut<'a, i32>,
    final_scores: Cut<'a, i32>,
    globals: Option<Cut<'a, i16>>,
    compact: Option<Cut<'a, i16>>,
    planes: Option<Cut<'a, u8>>,
    mask: Option<Cut<'a, i8>>,
}

impl<'a> RowsLeft<'a> {
    /// The rows of the next so many games.
    pub(super) fn next(&mut self, games: usize) -> Rows<'a> {
        Rows {
            reward: self.reward.next(games),
            terminated: self.terminated.next(games),
            illegal: self.illegal.next(games),
            seat: self.seat.next(games),
            scores: self.scores.next(games),
            final_scores: self.final_scores.next(games),
            compact: self.compact.as_mut().map(|rows| rows.next(games)),
            globals: self.globals.as_mut().map(|rows| rows.next(games)),
            planes: self.planes.as_mut().map(|rows| rows.next(games)),
            mask: self.mask.as_mut().map(|rows| rows.next(games)),
        }
    }
}
