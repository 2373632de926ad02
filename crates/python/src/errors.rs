//! The exceptions of the package, beside Python's own.

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

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
        false => Err(value_error("call reset before step")),
    }
}

/// The refusal of a game's number.
pub(crate) fn no_such_game(index: usize, games: usize) -> PyErr {
    value_error(format!("there is no game {index}; games are 0 to {}", games - 1))
}
