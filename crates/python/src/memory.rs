//! Memory asked for before it is taken: running out of it would end the interpreter.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Refuses what this machine has no memory for now.
pub(crate) fn check(what: &str, bytes: usize) -> PyResult<()> {
    let (wanted, free) = (bytes >> 20, available());
    if free.is_some_and(|free| bytes > free) {
        let free = free.unwrap_or_default() >> 20;
        return Err(PyMemoryError::new_err(format!(
            "{what} would take {wanted} MiB, {free} MiB are free"
        )));
    }
    // The process may be allowed less than the machine has. Nothing is kept of this.
    let refused = Vec::<u8>::new().try_reserve_exact(bytes + (8 << 20)).is_err();
    match refused {
        true => Err(PyMemoryError::new_err(format!("there are no {wanted} MiB for {what}"))),
        false => Ok(()),
    }
}

/// Bytes that can be taken without driving others out, where the system reports it.
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}
