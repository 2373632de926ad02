//! The exceptions of the package, beside Python's own.

use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt;

create_exception!(
    bastide,
    IllegalActionError,
    PyValueError,
    "An action that is not legal now; the message says why and what is."
);
create_exception!(
    bastide,
    ClosedError,
    PyRuntimeError,
    "The environment was closed; make another one."
);
create_exception!(
    bastide,
    BusyError,
    PyRuntimeError,
    "Another thread is using this object; give each thread its own, or take turns."
);

/// A number that stands for no action.
#[derive(Debug)]
pub(crate) struct UnknownAction {
    pub(crate) number: i64,
    /// The largest number that does stand for one.
    pub(crate) most: usize,
    /// Where the numbers belong to, if they do not change from turn to turn: "of a 3x3 grid".
    pub(crate) of: Option<String>,
}

impl fmt::Display for UnknownAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, most, of } = self;
        write!(f, "action {number} is out of bounds: actions ")?;
        match of {
            Some(of) => write!(f, "{of} are 0 to {most}"),
            None => write!(f, "are 0 to {most} here"),
        }
    }
}

/// A `ValueError` with this text.
pub(crate) fn value_error(text: impl ToString) -> PyErr {
    PyValueError::new_err(text.to_string())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("IllegalActionError", py.get_type::<IllegalActionError>())?;
    module.add("ClosedError", py.get_type::<ClosedError>())?;
    module.add("BusyError", py.get_type::<BusyError>())
}

/// Refuses what needs games before the first `reset`.
pub(crate) fn check_started(started: bool) -> PyResult<()> {
    match started {
        true => Ok(()),
        false => Err(value_error("the games have not started: call reset() first")),
    }
}

/// The refusal of a game's number.
pub(crate) fn no_such_game(index: usize, games: usize) -> PyErr {
    PyIndexError::new_err(format!("index {index} is out of bounds for a batch of {games} games"))
}
