//! A search on a thread of its own, and what it reports.

use super::command::Task;
use super::engine_game::EngineGame;
use super::out::Out;
use super::pondering::{Foresight, is_enough};
use super::session::joined;
use anyhow::Context;
use game::{Record, Turn, ignore};
use search::{Agent, Limits, Report, Stop, deepen};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a search that was stopped is waited for when the client is gone.
const A_MOMENT: Duration = Duration::from_secs(2);

/// A search that runs, or has ended.
pub(super) struct Thinking {
    stop: Stop,
    busy: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    limited: bool,
}

impl Thinking {
    /// Whether the search still runs. It no longer does when its answer can be read.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// Whether nothing but the bot itself may ever end it.
    pub(super) fn is_endless(&self) -> bool {
        !self.limited && self.is_busy() && !self.stop.is_stopped()
    }

    /// Ends the search with the best it has.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Waits until the search has answered.
    pub(super) fn wait(self) {
        // A panic of the search was caught and reported.
        let _ = self.thread.join();
    }

    /// Waits until the search has answered, but not long.
    pub(super) fn wait_a_moment(self) {
        let started = Instant::now();
        while !self.thread.is_finished() && started.elapsed() < A_MOMENT {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Which bot it is, on how many threads, with which seed.
pub(super) type Key = (String, usize, u64);

/// A bot with what it remembers of the game.
pub(super) struct BotWithMemory<G: EngineGame> {
    key: Key,
    agent: Box<dyn Agent<G>>,
    /// The game as far as it knows it; `None` before its first one.
    known: Option<Record<G>>,
    /// What it found when it was told to ponder.
    foresight: Option<Foresight<G>>,
}

impl<G: EngineGame> BotWithMemory<G> {
    /// A bot that knows of no game yet.
    pub(super) fn new(agent: Box<dyn Agent<G>>, key: Key) -> Self {
        Self { key, agent, known: None, foresight: None }
    }

    /// Whether it is that bot and the game continues what it knows.
    pub(super) fn knows(&self, key: &Key, record: &Record<G>) -> bool {
        let continues = |known: &Record<G>| *known == record.up_to(known.moves.len());
        self.key == *key && self.known.as_ref().is_none_or(continues)
    }

    /// Whether a limit of depth means anything to it.
    pub(super) fn heeds_depth(&self) -> bool {
        self.agent.heeds_depth()
    }

    /// Gives the bot the moves that it does not know yet, and returns the position.
    fn update(&mut self, record: &Record<G>) -> G {
        let mut game = record.start(ignore);
        let known = match &self.known {
            Some(known) => known.moves.len(),
            None => {
                self.agent.new_game(&game, self.key.2);
                0
            }
        };
        for (index, m) in record.moves.iter().enumerate() {
            if index >= known {
                self.agent.observe(&game, *m);
            }
            game.play_unchecked(*m, ignore);
        }
        self.known = Some(record.clone());
        game
    }
}

/// Starts a search; when it ends, the bot goes back to its `place` and the answer out.
pub(super) fn start<G: EngineGame>(
    mut mind: BotWithMemory<G>,
    record: &Record<G>,
    task: Task,
    place: Arc<Mutex<Option<BotWithMemory<G>>>>,
    out: &Out,
) -> anyhow::Result<Thinking> {
    let (record, lines) = (record.clone(), out.clone());
    let limited = task.limits != Limits::NONE;
    start_thread(out, limited, move |stop| {
        let position = mind.update(&record);
        let foreseen = mind.foresight.take();
        let foreseen = foreseen.as_ref().and_then(|foresight| foresight.of(&record.moves));
        let answer = search(mind.agent.as_mut(), &position, &task, foreseen, stop, &lines);
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(mind);
        answer
    })
}

/// Starts to think ahead, without an answer; when it is stopped, the bot goes back to its `place`.
pub(super) fn ponder<G: EngineGame>(
    mut mind: BotWithMemory<G>,
    record: &Record<G>,
    place: Arc<Mutex<Option<BotWithMemory<G>>>>,
    out: &Out,
) -> anyhow::Result<Thinking> {
    let record = record.clone();
    start_thread(out, false, move |stop| {
        let position = mind.update(&record);
        let since = record.moves.len();
        mind.foresight = Some(Foresight::new(mind.agent.as_mut(), &position, since, stop));
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(mind);
        String::new()
    })
}

/// Starts work on a thread; what it gives are the closing lines. `limited` says that it ends by itself.
pub(super) fn start_thread(
    out: &Out,
    limited: bool,
    work: impl FnOnce(&Stop) -> String + Send + 'static,
) -> anyhow::Result<Thinking> {
    let (stop, busy) = (Stop::new(), Arc::new(AtomicBool::new(true)));
    let (heard, working, out) = (stop.clone(), Arc::clone(&busy), out.clone());
    let work = move || {
        let answer = catch_unwind(AssertUnwindSafe(|| work(&heard)));
        // Before the answer: who has read it may send the next command at once.
        working.store(false, Ordering::Release);
        match answer {
            Ok(answer) => out.say(&answer),
            Err(_) => out.error("the bot failed and gives no answer; the position is unchanged"),
        }
    };
    let thread = thread::Builder::new().name("search".to_owned()).spawn(work);
    let thread = thread.context("no thread can be started")?;
    Ok(Thinking { stop, busy, thread, limited })
}

/// Searches, reporting progress if that is wanted, and gives the closing lines.
fn search<G: EngineGame>(
    agent: &mut dyn Agent<G>,
    position: &G,
    task: &Task,
    foreseen: Option<&Report<G::Move>>,
    stop: &Stop,
    out: &Out,
) -> String {
    let foreseen = foreseen.filter(|_| task.top.is_none());
    let mut report = match task.top {
        None => match foreseen.filter(|known| is_enough(known, &task.limits)) {
            Some(known) => Report { time: Duration::ZERO, ..known.clone() },
            None => agent.search(position, &task.limits, stop),
        },
        Some(_) => deepen(agent, position, &task.limits, stop, |report| {
            out.say(&info(position, report));
        }),
    };
    if let Some(known) = foreseen.filter(|known| known.nodes > report.nodes && !report.exact) {
        report = Report { time: report.time, ..known.clone() };
    }
    // Among turns it values alike a bot chooses by chance: the chosen one comes first.
    report.lines.sort_by_key(|line| line.moves != report.turn);
    let mut text = info(position, &report);
    for (index, line) in report.lines.iter().take(task.top.unwrap_or(0)).enumerate() {
        text += &format!(
            "line {} margin {:+.2} win {:.3} visits {} turn {}\n",
            index + 1,
            line.value.margin,
            line.value.win,
            line.visits,
            joined(&line.moves)
        );
    }
    text + &format!("best {}\n", joined(&report.turn))
}

/// One line about a report.
fn info<G: EngineGame>(position: &G, report: &Report<G::Move>) -> String {
    debug_assert!(matches!(position.turn(), Turn::Player(_)), "a player is to move");
    let values = report.values.as_slice();
    let list = |text: Vec<String>| text.join(",");
    format!(
        "info depth {} nodes {} ms {} exact {} margins {} wins {} turn {}\n",
        report.depth,
        report.nodes,
        report.time.as_millis(),
        if report.exact { "yes" } else { "no" },
        list(values.iter().map(|value| format!("{:+.2}", value.margin)).collect()),
        list(values.iter().map(|value| format!("{:.3}", value.win)).collect()),
        joined(&report.turn)
    )
}
