//! Ctrl-C as a stop that long work can look at.

use crate::external::process::end_all_and_exit;
use anyhow::Context;
use search::Stop;

/// The exit status of a program that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// A stop that Ctrl-C (or a request to terminate) uses; the second time it ends this program, and the
/// outside ones that it started.
/// Only once in a program.
///
/// # Errors
/// If the system does not let itself be listened to.
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let used = stop.clone();
    ctrlc::set_handler(move || {
        if used.is_stopped() {
            end_all_and_exit(INTERRUPTED);
        }
        used.stop();
    })
    .context("can't listen for Ctrl-C")?;
    Ok(stop)
}

/// Lets Ctrl-C end the outside programs too, which do not get it themselves. Only once in a program, and
/// not beside [`stop_on_ctrl_c`].
///
/// # Errors
/// If the system does not let itself be listened to.
pub(crate) fn end_programs_on_ctrl_c() -> anyhow::Result<()> {
    ctrlc::set_handler(|| end_all_and_exit(INTERRUPTED)).context("can't listen for Ctrl-C")
}
