//! Reviews that wait or are being made, by the engine and behind all that people wait for (`engine/work`).
//!
//! What was reviewed of a game so far is in memory, for all who watch it; when it is whole it is
//! written to the database, and only then told. A server that ends forgets what was under way: asking
//! again begins anew.

use super::makers::{self, Far, Key, Makers, Told};
use super::store::{self, ReviewedTable};
use super::{check_reviewable, no_review};
use crate::bus::Exchange;
use crate::engine::work::{
    Event, GameReview, Line, Outcome, ReviewedStep, STOPPED, Task, Ticket, WorkQueue,
};
use crate::error::Refusal;
use crate::people::ratings::Pool;
use crate::storage::db::Db;
use crate::storage::records::Stored;
use crate::wire::{Review, ReviewDepth, ReviewJob, ReviewLine, ReviewState};
use axum::body::Bytes;
use search::Stop;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// Reviews that may wait, of everybody and of one user; whoever comes then is asked to try again.
const MOST_WAITING: usize = 200;
const MOST_OF_ONE: usize = 5;

/// The reviews that are being made; clones share them. They stop with the last clone.
#[derive(Clone)]
pub struct Reviews(Arc<Owner>);

/// Does not keep the reviews alive.
pub(super) struct WeakReviews(Weak<Owner>);

impl WeakReviews {
    pub(super) fn upgrade(&self) -> Option<Reviews> {
        self.0.upgrade().map(Reviews)
    }
}

struct Owner(Arc<Shared>);

struct Shared {
    db: Db,
    work: WorkQueue,
    makers: Makers,
    state: Mutex<State>,
}

/// Those that wait and those that are being made.
#[derive(Default)]
struct State {
    jobs: HashMap<Key, Arc<Job>>,
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
    /// Its number in the engine's queue, once it is there.
    number: OnceLock<u64>,
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

    fn begin(&self) {
        self.lock().running = true;
        self.changed.send_replace(());
    }

    fn step(&self, ReviewedStep { step, done, plies }: ReviewedStep) {
        let mut progress = self.lock();
        progress.lines.push(written(&ReviewLine::Step { step, done, plies }));
        progress.done = done;
        drop(progress);
        self.changed.send_replace(());
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
    /// Reviews that this engine makes, and those that other nodes make.
    #[must_use]
    pub fn new(db: Db, work: WorkQueue, exchange: &Exchange) -> Self {
        let makers = Makers::new(exchange);
        let shared = Shared { db, work, makers, state: Mutex::default() };
        let reviews = Self(Arc::new(Owner(Arc::new(shared))));
        makers::listen(&reviews);
        reviews
    }

    /// How many wait or are made on this node.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.0.0.lock().jobs.len()
    }

    pub(super) fn downgrade(&self) -> WeakReviews {
        WeakReviews(Arc::downgrade(&self.0))
    }

    pub(super) fn makers(&self) -> &Makers {
        &self.0.0.makers
    }

    pub(super) fn db(&self) -> &Db {
        &self.0.0.db
    }

    /// Asks for the review of a game. One that is there or being made, on whichever node, is not made again.
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
        let key = (stored.id.clone(), depth);
        match self.makers().claim(&key).await? {
            Some(maker) => self.makers().make(maker, &key, user).await,
            None => self.ask_here(user, stored, depth).await,
        }
    }

    /// Asks for a review that this node makes.
    pub(super) async fn ask_here(
        &self,
        user: &str,
        stored: &Stored,
        depth: ReviewDepth,
    ) -> Result<ReviewJob, Refusal> {
        let begun = self.begin(user, stored, depth).await;
        let key = (stored.id.clone(), depth);
        // One that is there already, or is refused, is made by nobody.
        if !self.0.0.lock().jobs.contains_key(&key) {
            self.makers().release(&key);
        }
        begun
    }

    async fn begin(
        &self,
        user: &str,
        stored: &Stored,
        depth: ReviewDepth,
    ) -> Result<ReviewJob, Refusal> {
        let job = self.look_here(stored, depth).await?;
        if job.state == ReviewState::Done {
            return Ok(job);
        }
        let shared = &self.0.0;
        {
            let mut state = shared.lock();
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
                if shared.work.waiting(&LINES) >= MOST_WAITING {
                    return Err(Refusal::Unavailable(
                        "too many reviews wait; try again when some are done".to_owned(),
                    ));
                }
                let job = Arc::new(job_of(user, stored, key.clone()));
                state.jobs.insert(key, job.clone());
                let task = Task::Review(GameReview {
                    game: job.game.clone(),
                    record: job.record.clone(),
                    depth,
                });
                let ticket = shared.work.push(line_of(depth), user, &job.stop, task);
                job.number.get_or_init(|| ticket.number());
                tokio::spawn(Shared::make(shared.clone(), job, ticket));
            }
        }
        self.look_here(stored, depth).await
    }

    /// Where the review of a game stands.
    ///
    /// # Errors
    /// If the database fails, or the node that makes it does not answer.
    pub async fn look(&self, stored: &Stored, depth: ReviewDepth) -> Result<ReviewJob, Refusal> {
        let key = (stored.id.clone(), depth);
        match self.makers().elsewhere(&key) {
            Some(maker) => self.makers().look(maker, &key).await,
            None => self.look_here(stored, depth).await,
        }
    }

    pub(super) async fn look_here(
        &self,
        stored: &Stored,
        depth: ReviewDepth,
    ) -> Result<ReviewJob, Refusal> {
        let plies = stored.moves.len();
        let key = (stored.id.clone(), depth);
        if let Some(job) = self.0.0.look_at(&key) {
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
    ///
    /// # Errors
    /// If the node that makes it does not answer.
    pub async fn cancel(&self, user: &str, game: &str, depth: ReviewDepth) -> Result<(), Refusal> {
        let key = (game.to_owned(), depth);
        match self.makers().elsewhere(&key) {
            Some(maker) => self.makers().cancel(maker, &key, user).await,
            None => {
                self.cancel_here(user, &key);
                Ok(())
            }
        }
    }

    pub(super) fn cancel_here(&self, user: &str, key: &Key) {
        let mut state = self.0.0.lock();
        let Some(job) = state.jobs.get(key).cloned() else { return };
        let unwanted = {
            let askers = &mut job.lock().askers;
            askers.remove(user) && askers.is_empty()
        };
        if unwanted {
            // Who asks from now on gets a new one.
            state.remove(&job);
            drop(state);
            self.makers().release(key);
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
        let key = (stored.id.clone(), depth);
        match self.makers().elsewhere(&key) {
            Some(maker) => Ok(Watching::Far(Far::new(self, maker, key))),
            None => self.watch_here(stored, depth, Told::default()).await,
        }
    }

    /// Follows a review that this node makes, behind what was told of it.
    pub(super) async fn watch_here(
        &self,
        stored: &Stored,
        depth: ReviewDepth,
        told: Told,
    ) -> Result<Watching, Refusal> {
        let found = self.0.0.lock().jobs.get(&(stored.id.clone(), depth)).cloned();
        if let Some(job) = found {
            let changed = job.changed.subscribe();
            return Ok(Watching::Made { reviews: self.clone(), job, changed, told });
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
        /// What was told of it.
        #[allow(private_interfaces, reason = "who watches reads lines alone")]
        told: Told,
    },
    /// Another node makes it.
    Far(Far),
}

impl Watching {
    /// The last line where the server stops before the review is made; `None` if that was told.
    pub fn give_up(&mut self) -> Option<Bytes> {
        match std::mem::replace(self, Self::There(None)) {
            Self::There(_) => None,
            Self::Made { .. } | Self::Far(_) => {
                let error = "the server is stopping; ask again when it is back".to_owned();
                Some(Bytes::from(format!("{}\n", written(&ReviewLine::Failed { error }))))
            }
        }
    }

    /// What was told so far of a review that is being made here.
    pub(super) const fn told(&self) -> Option<Told> {
        match self {
            Self::Made { told, .. } => Some(*told),
            Self::There(_) | Self::Far(_) => None,
        }
    }

    /// The next line; `None` after the last.
    pub async fn line(&mut self) -> Option<Arc<str>> {
        let (reviews, job, changed, told) = match self {
            Self::There(line) => return line.take(),
            Self::Far(far) => return far.line().await,
            Self::Made { reviews, job, changed, told } => (reviews, job, changed, told),
        };
        loop {
            changed.borrow_and_update();
            let now = reviews.0.0.standing(job);
            if let Some((state, ahead)) = now
                && told.standing.is_none_or(|told| told != (state, ahead))
            {
                told.standing = Some((state, ahead));
                return Some(written(&ReviewLine::State { state, ahead }));
            }
            let (line, last) = {
                let progress = job.lock();
                (progress.lines.get(told.lines).cloned(), progress.last.clone())
            };
            if line.is_some() {
                told.lines += 1;
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
        number: OnceLock::new(),
        progress: Mutex::new(Progress {
            askers: BTreeSet::from([user.to_owned()]),
            ..Progress::default()
        }),
        changed: watch::Sender::new(()),
    }
}

impl State {
    /// Forgets a job, unless another has taken its place; says whether it was there.
    fn remove(&mut self, job: &Arc<Job>) -> bool {
        let there = self.jobs.get(&job.key).is_some_and(|found| Arc::ptr_eq(found, job));
        if there {
            self.jobs.remove(&job.key);
        }
        there
    }
}

const LINES: [Line; 2] = [Line::QuickReview, Line::DeepReview];

const fn line_of(depth: ReviewDepth) -> Line {
    match depth {
        ReviewDepth::Quick => Line::QuickReview,
        ReviewDepth::Deep => Line::DeepReview,
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are made before one that waits: those that run, and those before it in line.
    fn ahead_of(&self, job: &Job) -> usize {
        let line = line_of(job.key.1);
        let in_line = job.number.get().and_then(|number| self.work.ahead_of(line, *number));
        let before = match job.key.1 {
            ReviewDepth::Quick => 0,
            ReviewDepth::Deep => self.work.waiting(&[Line::QuickReview]),
        };
        let jobs: Vec<_> = self.lock().jobs.values().cloned().collect();
        let running = jobs.iter().filter(|job| job.lock().running).count();
        running + before + in_line.unwrap_or_default()
    }

    /// Where a job stands, and how many are made before it at most; `None` if it has ended.
    fn standing(&self, job: &Arc<Job>) -> Option<(ReviewState, usize)> {
        let running = job.lock().running;
        self.lock().jobs.get(&job.key).filter(|found| Arc::ptr_eq(found, job))?;
        Some(match running {
            true => (ReviewState::Running, 0),
            false => (ReviewState::Waiting, self.ahead_of(job)),
        })
    }

    fn look_at(&self, key: &Key) -> Option<ReviewJob> {
        let job = self.lock().jobs.get(key)?.clone();
        let (state, ahead) = self.standing(&job)?;
        let done = job.lock().done;
        Some(ReviewJob { depth: key.1, state, done, plies: job.plies, ahead, review: None })
    }

    /// Follows a review while it is made, keeps it and tells it.
    async fn make(self: Arc<Self>, job: Arc<Job>, mut ticket: Ticket) {
        let made = loop {
            match ticket.event().await {
                Some(Event::Begun(_)) => job.begin(),
                Some(Event::Step(step)) => job.step(*step),
                Some(Event::Done { answer: Ok(Outcome::Review(review)), .. }) => break Ok(review),
                Some(Event::Done { answer: Ok(_), .. }) => {
                    break Err("the review failed".to_owned());
                }
                Some(Event::Done { answer: Err(refusal), .. }) => break Err(refusal.to_string()),
                None => break Err(STOPPED.to_owned()),
            }
        };
        let kept = match made {
            Ok(review) => self.keep(&job, review).await,
            Err(error) => Err(error),
        };
        if self.lock().remove(&job) {
            self.makers.release(&job.key);
        }
        match kept {
            Ok(review) => job.end(&ReviewLine::Done { review }),
            Err(error) => job.end(&ReviewLine::Failed { error }),
        }
    }

    async fn keep(&self, job: &Job, review: Box<Review>) -> Result<Box<Review>, String> {
        match store::insert(&self.db, &job.table, &review).await {
            Ok(()) => Ok(review),
            Err(error) => {
                tracing::error!(game = job.key.0, %error, "a review could not be kept");
                Err("the review could not be stored; ask again".to_owned())
            }
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().jobs.values().for_each(|job| job.stop.stop());
    }
}
