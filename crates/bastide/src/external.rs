//! An outside program that speaks the engine protocol, as a player of Carcassonne.
//!
//! A program that is dead, silent or wrong never holds up a match: its answer is then an empty
//! turn, which no rules allow, and the reason goes to who asked for it, or to standard error. It is
//! started again for the next game.

use crate::lines::{Line, Lines};
use anyhow::{Context, bail, ensure};
use carcassonne::{Base, Carcassonne, Edition, Move, Position};
use game::{ByPlayer, Game, Record};
use search::{Agent, Limits, Report, Stop, Value, Values, even_values};
use std::fmt::Display;
use std::io::{BufReader, Write, stderr};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A player that is an outside program.
pub(crate) struct External<E: Edition = Base> {
    command: String,
    patience: Timeouts,
    /// `None` when the program is dead or was given up.
    link: Option<Link>,
    record: Record<Position<E>>,
    /// How many of the moves the program has been sent.
    sent: usize,
    /// Who wants to know why it was given up.
    listener: Option<Trouble>,
}

/// Why a program was given up first, for somebody who shows it.
#[derive(Clone, Default)]
pub(crate) struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    /// The reason, if there is one.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn tell(&self, why: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }
}

/// How long a program is waited for before it is given up.
#[derive(Clone, Copy, Debug)]
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

impl<E: Edition> External<E> {
    /// Starts a program and greets it. The command is split at spaces, quotes respected; no
    /// shell is involved.
    ///
    /// # Errors
    /// If it cannot be started, does not greet back in time, or does not know the setup.
    pub(crate) fn start(command: &str, setup: &E::Setup) -> anyhow::Result<Self> {
        Self::start_with(command, setup, Timeouts::default())
    }

    /// As [`start`](Self::start), with another patience.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub(crate) fn start_with(
        command: &str,
        setup: &E::Setup,
        patience: Timeouts,
    ) -> anyhow::Result<Self> {
        let context = || format!("engine '{command}'");
        let mut link = Link::open(command, patience).with_context(context)?;
        link.new_game(setup, None).with_context(context)?;
        let record = Record::new(*setup);
        let (command, link, listener) = (command.to_owned(), Some(link), None);
        Ok(Self { command, patience, link, record, sent: 0, listener })
    }

    /// Tells why it is given up there, and no longer on standard error.
    pub(crate) fn heard_by(self, trouble: &Trouble) -> Self {
        Self { listener: Some(trouble.clone()), ..self }
    }

    /// Gives the program up and says why.
    fn give_up(&mut self, why: &anyhow::Error) {
        self.link = None;
        match &self.listener {
            Some(trouble) => trouble.tell(format!("{why:#}")),
            // Where not even this can be written, the empty turn says it.
            None => {
                let _ = writeln!(stderr(), "bastide: engine '{}': {why:#}", self.command);
            }
        }
    }

    fn try_new_game(&mut self, seed: u64) -> anyhow::Result<()> {
        if self.link.is_none() {
            self.link = Some(Link::open(&self.command, self.patience)?);
        }
        match &mut self.link {
            Some(link) => link.new_game(&self.record.setup, Some(seed)),
            None => bail!("it does not run"),
        }
    }

    fn try_search(
        &mut self,
        position: &Position<E>,
        limits: &Limits,
        stop: &Stop,
    ) -> anyhow::Result<Report<Move>> {
        let known = self.record.replay().context("the moves it was sent are wrong")?;
        ensure!(is_same(&known, position), "it was not sent the moves that led here");
        let link = self.link.as_mut().context("it does not run")?;
        if let Some(moves) = self.record.moves.get(self.sent..).filter(|m| !m.is_empty()) {
            let text: Vec<_> = moves.iter().map(ToString::to_string).collect();
            link.ask(&format!("play {}", text.join("; ")))?;
            self.sent = self.record.moves.len();
        }
        link.search(position, limits, stop)
    }
}

impl<E: Edition> Agent<Position<E>> for External<E> {
    fn new_game(&mut self, start: &Position<E>, seed: u64) {
        self.record = Record::new(*start.setup());
        self.sent = 0;
        if let Err(error) = self.try_new_game(seed) {
            self.give_up(&error);
        }
    }

    fn observe(&mut self, _before: &Position<E>, played: Move) {
        self.record.moves.push(played);
    }

    fn search(&mut self, position: &Position<E>, limits: &Limits, stop: &Stop) -> Report<Move> {
        self.try_search(position, limits, stop).unwrap_or_else(|error| {
            self.give_up(&error);
            Report::empty(even_values(position.players()))
        })
    }
}

fn is_same<E: Edition>(a: &Position<E>, b: &Position<E>) -> bool {
    a.turn() == b.turn()
        && a.tile_in_hand() == b.tile_in_hand()
        && a.bag().as_ref() == b.bag().as_ref()
        && a.scores() == b.scores()
        && a.tiles().eq(b.tiles())
        && a.meeples().eq(b.meeples())
}

/// A running program.
struct Link {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Timeouts,
}

/// How many lines may wait to be read before the program must wait to write.
const LINES_WAITING: usize = 1_000;

/// How often a search that is waited for is asked whether it was stopped.
const GLANCE: Duration = Duration::from_millis(10);

impl Link {
    fn open(command: &str, patience: Timeouts) -> anyhow::Result<Self> {
        let words = split(command)?;
        let (program, args) = words.split_first().context("the command is empty")?;
        let mut ready = Command::new(program);
        ready.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
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
        let mut link = Self { child, input, lines, patience };
        link.ask("hello")?;
        Ok(link)
    }

    fn new_game(&mut self, setup: &impl Display, seed: Option<u64>) -> anyhow::Result<()> {
        if let Some(seed) = seed {
            // A program need not know the option; it must answer.
            self.tell(&format!("set seed {seed}"))?;
            closing(&self.lines, self.patience.answer)?;
        }
        self.ask(&format!("game {} {setup}", Carcassonne::NAME)).map(|_| ())
    }

    fn tell(&mut self, line: &str) -> anyhow::Result<()> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.context("it no longer listens")
    }

    /// Sends a line and expects `ok`.
    fn ask(&mut self, line: &str) -> anyhow::Result<String> {
        self.tell(line)?;
        let answer = closing(&self.lines, self.patience.answer)?;
        ensure!(word(&answer) == "ok", "it answered '{answer:.300}' to '{line:.100}'");
        Ok(answer)
    }

    fn search<E: Edition>(
        &mut self,
        position: &Position<E>,
        limits: &Limits,
        stop: &Stop,
    ) -> anyhow::Result<Report<Move>> {
        let started = Instant::now();
        self.tell(&go(limits))?;
        let patience = limits.time.map_or(self.patience.search, |time| time + self.patience.grace);
        let mut deadline = started + patience;
        let (mut stopped, mut heard_stop, mut late) = (false, false, 0);
        let mut report = Report::empty(even_values(position.players()));
        let best = loop {
            if !stopped && stop.is_stopped() {
                stopped = true;
                self.tell("stop")?;
                deadline = deadline.min(Instant::now() + self.patience.grace);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
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
        if stopped && !heard_stop {
            closing(&self.lines, self.patience.answer)?;
        }
        for part in best["best".len()..].split(';').map(str::trim) {
            let m = part.parse().map_err(|error| anyhow::anyhow!("'{best:.200}': {error}"))?;
            report.turn.push(m);
        }
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

/// The command for a search.
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
    if *limits == Limits::NONE {
        line += " infinite";
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

/// Splits a command at spaces; text between single or double quotes stays together.
fn split(command: &str) -> anyhow::Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed");
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::Setup;

    #[test]
    fn a_command_is_split_without_a_shell() {
        let words = |text| split(text).unwrap();
        assert_eq!(
            words("  run  --fast 'two words' a\"b c\"d '' "),
            ["run", "--fast", "two words", "ab cd", ""]
        );
        assert!(split("run 'it").is_err());
        assert!(External::<Base>::start("", &Setup::default()).is_err());
        let error = External::<Base>::start("./no-such-program", &Setup::default()).err().unwrap();
        assert!(format!("{error:#}").contains("cannot be started"), "{error:#}");
    }

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
        assert_eq!(go(&Limits::NONE), "go infinite");
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
