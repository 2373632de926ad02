//! The one way out: whole answers, never mixed, from any thread.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The longest error message, in characters: a wrong line is not sent back whole.
const LONGEST_ERROR: usize = 1_500;

/// Where answers go. Clones write to the same place.
#[derive(Clone)]
pub(super) struct Out {
    output: Arc<Mutex<Box<dyn Write + Send>>>,
    closed: Arc<AtomicBool>,
}

impl Out {
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Self { output: Arc::new(Mutex::new(Box::new(output))), closed: Arc::default() }
    }

    /// Writes whole lines at once.
    pub(super) fn say(&self, lines: &str) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let written = output.write_all(lines.as_bytes()).and_then(|()| output.flush());
        if written.is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Writes whole lines and the closing line `ok`.
    pub(super) fn closed_by_ok(&self, lines: &str) {
        let end = if lines.is_empty() || lines.ends_with('\n') { "ok\n" } else { "\nok\n" };
        self.say(&format!("{lines}{end}"));
    }

    /// Writes an error as one line.
    pub(super) fn error(&self, what: &str) {
        let mut line: String = what.chars().take(LONGEST_ERROR).collect();
        if line.len() < what.len() {
            line.push('…');
        }
        let line = line.replace(|c: char| c.is_control(), " ");
        self.say(&format!("error {line}\n"));
    }

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
