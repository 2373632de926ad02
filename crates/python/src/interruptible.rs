//! Long work without the interpreter's lock that Ctrl-C still ends.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use search::Stop;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Does the work on another thread and gives its answer; looks for signals meanwhile.
///
/// # Errors
/// `KeyboardInterrupt`, or what else a signal handler raised: the work was stopped.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let stop = &Stop::new();
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let answer = work(stop);
                // The other end lives as long as this thread is waited for.
                let _ = sender.send(());
                answer
            });
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) =
                receiver.recv_timeout(Duration::from_millis(50))
            {
                let looked = Python::attach(|py: Python<'_>| py.check_signals());
                if let Err(error) = looked {
                    raised = Some(error);
                    stop.stop();
                    break;
                }
            }
            let answer = worker.join();
            match raised {
                Some(error) => Err(error),
                None => answer.map_err(|_| PyRuntimeError::new_err("the work failed unexpectedly")),
            }
        })
    })
}
