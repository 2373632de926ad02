//! What programs write to standard error: passed on, or added to a file, with the side in front.

use super::Place;
use anyhow::Context;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stderr};
use std::path::Path;
use std::process::{ChildStderr, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Where the errors of a program that is being started go.
pub(super) struct ErrorStream {
    file: Option<File>,
    /// What stands in front of each line.
    side: Option<char>,
}

/// The errors of a program that runs, being passed on.
pub(super) struct PassedOn(Option<Receiver<()>>);

/// A longer line is passed on in parts.
const LONGEST: u64 = 64 << 10;

impl ErrorStream {
    /// In a file, a line before the errors says which program it was: one file holds those of all starts.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn open(path: Option<&Path>, command: &str, place: &Place) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let mut file = File::options().append(true).create(true).open(path)?;
            file.write_all(format!("# started: {command}\n").as_bytes())?;
            Ok::<_, std::io::Error>(file)
        };
        let opened =
            |path: &Path| open(path).with_context(|| format!("can't write {}", path.display()));
        Ok(Self { file: path.map(opened).transpose()?, side: place.side })
    }

    /// What the program is given to write to. Without a side it writes there itself.
    pub(super) fn stdio(&mut self) -> Stdio {
        match (self.side, &mut self.file) {
            (Some(_), _) => Stdio::piped(),
            (None, file) => file.take().map_or_else(Stdio::inherit, Stdio::from),
        }
    }

    /// Passes on what it writes, until it ends.
    pub(super) fn pass_on(self, from: Option<ChildStderr>) -> PassedOn {
        let (Some(from), Some(side)) = (from, self.side) else { return PassedOn(None) };
        let (done, ended) = channel();
        thread::spawn(move || {
            let mut from = BufReader::new(from);
            let mut line = format!("{side}: ").into_bytes();
            let start = line.len();
            while let Ok(1..) = from.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                if line.last() != Some(&b'\n') {
                    line.push(b'\n');
                }
                // That nobody reads it is no reason to stop a match.
                let _ = match &self.file {
                    Some(file) => {
                        let mut file = file;
                        file.write_all(&line)
                    }
                    None => stderr().lock().write_all(&line),
                };
                line.truncate(start);
            }
            drop(done);
        });
        PassedOn(Some(ended))
    }
}

impl PassedOn {
    /// Waits a moment for the last words of a program that has ended.
    pub(super) fn finish(&self) {
        const A_MOMENT: Duration = Duration::from_millis(300);
        let _ = self.0.as_ref().map(|ended| ended.recv_timeout(A_MOMENT));
    }
}
