//! Threads for what is not worth the way through the queue: turns that are compared in a moment, and programs that
//! keep their own position.

use super::analysis::LONGEST;
use crate::error::Refusal;
use search::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Where people's questions are thought about; clones share the threads.
#[derive(Clone, Debug)]
pub struct Analysts {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

/// Questions that may wait; whoever comes then is asked to try again.
const MOST_WAITING: usize = 32;

/// How long beyond its limits a search may take on a busy machine.
pub(super) const GRACE: Duration = Duration::from_secs(30);

impl Analysts {
    /// So many think at the same time.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self::with_queue(threads, MOST_WAITING)
    }

    /// So many think at the same time, and so many questions may be there in all.
    #[must_use]
    pub fn with_queue(threads: usize, most_waiting: usize) -> Self {
        let permits = Arc::new(Semaphore::new(threads.max(1)));
        Self { permits, waiting: Arc::default(), most_waiting }
    }

    /// Waits for a thread of those who think for people; it is given back when it is dropped.
    ///
    /// # Errors
    /// If too many wait.
    pub async fn enter(&self) -> Result<ThinkingThread, QueueFull> {
        let place = Place::take(&self.waiting, self.most_waiting)?;
        // Nobody closes it.
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| QueueFull)?;
        Ok(ThinkingThread { _place: place, _permit: permit })
    }

    /// Does something on a thread of those who think for people; a client that goes away stops it.
    ///
    /// # Errors
    /// Those of the work; or if too many wait, or it takes too long.
    pub async fn run<T: Send + 'static>(
        &self,
        stop: Stop,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let thread = self.enter().await?;
        let _guard = StopOnDrop::new(stop);
        let thinking = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            work()
        });
        match tokio::time::timeout(LONGEST + GRACE, thinking).await {
            Ok(Ok(thoughts)) => thoughts,
            Ok(Err(error)) => {
                tracing::error!(%error, "an analysis failed");
                Err(Refusal::Internal)
            }
            Err(_) => Err(Refusal::Unavailable("the engine did not answer in time".to_owned())),
        }
    }
}

/// The right to think on a thread.
#[derive(Debug)]
pub struct ThinkingThread {
    _place: Place,
    _permit: OwnedSemaphorePermit,
}

/// So many wait already that nobody else may.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many questions to the engine at once; try again in a moment")]
pub struct QueueFull;

impl From<QueueFull> for Refusal {
    fn from(full: QueueFull) -> Self {
        Self::Unavailable(full.to_string())
    }
}

/// A place in the queue, given back when it is dropped.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(waiting: &Arc<AtomicUsize>, most: usize) -> Result<Self, QueueFull> {
        let place = Self(Arc::clone(waiting));
        if waiting.fetch_add(1, Ordering::AcqRel) >= most {
            return Err(QueueFull);
        }
        Ok(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Stops a search when whoever asked is gone.
#[derive(Debug)]
pub struct StopOnDrop(Stop);

impl StopOnDrop {
    /// Stops what this stops.
    #[must_use]
    pub const fn new(stop: Stop) -> Self {
        Self(stop)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn more_than_may_wait_are_turned_away() {
        let analysts = Analysts::with_queue(1, 1);
        let thread = analysts.enter().await.unwrap();
        assert!(matches!(analysts.enter().await, Err(QueueFull)));
        drop(thread);
        analysts.enter().await.unwrap();
    }
}
