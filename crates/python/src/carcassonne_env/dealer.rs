//! Who draws the tiles: a seeded generator that can be copied, stored and shared with a batch.

use super::CarcassonneState;
use crate::errors::value_error;
use crate::numbers;
use carcassonne::MoveKind;
use game::{Game, Random};
use pyo3::prelude::*;

/// Draws tiles: the same seed and stream always deal the same tiles.
///
/// Game `i` of a batch that was reset with a seed is dealt by `Dealer(seed, i)`.
#[pyclass(module = "bastide._native", from_py_object)]
#[derive(Clone)]
pub(crate) struct Dealer(Random);

/// The generator of one of many games under one seed.
pub(super) fn stream(seed: u64, stream: u64) -> Random {
    let mut mixed = Random::new(seed ^ Random::new(stream).bits());
    Random::new(mixed.bits())
}

/// The seed of a bot for the turn that comes, which takes nothing from the tiles.
pub(super) fn turn_seed(dealer: &Random) -> u64 {
    Random::new(!dealer.seed()).bits()
}

#[pymethods]
impl Dealer {
    #[new]
    #[pyo3(signature = (seed=0, stream=0))]
    fn new(
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        #[pyo3(from_py_with = numbers::stream)] stream: u64,
    ) -> Self {
        Self(self::stream(seed, stream))
    }

    /// Draws a tile for a state where it is chance's turn: the outcome, not yet applied.
    fn draw(&mut self, state: &CarcassonneState) -> PyResult<usize> {
        match state.game.sample_outcome(&mut self.0).map(carcassonne::Move::kind) {
            Some(MoveKind::Draw(tile)) => Ok(tile.index()),
            _ => Err(value_error("this is not a chance node: no tile is to be drawn")),
        }
    }

    /// Draws and applies until a player is to move or the game is over.
    fn deal(&mut self, state: &mut CarcassonneState) {
        while let Some(m) = state.game.sample_outcome(&mut self.0) {
            state.play(m);
        }
    }

    /// The seed that a batch gives to an opponent for the turn that comes.
    fn _turn_seed(&self) -> u64 {
        turn_seed(&self.0)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        Ok((slf.get_type().getattr("_going_on_from")?, (slf.borrow().0.seed(),)))
    }

    /// A dealer whose generator continues from here.
    #[staticmethod]
    fn _going_on_from(seed: u64) -> Self {
        Self(Random::new(seed))
    }
}
