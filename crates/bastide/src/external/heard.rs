//! What a program sends, noted as it comes.

use super::dialogue_log::DialogueLog;
use crate::lines::{Line, Lines};
use game::excerpt;
use std::io::BufReader;
use std::process::ChildStdout;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What came from a program since it was asked something, as it came.
#[derive(Default)]
pub(super) struct Heard {
    last: Mutex<Option<String>>,
    /// Bytes behind the last line end.
    unfinished: Arc<AtomicUsize>,
    pub(super) log: Option<DialogueLog>,
}

/// How many lines may wait to be read before the program must wait to write.
pub(super) const LINES_WAITING: usize = 1_000;

/// How much of a line is quoted.
pub(super) const QUOTED: usize = 100;

impl Heard {
    /// Nothing yet.
    pub(super) fn new(log: Option<DialogueLog>) -> Self {
        Self { log, ..Self::default() }
    }

    /// Something else is asked.
    pub(super) fn forget(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn last(&self) -> Option<String> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is to be known where a turn was expected and something like one came.
    pub(super) fn hint(&self) -> &'static str {
        match self.last() {
            Some(last) if is_nearly_best(&last) => "; the answer is 'best MOVE; MOVE'",
            _ => "",
        }
    }

    fn hear(&self, line: &str) {
        self.log.iter().for_each(|log| log.note('<', line));
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.to_owned());
    }

    /// What came instead of an answer.
    pub(super) fn instead(&self) -> String {
        let bytes = |count| match count {
            1 => "1 byte without a line end".to_owned(),
            _ => format!("{count} bytes without a line end"),
        };
        match (self.last(), self.unfinished.load(Ordering::Relaxed)) {
            (None, 0) => "it sent nothing".to_owned(),
            (None, count) => format!("it sent {}", bytes(count)),
            (Some(last), 0) => format!("its last line: '{}'", excerpt(&last, QUOTED)),
            (Some(last), count) => {
                format!("its last line: '{}', then {}", excerpt(&last, QUOTED), bytes(count))
            }
        }
    }
}

/// Reads what a program writes on a thread of its own, which ends with it.
pub(super) fn listen(output: ChildStdout, heard: &Arc<Heard>) -> Receiver<String> {
    let (send, lines) = sync_channel(LINES_WAITING);
    let heard = heard.clone();
    thread::spawn(move || {
        let mut output = Lines::watched(BufReader::new(output), heard.unfinished.clone());
        while let Some(line) = output.next_line() {
            match line {
                Line::Wrong(why) => heard.hear(&format!("({why})")),
                Line::Text(line) => {
                    heard.hear(&line);
                    if send.send(line).is_err() {
                        break;
                    }
                }
            }
        }
    });
    lines
}

/// Whether a line is what other protocols answer with.
fn is_nearly_best(line: &str) -> bool {
    line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("best"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_instead_is_told() {
        let heard = Heard::default();
        assert_eq!(heard.instead(), "it sent nothing");
        heard.hear("bestmove 1,0 r0");
        assert_eq!(heard.instead(), "its last line: 'bestmove 1,0 r0'");
        heard.unfinished.store(1, Ordering::Relaxed);
        assert!(heard.instead().ends_with("', then 1 byte without a line end"));
        heard.forget();
        assert_eq!(heard.instead(), "it sent 1 byte without a line end");
        assert!(is_nearly_best("BestMove a") && is_nearly_best("Best: a") && !is_nearly_best("be"));
    }
}
