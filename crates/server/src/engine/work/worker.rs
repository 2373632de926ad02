//! A machine that works for servers elsewhere: threads that take orders from the bus.

use super::carry_out::{Given, Report, Source, serve};
use super::letters::{BELL, HERE, Here, NEWS, News, Order, STOP, What};
use super::task::{Answer, Line, ReviewedStep};
use crate::bus::{BusError, Delivery, Exchange, Lease, NodeId, Orders, WorkBus};
use crate::ids::random_bits;
use search::Stop;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// What this program is: its version and its nets. Only programs that are the same work for each other.
#[must_use]
pub fn build() -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    for (name, net) in bots::nets::files() {
        hash.update(name.as_bytes()).update(net);
    }
    hash.finalize().to_hex()[..16].to_owned()
}

/// How often a worker says that it is there, and what it does.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// How long a worker that finds nothing waits before it looks again, unless it is told of work.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long what was stopped may take to end before another thread takes its place.
const STUCK: Duration = Duration::from_secs(20);

/// A worker; it works until it is told to stop.
pub struct Worker {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

struct Shared {
    orders: Arc<dyn Orders>,
    exchange: Exchange,
    build: String,
    threads: usize,
    runtime: Handle,
    running: Mutex<HashMap<Key, Running>>,
    /// One thread at a time looks for work: what waits is found in its order.
    looking: Mutex<()>,
    bell: Notify,
    ended: Notify,
    leaving: AtomicBool,
    done: AtomicU64,
}

/// The node that wants it, and its number for it.
type Key = (NodeId, u64);

struct Running {
    line: Line,
    stop: Stop,
    lease: Arc<dyn Lease>,
    /// Since when nobody wants it any more.
    stopped: Option<Instant>,
}

impl Worker {
    /// Joins the bus and begins to work on so many threads.
    ///
    /// # Errors
    /// If the bus cannot be reached, or knows no orders.
    pub async fn start(bus: WorkBus, threads: usize) -> Result<Self, BusError> {
        let threads = threads.max(1);
        bus.orders.prepare().await?;
        let me = (random_bits() >> 1) as NodeId;
        let (exchange, messages) = Exchange::join(bus.messages, me).await?;
        let shared = Arc::new(Shared {
            orders: bus.orders,
            exchange: exchange.clone(),
            build: build(),
            threads,
            runtime: Handle::current(),
            running: Mutex::default(),
            looking: Mutex::default(),
            bell: Notify::new(),
            ended: Notify::new(),
            leaving: AtomicBool::new(false),
            done: AtomicU64::new(0),
        });
        let weak = Arc::downgrade(&shared);
        exchange.on_news(BELL, {
            let weak = weak.clone();
            move |_, ()| {
                if let Some(shared) = weak.upgrade() {
                    shared.bell.notify_one();
                }
            }
        });
        exchange.on_news(STOP, move |node, number: u64| {
            if let Some(shared) = weak.upgrade() {
                shared.stop((node, number));
            }
        });
        for _ in 0..threads {
            shared.start_thread();
        }
        let tasks = vec![
            tokio::spawn(exchange.deliver(messages)),
            tokio::spawn(Shared::keep_telling(shared.clone())),
        ];
        Ok(Self { shared, tasks })
    }

    /// How much it has done so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.shared.done.load(Ordering::Acquire)
    }

    /// Takes nothing new, gives reviews back, and ends when the turns and analyses that were begun are done, or
    /// after so long.
    pub async fn stop(self, patience: Duration) {
        let shared = &self.shared;
        shared.leaving.store(true, Ordering::Release);
        shared.tell_here();
        shared.bell.notify_waiters();
        let long: Vec<Key> = {
            let running = shared.lock();
            let long = running.iter().filter(|(_, running)| !running.line.is_short());
            long.map(|(key, _)| *key).collect()
        };
        for key in long {
            if let Some(running) = shared.take(key) {
                running.stop.stop();
                running.lease.give_back().await;
            }
        }
        let all_done = async {
            loop {
                let ended = shared.ended.notified();
                if shared.lock().is_empty() {
                    return;
                }
                ended.await;
            }
        };
        let unfinished = tokio::time::timeout(patience, all_done).await.is_err();
        tracing::info!(done = self.done(), "the worker ends");
        if unfinished {
            tracing::warn!("some work was not done in time; other workers will do it");
        }
        // What was told last must reach the bus.
        tokio::time::sleep(Duration::from_millis(100)).await;
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.leaving.store(true, Ordering::Release);
        self.shared.bell.notify_waiters();
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Running>> {
        // Nothing that can panic happens under the lock.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_thread(self: &Arc<Self>) {
        let source = FromBus(self.clone());
        let thread = std::thread::Builder::new().name("worker".to_owned());
        if let Err(error) = thread.spawn(move || serve(&source, &Line::ALL)) {
            tracing::error!(%error, "a thread for the engine could not be started");
        }
    }

    fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Acquire)
    }

    /// Whoever takes it out answers for it: a thread when it is done, or who finds that it must not go on.
    fn take(&self, key: Key) -> Option<Running> {
        let running = self.lock().remove(&key);
        self.ended.notify_waiters();
        running
    }

    fn stop(&self, key: Key) {
        if let Some(running) = self.lock().get_mut(&key) {
            running.stop.stop();
            running.stopped.get_or_insert_with(Instant::now);
        }
    }

    fn tell_here(&self) {
        let threads = if self.is_leaving() { 0 } else { self.threads };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.exchange.tell_all(HERE, &Here { build: self.build.clone(), version, threads });
    }

    fn tell(&self, (node, number): Key, what: What) {
        let news = News { number, build: self.build.clone(), what };
        let news = serde_json::to_vec(&news).expect("plain data is JSON");
        if let Err(error) = self.exchange.send(node, NEWS, &news) {
            tracing::warn!(%error, "a server could not be told of its work");
        }
    }

    /// Says again and again that this worker is there and what it does.
    async fn keep_telling(shared: Arc<Self>) {
        loop {
            if !shared.is_leaving() {
                shared.tell_here();
            }
            let (mut kept, mut stuck) = (Vec::new(), Vec::new());
            for (key, running) in &*shared.lock() {
                match running.stopped {
                    Some(since) if since.elapsed() > STUCK => stuck.push(*key),
                    _ => kept.push((*key, running.lease.clone())),
                }
            }
            for (key, lease) in kept {
                shared.tell(key, What::Works);
                lease.keep().await;
            }
            for key in stuck {
                if let Some(running) = shared.take(key) {
                    tracing::error!("a search does not stop; another thread takes its place");
                    shared.start_thread();
                    running.lease.done().await;
                }
            }
            tokio::time::sleep(TELL_EVERY).await;
        }
    }

    /// The next order of these lines, if one waits.
    async fn look(&self, lines: &[Line]) -> Option<(Line, Delivery)> {
        for line in lines {
            let name = format!("{}_{}", self.build, line.name());
            match self.orders.take(&name).await {
                Ok(Some(delivery)) => return Some((*line, delivery)),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "no work can be taken now");
                    return None;
                }
            }
        }
        None
    }
}

impl Line {
    /// Whether it is done in a moment, so that a worker that ends finishes it.
    const fn is_short(self) -> bool {
        matches!(self, Self::PersonsTurn | Self::Analysis | Self::BotsTurn)
    }
}

/// The threads of a worker take from the bus.
struct FromBus(Arc<Shared>);

impl FromBus {
    fn given(&self, delivery: Delivery) -> Option<Given> {
        let Delivery { order, lease } = delivery;
        let order: Order = match serde_json::from_slice(&order) {
            Ok(order) => order,
            Err(error) => {
                tracing::warn!(%error, "an order cannot be read");
                self.0.runtime.block_on(lease.done());
                return None;
            }
        };
        let Order { node, number, line, load, task } = order;
        let (key, stop) = ((node, number), Stop::new());
        let mut all = self.0.lock();
        if let Some(running) = all.get_mut(&key) {
            // It was thought lost, but is being done here.
            running.lease = lease;
            return None;
        }
        all.insert(key, Running { line, stop: stop.clone(), lease, stopped: None });
        drop(all);
        let report = Box::new(ToNode { shared: self.0.clone(), key });
        Some(Given { task, line, load, stop, report })
    }
}

impl Source for FromBus {
    fn take(&self, lines: &[Line]) -> Option<Given> {
        loop {
            if self.0.is_leaving() {
                return None;
            }
            if let Some(given) = self.take_now(lines) {
                return Some(given);
            }
            self.0.runtime.block_on(async {
                let _ = tokio::time::timeout(LOOK_EVERY, self.0.bell.notified()).await;
            });
        }
    }

    fn take_now(&self, lines: &[Line]) -> Option<Given> {
        if lines.is_empty() || self.0.is_leaving() {
            return None;
        }
        let _one = self.0.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, delivery) = self.0.runtime.block_on(self.0.look(lines))?;
        self.given(delivery)
    }

    fn is_behind(&self) -> bool {
        // What is more urgent passes on the same threads.
        false
    }
}

/// Tells the node that wants it.
struct ToNode {
    shared: Arc<Shared>,
    key: Key,
}

impl Report for ToNode {
    fn begun(&self, _: Instant) {
        self.shared.tell(self.key, What::Works);
    }

    fn step(&self, step: ReviewedStep) {
        self.shared.tell(self.key, What::Step(step));
    }

    fn done(self: Box<Self>, answer: Answer, took: Duration) -> bool {
        // Given back, or another thread has taken this one's place.
        let Some(running) = self.shared.lock().remove(&self.key) else { return false };
        if running.stopped.is_none() {
            self.shared.done.fetch_add(1, Ordering::AcqRel);
            self.shared.tell(self.key, What::Done { answer, took });
        }
        self.shared.runtime.block_on(running.lease.done());
        self.shared.ended.notify_waiters();
        true
    }
}
