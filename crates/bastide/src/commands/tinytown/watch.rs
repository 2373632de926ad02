//! Progress of long work, on a terminal's error stream.

use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Shows where long work is: on a terminal one line that is written over, elsewhere a line now and
/// then.
pub(super) struct Watch {
    terminal: bool,
    started: Instant,
    shown: Option<Instant>,
}

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

impl Watch {
    pub(super) fn new() -> Self {
        Self { terminal: stderr().is_terminal(), started: Instant::now(), shown: None }
    }

    /// What the work calls. The work is ended by ending the program.
    pub(super) fn progress(
        &mut self,
    ) -> impl FnMut(&'static str, u64, u64) -> ControlFlow<()> + use<'_> {
        |doing, done, total| {
            self.show(doing, done, total);
            ControlFlow::Continue(())
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if self.terminal && self.shown.take().is_some() {
            eprint!("\r\x1b[K");
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
            eprint!("\r\x1b[K{doing} {percent:.0}% ({seconds} s, Ctrl-C to stop)");
            // A line that does not come out is no reason to stop the work.
            let _ = stderr().flush();
        } else {
            eprintln!("{doing} {percent:.0}% ({seconds} s)");
        }
    }
}
