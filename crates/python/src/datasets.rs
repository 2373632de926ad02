//! Datasets from Python: their shards, made one after the other.

use crate::carcassonne_env::read_setup;
use crate::errors::value_error;
use crate::interruptible::interruptible;
use crate::numbers;
use crate::pool::Pool;
use dataset::{DatasetError, Judging, Maker, Request, Source};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::io;
use std::path::PathBuf;

/// A dataset that is being made in a folder; `bastide.dataset` is its form in Python.
#[pyclass(frozen, module = "bastide._native")]
pub(crate) struct DatasetMaker {
    maker: Maker,
}

#[pymethods]
impl DatasetMaker {
    #[new]
    #[pyo3(signature = (folder, setup, *, games_per_shard, bots=None, games=0, seed=0, records=None,
                        nodes=None, values=None, policy=false, luck=false))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are named where they are written, in Python"
    )]
    fn new(
        folder: PathBuf,
        setup: &str,
        games_per_shard: u64,
        bots: Option<Vec<String>>,
        games: u64,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        records: Option<PathBuf>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        values: Option<String>,
        policy: bool,
        luck: bool,
    ) -> PyResult<Self> {
        let bots = bots.unwrap_or_default();
        let source = records.map_or(Source::SelfPlay { bots, games, seed }, Source::Records);
        let request = Request {
            setup: read_setup(setup)?,
            source,
            nodes,
            judging: values.map(|bot| Judging { bot, policy, luck }),
            games_per_shard,
        };
        Ok(Self { maker: Maker::new(&folder, request).map_err(raised)? })
    }

    /// How many shards the dataset has when it is whole.
    #[getter]
    fn shards(&self) -> u64 {
        self.maker.shards()
    }

    /// Makes a shard, unless it is there, on so many threads (one a core if none are named). Ctrl-C ends it, and
    /// nothing is there of it then.
    #[pyo3(signature = (shard, threads=None))]
    fn make(
        &self,
        py: Python<'_>,
        shard: u64,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    ) -> PyResult<()> {
        let threads = Pool::new(threads)?.threads();
        interruptible(py, |stop| self.maker.make(shard, threads, stop))?.map_err(raised)
    }
}

fn raised(error: DatasetError) -> PyErr {
    match &error {
        DatasetError::Io { error: cause, .. } => {
            io::Error::new(cause.kind(), error.to_string()).into()
        }
        DatasetError::Game(_) | DatasetError::Stopped => PyRuntimeError::new_err(error.to_string()),
        _ => value_error(error),
    }
}
