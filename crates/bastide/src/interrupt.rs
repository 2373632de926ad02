//! Ctrl-C as a stop that long work can look at.

use anyhow::Context;
use search::Stop;

/// The exit status of a program that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// A stop that Ctrl-C (or a request to terminate) uses; the second time it ends the program.
/// Only once in a program.
///
/// # Errors
/// If the system does not let itself be listened to.
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let used = stop.clone();
    ctrlc::set_handler(move || {
        if used.is_stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        used.stop();
    })
    .context("can't listen for Ctrl-C")?;
    Ok(stop)
}
