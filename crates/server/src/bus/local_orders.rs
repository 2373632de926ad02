//! Orders in the memory of one process.

use super::BusError;
use super::orders::{Delivery, Lease, MOST_GIVEN, Orders, SILENCE};
use axum::body::Bytes;
use futures_util::future::BoxFuture;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// Orders in the memory of one process; clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalOrders(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    lines: HashMap<String, VecDeque<Waiting>>,
    given: HashMap<u64, Given>,
    last: u64,
}

#[derive(Debug)]
struct Waiting {
    order: Bytes,
    /// How often it was given to somebody.
    times: usize,
}

#[derive(Debug)]
struct Given {
    line: String,
    waiting: Waiting,
    silent_at: Instant,
}

/// Orders that may wait in a line.
const MOST_WAITING: usize = 10_000;

impl LocalOrders {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Puts what was given back to the front of its line, unless it was given too often.
    fn return_to_line(&mut self, number: u64) {
        if let Some(Given { line, waiting, .. }) = self.given.remove(&number)
            && waiting.times < MOST_GIVEN
        {
            self.lines.entry(line).or_default().push_front(waiting);
        }
    }

    fn take(&mut self, line: &str) -> Option<(u64, Bytes)> {
        let now = Instant::now();
        let silent = self.given.iter().filter(|(_, given)| given.silent_at <= now);
        let silent: Vec<u64> = silent.map(|(number, _)| *number).collect();
        silent.into_iter().for_each(|number| self.return_to_line(number));
        let mut waiting = self.lines.get_mut(line)?.pop_front()?;
        waiting.times += 1;
        self.last += 1;
        let order = waiting.order.clone();
        let given = Given { line: line.to_owned(), waiting, silent_at: now + SILENCE };
        self.given.insert(self.last, given);
        Some((self.last, order))
    }
}

impl Orders for LocalOrders {
    fn prepare(&self) -> BoxFuture<'static, Result<(), BusError>> {
        Box::pin(async { Ok(()) })
    }

    fn put(&self, line: &str, order: Bytes) -> BoxFuture<'static, Result<(), BusError>> {
        let mut state = self.lock();
        let line = state.lines.entry(line.to_owned()).or_default();
        let room = line.len() < MOST_WAITING;
        if room {
            line.push_back(Waiting { order, times: 0 });
        }
        Box::pin(async move { if room { Ok(()) } else { Err(BusError::Full) } })
    }

    fn take(&self, line: &str) -> BoxFuture<'static, Result<Option<Delivery>, BusError>> {
        let taken = self.lock().take(line);
        let delivery = taken.map(|(number, order)| {
            let lease = LocalLease { number, orders: self.clone() };
            Delivery { order, lease: Arc::new(lease) }
        });
        Box::pin(async move { Ok(delivery) })
    }
}

#[derive(Debug)]
struct LocalLease {
    number: u64,
    orders: LocalOrders,
}

impl Lease for LocalLease {
    fn keep(&self) -> BoxFuture<'_, ()> {
        if let Some(given) = self.orders.lock().given.get_mut(&self.number) {
            given.silent_at = Instant::now() + SILENCE;
        }
        Box::pin(async {})
    }

    fn done(&self) -> BoxFuture<'_, ()> {
        self.orders.lock().given.remove(&self.number);
        Box::pin(async {})
    }

    fn give_back(&self) -> BoxFuture<'_, ()> {
        self.orders.lock().return_to_line(self.number);
        Box::pin(async {})
    }
}
