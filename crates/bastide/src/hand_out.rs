//! Work that other machines do for a command: asked for on standard output and answered on standard input, a JSON object
//! a line each (docs/scale.md). `bastide.cluster` of the Python package answers.

use crate::lines::{Line, Lines};
use anyhow::{Context, anyhow, ensure};
use search::Stop;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// Work for another machine: this program, started in an empty folder.
#[derive(Serialize, Default)]
pub(crate) struct Piece {
    /// What the program is started with.
    pub(crate) args: Vec<String>,
    /// The files that are put into the folder before: their names there, and where they lie here.
    pub(crate) files: BTreeMap<String, PathBuf>,
    /// The file of the folder that comes back.
    pub(crate) result: &'static str,
}

/// How a piece is asked for.
#[derive(Serialize)]
struct Question<'a> {
    play: u64,
    #[serde(flatten)]
    piece: &'a Piece,
}

/// What says that a piece is done.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    done: u64,
    /// The file that came back.
    file: PathBuf,
}

/// Where pieces are asked for and answered.
pub(crate) struct HandOut {
    out: Box<dyn Write>,
    lines: Receiver<Line>,
    next: u64,
    /// Pieces that are not answered yet.
    open: BTreeSet<u64>,
}

impl HandOut {
    /// The one who started this program answers.
    pub(crate) fn standard() -> Self {
        Self::new(stdout(), || BufReader::new(stdin()))
    }

    fn new<R: BufRead>(
        out: impl Write + 'static,
        input: impl FnOnce() -> R + Send + 'static,
    ) -> Self {
        let (sender, lines) = mpsc::channel();
        // A thread of its own: a line that does not come must not keep Ctrl-C waiting.
        std::thread::spawn(move || {
            let mut input = Lines::new(input());
            while let Some(line) = input.next_line()
                && sender.send(line).is_ok()
            {}
        });
        Self { out: Box::new(out), lines, next: 0, open: BTreeSet::new() }
    }

    /// Asks for a piece; gives the number that it is answered by.
    ///
    /// # Errors
    /// If nobody takes it.
    pub(crate) fn ask(&mut self, piece: &Piece) -> anyhow::Result<u64> {
        let play = self.next;
        self.next += 1;
        let line = serde_json::to_string(&Question { play, piece })? + "\n";
        let written = self.out.write_all(line.as_bytes()).and_then(|()| self.out.flush());
        written.context("nobody takes the work that is handed out")?;
        self.open.insert(play);
        Ok(play)
    }

    /// The next piece that is done, and the file that came back, which is gone when it is read. `None` if the work is
    /// stopped, or nobody answers any more, which stops it.
    ///
    /// # Errors
    /// If an answer is wrong.
    pub(crate) fn next_done(&mut self, stop: &Stop) -> anyhow::Result<Option<(u64, File)>> {
        let line = loop {
            if stop.is_stopped() {
                return Ok(None);
            }
            match self.lines.recv_timeout(Duration::from_millis(100)) {
                Ok(Line::Text(text)) => break text,
                Ok(Line::Wrong(why)) => {
                    return Err(anyhow!("an answer on standard input is wrong: {why}"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    stop.stop();
                    return Ok(None);
                }
            }
        };
        let shown = game::excerpt(&line, 200);
        let Answer { done, file } = serde_json::from_str(&line).with_context(|| {
            format!("'{shown}' on standard input: expected {{\"done\": NUMBER, \"file\": FILE}}")
        })?;
        ensure!(
            self.open.remove(&done),
            "'{shown}': piece {done} was not asked for, or is done already"
        );
        let opened = File::open(&file).with_context(|| format!("can't open {}", file.display()))?;
        // It lies in a temporary folder of whoever answered; where it cannot be removed, it is removed with that.
        let _ = fs::remove_file(&file);
        Ok(Some((done, opened)))
    }
}

/// Reads a range as its first and last number, such as `101-200`.
pub(crate) fn first_and_last(text: &str) -> Option<Range<u64>> {
    let (first, last) = text.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let end = last.checked_add(1)?;
    (first < end).then_some(first..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read, sink};

    fn answered(text: &str) -> HandOut {
        let text = text.to_owned();
        let mut others = HandOut::new(sink(), move || Cursor::new(text));
        for number in 0..2 {
            assert_eq!(others.ask(&Piece::default()).unwrap(), number);
        }
        others
    }

    #[test]
    fn pieces_are_answered_in_any_order() {
        let name = format!("bastide-hand-out-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, "what came back").unwrap();
        let line = format!("{{\"done\": 1, \"file\": {:?}}}\n", path.to_str().unwrap());
        let (mut others, stop) = (answered(&line), Stop::new());
        let (number, mut file) = others.next_done(&stop).unwrap().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!((number, text.as_str(), path.exists()), (1, "what came back", false));
        assert!(others.next_done(&stop).unwrap().is_none() && stop.is_stopped(), "nobody is there");
    }

    #[test]
    fn wrong_answers_say_what_is_wrong() {
        for (line, said) in [
            ("done 0 x", "expected {\"done\": NUMBER, \"file\": FILE}"),
            ("{\"done\": -1, \"file\": \"x\"}", "expected {\"done\""),
            ("{\"done\": 2, \"file\": \"x\"}", "piece 2 was not asked for"),
            ("{\"done\": 0, \"file\": \"/no/such/file\"}", "can't open /no/such/file"),
            ("\u{0}\u{ff}", "an answer on standard input is wrong: the line holds control"),
        ] {
            let error = answered(&format!("{line}\n")).next_done(&Stop::new()).unwrap_err();
            assert!(format!("{error:#}").contains(said), "{line}: {error:#}");
        }
        let again = "{\"done\": 0, \"file\": \"/no/such\"}\n".repeat(2);
        let mut others = answered(&again);
        let _ = others.next_done(&Stop::new());
        let error = others.next_done(&Stop::new()).unwrap_err().to_string();
        assert!(error.contains("or is done already"), "{error}");
    }

    #[test]
    fn a_range_has_a_first_and_a_last() {
        assert_eq!(first_and_last("0-3"), Some(0..4));
        assert_eq!(first_and_last("7-7"), Some(7..8));
        for wrong in
            ["", "7", "-", "7-", "-7", "3-2", "a-b", "0-18446744073709551615", "1-2-3", " 1-2"]
        {
            assert_eq!(first_and_last(wrong), None, "{wrong}");
        }
    }
}
