//! The graph as a file: npz, GraphML, GEXF, CSV. Everything is written as it is made, never held.

mod check;
mod npz;
mod text;

pub use check::{ArrayError, FileError, check_npz};

use crate::progress::Progress;
use crate::{Graph, Solution};
use std::error::Error;
use std::fmt;
use std::io::{self, Seek, Write};
use std::ops::ControlFlow;
use std::str::FromStr;

/// A file format for graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Numpy arrays: compressed rows, states, actions, rewards.
    Npz,
    /// XML for networkx, igraph, Gephi.
    GraphMl,
    /// XML for Gephi.
    Gexf,
    /// A line for each edge.
    EdgeCsv,
    /// A line for each state.
    StateCsv,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] =
        [Self::Npz, Self::GraphMl, Self::Gexf, Self::EdgeCsv, Self::StateCsv];

    /// The format's name; the first four are also the endings of file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Npz => "npz",
            Self::GraphMl => "graphml",
            Self::Gexf => "gexf",
            Self::EdgeCsv => "csv",
            Self::StateCsv => "states-csv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// A text that names no [`Format`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the formats are npz, graphml, gexf, csv (edges) and states-csv; ")?;
        write!(f, "found '{:.24}'", self.0)
    }
}

impl Error for UnknownFormat {}

/// Writes a graph, with the values of its states if they are given.
///
/// # Errors
/// If the file cannot be written, or `progress` stops it; what was written is then of no use.
///
/// # Panics
/// If the solution is one of another setup.
pub fn write(
    graph: &Graph,
    solution: Option<&Solution>,
    format: Format,
    out: &mut (impl Write + Seek),
    progress: &mut Progress,
) -> Result<(), WriteError> {
    if let Some(solution) = solution {
        assert_eq!(solution.space().setup(), graph.setup(), "values of another setup");
    }
    match format {
        Format::Npz => npz::write(graph, solution, out, progress),
        Format::GraphMl => text::write_graphml(graph, solution, out, progress),
        Format::Gexf => text::write_gexf(graph, solution, out, progress),
        Format::EdgeCsv => text::write_edges(graph, out, progress),
        Format::StateCsv => text::write_states(graph, solution, out, progress),
    }
}

/// Why a graph was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The file could not be written.
    Io(io::Error),
    /// Whoever watched the work stopped it.
    Stopped,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Stopped => write!(f, "{}", crate::Stopped),
        }
    }
}

impl Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn tell(progress: &mut Progress, done: usize, total: usize) -> Result<(), WriteError> {
    match progress("writing", done as u64, total as u64) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(WriteError::Stopped),
    }
}
