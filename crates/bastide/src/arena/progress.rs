//! How far long work is, on the error stream: in place on a terminal, else a line now and then.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Shows how far work is, counted in steps: games of a match, say.
pub(crate) struct Progress {
    label: String,
    /// What is counted.
    unit: &'static str,
    manner: Manner,
    began: Instant,
    shown: Option<Instant>,
    /// Steps that were there before.
    before: u64,
    done: u64,
    total: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    InPlace,
    Lines,
    #[cfg(test)]
    Silent,
}

/// The bar's width.
const BAR: usize = 20;

impl Progress {
    /// Counts games; nothing is shown yet.
    pub(crate) fn new(label: String) -> Self {
        Self::of(label, "games")
    }

    /// Nothing is shown yet.
    pub(crate) fn of(label: String, unit: &'static str) -> Self {
        let manner = if stderr().is_terminal() { Manner::InPlace } else { Manner::Lines };
        let began = Instant::now();
        Self { label, unit, manner, began, shown: None, before: 0, done: 0, total: 0 }
    }

    /// Shows nothing ever.
    #[cfg(test)]
    pub(crate) fn silent() -> Self {
        Self { manner: Manner::Silent, ..Self::new(String::new()) }
    }

    /// Work begins: so many steps of it are done already.
    pub(crate) fn start(&mut self, before: u64, total: u64) {
        self.began = Instant::now();
        (self.before, self.done, self.total) = (before, before, total);
        if before > 0 && before < total {
            self.say(&format!("going on after {before} of {total} {}", self.unit));
        }
    }

    /// A step is done; beside the bar stands what is known so far.
    pub(crate) fn step(&mut self, known: impl FnOnce() -> String) {
        self.done += 1;
        let (first, every) = match self.manner {
            Manner::InPlace => (Duration::ZERO, Duration::from_millis(100)),
            Manner::Lines => (Duration::from_secs(10), Duration::from_secs(30)),
            #[cfg(test)]
            Manner::Silent => return,
        };
        let due = match self.shown {
            None => self.began.elapsed() >= first,
            Some(shown) => shown.elapsed() >= every,
        };
        if !due {
            return;
        }
        self.shown = Some(Instant::now());
        let line = self.line(&known());
        match self.manner == Manner::InPlace {
            true => tell(&format!("\r\x1b[K{line}")),
            false => tell(&format!("{line}\n")),
        }
    }

    /// Says something beside the bar.
    pub(crate) fn say(&mut self, text: &str) {
        #[cfg(test)]
        if self.manner == Manner::Silent {
            return;
        }
        self.end();
        tell(&format!("{text}\n"));
    }

    /// Takes the bar away.
    pub(crate) fn end(&mut self) {
        if self.manner == Manner::InPlace && self.shown.take().is_some() {
            tell("\r\x1b[K");
        }
    }

    fn line(&self, known: &str) -> String {
        let filled = (self.done * BAR as u64 / self.total.max(1)) as usize;
        let bar = "#".repeat(filled) + &"-".repeat(BAR - filled);
        let rate = (self.done - self.before) as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let left = time((self.total - self.done) as f64 / rate);
        let (label, done, total, unit) = (&self.label, self.done, self.total, self.unit);
        format!("{label}[{bar}] {done}/{total} {unit}  {known}{left} left")
    }
}

/// Writes to the error stream. That nobody reads it any more is no reason to stop a match.
fn tell(text: &str) {
    let mut out = stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// `0:07`, `12:34`, `1:02:03`
fn time(seconds: f64) -> String {
    let seconds = seconds.round().min(1e9) as u64;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn times() {
        assert_eq!(super::time(7.2), "0:07");
        assert_eq!(super::time(754.0), "12:34");
        assert_eq!(super::time(3_723.0), "1:02:03");
    }
}
