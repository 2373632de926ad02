//! A running program: lines to it, lines from it, and how long it is waited for.

use super::command_line::split_command;
use super::cpu_clock::{CpuBudget, used_by};
use super::dialogue_log::DialogueLog;
use super::error_stream::{ErrorStream, PassedOn};
use super::heard::{Heard, LINES_WAITING, QUOTED, listen};
use super::options::{Place, ProgramOptions, Timeouts};
use super::process::Process;
use crate::move_text::{NotAMove, read_moves};
use anyhow::{Context, anyhow, bail, ensure};
use carcassonne::{Carcassonne, Edition, Move, Position};
use game::{ByPlayer, Game, excerpt};
use search::{ClockKind, Limits, Report, Stop, Value, Values};
use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, ErrorKind, IsTerminal, Write, stderr};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// A running program.
pub(super) struct Link {
    process: Process,
    errors: PassedOn,
    input: ChildStdin,
    lines: Receiver<String>,
    heard: Arc<Heard>,
    patience: Timeouts,
    budget: CpuBudget,
    /// What it calls itself.
    name: Option<String>,
    /// The last line that it was sent.
    sent: String,
    /// Who it is, for what is said of it.
    who: String,
    /// Whether it was said that it is waited for.
    noticed: bool,
}

/// How often a search that is waited for is asked whether it was stopped.
const GLANCE: Duration = Duration::from_millis(10);

/// How often at most the processor time of a program is looked at.
const SHORTEST_GLANCE: Duration = Duration::from_micros(200);

/// How long a program may take to end after `quit`, and after it was asked by a signal.
const TO_QUIT: Duration = Duration::from_secs(2);
const TO_END: Duration = Duration::from_millis(200);

impl Link {
    /// Starts a program and greets it.
    ///
    /// # Errors
    /// If it cannot be started or does not greet back in time.
    pub(super) fn open(
        command: &str,
        options: &ProgramOptions,
        place: &Place,
    ) -> anyhow::Result<Self> {
        let words = split_command(command)?;
        let (program, args) = words.split_first().context("the command is empty")?;
        let mut errors = ErrorStream::open(options.stderr.as_deref(), command, place)?;
        let log = options.log.as_deref().map(|path| DialogueLog::open(path, command, place));
        let heard = Arc::new(Heard::new(log.transpose()?));
        let mut ready = Command::new(program);
        ready.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors.stdio());
        let mut process =
            Process::start(&mut ready).map_err(|error| not_started(program, error))?;
        let (input, output, error) = process.take_pipes();
        let mut link = Self {
            process,
            errors: errors.pass_on(error),
            input: input.context("it has no input")?,
            lines: listen(output.context("it has no output")?, &heard),
            heard,
            patience: options.patience,
            budget: CpuBudget::default(),
            name: None,
            sent: String::new(),
            who: place.side.map_or(command.to_owned(), |side| format!("{side} (cmd:{command})")),
            noticed: false,
        };
        link.greet()?;
        Ok(link)
    }

    /// What the program calls itself.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn greet(&mut self) -> anyhow::Result<()> {
        let mut name = None;
        let answer = self.closing_to("hello", |line| {
            name = line.strip_prefix("name ").map(|text| excerpt(text.trim(), 40)).or(name.take());
        })?;
        self.name = name.filter(|name| !name.is_empty());
        ensure!(word(&answer) == "ok", "it answered '{answer:.300}' to 'hello'");
        Ok(())
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
        self.heard.forget();
        if self.write(line).is_err() {
            return Err(self.gone("it no longer reads its input"));
        }
        line.clone_into(&mut self.sent);
        Ok(())
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.heard.log.iter().for_each(|log| log.note('>', line));
        // One write: who reads sees a whole line.
        self.input.write_all(format!("{line}\n").as_bytes())?;
        self.input.flush()
    }

    /// Sends a line and expects `ok`.
    ///
    /// # Errors
    /// If the program answers with something else, or not in time.
    pub(super) fn ask(&mut self, line: &str) -> anyhow::Result<()> {
        let answer = self.closing_to(line, |_| {})?;
        ensure!(word(&answer) == "ok", "it answered '{answer:.300}' to '{line:.100}'");
        Ok(())
    }

    /// Sends a line that a program need not know: `error` is as good an answer as `ok`.
    ///
    /// # Errors
    /// If there is no answer in time.
    pub(super) fn mention(&mut self, line: &str) -> anyhow::Result<()> {
        self.closing_to(line, |_| {}).map(drop)
    }

    /// Sends a line and gives the one that closes its answer; `each` gets those before it.
    fn closing_to(&mut self, line: &str, each: impl FnMut(&str)) -> anyhow::Result<String> {
        self.tell(line)?;
        self.closing(each)
    }

    fn closing(&mut self, each: impl FnMut(&str)) -> anyhow::Result<String> {
        let patience = self.patience.answer;
        closing(&self.lines, patience, each).map_err(|silence| match silence {
            Silence::Late => anyhow!(
                "it did not answer '{}' in {patience:?} ({})",
                excerpt(&self.sent, QUOTED),
                self.heard.instead()
            ),
            Silence::Ended => self.gone("it closed its output"),
        })
    }

    /// What is said of a program that cannot be talked to: how it ended, or else what it did.
    fn gone(&mut self, did: &str) -> anyhow::Error {
        let began = Instant::now();
        let after = match self.sent.as_str() {
            "" => "at its start".to_owned(),
            sent => format!("after '{}'", excerpt(sent, QUOTED)),
        };
        loop {
            // Its output is closed a moment before it has ended.
            match self.process.ending() {
                Some(how) => return anyhow!("it ended ({how}) {after}"),
                None if began.elapsed() > TO_END => return anyhow!("{did} {after}"),
                None => thread::sleep(Duration::from_millis(2)),
            }
        }
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
        // How much of its clock a turn gets is the program's to decide.
        limits.time = limits.clock.map(|clock| clock.left).or(limits.time);
        let promised = limits.time.filter(|_| limits.by == ClockKind::ThreadCpu);
        let allowed = match promised {
            None => None,
            Some(promised) => Some(self.budget.begin(promised, used_by(self.process.id())?)),
        };
        limits.time = allowed.as_ref().map(|allowed| allowed.wall).or(limits.time);
        let started = Instant::now();
        self.tell(&go(&limits))?;
        let patience = limits.time.map_or(self.patience.search, |time| time + self.patience.grace);
        let mut deadline = started + patience;
        let (mut stopped, mut heard_stop, mut late) = (false, false, 0);
        let nothing = Value { margin: f32::NAN, win: f32::NAN };
        let mut report = Report::empty(ByPlayer::new(position.players(), nothing));
        let best = loop {
            let mut glance = GLANCE;
            let mut used_up = false;
            if let Some(allowed) = allowed.as_ref().filter(|_| !stopped) {
                let spent = self.budget.spent(used_by(self.process.id())?);
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
                Ok(_) if left.is_zero() && late == LINES_WAITING => bail!(self.silent(started)),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => bail!(self.silent(started)),
                Ok(_) if left.is_zero() => late += 1,
                // The answer to 'stop' may come before the turn or after it.
                Ok(line) if stopped && !heard_stop && is_closing(&line) => heard_stop = true,
                Ok(line) if word(&line) == "error" => bail!("it answered '{line:.300}' to go"),
                Ok(line) if word(&line) == "info" => read_info(&line, &mut report),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.gone("it closed its output"));
                }
            }
            if limits.time.is_none() && !self.noticed {
                self.notice(started.elapsed());
            }
        };
        report.time = started.elapsed();
        if let (Some(promised), Some(allowed)) = (promised, &allowed) {
            let used = used_by(self.process.id())?;
            report.time = self.budget.end(promised, allowed, used, report.time);
        }
        if stopped && !heard_stop {
            self.closing(|_| {})?;
        }
        let answer = best["best".len()..].trim();
        report.turn = read_moves(answer)
            .map_err(|error| Unreadable { answer: excerpt(answer, ANSWER), error })?;
        ensure!(!report.turn.is_empty(), "it answered 'best' without a move");
        Ok(report)
    }
}

impl Link {
    /// What is said of a search that took too long.
    fn silent(&self, started: Instant) -> String {
        let (seconds, heard) = (started.elapsed().as_secs_f64(), &self.heard);
        format!("it gave no turn in {seconds:.1} s ({}{})", heard.instead(), heard.hint())
    }

    /// Says that a program is waited for, once.
    fn notice(&mut self, waited: Duration) {
        if waited < self.patience.notice() {
            return;
        }
        self.noticed = true;
        let (who, most) = (&self.who, self.patience.search);
        let (sent, instead) = (excerpt(&self.sent, QUOTED), self.heard.instead());
        // A bar is redrawn with the next game.
        let clear = if stderr().is_terminal() { "\r\x1b[K" } else { "" };
        let line = format!(
            "{clear}waiting for {who}: no answer to '{sent}' in {waited:.1?} ({instead}); it has lost \
             after {most:?} (--search-time)\n"
        );
        // That nobody reads it is no reason to stop a match.
        let _ = stderr().lock().write_all(line.as_bytes());
    }

    /// Whether the program ends so soon, with all that holds its output.
    fn ends_within(&mut self, time: Duration) -> bool {
        let (deadline, a_moment) = (Instant::now() + time, Duration::from_millis(2));
        loop {
            let closed = match self.lines.recv_timeout(a_moment) {
                Err(RecvTimeoutError::Disconnected) => true,
                Ok(_) | Err(RecvTimeoutError::Timeout) => false,
            };
            if closed && self.process.ending().is_some() {
                return true;
            }
            if Instant::now() > deadline {
                return false;
            }
            if closed {
                thread::sleep(a_moment);
            }
        }
    }
}

impl Drop for Link {
    /// Asks the program to quit, and ends it if it does not.
    fn drop(&mut self) {
        let quits = self.write("quit").is_ok() && self.ends_within(TO_QUIT);
        if !quits {
            self.process.ask_to_end();
            self.ends_within(TO_END);
        }
        // What is left of it is ended with its process.
        self.errors.finish();
    }
}

/// What is said of a program that cannot be started.
fn not_started(program: &str, error: io::Error) -> anyhow::Error {
    let here = !program.contains('/') && Path::new(program).is_file();
    let hint = match error.kind() {
        ErrorKind::NotFound if here => format!(" (a program in this folder is './{program}')"),
        ErrorKind::PermissionDenied => " (is it a program, and executable?)".to_owned(),
        _ => String::new(),
    };
    anyhow::Error::from(error).context(format!("'{program}' cannot be started{hint}"))
}

/// How much of an answer that cannot be read is kept.
const ANSWER: usize = 200;

/// A turn that is no list of moves.
#[derive(Debug)]
pub(super) struct Unreadable {
    /// What stood behind `best`.
    pub(super) answer: String,
    error: NotAMove,
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it answered '{}': {}", self.answer, self.error)
    }
}

impl Error for Unreadable {}

/// Why there is no closing line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Silence {
    Late,
    Ended,
}

/// The next closing line; `each` gets those before it. What was said in time is read, but no amount of it
/// makes time longer.
fn closing(
    lines: &Receiver<String>,
    patience: Duration,
    mut each: impl FnMut(&str),
) -> Result<String, Silence> {
    let (deadline, mut late) = (Instant::now() + patience, 0);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) if is_closing(&line) => return Ok(line),
            Ok(line) if !left.is_zero() => each(&line),
            Ok(_) if late < LINES_WAITING => late += 1,
            Ok(_) | Err(RecvTimeoutError::Timeout) => return Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
        }
    }
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
        let name = if limits.clock.is_some() { "clock" } else { "movetime" };
        line += &format!(" {name} {}", time.as_millis().max(1));
    }
    if let Some(clock) = limits.clock.filter(|clock| !clock.increment.is_zero()) {
        line += &format!(" increment {}", clock.increment.as_millis().max(1));
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
    use std::sync::mpsc::sync_channel;

    #[test]
    fn whoever_only_chatters_has_not_answered() {
        let (send, lines) = sync_channel(3 * LINES_WAITING);
        (0..2 * LINES_WAITING).for_each(|_| send.send("lovely weather".to_owned()).unwrap());
        send.send("ok".to_owned()).unwrap();
        assert_eq!(closing(&lines, Duration::ZERO, |_| {}), Err(Silence::Late));
        // What was there when the time was over is still read.
        assert_eq!(closing(&lines, Duration::ZERO, |_| {}).as_deref(), Ok("ok"));
    }

    #[test]
    fn limits_become_a_line() {
        let limits = Limits { depth: Some(2), ..Limits::nodes(7) };
        assert_eq!(go(&limits), "go nodes 7 depth 2");
        assert_eq!(go(&Limits::time(Duration::from_micros(10))), "go movetime 1");
        assert_eq!(go(&Limits::NONE), "go");
        let (left, increment) = (Duration::from_secs(60), Duration::from_secs(2));
        let clock = search::GameClock { left, increment, turns: 36 };
        let whole = Limits { time: Some(left), ..Limits::game_clock(clock) };
        assert_eq!(go(&whole), "go clock 60000 increment 2000");
    }

    #[test]
    fn an_info_line_is_read_as_far_as_it_can_be() {
        let mut report = Report::empty(search::even_values(2));
        read_info("info nodes 12 margins +1.5,-1.5 wins x,y speed 9 turn 1,0 r0", &mut report);
        assert_eq!(report.nodes, 12);
        assert_eq!(report.values.as_slice()[1], Value { margin: -1.5, win: 0.5 });
        read_info("info margins 1,2,3 nodes many depth", &mut report);
        assert_eq!(report.nodes, 12);
    }
}
