//! Perfect play of Tinytown on grids of any supported size, and exact counts.

use super::read_setup;
use super::state::TinytownState;
use crate::errors::value_error;
use crate::interruptible::interruptible;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use tinytown::{Action, Counts, Optimal};

/// Knows V*, Q* and best actions of any state of one setup, without enumerating them.
#[pyclass(frozen, module = "bastide._native")]
pub(crate) struct TinytownOptimal(Optimal);

#[pymethods]
impl TinytownOptimal {
    #[new]
    #[pyo3(signature = (setup="3x3"))]
    fn new(py: Python<'_>, setup: &str) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let made = interruptible(py, |stop| {
            Optimal::new(setup, &mut |_, _, _| going_on(stop.is_stopped()))
        })?;
        Ok(Self(made.map_err(value_error)?))
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.setup(),)
    }

    /// The setup.
    #[getter]
    fn setup(&self) -> String {
        self.0.setup().to_string()
    }

    /// V* of the start: what the best games earn.
    fn start_value(&self) -> i32 {
        self.0.start_value()
    }

    /// The (cottages, greenhouses) at the end of the best games.
    fn best_towns(&self) -> Vec<(usize, usize)> {
        self.0.best_towns()
    }

    /// V* of a state; 0 when the game is over.
    fn value(&self, py: Python<'_>, state: &TinytownState) -> PyResult<i32> {
        self.check(state)?;
        Ok(py.detach(|| self.0.value(&state.town)))
    }

    /// Q*: every legal action with what it leads to.
    fn action_values(&self, py: Python<'_>, state: &TinytownState) -> PyResult<Vec<(u8, i32)>> {
        self.check(state)?;
        let values = py.detach(|| self.0.action_values(&state.town));
        values.into_iter().map(|(action, q)| Ok((state.number(action)?, q))).collect()
    }

    /// All actions that perfect play may take.
    fn optimal_actions(&self, py: Python<'_>, state: &TinytownState) -> PyResult<Vec<u32>> {
        self.check(state)?;
        let actions: Vec<Action> = py.detach(|| self.0.optimal_actions(&state.town));
        actions.into_iter().map(|action| Ok(state.number(action)?.into())).collect()
    }

    /// One best action, always the same; `None` when the game is over.
    fn best_action(&self, py: Python<'_>, state: &TinytownState) -> PyResult<Option<u8>> {
        self.check(state)?;
        let action = py.detach(|| self.0.best_action(&state.town));
        action.map(|action| state.number(action)).transpose()
    }
}

impl TinytownOptimal {
    fn check(&self, state: &TinytownState) -> PyResult<()> {
        if state.town.setup() == self.0.setup() {
            return Ok(());
        }
        let (ours, theirs) = (self.0.setup(), state.town.setup());
        Err(value_error(format!("prepared for {ours}, the state is one of {theirs}")))
    }
}

/// Exact counts of a setup's graph, without enumerating it.
#[pyfunction]
pub(crate) fn tinytown_counts<'py>(py: Python<'py>, setup: &str) -> PyResult<Bound<'py, PyDict>> {
    let setup = read_setup(setup)?;
    let counts =
        interruptible(py, |stop| Counts::of(setup, &mut |_, _, _| going_on(stop.is_stopped())))?;
    let counts = counts.map_err(value_error)?;
    let dict = PyDict::new(py);
    dict.set_item("layouts", counts.layouts)?;
    dict.set_item("states", counts.states)?;
    dict.set_item("transitions", counts.transitions)?;
    dict.set_item("terminals", counts.terminals)?;
    Ok(dict)
}

pub(super) const fn going_on(stopped: bool) -> ControlFlow<()> {
    if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
