//! Progress of long work, on a terminal's error stream.

use search::Stop;
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Shows where long work is: on a terminal one line that is written over, elsewhere a line now and
/// then.
pub(super) struct Watch {
    terminal: bool,
    started: Instant,
    shown: Option<Instant>,
    stop: Option<Stop>,
}

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

impl Watch {
    pub(super) fn new() -> Self {
        let terminal = stderr().is_terminal();
        Self { terminal, started: Instant::now(), shown: None, stop: None }
    }

    /// For work that ends when `stop` says so.
    pub(super) fn stopped_by(stop: &Stop) -> Self {
        Self { stop: Some(stop.clone()), ..Self::new() }
    }

    /// What the work calls. Without a stop the work is ended by ending the program.
    pub(super) fn progress(
        &mut self,
    ) -> impl FnMut(&'static str, u64, u64) -> ControlFlow<()> + use<'_> {
        |doing, done, total| {
            if self.stop.as_ref().is_some_and(Stop::is_stopped) {
                return ControlFlow::Break(());
            }
            self.show(doing, done, total);
            ControlFlow::Continue(())
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if self.terminal && self.shown.take().is_some() {
            self.write("\r\x1b[K");
        }
    }

    fn show(&mut self, doing: &str, done: u64, total: u64) {
        let every = Duration::from_millis(if self.terminal { 100 } else { 10_000 });
        let due = match self.shown {
            None => self.started.elapsed() >= if self.terminal { PATIENCE } else { every },
            Some(shown) => shown.elapsed() >= every,
        };
        if !due {
            return;
        }
        self.shown = Some(Instant::now());
        let percent = 100.0 * done as f64 / total.max(1) as f64;
        let seconds = self.started.elapsed().as_secs();
        if self.terminal {
            self.write(&format!("\r\x1b[K{doing} {percent:.0}% ({seconds} s, Ctrl-C to stop)"));
        } else {
            self.write(&format!("{doing} {percent:.0}% ({seconds} s)\n"));
        }
    }

    fn write(&self, text: &str) {
        // A line that does not come out is no reason to stop the work.
        let _ = stderr().write_all(text.as_bytes());
    }
}
