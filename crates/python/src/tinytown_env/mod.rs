//! Tinytown for Python: one state, thousands of games at once, the graph and its solution.

pub(crate) mod batch;
pub(crate) mod graph;
pub(crate) mod optimal;
pub(crate) mod state;

use crate::errors::value_error;
use pyo3::PyResult;
use tinytown::Setup;

/// Reads a setup: a size, then the variant if it is not the specification's.
pub(crate) fn read_setup(text: &str) -> PyResult<Setup> {
    text.parse().map_err(value_error)
}
