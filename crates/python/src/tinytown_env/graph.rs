//! The state-transition graph of Tinytown with its exact values, as numpy arrays.

use super::optimal::going_on;
use super::read_setup;
use super::state::TinytownState;
use crate::errors::value_error;
use crate::interruptible::interruptible;
use crate::numbers;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use tinytown::export::{self, Format, WriteError};
use tinytown::{Counts, Graph, Phase, Solution, TableError};

/// The memory a graph may take where nothing is said.
const MEMORY: u64 = 4 << 30;

/// Every state of a setup, numbered, with its transitions and exact values.
///
/// Ids are those of a breadth-first search from the start (0) by ascending action: the same
/// everywhere.
#[pyclass(frozen, subclass, module = "bastide._native")]
pub(crate) struct TinytownGraph {
    graph: Graph,
    solution: Solution,
    memory: u64,
}

type Array<'py, T> = Bound<'py, PyArray1<T>>;

#[pymethods]
impl TinytownGraph {
    #[new]
    #[pyo3(signature = (setup="3x3", memory=MEMORY))]
    fn new(
        py: Python<'_>,
        setup: &str,
        #[pyo3(from_py_with = numbers::memory)] memory: u64,
    ) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let made = interruptible(py, |stop| {
            let progress = &mut |_: &'static str, _, _| going_on(stop.is_stopped());
            let counts = Counts::of(setup, progress).map_err(TableError::from)?;
            Graph::with_solution(setup, &counts, memory, progress)
        })?;
        match made {
            Ok((graph, solution)) => Ok(Self { graph, solution, memory }),
            Err(TableError::TooLarge(too_large)) => Err(PyMemoryError::new_err(format!(
                "{too_large}; raise memory=, or use TinytownOptimal and tinytown_counts"
            ))),
            Err(TableError::Stopped) => Err(value_error("stopped before the end")),
        }
    }

    /// A copy is computed again: it takes no longer than to send it.
    fn __getnewargs__(&self) -> (String, u64) {
        (self.setup(), self.memory)
    }

    /// The setup.
    #[getter]
    fn setup(&self) -> String {
        self.graph.setup().to_string()
    }

    /// How many states there are.
    #[getter]
    fn num_states(&self) -> usize {
        self.graph.states()
    }

    /// How many transitions there are.
    #[getter]
    fn num_edges(&self) -> usize {
        self.graph.transitions()
    }

    fn __len__(&self) -> usize {
        self.graph.states()
    }

    /// Every state as a row of nm codes and the phase.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let wide = self.graph.setup().size.cells() + 1;
        let rows = py.detach(|| {
            let mut rows = Vec::with_capacity(self.graph.states() * wide);
            for id in 0..self.graph.states() as u32 {
                let town = self.graph.state(id);
                rows.extend(town.cells());
                rows.push(u8::from(town.phase() == Phase::Building));
            }
            rows
        });
        PyArray1::from_vec(py, rows).reshape([self.graph.states(), wide])
    }

    /// Compressed rows: where each state's edges start, and one more.
    fn indptr<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let starts = self.graph.starts().iter().map(|start| i64::from(*start));
        PyArray1::from_vec(py, starts.collect())
    }

    /// Compressed rows: the state after each edge.
    fn indices<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        let targets = self.graph.targets().iter().map(|target| i64::from(*target));
        PyArray1::from_vec(py, targets.collect())
    }

    /// The action of each edge.
    fn actions<'py>(&self, py: Python<'py>) -> Array<'py, u8> {
        PyArray1::from_slice(py, self.graph.actions())
    }

    /// The reward of each edge.
    fn rewards<'py>(&self, py: Python<'py>) -> Array<'py, i8> {
        PyArray1::from_slice(py, self.graph.rewards())
    }

    /// V* of each state.
    fn values<'py>(&self, py: Python<'py>) -> Array<'py, i32> {
        self.of_states(py, |(value, ..)| value.into())
    }

    /// For each state the value of the policy that picks any legal action with equal chance.
    fn uniform_values<'py>(&self, py: Python<'py>) -> Array<'py, f64> {
        self.of_states(py, |(_, uniform, ..)| uniform)
    }

    /// For each state the fewest actions to an end.
    fn shortest<'py>(&self, py: Python<'py>) -> Array<'py, u8> {
        self.of_states(py, |(_, _, shortest, _)| shortest)
    }

    /// For each state the most actions to an end.
    fn longest<'py>(&self, py: Python<'py>) -> Array<'py, u8> {
        self.of_states(py, |(.., longest)| longest)
    }

    /// Q* of each edge: its reward and V* of the state after it.
    fn action_values<'py>(&self, py: Python<'py>) -> Array<'py, i32> {
        let values = py.detach(|| {
            let after = |target: &u32| i32::from(self.graph.solved(&self.solution, *target).0);
            let targets = self.graph.targets().iter();
            let edges = targets.zip(self.graph.rewards());
            edges.map(|(target, reward)| i32::from(*reward) + after(target)).collect()
        });
        PyArray1::from_vec(py, values)
    }

    /// The state with this id.
    fn state(&self, #[pyo3(from_py_with = numbers::id)] id: u32) -> PyResult<TinytownState> {
        self.check(id)?;
        Ok(TinytownState { town: self.graph.state(id) })
    }

    /// The id of a state.
    fn id(&self, state: &TinytownState) -> PyResult<u32> {
        self.graph.id(&state.town).ok_or_else(|| {
            let (ours, theirs) = (self.graph.setup(), state.town.setup());
            value_error(format!("this is the graph of {ours}, the state is one of {theirs}"))
        })
    }

    /// The transitions from a state: (action, id after it, reward).
    fn successors(
        &self,
        #[pyo3(from_py_with = numbers::id)] id: u32,
    ) -> PyResult<Vec<(u8, u32, i8)>> {
        self.check(id)?;
        let edges = self.graph.edges_of(id);
        Ok(edges.map(|edge| (edge.action, edge.target, edge.reward)).collect())
    }

    /// All actions that perfect play may take in a state.
    fn optimal_actions(&self, #[pyo3(from_py_with = numbers::id)] id: u32) -> PyResult<Vec<u32>> {
        self.check(id)?;
        let best = self.graph.solved(&self.solution, id).0;
        let best_edges = self
            .graph
            .edges_of(id)
            .filter(|edge| edge.reward + self.graph.solved(&self.solution, edge.target).0 == best);
        Ok(best_edges.map(|edge| edge.action.into()).collect())
    }

    /// Writes the graph with its values: npz, graphml, gexf, csv (edges) or states-csv; by the
    /// file's ending if no format is named.
    #[pyo3(signature = (path, format=None))]
    fn export(&self, py: Python<'_>, path: PathBuf, format: Option<&str>) -> PyResult<()> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format: Format = format.unwrap_or(ending).parse().map_err(value_error)?;
        let written = interruptible(py, |stop| -> Result<(), WriteError> {
            let mut out = BufWriter::new(File::create(&path)?);
            let progress = &mut |_: &'static str, _, _| going_on(stop.is_stopped());
            export::write(&self.graph, Some(&self.solution), format, &mut out, progress)?;
            Ok(out.flush()?)
        })?;
        written.map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))
    }

    fn __repr__(&self) -> String {
        let (setup, states, edges) = (self.setup(), self.num_states(), self.num_edges());
        format!("<TinytownGraph {setup}: {states} states, {edges} edges>")
    }
}

impl TinytownGraph {
    fn check(&self, id: u32) -> PyResult<()> {
        let states = self.graph.states();
        match (id as usize) < states {
            true => Ok(()),
            false => {
                Err(value_error(format!("there is no state {id}; ids are 0 to {}", states - 1)))
            }
        }
    }

    fn of_states<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        pick: impl Fn((i8, f64, u8, u8)) -> T + Sync,
    ) -> Array<'py, T> {
        let ids = 0..self.graph.states() as u32;
        let values =
            py.detach(|| ids.map(|id| pick(self.graph.solved(&self.solution, id))).collect());
        PyArray1::from_vec(py, values)
    }
}
