//! What is said to programs and what they say, line by line in a file.

use super::Place;
use anyhow::Context;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// The dialogue with one program. A line is the seconds since the first program was started, the side, the
/// game as ROUND.GAME (`-` outside of games), `>` for what it is sent and `<` for what it says:
/// `12.345 B 1.2 > go movetime 100`.
pub(super) struct DialogueLog {
    file: File,
    place: Place,
}

impl DialogueLog {
    /// Goes on with a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn open(path: &Path, command: &str, place: &Place) -> anyhow::Result<Self> {
        let file = File::options().append(true).create(true).open(path);
        let file = file.with_context(|| format!("can't write {}", path.display()))?;
        let log = Self { file, place: place.clone() };
        log.write(&format!("# started: {} {command}\n", log.place.letter()));
        Ok(log)
    }

    /// Notes a line with its sign.
    pub(super) fn note(&self, sign: char, line: &str) {
        let (side, game) = (self.place.letter(), self.place.game());
        self.write(&format!("{:.3} {side} {game} {sign} {line}\n", since_start()));
    }

    /// Lines of several programs are written at once, each whole. That the disk is full is no reason to lose
    /// a game.
    fn write(&self, text: &str) {
        let _ = (&self.file).write_all(text.as_bytes());
    }
}

fn since_start() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
