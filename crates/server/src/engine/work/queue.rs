//! What waits to be done by the engine: a line for each kind of work, in each of which users are served in turn,
//! and the threads of this server that take from it.
//!
//! The more bots' turns wait, the less each may take ([`Load::share`]): an answer takes about as long as one
//! unhurried thought, however many play.

use super::carry_out::{Given, Report, Source, serve};
use super::fair_queue::FairQueue;
use super::task::{Answer, Line, Load, ReviewedStep, Task};
use super::ticket::{Event, Teller, Ticket, ticket};
use crate::engine::threads::QueueFull;
use search::Stop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// What waits to be done by the engine; clones are the same queue. Its threads end with the last clone.
#[derive(Clone)]
pub struct WorkQueue(Arc<Owner>);

struct Owner(Arc<Shared>);

pub(super) struct Shared {
    state: Mutex<State>,
    more: Condvar,
    /// Wakes what hands work to workers elsewhere.
    pushed: Notify,
    last: AtomicU64,
}

#[derive(Default)]
struct State {
    lines: [FairQueue<Job>; Line::ALL.len()],
    /// How long bots' turns took lately, in seconds.
    usual: f64,
    /// Threads of this server for bots.
    threads: usize,
    /// Threads of workers elsewhere; while there are any, those of this server rest.
    elsewhere: usize,
    closed: bool,
}

/// How many threads of this server do what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkThreads {
    /// Bots' turns.
    pub bots: usize,
    /// Analyses.
    pub analyses: usize,
    /// Reviews.
    pub reviews: usize,
    /// Puzzles that are mined; a server mines none by itself.
    pub mining: usize,
}

/// Threads that take from the same lines, by the name that the system shows.
#[derive(Clone, Copy)]
pub(super) struct Crew {
    name: &'static str,
    lines: &'static [Line],
}

const BOTS: Crew = Crew { name: "bot", lines: &[Line::PersonsTurn, Line::BotsTurn] };
const ANALYSTS: Crew = Crew { name: "analysis", lines: &[Line::Analysis] };
const REVIEWERS: Crew = Crew { name: "review", lines: &[Line::QuickReview, Line::DeepReview] };
const MINERS: Crew = Crew { name: "mining", lines: &[Line::Mining] };

impl Crew {
    pub(super) const fn of(line: Line) -> Self {
        match line {
            Line::PersonsTurn | Line::BotsTurn => BOTS,
            Line::Analysis => ANALYSTS,
            Line::QuickReview | Line::DeepReview => REVIEWERS,
            Line::Mining => MINERS,
        }
    }
}

/// Who waits for a piece of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waits {
    /// A person, by the id of the user: these come first, one turn of each in turn.
    Person(String),
    /// Nobody but other bots, in a game that this user made.
    Nobody(String),
}

/// A piece of work that waits, or that a worker elsewhere has.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) task: Task,
    pub(super) line: Line,
    user: String,
    pub(super) stop: Stop,
    queued: Instant,
    pub(super) teller: Teller,
    /// How often it was handed to workers that did not answer.
    pub(super) attempts: u32,
}

/// Questions to the engine that may wait; whoever comes then is asked to try again.
const MOST_QUESTIONS: usize = 32;

impl WorkQueue {
    /// A queue with so many threads.
    #[must_use]
    pub fn start(threads: WorkThreads) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { threads: threads.bots.max(1), ..State::default() }),
            more: Condvar::new(),
            pushed: Notify::new(),
            last: AtomicU64::new(0),
        });
        let crews = [
            (BOTS, threads.bots),
            (ANALYSTS, threads.analyses),
            (REVIEWERS, threads.reviews),
            (MINERS, threads.mining),
        ];
        for (crew, size) in crews {
            (0..size).for_each(|_| shared.start_thread(crew));
        }
        Self(Arc::new(Owner(shared)))
    }

    /// A bot's turn. What is stopped while it waits never begins.
    #[must_use]
    pub fn take_turn(&self, waits: &Waits, stop: &Stop, task: Task) -> Ticket {
        match waits {
            Waits::Person(user) => self.push(Line::PersonsTurn, user, stop, task),
            Waits::Nobody(host) => self.push(Line::BotsTurn, host, stop, task),
        }
    }

    /// A question of somebody to the engine.
    ///
    /// # Errors
    /// If too many wait.
    pub fn ask(&self, user: &str, stop: &Stop, task: Task) -> Result<Ticket, QueueFull> {
        if self.0.0.lock().line(Line::Analysis).len() >= MOST_QUESTIONS {
            return Err(QueueFull);
        }
        Ok(self.push(Line::Analysis, user, stop, task))
    }

    /// Puts a piece of work at the end of its user's line.
    #[must_use]
    pub fn push(&self, line: Line, user: &str, stop: &Stop, task: Task) -> Ticket {
        let shared = &self.0.0;
        let number = shared.last.fetch_add(1, Ordering::Relaxed);
        let (teller, ticket) = ticket(number, line, self.clone());
        shared.push(Job {
            number,
            task,
            line,
            user: user.to_owned(),
            stop: stop.clone(),
            queued: Instant::now(),
            teller,
            attempts: 0,
        });
        ticket
    }

    /// How much waits in these lines.
    #[must_use]
    pub fn waiting(&self, lines: &[Line]) -> usize {
        let state = self.0.0.lock();
        lines.iter().map(|line| state.line(*line).len()).sum()
    }

    /// Threads of workers elsewhere that take what waits; with none those of this server do.
    #[must_use]
    pub fn threads_elsewhere(&self) -> usize {
        self.0.0.lock().elsewhere
    }

    /// How many of its line are done before one that waits; `None` if it does not.
    #[must_use]
    pub fn ahead_of(&self, line: Line, number: u64) -> Option<usize> {
        self.0.0.lock().line(line).ahead_of(|job| job.number == number)
    }

    /// How long somebody who asks now will wait for a bot, by what turns took lately; at least as long as
    /// somebody has waited already.
    #[must_use]
    pub fn expected_wait(&self) -> Duration {
        let state = self.0.0.lock();
        let persons = state.line(Line::PersonsTurn);
        let ahead = persons.len() as f64 * state.usual / state.threads_for_bots() as f64;
        let ahead = Duration::try_from_secs_f64(ahead).unwrap_or(Duration::MAX);
        let longest = persons.fronts().map(|job| job.queued.elapsed()).max();
        ahead.max(longest.unwrap_or_default())
    }

    pub(super) fn shared(&self) -> Arc<Shared> {
        self.0.0.clone()
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.more.notify_all();
        self.0.pushed.notify_one();
    }
}

impl State {
    fn line(&self, line: Line) -> &FairQueue<Job> {
        &self.lines[line as usize]
    }

    fn threads_for_bots(&self) -> usize {
        if self.elsewhere > 0 { self.elsewhere } else { self.threads }
    }

    fn show(&self) {
        let waiting =
            |lines: [Line; 2]| lines.map(|line| self.line(line).len() as f64).iter().sum::<f64>();
        let (turns, reviews) =
            ([Line::PersonsTurn, Line::BotsTurn], [Line::QuickReview, Line::DeepReview]);
        metrics::gauge!("bastide_bots_waiting").set(waiting(turns));
        metrics::gauge!("bastide_reviews_waiting").set(waiting(reviews));
    }

    /// The next job of these lines that somebody still wants. A person's turn waits for persons alone; one
    /// among bots makes room for all.
    fn pop(&mut self, lines: &[Line]) -> Option<(Job, Load)> {
        for line in lines {
            while let Some(job) = self.lines[*line as usize].pop() {
                if job.stop.is_stopped() || job.teller.is_unheard() {
                    continue;
                }
                let persons = self.line(Line::PersonsTurn).len();
                let others = match line {
                    Line::BotsTurn => self.line(Line::BotsTurn).len(),
                    _ => 0,
                };
                let load = Load { waiting: persons + others, threads: self.threads_for_bots() };
                self.show();
                return Some((job, load));
            }
        }
        self.show();
        None
    }
}

/// How much the latest turn counts in what turns take lately.
const LATEST: f64 = 0.1;

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a job wait.
    fn push(&self, job: Job) {
        self.add(job, FairQueue::push);
    }

    /// Lets a job that a worker elsewhere did not do wait again, before all others of its line: it has waited.
    pub(super) fn put_back(&self, job: Job) {
        self.add(job, FairQueue::put_back);
    }

    fn add(&self, job: Job, add: impl FnOnce(&mut FairQueue<Job>, &str, Job)) {
        let mut state = self.lock();
        let user = job.user.clone();
        add(&mut state.lines[job.line as usize], &user, job);
        state.show();
        drop(state);
        self.more.notify_all();
        self.pushed.notify_one();
    }

    /// The next piece of work for a worker elsewhere.
    pub(super) fn pop_for_elsewhere(&self) -> Option<(Job, Load)> {
        let mut state = self.lock();
        if state.elsewhere == 0 { None } else { state.pop(&Line::ALL) }
    }

    /// Waits until something was pushed.
    pub(super) async fn pushed(&self) {
        self.pushed.notified().await;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// So many threads of workers elsewhere take work; with none those of this server do.
    pub(super) fn set_elsewhere(&self, threads: usize) {
        self.lock().elsewhere = threads;
        self.more.notify_all();
        self.pushed.notify_one();
    }

    pub(super) fn start_thread(self: &Arc<Self>, crew: Crew) {
        let here = Here(self.clone());
        let thread = std::thread::Builder::new().name(crew.name.to_owned());
        if let Err(error) = thread.spawn(move || serve(&here, crew.lines)) {
            tracing::error!(%error, "a thread for the engine could not be started");
        }
    }

    /// A thread has taken a piece of work that waited since then.
    pub(super) fn note_begin(line: Line, queued: Instant) {
        if line.is_turn() {
            let waited = queued.elapsed().as_secs_f64();
            metrics::histogram!("bastide_bot_queue_wait_seconds").record(waited);
        }
    }

    pub(super) fn note_end(&self, line: Line, took: Duration) {
        let seconds = took.as_secs_f64();
        match line {
            Line::PersonsTurn | Line::BotsTurn => {
                metrics::histogram!("bastide_bot_think_seconds").record(seconds);
                let mut state = self.lock();
                state.usual += LATEST * (seconds - state.usual);
            }
            Line::QuickReview | Line::DeepReview => {
                metrics::histogram!("bastide_review_seconds").record(seconds);
            }
            Line::Analysis | Line::Mining => {}
        }
    }

    fn given(self: &Arc<Self>, job: Job, load: Load) -> Given {
        let Job { task, line, stop, queued, teller, .. } = job;
        teller.begin_here();
        let report = Box::new(ToTicket { shared: self.clone(), line, queued, teller });
        Given { task, line, load, stop, report }
    }
}

/// The threads of this server take from its queue.
struct Here(Arc<Shared>);

impl Source for Here {
    fn take(&self, lines: &[Line]) -> Option<Given> {
        let mut state = self.0.lock();
        loop {
            if state.closed {
                return None;
            }
            if state.elsewhere == 0
                && let Some((job, load)) = state.pop(lines)
            {
                drop(state);
                return Some(self.0.given(job, load));
            }
            state = self.0.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn take_now(&self, lines: &[Line]) -> Option<Given> {
        let mut state = self.0.lock();
        if state.elsewhere > 0 {
            return None;
        }
        let (job, load) = state.pop(lines)?;
        drop(state);
        Some(self.0.given(job, load))
    }

    fn is_behind(&self) -> bool {
        self.0.lock().line(Line::PersonsTurn).len() > 0
    }
}

impl Job {
    /// Since when it has waited.
    pub(super) const fn queued(&self) -> Instant {
        self.queued
    }
}

/// Tells who holds the ticket.
struct ToTicket {
    shared: Arc<Shared>,
    line: Line,
    queued: Instant,
    teller: Teller,
}

impl Report for ToTicket {
    fn begun(&self, at: Instant) {
        Shared::note_begin(self.line, self.queued);
        self.teller.tell(Event::Begun(at));
    }

    fn step(&self, step: ReviewedStep) {
        self.teller.tell(Event::Step(Box::new(step)));
    }

    fn done(self: Box<Self>, answer: Answer, took: Duration) -> bool {
        self.shared.note_end(self.line, took);
        self.teller.tell(Event::Done { answer, took });
        // If it was given up, another thread has taken this one's place.
        self.teller.end_here()
    }
}
