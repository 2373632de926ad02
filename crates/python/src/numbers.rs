//! Numbers from Python, refused with words where they are out of range.

use crate::errors::value_error;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// A penalty is taken off rewards: it must be a number that learners can add.
pub(crate) fn check_penalty(penalty: f32) -> PyResult<f32> {
    match penalty.is_finite() {
        true => Ok(penalty),
        false => Err(value_error(format!("penalty={penalty}: expected a finite number"))),
    }
}

/// The number that an argument is. Python's own words for one that does not fit name neither the
/// argument nor what is allowed.
fn integer<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(value.py()) {
            return error;
        }
        let bits = 8 * size_of::<T>();
        value_error(format!("{name}={value} is out of range: 0 to 2**{bits} - 1 is allowed"))
    })
}

/// As [`integer`], or nothing.
fn whole_or_none<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<T>>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    if value.is_none() { Ok(None) } else { integer(name, value).map(Some) }
}

macro_rules! arguments {
    ($($name:ident: $type:ty),*) => {
        $(pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
            integer(stringify!($name), value)
        })*
    };
}

macro_rules! optional_arguments {
    ($($name:ident: $type:ty),*) => {
        $(pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<Option<$type>> {
            whole_or_none(stringify!($name), value)
        })*
    };
}

arguments!(seed: u64, stream: u64, num_envs: usize, game: usize, memory: u64, rounds: u64, id: u32);
optional_arguments!(threads: usize, nodes: u64, learner: usize);

/// A seed, or none.
pub(crate) fn maybe_seed(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    whole_or_none("seed", value)
}
