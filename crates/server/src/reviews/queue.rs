//! Where reviews are made: threads of their own, behind the bots that people wait for, one game of
//! each user in turn. Quick ones go first: a deep one lets them pass after each of its steps.
//!
//! What was reviewed of a game so far is in memory, for all who watch it; when it is whole it is
//! written to the database, and only then told. A server that ends forgets what was under way: asking
//! again begins anew.

use super::store::{self, ReviewedTable};
use super::told::{told_review, told_step};
use super::{check_reviewable, depth_of, no_review};
use crate::engine::bot_pool::give_way;
use crate::engine::fair_queue::FairQueue;
use crate::error::Refusal;
use crate::games::{Hosted, RecordError, WithGame, with_game};
use crate::people::ratings::Pool;
use crate::storage::db::Db;
use crate::storage::records::Stored;
use crate::wire::{Review, ReviewDepth, ReviewJob, ReviewLine, ReviewState};
use axum::body::Bytes;
use bots::review::{ReviewError, Step};
use search::Stop;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Reviews that may wait, of everybody and of one user; whoever comes then is asked to try again.
const MOST_WAITING: usize = 200;
const MOST_OF_ONE: usize = 5;

/// What those are told who watch a review that is stopped.
const STOPPED: &str = "the review was stopped";

/// A game and a depth.
type Key = (String, ReviewDepth);

/// The reviews that are being made; clones share them. The threads end with the last clone.
#[derive(Clone)]
pub struct Reviews(Arc<Owner>);

struct Owner(Arc<Queue>);

struct Queue {
    db: Db,
    runtime: Handle,
    /// Whether people wait for bots: then a review stands still for a moment after each step.
    behind: Box<dyn Fn() -> bool + Send + Sync>,
    state: Mutex<State>,
    more: Condvar,
}

#[derive(Default)]
struct State {
    quick: FairQueue<Arc<Job>>,
    deep: FairQueue<Arc<Job>>,
    /// Those that wait and those that are being made.
    jobs: HashMap<Key, Arc<Job>>,
    closed: bool,
}

/// A review that waits or is being made.
struct Job {
    key: Key,
    /// The game's type and its record.
    game: String,
    record: String,
    plies: usize,
    table: ReviewedTable,
    stop: Stop,
    progress: Mutex<Progress>,
    /// Changes with every step, and when the review ends.
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Progress {
    /// The ids of those who want it.
    askers: BTreeSet<String>,
    running: bool,
    /// Lines for those who watch, one a step.
    lines: Vec<Arc<str>>,
    done: usize,
    /// The last line, once there will be no more.
    last: Option<Arc<str>>,
}

impl Job {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        // Nothing that can panic happens under the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, line: &ReviewLine) {
        self.lock().last = Some(written(line));
        self.changed.send_replace(());
    }
}

fn written(line: &ReviewLine) -> Arc<str> {
    serde_json::to_string(line).expect("plain data is JSON").into()
}

impl Reviews {
    /// Starts so many threads. `behind` says whether people wait for bots.
    pub fn start(
        db: Db,
        threads: usize,
        behind: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        let queue = Arc::new(Queue {
            db,
            runtime: Handle::current(),
            behind: Box::new(behind),
            state: Mutex::default(),
            more: Condvar::new(),
        });
        for _ in 0..threads.max(1) {
            let queue = queue.clone();
            let thread = std::thread::Builder::new().name("review".to_owned());
            let started = thread.spawn(move || {
                give_way();
                while let Some(job) = queue.next() {
                    queue.make(&job);
                }
            });
            if let Err(error) = started {
                tracing::error!(%error, "a thread for reviews could not be started");
            }
        }
        Self(Arc::new(Owner(queue)))
    }

    /// Asks for the review of a game. One that is there or being made is not made again.
    ///
    /// # Errors
    /// If the game cannot be reviewed, or too many reviews wait.
    pub async fn ask(
        &self,
        user: &str,
        stored: &Stored,
        depth: ReviewDepth,
    ) -> Result<ReviewJob, Refusal> {
        check_reviewable(stored)?;
        let job = self.look(stored, depth).await?;
        if job.state == ReviewState::Done {
            return Ok(job);
        }
        let queue = &self.0.0;
        {
            let mut state = queue.lock();
            let key = (stored.id.clone(), depth);
            if let Some(job) = state.jobs.get(&key) {
                job.lock().askers.insert(user.to_owned());
            } else {
                let own = |job: &Arc<Job>| job.lock().askers.contains(user);
                let of_user = state.jobs.values().filter(|job| own(job)).count();
                if of_user >= MOST_OF_ONE {
                    return Err(Refusal::Conflict(format!(
                        "{MOST_OF_ONE} reviews that you asked for wait or are being made; ask again when \
                         one is done"
                    )));
                }
                if state.waiting() >= MOST_WAITING {
                    return Err(Refusal::Unavailable(
                        "too many reviews wait; try again when some are done".to_owned(),
                    ));
                }
                let job = Arc::new(job_of(user, stored, key.clone()));
                state.push(user, job.clone());
                state.jobs.insert(key, job);
                state.show();
            }
        }
        queue.more.notify_one();
        self.look(stored, depth).await
    }

    /// Where the review of a game stands.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn look(&self, stored: &Stored, depth: ReviewDepth) -> Result<ReviewJob, Refusal> {
        let plies = stored.moves.len();
        let key = (stored.id.clone(), depth);
        if let Some(job) = self.0.0.lock().look(&key) {
            return Ok(job);
        }
        // What is not being made any more is in the database by now.
        let review = store::find(&self.0.0.db, &stored.id, depth).await?;
        let (state, done) = match review {
            Some(_) => (ReviewState::Done, plies),
            None => (ReviewState::Absent, 0),
        };
        Ok(ReviewJob { depth, state, done, plies, ahead: 0, review })
    }

    /// A user no longer wants a review; it stops if nobody else does.
    pub fn cancel(&self, user: &str, game: &str, depth: ReviewDepth) {
        let mut state = self.0.0.lock();
        let Some(job) = state.jobs.get(&(game.to_owned(), depth)).cloned() else { return };
        let unwanted = {
            let askers = &mut job.lock().askers;
            askers.remove(user) && askers.is_empty()
        };
        if unwanted {
            // Who asks from now on gets a new one.
            state.remove(&job);
            job.stop.stop();
            job.end(&ReviewLine::Failed { error: STOPPED.to_owned() });
        }
    }

    /// Follows a review that waits or is being made, from its first step on; one that is there is
    /// told at once.
    ///
    /// # Errors
    /// If nobody has asked for it.
    pub async fn watch(&self, stored: &Stored, depth: ReviewDepth) -> Result<Watching, Refusal> {
        let found = self.0.0.lock().jobs.get(&(stored.id.clone(), depth)).cloned();
        if let Some(job) = found {
            let changed = job.changed.subscribe();
            return Ok(Watching::Made { reviews: self.clone(), job, changed, next: 0, told: None });
        }
        let review = store::find(&self.0.0.db, &stored.id, depth).await?;
        let review = Box::new(review.ok_or_else(|| no_review(depth))?);
        Ok(Watching::There(Some(written(&ReviewLine::Done { review }))))
    }
}

/// Somebody who watches a review.
pub enum Watching {
    /// It is there: one line.
    There(Option<Arc<str>>),
    /// It is being made.
    Made {
        /// Where it is made.
        reviews: Reviews,
        /// Which one.
        #[allow(private_interfaces, reason = "who watches reads lines alone")]
        job: Arc<Job>,
        /// Wakes who watches.
        changed: watch::Receiver<()>,
        /// The next line.
        next: usize,
        /// What was told of where it stands.
        told: Option<(ReviewState, usize)>,
    },
}

impl Watching {
    /// The last line where the server stops before the review is made; `None` if that was told.
    pub fn give_up(&mut self) -> Option<Bytes> {
        match std::mem::replace(self, Self::There(None)) {
            Self::There(_) => None,
            Self::Made { .. } => {
                let error = "the server is stopping; ask again when it is back".to_owned();
                Some(Bytes::from(format!("{}\n", written(&ReviewLine::Failed { error }))))
            }
        }
    }

    /// The next line; `None` after the last.
    pub async fn line(&mut self) -> Option<Arc<str>> {
        let (reviews, job, changed, next, told) = match self {
            Self::There(line) => return line.take(),
            Self::Made { reviews, job, changed, next, told } => (reviews, job, changed, next, told),
        };
        loop {
            changed.borrow_and_update();
            let now = reviews.0.0.lock().standing(job);
            if let Some((state, ahead)) = now
                && told.is_none_or(|told| told != (state, ahead))
            {
                *told = Some((state, ahead));
                return Some(written(&ReviewLine::State { state, ahead }));
            }
            let (line, last) = {
                let progress = job.lock();
                (progress.lines.get(*next).cloned(), progress.last.clone())
            };
            if line.is_some() {
                *next += 1;
                return line;
            }
            if let Some(last) = last {
                *self = Self::There(None);
                return Some(last);
            }
            // The sender lives in the job, so waiting cannot fail. Others that end change nothing
            // here but the place in the queue, which is looked at now and then.
            let _ = tokio::time::timeout(Duration::from_secs(2), changed.changed()).await;
        }
    }
}

fn job_of(user: &str, stored: &Stored, key: Key) -> Job {
    let subjects = stored.seats.iter().map(|seat| match (&seat.user, &seat.bot) {
        (Some(user), _) => Some(format!("user:{user}")),
        (None, Some(bot)) => Some(format!("bot:{}/{bot}", stored.game)),
        (None, None) => None,
    });
    let pool = Pool::of(&stored.setup, stored.seats.len()).filter(|_| stored.rated);
    Job {
        game: stored.game.clone(),
        record: stored.record(),
        plies: stored.moves.len(),
        table: ReviewedTable { game: stored.id.clone(), pool, subjects: subjects.collect() },
        key,
        stop: Stop::new(),
        progress: Mutex::new(Progress {
            askers: BTreeSet::from([user.to_owned()]),
            ..Progress::default()
        }),
        changed: watch::Sender::new(()),
    }
}

impl State {
    fn show(&self) {
        metrics::gauge!("bastide_reviews_waiting").set(self.waiting() as f64);
    }

    const fn waiting(&self) -> usize {
        self.quick.len() + self.deep.len()
    }

    fn push(&mut self, user: &str, job: Arc<Job>) {
        match job.key.1 {
            ReviewDepth::Quick => self.quick.push(user, job),
            ReviewDepth::Deep => self.deep.push(user, job),
        }
    }

    /// The next job that somebody still wants, which begins now.
    fn pop(&mut self, only_quick: bool) -> Option<Arc<Job>> {
        loop {
            let deep = |state: &mut Self| if only_quick { None } else { state.deep.pop() };
            let job = self.quick.pop().or_else(|| deep(self))?;
            self.show();
            if !job.stop.is_stopped() {
                job.lock().running = true;
                job.changed.send_replace(());
                return Some(job);
            }
        }
    }

    /// How many are made before one that waits: those that run, and those before it in line.
    fn ahead_of(&self, job: &Arc<Job>) -> usize {
        let is_it = |other: &Arc<Job>| Arc::ptr_eq(other, job);
        let running = self.jobs.len().saturating_sub(self.waiting());
        let in_line = match job.key.1 {
            ReviewDepth::Quick => self.quick.ahead_of(is_it),
            ReviewDepth::Deep => self.deep.ahead_of(is_it).map(|ahead| ahead + self.quick.len()),
        };
        running + in_line.unwrap_or_default()
    }

    /// Forgets a job, unless another has taken its place.
    fn remove(&mut self, job: &Arc<Job>) {
        if self.jobs.get(&job.key).is_some_and(|found| Arc::ptr_eq(found, job)) {
            self.jobs.remove(&job.key);
        }
    }

    /// Where a job stands, and how many are made before it at most; `None` if it has ended.
    fn standing(&self, job: &Arc<Job>) -> Option<(ReviewState, usize)> {
        let running = job.lock().running;
        self.jobs.get(&job.key).filter(|found| Arc::ptr_eq(found, job))?;
        Some(match running {
            true => (ReviewState::Running, 0),
            false => (ReviewState::Waiting, self.ahead_of(job)),
        })
    }

    fn look(&self, key: &Key) -> Option<ReviewJob> {
        let job = self.jobs.get(key)?;
        let (state, ahead) = self.standing(job)?;
        let done = job.lock().done;
        Some(ReviewJob { depth: key.1, state, done, plies: job.plies, ahead, review: None })
    }
}

/// How long a review stands still after a step while people wait for bots.
const STEP_ASIDE: Duration = Duration::from_millis(250);

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Arc<Job>> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(job) = state.pop(false) {
                return Some(job);
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes a review, keeps it and tells it.
    fn make(&self, job: &Arc<Job>) {
        let begun = std::time::Instant::now();
        let made = catch_unwind(AssertUnwindSafe(|| self.reviewed(job)));
        let made = made.unwrap_or_else(|_| {
            tracing::error!(game = job.key.0, "a review panicked");
            Err("the review failed".to_owned())
        });
        let kept = made.and_then(|review| {
            let kept = self.runtime.block_on(store::insert(&self.db, &job.table, &review));
            kept.map(|()| review).map_err(|error| {
                tracing::error!(game = job.key.0, %error, "a review could not be kept");
                "the review could not be stored; ask again".to_owned()
            })
        });
        self.lock().remove(job);
        match kept {
            Ok(review) => {
                metrics::histogram!("bastide_review_seconds").record(begun.elapsed().as_secs_f64());
                job.end(&ReviewLine::Done { review: Box::new(review) });
            }
            Err(error) => job.end(&ReviewLine::Failed { error }),
        }
    }

    fn reviewed(&self, job: &Job) -> Result<Review, String> {
        let mut each = |step: &Step, done: usize, plies: usize| {
            let line = written(&ReviewLine::Step { step: told_step(step), done, plies });
            let mut progress = job.lock();
            progress.lines.push(line);
            progress.done = done;
            drop(progress);
            job.changed.send_replace(());
            if (self.behind)() {
                std::thread::sleep(STEP_ASIDE);
            }
            while job.key.1 == ReviewDepth::Deep && !job.stop.is_stopped() {
                let Some(quick) = self.lock().pop(true) else { break };
                self.make(&quick);
            }
        };
        let work = Make { job, each: &mut each };
        with_game(&job.game, work).map_err(|refusal| refusal.to_string())?
    }
}

struct Make<'a> {
    job: &'a Job,
    each: &'a mut dyn FnMut(&Step, usize, usize),
}

impl WithGame for Make<'_> {
    type Out = Result<Review, String>;

    fn with<G: Hosted>(self) -> Self::Out {
        let record =
            G::read_record(&self.job.record).map_err(|error: RecordError| error.to_string())?;
        let made = G::review(&record, depth_of(self.job.key.1), &self.job.stop, self.each);
        match made.ok_or_else(|| format!("games of {} are not reviewed", G::NAME))? {
            Ok(review) => Ok(told_review(review)),
            Err(ReviewError::Stopped) => Err(STOPPED.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        state.jobs.values().for_each(|job| job.stop.stop());
        drop(state);
        self.0.more.notify_all();
    }
}
