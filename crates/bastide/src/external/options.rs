//! How outside programs are run: how long they are waited for, and where their errors go.

use anyhow::Context;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

/// How outside programs are run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProgramOptions {
    /// How long they are waited for.
    pub(crate) patience: Timeouts,
    /// The file that what they write to standard error is added to; without one it is passed on.
    pub(crate) stderr: Option<PathBuf>,
}

/// How long a program is waited for before it is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timeouts {
    /// For the answer to anything but a search.
    pub(crate) answer: Duration,
    /// For the answer to a search, after its time is over or it was stopped.
    pub(crate) grace: Duration,
    /// For the answer to a search without a limit of time.
    pub(crate) search: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let [answer, grace, search] = [20, 5, 600].map(Duration::from_secs);
        Self { answer, grace, search }
    }
}

impl ProgramOptions {
    /// Where a program that is being started writes its errors. In a file, a line before them says
    /// which program it was: one file holds those of all starts.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn error_stream(&self, command: &str) -> anyhow::Result<Stdio> {
        let Some(path) = &self.stderr else { return Ok(Stdio::inherit()) };
        let open = || {
            let mut file = File::options().append(true).create(true).open(path)?;
            file.write_all(format!("# started: {command}\n").as_bytes())?;
            Ok::<_, std::io::Error>(file)
        };
        let file = open().with_context(|| format!("can't write {}", path.display()))?;
        Ok(Stdio::from(file))
    }
}
