//! Our players, for Python.

use crate::errors::value_error;
use bots::roster::{self, BotSpec};
use pyo3::prelude::*;
use search::Limits;
use std::time::Duration;

/// The longest that one move may be thought about, in seconds.
const LONGEST: f64 = 86_400.0;

/// A player of Carcassonne by name.
pub(crate) fn make(spec: &str, players: usize) -> PyResult<roster::Player> {
    let spec: BotSpec = spec.parse().map_err(|error: String| value_error(error))?;
    roster::make(&spec, players).map_err(value_error)
}

/// Limits from what was said; `default` where nothing was.
pub(crate) fn limits(
    nodes: Option<u64>,
    time: Option<f64>,
    depth: Option<u32>,
    default: Limits,
) -> PyResult<Limits> {
    if time.is_some_and(|seconds| !(0.0..=LONGEST).contains(&seconds)) {
        return Err(value_error(format!("time must be 0 to {LONGEST} seconds")));
    }
    if nodes.is_none() && time.is_none() && depth.is_none() {
        return Ok(default);
    }
    Ok(Limits { nodes, time: time.map(Duration::from_secs_f64), depth })
}
