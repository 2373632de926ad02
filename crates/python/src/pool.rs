//! The threads that batched steps run on.

use crate::errors::value_error;
use pyo3::PyResult;
use rayon::prelude::*;
use std::fmt;
use std::sync::Arc;

/// Threads that survive a fork: a child process, which inherits none, starts its own.
pub(crate) struct Pool {
    threads: usize,
    running: Option<(u32, Arc<rayon::ThreadPool>)>,
}

impl Pool {
    /// So many threads, or one for each core the process may use.
    pub(crate) fn new(threads: Option<usize>) -> PyResult<Self> {
        if let Some(threads) = threads.filter(|threads| !(1..=1024).contains(threads)) {
            return Err(value_error(format!(
                "threads={threads}: expected 1 to 1024, or None for one per core"
            )));
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { threads: threads.unwrap_or_else(cores), running: None })
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Does `work` for each item: in order here if there is one thread, spread over all otherwise.
    pub(crate) fn each<T: Send>(
        &mut self,
        items: &mut [T],
        work: impl Fn(&mut T) + Sync + Send,
    ) -> Result<(), NoThreads> {
        if self.threads <= 1 || items.len() <= 1 {
            items.iter_mut().for_each(work);
            return Ok(());
        }
        let pool = self.running()?;
        pool.install(|| items.par_iter_mut().for_each(work));
        Ok(())
    }

    fn running(&mut self) -> Result<Arc<rayon::ThreadPool>, NoThreads> {
        let process = std::process::id();
        if let Some((owner, pool)) = &self.running
            && *owner == process
        {
            return Ok(Arc::clone(pool));
        }
        // The threads of a parent process do not exist here; ending their pool would wait for them.
        std::mem::forget(self.running.take());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = Arc::new(pool.map_err(NoThreads)?);
        self.running = Some((process, Arc::clone(&pool)));
        Ok(pool)
    }
}

/// The system starts no more threads.
#[derive(Debug)]
pub(crate) struct NoThreads(rayon::ThreadPoolBuildError);

impl fmt::Display for NoThreads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no threads could be started: {}", self.0)
    }
}
