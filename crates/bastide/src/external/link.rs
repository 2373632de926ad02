//! A running program: lines to it, lines from it, and how long it is waited for.

use super::command_line::split_command;
use super::cpu_clock::{CpuBudget, used_by};
use super::options::{ProgramOptions, Timeouts};
use crate::lines::{Line, Lines};
use crate::move_text::read_moves;
use anyhow::{Context, bail, ensure};
use carcassonne::{Carcassonne, Edition, Move, Position};
use game::{ByPlayer, Game};
use search::{ClockKind, Limits, Report, Stop, Value, Values, even_values};
use std::fmt::Display;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A running program.
pub(super) struct Link {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Timeouts,
    budget: CpuBudget,
}

/// How many lines may wait to be read before the program must wait to write.
const LINES_WAITING: usize = 1_000;

/// How often a search that is waited for is asked whether it was stopped.
const GLANCE: Duration = Duration::from_millis(10);

/// How often at most the processor time of a program is looked at.
const SHORTEST_GLANCE: Duration = Duration::from_micros(200);

impl Link {
    /// Starts a program and greets it.
    ///
    /// # Errors
    /// If it cannot be started or does not greet back in time.
    pub(super) fn open(command: &str, options: &ProgramOptions) -> anyhow::Result<Self> {
        let words = split_command(command)?;
        let (program, args) = words.split_first().context("the command is empty")?;
        let mut ready = Command::new(program);
        ready.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        ready.stderr(options.error_stream(command)?);
        // Ctrl-C is for this program alone, which then ends the other in order: one that dies of
        // it would seem to have broken down.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut ready, 0);
        let mut child = ready.spawn().with_context(|| format!("'{program}' cannot be started"))?;
        let input = child.stdin.take().context("it has no input")?;
        let output = child.stdout.take().context("it has no output")?;
        let (send, lines) = sync_channel(LINES_WAITING);
        thread::spawn(move || {
            let mut output = Lines::new(BufReader::new(output));
            while let Some(line) = output.next_line() {
                let Line::Text(line) = line else { continue };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let mut link =
            Self { child, input, lines, patience: options.patience, budget: CpuBudget::default() };
        link.ask("hello")?;
        Ok(link)
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If the program does not answer in time, or does not know the setup.
    pub(super) fn new_game(
        &mut self,
        setup: &impl Display,
        seed: Option<u64>,
    ) -> anyhow::Result<()> {
        if let Some(seed) = seed {
            self.mention(&format!("set seed {seed}"))?;
        }
        self.ask(&format!("game {} {setup}", Carcassonne::NAME))
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the program does not read any more.
    pub(super) fn tell(&mut self, line: &str) -> anyhow::Result<()> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.context("it no longer listens")
    }

    /// Sends a line and expects `ok`.
    ///
    /// # Errors
    /// If the program answers with something else, or not in time.
    pub(super) fn ask(&mut self, line: &str) -> anyhow::Result<()> {
        self.tell(line)?;
        let answer = closing(&self.lines, self.patience.answer)?;
        ensure!(word(&answer) == "ok", "it answered '{answer:.300}' to '{line:.100}'");
        Ok(())
    }

    /// Sends a line that a program need not know: `error` is as good an answer as `ok`.
    ///
    /// # Errors
    /// If there is no answer in time.
    pub(super) fn mention(&mut self, line: &str) -> anyhow::Result<()> {
        self.tell(line)?;
        closing(&self.lines, self.patience.answer).map(drop)
    }

    /// Asks for the turn to play.
    ///
    /// # Errors
    /// If there is none in time, or it is no list of moves.
    pub(super) fn search<E: Edition>(
        &mut self,
        position: &Position<E>,
        limits: &Limits,
        stop: &Stop,
    ) -> anyhow::Result<Report<Move>> {
        // By its processor time it may think longer on a busy machine.
        let mut limits = *limits;
        let promised = limits.time.filter(|_| limits.by == ClockKind::ThreadCpu);
        let allowed = match promised {
            None => None,
            Some(promised) => Some(self.budget.begin(promised, used_by(self.child.id())?)),
        };
        limits.time = allowed.as_ref().map(|allowed| allowed.wall).or(limits.time);
        let started = Instant::now();
        self.tell(&go(&limits))?;
        let patience = limits.time.map_or(self.patience.search, |time| time + self.patience.grace);
        let mut deadline = started + patience;
        let (mut stopped, mut heard_stop, mut late) = (false, false, 0);
        let mut report = Report::empty(even_values(position.players()));
        let best = loop {
            let mut glance = GLANCE;
            let mut used_up = false;
            if let Some(allowed) = allowed.as_ref().filter(|_| !stopped) {
                let spent = self.budget.spent(used_by(self.child.id())?);
                used_up = spent >= allowed.cpu;
                // Several threads use it up faster than time goes by.
                glance = (allowed.cpu.saturating_sub(spent) / 2).clamp(SHORTEST_GLANCE, GLANCE);
            }
            if !stopped && (used_up || stop.is_stopped()) {
                stopped = true;
                self.tell("stop")?;
                deadline = deadline.min(Instant::now() + self.patience.grace);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(glance)) {
                Ok(line) if word(&line) == "best" => break line,
                // What was said in time is read, but no amount of it makes time longer.
                Ok(_) if left.is_zero() && late == LINES_WAITING => bail!("{}", silent(started)),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => bail!("{}", silent(started)),
                Ok(_) if left.is_zero() => late += 1,
                // The answer to 'stop' may come before the turn or after it.
                Ok(line) if stopped && !heard_stop && is_closing(&line) => heard_stop = true,
                Ok(line) if word(&line) == "error" => bail!("it answered '{line:.300}' to go"),
                Ok(line) if word(&line) == "info" => read_info(&line, &mut report),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("it ended"),
            }
        };
        report.time = started.elapsed();
        if let (Some(promised), Some(allowed)) = (promised, &allowed) {
            let used = used_by(self.child.id())?;
            report.time = self.budget.end(promised, allowed, used, report.time);
        }
        if stopped && !heard_stop {
            closing(&self.lines, self.patience.answer)?;
        }
        report.turn = read_moves(&best["best".len()..])
            .with_context(|| format!("it answered '{best:.200}'"))?;
        ensure!(!report.turn.is_empty(), "it answered 'best' without a move");
        Ok(report)
    }
}

impl Drop for Link {
    /// Asks the program to quit, and ends it if it does not.
    fn drop(&mut self) {
        const A_MOMENT: Duration = Duration::from_millis(300);
        let started = Instant::now();
        if self.tell("quit").is_ok() {
            while started.elapsed() < A_MOMENT {
                if matches!(self.child.try_wait(), Ok(Some(_))) {
                    return;
                }
                thread::sleep(Duration::from_millis(2));
            }
        }
        // It may have ended just now; either way it is waited for, so that it leaves no zombie.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next closing line. What was said in time is read, but no amount of it makes time longer.
fn closing(lines: &Receiver<String>, patience: Duration) -> anyhow::Result<String> {
    let (deadline, mut late) = (Instant::now() + patience, 0);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) if is_closing(&line) => return Ok(line),
            Ok(_) if !left.is_zero() => {}
            Ok(_) if late < LINES_WAITING => late += 1,
            Ok(_) | Err(RecvTimeoutError::Timeout) => bail!("it did not answer in {patience:?}"),
            Err(RecvTimeoutError::Disconnected) => bail!("it ended"),
        }
    }
}

/// What is said of a search that took too long.
fn silent(started: Instant) -> String {
    format!("it gave no turn in {:.1} s", started.elapsed().as_secs_f64())
}

/// Whether a line closes the answer to anything but a search.
fn is_closing(line: &str) -> bool {
    matches!(word(line), "ok" | "error")
}

/// The first word of a line.
fn word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// The command for a search; without limits the program decides how long it thinks.
fn go(limits: &Limits) -> String {
    let mut line = "go".to_owned();
    if let Some(time) = limits.time {
        line += &format!(" movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = limits.nodes {
        line += &format!(" nodes {nodes}");
    }
    if let Some(depth) = limits.depth {
        line += &format!(" depth {depth}");
    }
    line
}

/// Reads what an `info` line says; what it leaves out stays.
fn read_info(line: &str, report: &mut Report<Move>) {
    let mut words = line.split_whitespace().skip(1);
    while let Some(key) = words.next() {
        let Some(value) = words.next() else { return };
        match key {
            "depth" => report.depth = value.parse().unwrap_or(report.depth),
            "nodes" => report.nodes = value.parse().unwrap_or(report.nodes),
            "exact" => report.exact = value == "yes",
            "margins" => set_each(&mut report.values, value, |at, margin| at.margin = margin),
            "wins" => set_each(&mut report.values, value, |at, win| at.win = win),
            "turn" => return,
            _ => {}
        }
    }
}

/// Sets something of each player's value from a list, if there is one number for each.
fn set_each(values: &mut Values, list: &str, set: impl Fn(&mut Value, f32)) {
    let numbers: Vec<f32> = list.split(',').map_while(|number| number.parse().ok()).collect();
    if numbers.len() == ByPlayer::len(values) && numbers.iter().all(|n| n.is_finite()) {
        for (value, number) in values.as_mut_slice().iter_mut().zip(numbers) {
            set(value, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_only_chatters_has_not_answered() {
        let (send, lines) = sync_channel(3 * LINES_WAITING);
        (0..2 * LINES_WAITING).for_each(|_| send.send("lovely weather".to_owned()).unwrap());
        send.send("ok".to_owned()).unwrap();
        let error = closing(&lines, Duration::ZERO).unwrap_err().to_string();
        assert!(error.contains("did not answer"), "{error}");
        // What was there when the time was over is still read.
        assert_eq!(closing(&lines, Duration::ZERO).unwrap(), "ok");
    }

    #[test]
    fn limits_become_a_line() {
        let limits = Limits { depth: Some(2), ..Limits::nodes(7) };
        assert_eq!(go(&limits), "go nodes 7 depth 2");
        assert_eq!(go(&Limits::time(Duration::from_micros(10))), "go movetime 1");
        assert_eq!(go(&Limits::NONE), "go");
    }

    #[test]
    fn an_info_line_is_read_as_far_as_it_can_be() {
        let mut report = Report::empty(even_values(2));
        read_info("info nodes 12 margins +1.5,-1.5 wins x,y speed 9 turn 1,0 r0", &mut report);
        assert_eq!(report.nodes, 12);
        assert_eq!(report.values.as_slice()[1], Value { margin: -1.5, win: 0.5 });
        read_info("info margins 1,2,3 nodes many depth", &mut report);
        assert_eq!(report.nodes, 12);
    }
}
