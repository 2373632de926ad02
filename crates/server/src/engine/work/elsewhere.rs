//! Hands what waits to workers on other machines while there are any.
//!
//! No more is handed out than they have threads, so that the order in which users are served stays this server's. An
//! order has a number of its own each time it is handed out: an answer that comes late, from a worker that was
//! thought dead or after the bus was away, finds nobody with that number and is dropped.

use super::letters::{BELL, HERE, Here, NEWS, News, Order, STOP, What};
use super::queue::{Job, Shared, WorkQueue};
use super::ticket::Event;
use super::worker::build;
use crate::bus::{BusError, Exchange, NodeId, Orders, WorkBus};
use crate::error::Refusal;
use crate::ids::random_bits;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// A worker that has not been heard for so long is gone.
const GONE: Duration = Duration::from_secs(3);

/// An order of which nothing is heard for so long is handed out again.
const SILENT: Duration = Duration::from_secs(15);

/// How often an order is handed out before it counts as failed.
const ATTEMPTS: u32 = 3;

/// How often it is looked who is gone and what is silent.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How many workers are told that there is work: those with the least of this server's. Others look once a second.
const RUNG: usize = 3;

/// Workers of another version that are remembered, so that each is named once.
const MOST_NAMED: usize = 100;

struct Elsewhere {
    queue: Arc<Shared>,
    orders: Arc<dyn Orders>,
    exchange: Exchange,
    build: String,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    workers: HashMap<NodeId, Worker>,
    /// Workers of another version that were named in the log.
    others: Vec<NodeId>,
    handed: HashMap<u64, Handed>,
}

struct Worker {
    threads: usize,
    heard: Instant,
    /// Orders of this server that it has.
    has: usize,
}

/// An order that a worker has, or will have.
struct Handed {
    job: Job,
    /// Who has it, once somebody does.
    worker: Option<NodeId>,
    heard: Instant,
    /// How much of a review was told.
    steps: usize,
}

/// Why an order is handed out again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blame {
    /// Who had it did not answer.
    Worker,
    /// The bus was away.
    Nobody,
}

impl State {
    fn threads(&self) -> usize {
        self.workers.values().map(|worker| worker.threads).sum()
    }

    /// Nobody is waited for with this order any more.
    fn remove(&mut self, number: u64) -> Option<Handed> {
        let handed = self.handed.remove(&number)?;
        if let Some(worker) = handed.worker.and_then(|worker| self.workers.get_mut(&worker)) {
            worker.has = worker.has.saturating_sub(1);
        }
        Some(handed)
    }
}

/// Joins the workers on a bus, and hands them what waits in a queue while there are any; ends with the queue.
///
/// # Errors
/// If the bus cannot be reached.
pub async fn hand_to_workers(queue: &WorkQueue, bus: WorkBus) -> Result<(), BusError> {
    let me = (random_bits() >> 1) as NodeId;
    let (exchange, messages) = Exchange::join(bus.messages, me).await?;
    let elsewhere = Arc::new(Elsewhere {
        queue: queue.shared(),
        orders: bus.orders,
        exchange: exchange.clone(),
        build: build(),
        state: Mutex::default(),
        changed: Notify::new(),
    });
    let weak = Arc::downgrade(&elsewhere);
    exchange.on_news(HERE, {
        let weak = weak.clone();
        move |worker, here: Here| {
            if let Some(elsewhere) = weak.upgrade() {
                elsewhere.on_here(worker, &here);
            }
        }
    });
    exchange.on_news(NEWS, {
        let weak = weak.clone();
        move |worker, news: News| {
            if let Some(elsewhere) = weak.upgrade() {
                elsewhere.on_news(worker, news);
            }
        }
    });
    exchange.on_interruption(move || {
        if let Some(elsewhere) = weak.upgrade() {
            elsewhere.start_over(Blame::Nobody, |_| true);
        }
    });
    let delivering = tokio::spawn(exchange.deliver(messages));
    tokio::spawn(async move {
        tokio::join!(elsewhere.hand_out(), elsewhere.look());
        delivering.abort();
    });
    Ok(())
}

impl Elsewhere {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_here(&self, worker: NodeId, here: &Here) {
        let mut state = self.lock();
        if here.build != self.build {
            if !state.others.contains(&worker) {
                tracing::warn!(
                    version = here.version,
                    build = here.build,
                    "a worker of another version, or with other nets, gets no work"
                );
                state.others.truncate(MOST_NAMED);
                state.others.insert(0, worker);
            }
            return;
        }
        let before = state.threads();
        let heard = Instant::now();
        let known = state.workers.entry(worker).or_insert_with(|| {
            tracing::info!(worker, threads = here.threads, "a worker is there");
            Worker { threads: 0, heard, has: 0 }
        });
        (known.threads, known.heard) = (here.threads, heard);
        if here.threads == 0 {
            tracing::info!(worker, "a worker leaves");
            state.workers.remove(&worker);
        }
        self.note(&state, before);
    }

    /// Notes how many threads there are, if that has changed.
    fn note(&self, state: &State, before: usize) {
        let threads = state.threads();
        if threads != before {
            metrics::gauge!("bastide_worker_threads").set(threads as f64);
            self.queue.set_elsewhere(threads);
            self.changed.notify_one();
        }
    }

    fn on_news(&self, worker: NodeId, News { number, build, what }: News) {
        let mut state = self.lock();
        let Some(handed) = state.handed.get_mut(&number).filter(|_| build == self.build) else {
            // Late, or not wanted any more.
            drop(state);
            if !matches!(what, What::Done { .. }) {
                self.stop(worker, number);
            }
            return;
        };
        handed.heard = Instant::now();
        match what {
            What::Works if handed.worker == Some(worker) => {}
            What::Works => {
                Shared::note_begin(handed.job.line, handed.job.queued());
                handed.job.teller.tell(Event::Begun(Instant::now()));
                let before = handed.worker.replace(worker);
                if let Some(before) = before.and_then(|before| state.workers.get_mut(&before)) {
                    before.has = before.has.saturating_sub(1);
                }
                if let Some(worker) = state.workers.get_mut(&worker) {
                    worker.has += 1;
                }
            }
            // A worker that begins again tells what was told.
            What::Step(step) if step.done > handed.steps => {
                handed.steps = step.done;
                handed.job.teller.tell(Event::Step(Box::new(step)));
            }
            What::Step(_) => {}
            What::Done { answer, took } => {
                if let Some(Handed { job, .. }) = state.remove(number) {
                    self.queue.note_end(job.line, took);
                    job.teller.tell(Event::Done { answer, took });
                }
                self.changed.notify_one();
            }
        }
    }

    fn stop(&self, worker: NodeId, number: u64) {
        let number = serde_json::to_vec(&number).expect("a number is JSON");
        // A worker that does not hear it works for nothing, until it is done.
        let _ = self.exchange.send(worker, STOP, &number);
    }

    /// Hands out what waits, as long as there are threads for it.
    async fn hand_out(&self) {
        while !self.queue.is_closed() {
            let room = {
                let state = self.lock();
                state.handed.len() < state.threads()
            };
            let next = if room { self.queue.pop_for_elsewhere() } else { None };
            let Some((mut job, load)) = next else {
                tokio::select! {
                    () = self.queue.pushed() => {}
                    () = self.changed.notified() => {}
                }
                continue;
            };
            job.attempts += 1;
            let number = random_bits();
            let order = Order {
                node: self.exchange.me(),
                number,
                line: job.line,
                load,
                task: job.task.clone(),
            };
            let line = format!("{}_{}", self.build, job.line.name());
            let order = serde_json::to_vec(&order).expect("plain data is JSON");
            let handed = Handed { job, worker: None, heard: Instant::now(), steps: 0 };
            self.lock().handed.insert(number, handed);
            if let Err(error) = self.orders.put(&line, order.into()).await {
                tracing::warn!(%error, "work could not be handed to a worker");
                if let Some(handed) = self.lock().remove(number) {
                    self.queue.put_back(handed.job);
                }
                tokio::time::sleep(LOOK_EVERY).await;
                continue;
            }
            self.ring();
        }
    }

    /// Tells those workers who have the least of this server's work that there is more.
    fn ring(&self) {
        let mut idle: Vec<(usize, NodeId)> = {
            let state = self.lock();
            state
                .workers
                .iter()
                .map(|(id, worker)| (worker.has / worker.threads.max(1), *id))
                .collect()
        };
        idle.sort_unstable();
        for (_, worker) in idle.into_iter().take(RUNG) {
            // They look by themselves, too.
            let _ = self.exchange.send(worker, BELL, b"null");
        }
    }

    /// Looks again and again who is gone, what nobody wants any more, and of what nothing is heard.
    async fn look(&self) {
        while !self.queue.is_closed() {
            let before = {
                let mut state = self.lock();
                let before = state.threads();
                state.workers.retain(|id, worker| {
                    let here = worker.heard.elapsed() < GONE;
                    if !here {
                        tracing::warn!(worker = id, "a worker is gone");
                    }
                    here
                });
                before
            };
            self.forget_unwanted();
            let nobody = self.lock().workers.is_empty();
            self.start_over(Blame::Worker, |handed| nobody || handed.heard.elapsed() > SILENT);
            // Threads of this server begin with what was put back.
            self.note(&self.lock(), before);
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn forget_unwanted(&self) {
        let unwanted: Vec<(u64, Option<NodeId>)> = {
            let state = self.lock();
            let stopped =
                |handed: &&Handed| handed.job.stop.is_stopped() || handed.job.teller.is_unheard();
            let all = state.handed.iter().filter(|(_, handed)| stopped(handed));
            all.map(|(number, handed)| (*number, handed.worker)).collect()
        };
        for (number, worker) in unwanted {
            self.lock().remove(number);
            if let Some(worker) = worker {
                self.stop(worker, number);
            }
            self.changed.notify_one();
        }
    }

    /// Lets what was handed out wait again, if it is to; what workers did not answer too often has failed.
    fn start_over(&self, blame: Blame, which: impl Fn(&Handed) -> bool) {
        let mut numbers: Vec<(u64, u64)> = {
            let state = self.lock();
            let over = state.handed.iter().filter(|(_, handed)| which(handed));
            over.map(|(number, handed)| (handed.job.number, *number)).collect()
        };
        // What came first is put back last, before the rest.
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        for (_, number) in numbers {
            let Some(Handed { mut job, .. }) = self.lock().remove(number) else { continue };
            if blame == Blame::Nobody {
                job.attempts -= 1;
            }
            if job.attempts < ATTEMPTS {
                self.queue.put_back(job);
            } else {
                let answer = Err(Refusal::Unavailable("no worker answered".to_owned()));
                job.teller.tell(Event::Done { answer, took: Duration::ZERO });
            }
        }
    }
}
