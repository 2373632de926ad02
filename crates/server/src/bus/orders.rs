//! Work that waits for whoever has time: an order is given to one worker, and to another if that one falls
//! silent.

use super::BusError;
use axum::body::Bytes;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::Duration;

/// How long a worker may be silent about an order before another gets it.
pub(super) const SILENCE: Duration = Duration::from_secs(4);

/// How often an order is given to somebody at most.
pub(super) const MOST_GIVEN: usize = 2;

/// Lines of orders.
pub trait Orders: Send + Sync + std::fmt::Debug + 'static {
    /// Makes sure that orders can be put and taken.
    ///
    /// # Errors
    /// If they cannot; says why.
    fn prepare(&self) -> BoxFuture<'static, Result<(), BusError>>;

    /// Puts an order at the end of a line. The name of a line has no dots or spaces.
    ///
    /// # Errors
    /// If it may not have arrived, or too many wait.
    fn put(&self, line: &str, order: Bytes) -> BoxFuture<'static, Result<(), BusError>>;

    /// The next order of a line, if one waits.
    ///
    /// # Errors
    /// If the bus does not answer.
    fn take(&self, line: &str) -> BoxFuture<'static, Result<Option<Delivery>, BusError>>;
}

/// An order, and the right to carry it out.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// What is to be done.
    pub order: Bytes,
    /// The right to do it.
    pub lease: Arc<dyn Lease>,
}

/// The right to carry out an order, which ends by silence. What cannot be told is noticed as silence.
pub trait Lease: Send + Sync + std::fmt::Debug {
    /// It is being carried out.
    fn keep(&self) -> BoxFuture<'_, ()>;

    /// Nobody needs it any more.
    fn done(&self) -> BoxFuture<'_, ()>;

    /// Another worker may have it at once.
    fn give_back(&self) -> BoxFuture<'_, ()>;
}
