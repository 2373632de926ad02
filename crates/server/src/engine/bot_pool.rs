//! Where bots think: a bounded number of threads of their own, apart from those that serve.
//!
//! Turns are shared out round robin by user, and the more turns wait, the less each may take
//! ([`Load::share`]): an answer takes about as long as one unhurried thought, however many play.

use super::fair_queue::FairQueue;
use search::Stop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The threads on which bots think; clones share them. They end with the last clone.
#[derive(Clone)]
pub struct BotPool(Arc<Owner>);

struct Owner(Arc<Queue>);

struct Queue {
    threads: usize,
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Where a person waits for the bot.
    first: FairQueue<Job>,
    /// Where bots play among themselves.
    later: FairQueue<Job>,
    /// How long thoughts took lately, in seconds.
    usual: f64,
    closed: bool,
}

/// Who waits for a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waits {
    /// A person, by the id of the user: these come first, one turn of each in turn.
    Person(String),
    /// Nobody but other bots, in a game that this user made.
    Nobody(String),
}

/// How busy the pool is when a thought begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Turns that wait, beside the one that begins.
    pub waiting: usize,
    /// Threads that take them.
    pub threads: usize,
}

impl Load {
    /// The share of its usual time and nodes that a thought gets. With it those who wait now are
    /// all answered within the time of one usual thought.
    #[must_use]
    pub fn share(self) -> f64 {
        let threads = self.threads.max(1) as f64;
        threads / (threads + self.waiting as f64)
    }
}

struct Job {
    work: Box<dyn FnOnce(Load) -> Answer + Send>,
    stop: Stop,
    queued: Instant,
    begun: oneshot::Sender<Instant>,
    done: oneshot::Sender<Answered>,
    state: Arc<AtomicU8>,
}

/// A thought is open until it is done or given up, whichever comes first.
const OPEN: u8 = 0;
const DONE: u8 = 1;
const GIVEN_UP: u8 = 2;

fn settle(state: &AtomicU8, how: u8) -> bool {
    state.compare_exchange(OPEN, how, Ordering::AcqRel, Ordering::Acquire).is_ok()
}

/// What comes of thinking: moves, or why there are none.
type Answer = Result<Vec<String>, String>;

/// An answer, and how long the thread took for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// Moves, or why there are none.
    pub moves: Answer,
    /// From the moment at which a thread took the turn.
    pub took: Duration,
}

/// A bot that thinks, or waits to.
pub struct Thought {
    begun: Option<oneshot::Receiver<Instant>>,
    done: oneshot::Receiver<Answered>,
    state: Arc<AtomicU8>,
    pool: BotPool,
}

impl BotPool {
    /// Starts so many threads.
    #[must_use]
    pub fn start(threads: usize) -> Self {
        let threads = threads.max(1);
        let queue = Queue { threads, waiting: Mutex::default(), more: Condvar::new() };
        let queue = Arc::new(queue);
        for _ in 0..threads {
            start_thread(queue.clone());
        }
        Self(Arc::new(Owner(queue)))
    }

    /// Queues work, which is told how busy the pool is when it begins. A panic in it is an answer
    /// too. Work that is stopped while it waits never begins.
    pub fn think(
        &self,
        waits: &Waits,
        stop: &Stop,
        work: impl FnOnce(Load) -> Answer + Send + 'static,
    ) -> Thought {
        let (begun, has_begun) = oneshot::channel();
        let (done, is_done) = oneshot::channel();
        let state = Arc::new(AtomicU8::new(OPEN));
        let (work, queued, stop) = (Box::new(work), Instant::now(), stop.clone());
        let job = Job { work, stop, queued, begun, done, state: state.clone() };
        let mut waiting = self.0.0.lock();
        match waits {
            Waits::Person(user) => waiting.first.push(user, job),
            Waits::Nobody(host) => waiting.later.push(host, job),
        }
        waiting.show();
        drop(waiting);
        self.0.0.more.notify_one();
        Thought { begun: Some(has_begun), done: is_done, state, pool: self.clone() }
    }

    /// Whether somebody waits for a bot for which there is no thread.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.0.0.lock().first.len() > 0
    }

    /// How long somebody who asks now will wait for a thread, by what thoughts took lately; at
    /// least as long as somebody has waited already.
    #[must_use]
    pub fn expected_wait(&self) -> Duration {
        let waiting = self.0.0.lock();
        let ahead = waiting.first.len() as f64 * waiting.usual / self.0.0.threads as f64;
        let ahead = Duration::try_from_secs_f64(ahead).unwrap_or(Duration::MAX);
        let longest = waiting.first.fronts().map(|job| job.queued.elapsed()).max();
        ahead.max(longest.unwrap_or_default())
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.more.notify_all();
    }
}

impl Waiting {
    fn show(&self) {
        let length = self.first.len() + self.later.len();
        metrics::gauge!("bastide_bots_waiting").set(length as f64);
    }

    /// The next job that somebody still wants. A person's waits for persons alone; one among bots
    /// makes room for all.
    fn next(&mut self, threads: usize) -> Option<(Job, Load)> {
        loop {
            let of_person = self.first.pop();
            let persons = of_person.is_some();
            let job = of_person.or_else(|| self.later.pop())?;
            if !job.stop.is_stopped() {
                let others = if persons { 0 } else { self.later.len() };
                return Some((job, Load { waiting: self.first.len() + others, threads }));
            }
        }
    }
}

/// How much the latest thought counts in what thoughts take lately.
const LATEST: f64 = 0.1;

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that can panic happens under the lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<(Job, Load)> {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return None;
            }
            let next = waiting.next(self.threads);
            waiting.show();
            if next.is_some() {
                return next;
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn note(&self, took: Duration) {
        let mut waiting = self.lock();
        waiting.usual += LATEST * (took.as_secs_f64() - waiting.usual);
    }
}

fn start_thread(queue: Arc<Queue>) {
    let thread = std::thread::Builder::new().name("bot".to_owned());
    let started = thread.spawn(move || {
        give_way();
        while let Some((job, load)) = queue.next() {
            let Job { work, queued, begun, done, state, .. } = job;
            let begins = Instant::now();
            // Whoever does not wait any more needs no answer, but a thought takes no thread then.
            if begun.send(begins).is_err() {
                continue;
            }
            let waited = begins.duration_since(queued).as_secs_f64();
            metrics::histogram!("bastide_bot_queue_wait_seconds").record(waited);
            let moves = catch_unwind(AssertUnwindSafe(|| work(load)));
            let took = begins.elapsed();
            metrics::histogram!("bastide_bot_think_seconds").record(took.as_secs_f64());
            queue.note(took);
            let moves = moves.unwrap_or_else(|_| Err("it panicked".to_owned()));
            let _ = done.send(Answered { moves, took });
            if !settle(&state, DONE) {
                // Another thread has taken this one's place.
                return;
            }
        }
    });
    if let Err(error) = started {
        tracing::error!(%error, "a thread for bots could not be started");
    }
}

/// Lets the threads that serve people go first where cores are few: a search takes what is left.
/// A low priority is not enough for that: a thread that wakes would still wait for the search's
/// time slice, and would not be given the core on which only a search runs.
pub(crate) fn give_way() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
            set_thread_priority_and_policy, thread_native_id,
        };
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let done = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
        if let Err(error) = done {
            tracing::warn!(%error, "bots think with the priority of everything else");
        }
    }
}

impl Thought {
    /// When the thinking began, once it has; `None` if it never will.
    pub async fn begun(&mut self) -> Option<Instant> {
        match self.begun.take() {
            // An error means that nobody wants it any more, or the pool is gone.
            Some(begun) => begun.await.ok(),
            None => None,
        }
    }

    /// The answer.
    pub async fn answer(&mut self) -> Answered {
        let ended = |_| Answered { moves: Err("nobody thinks".to_owned()), took: Duration::ZERO };
        (&mut self.done).await.unwrap_or_else(ended)
    }

    /// The thought takes too long: its thread is replaced, so that the pool keeps its size.
    pub fn give_up(self) {
        if settle(&self.state, GIVEN_UP) {
            start_thread(self.pool.0.0.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn person(name: &str) -> Waits {
        Waits::Person(name.to_owned())
    }

    fn pass(_: Load) -> Answer {
        Ok(vec!["pass".to_owned()])
    }

    /// A pool whose one thread is busy until the sender is dropped.
    async fn busy_pool() -> (BotPool, mpsc::Sender<()>, Thought) {
        let pool = BotPool::start(1);
        let (release, wait) = mpsc::channel::<()>();
        let mut busy = pool.think(&Waits::Nobody("h".to_owned()), &Stop::new(), move |_| {
            let _ = wait.recv();
            Ok(Vec::new())
        });
        busy.begun().await;
        (pool, release, busy)
    }

    #[tokio::test]
    async fn a_panic_is_an_answer_and_the_thread_goes_on() {
        let pool = BotPool::start(1);
        let stop = Stop::new();
        let panics = pool.think(&person("a"), &stop, |_| panic!("a bot that fails")).answer().await;
        assert_eq!(panics.moves, Err("it panicked".to_owned()));
        let works = pool.think(&person("a"), &stop, pass).answer().await;
        assert_eq!(works.moves, Ok(vec!["pass".to_owned()]));
    }

    #[tokio::test]
    async fn a_thought_that_never_ends_takes_no_place_once_it_is_given_up() {
        let (pool, release, stuck) = busy_pool().await;
        stuck.give_up();
        let mut next = pool.think(&person("a"), &Stop::new(), pass);
        let answer = tokio::time::timeout(Duration::from_mins(1), next.answer()).await;
        assert!(answer.is_ok(), "another thread took the place of the stuck one");
        drop(release);
    }

    #[tokio::test]
    async fn each_person_has_a_turn_before_anybody_has_a_second_and_bots_come_last() {
        let (pool, release, _busy) = busy_pool().await;
        let (order, told) = mpsc::channel();
        let queue = |waits: Waits, name: &'static str| {
            let order = order.clone();
            pool.think(&waits, &Stop::new(), move |load| {
                order.send((name, load.waiting)).expect("the test listens");
                Ok(Vec::new())
            })
        };
        let mut thoughts = vec![queue(Waits::Nobody("h".to_owned()), "among bots")];
        for name in ["greedy 1", "greedy 2", "greedy 3"] {
            thoughts.push(queue(person("greedy"), name));
        }
        thoughts.push(queue(person("modest"), "modest 1"));
        drop(release);
        for thought in &mut thoughts {
            thought.answer().await.moves.unwrap();
        }
        let served: Vec<_> = told.try_iter().collect();
        let expected =
            [("greedy 1", 3), ("modest 1", 2), ("greedy 2", 1), ("greedy 3", 0), ("among bots", 0)];
        assert_eq!(served, expected, "with how many persons' turns waited behind each");
    }

    #[tokio::test]
    async fn what_is_stopped_while_it_waits_never_begins() {
        let (pool, release, _busy) = busy_pool().await;
        let stop = Stop::new();
        let mut stopped = pool.think(&person("a"), &stop, |_| panic!("it began"));
        let mut wanted = pool.think(&person("a"), &Stop::new(), pass);
        stop.stop();
        drop(release);
        assert!(wanted.answer().await.moves.is_ok());
        assert_eq!(stopped.begun().await, None);
    }

    #[tokio::test]
    async fn the_wait_is_foretold_from_those_who_wait() {
        let (pool, release, _busy) = busy_pool().await;
        assert_eq!(pool.expected_wait(), Duration::ZERO);
        let _waits = pool.think(&person("a"), &Stop::new(), pass);
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert!(pool.expected_wait() >= Duration::from_millis(30), "it has waited so long already");
        drop(release);
    }

    #[test]
    fn the_more_wait_the_less_each_gets_and_all_are_answered_in_the_time_of_one() {
        let share = |waiting, threads| Load { waiting, threads }.share();
        assert_eq!((share(0, 1), share(0, 3)), (1.0, 1.0));
        assert_eq!((share(1, 1), share(3, 3)), (0.5, 0.5));
        for waiting in 0..300 {
            assert!(share(waiting + 1, 2) < share(waiting, 2));
            // Analysis of this length, one after the other on each thread.
            assert!(share(waiting, 2) * waiting as f64 / 2.0 < 1.0);
        }
    }
}
