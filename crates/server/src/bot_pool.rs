//! Where bots think: a bounded number of threads of their own, apart from those that serve.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The threads on which bots think; clones share them. They end with the last clone.
#[derive(Clone)]
pub struct BotPool(Arc<Owner>);

struct Owner(Arc<Queue>);

#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Where a person waits for the bot.
    first: VecDeque<Job>,
    /// Where bots play among themselves.
    later: VecDeque<Job>,
    closed: bool,
}

/// Who waits for a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// A person: these come first.
    Person,
    /// Nobody but other bots, however many such games there are.
    Nobody,
}

struct Job {
    work: Box<dyn FnOnce() -> Answer + Send>,
    begun: oneshot::Sender<()>,
    done: oneshot::Sender<Answer>,
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

/// A bot that thinks, or waits to.
pub struct Thought {
    begun: Option<oneshot::Receiver<()>>,
    done: oneshot::Receiver<Answer>,
    state: Arc<AtomicU8>,
    pool: BotPool,
}

impl BotPool {
    /// Starts so many threads.
    #[must_use]
    pub fn start(threads: usize) -> Self {
        let queue = Arc::new(Queue::default());
        for _ in 0..threads.max(1) {
            start_thread(queue.clone());
        }
        Self(Arc::new(Owner(queue)))
    }

    /// Queues work. A panic in it is an answer too.
    pub fn think(&self, waits: Waits, work: impl FnOnce() -> Answer + Send + 'static) -> Thought {
        let (begun, has_begun) = oneshot::channel();
        let (done, is_done) = oneshot::channel();
        let state = Arc::new(AtomicU8::new(OPEN));
        let job = Job { work: Box::new(work), begun, done, state: state.clone() };
        let mut waiting = self.0.0.lock();
        match waits {
            Waits::Person => waiting.first.push_back(job),
            Waits::Nobody => waiting.later.push_back(job),
        }
        let length = waiting.first.len() + waiting.later.len();
        metrics::gauge!("bastide_bots_waiting").set(length as f64);
        drop(waiting);
        self.0.0.more.notify_one();
        Thought { begun: Some(has_begun), done: is_done, state, pool: self.clone() }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.more.notify_all();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that can panic happens under the lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return None;
            }
            let Waiting { first, later, .. } = &mut *waiting;
            if let Some(job) = first.pop_front().or_else(|| later.pop_front()) {
                return Some(job);
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn start_thread(queue: Arc<Queue>) {
    let thread = std::thread::Builder::new().name("bot".to_owned());
    let started = thread.spawn(move || {
        give_way();
        while let Some(Job { work, begun, done, state }) = queue.next() {
            // Whoever does not wait any more needs no answer, but a thought takes no thread then.
            if begun.send(()).is_err() {
                continue;
            }
            let answer = catch_unwind(AssertUnwindSafe(work));
            let _ = done.send(answer.unwrap_or_else(|_| Err("it panicked".to_owned())));
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
fn give_way() {
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
    /// Returns when the thinking begins.
    pub async fn begun(&mut self) {
        if let Some(begun) = self.begun.take() {
            // An error means that the pool is gone; the answer says so too.
            let _ = begun.await;
        }
    }

    /// The answer.
    pub async fn answer(&mut self) -> Answer {
        (&mut self.done).await.unwrap_or_else(|_| Err("the pool has ended".to_owned()))
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
    use std::time::Duration;

    #[tokio::test]
    async fn a_panic_is_an_answer_and_the_thread_goes_on() {
        let pool = BotPool::start(1);
        let panics = pool.think(Waits::Person, || panic!("a bot that fails")).answer().await;
        assert_eq!(panics, Err("it panicked".to_owned()));
        let works = pool.think(Waits::Person, || Ok(vec!["pass".to_owned()])).answer().await;
        assert_eq!(works, Ok(vec!["pass".to_owned()]));
    }

    #[tokio::test]
    async fn a_thought_that_never_ends_takes_no_place_once_it_is_given_up() {
        let pool = BotPool::start(1);
        let (release, wait) = mpsc::channel::<()>();
        let mut stuck = pool.think(Waits::Person, move || {
            let _ = wait.recv();
            Ok(Vec::new())
        });
        stuck.begun().await;
        stuck.give_up();
        let mut next = pool.think(Waits::Person, || Ok(Vec::new()));
        let answer = tokio::time::timeout(Duration::from_mins(1), next.answer()).await;
        assert_eq!(answer, Ok(Ok(Vec::new())), "another thread took the place of the stuck one");
        drop(release);
    }

    #[tokio::test]
    async fn bots_for_whom_a_person_waits_come_first() {
        let pool = BotPool::start(1);
        let (release, wait) = mpsc::channel::<()>();
        let (order, told) = mpsc::channel();
        let mut busy = pool.think(Waits::Nobody, move || {
            let _ = wait.recv();
            Ok(Vec::new())
        });
        busy.begun().await;
        let queue = |waits, name: &'static str| {
            let order = order.clone();
            pool.think(waits, move || {
                order.send(name).expect("the test listens");
                Ok(Vec::new())
            })
        };
        let mut among_bots = queue(Waits::Nobody, "among bots");
        let mut for_person = queue(Waits::Person, "for a person");
        drop(release);
        for_person.answer().await.unwrap();
        among_bots.answer().await.unwrap();
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["for a person", "among bots"]);
    }
}
