//! Between its transactions for the tables the journal recomputes the ratings of games that follow from
//! one that was taken back: a piece at a time, so that no move waits for long.

use super::{Job, NotWritten, WriteError, answer, refused};
use crate::people::ratings::{self, Recomputation};
use crate::storage::db::{Db, Fence, Sharing};
use std::time::Duration;
use tokio::time::Instant;

/// How long one piece may take: what a move waits for it at most.
const PIECE: Duration = Duration::from_millis(10);

/// When it is tried again after the database failed.
const AGAIN: Duration = Duration::from_secs(1);

/// How often a node looks for what others queued, and whether it is to do that.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// What is left to be recomputed, and who waits for it.
#[derive(Debug)]
pub(super) struct Recomputing {
    /// When the next piece is due; never if the queue is empty.
    due: Option<Instant>,
    current: Option<Recomputation>,
    waiting: Vec<Job>,
}

impl Recomputing {
    /// A server before this one may have left something.
    pub(super) fn new() -> Self {
        Self { due: Some(Instant::now()), current: None, waiting: Vec::new() }
    }

    /// The time to wait for changes before the next piece is due; none if there is nothing to do.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.due.map(|due| due.saturating_duration_since(Instant::now()))
    }

    /// Something was queued by a job, which is answered once all that follows from it is done.
    pub(super) fn queued(&mut self, job: Job) {
        self.due = Some(Instant::now());
        self.waiting.push(job);
    }

    /// Does the next piece, if it is due.
    pub(super) async fn step(&mut self, db: &Db, fence: &Fence) {
        if self.due.is_none_or(|due| Instant::now() < due) {
            return;
        }
        if !fence.is_first() {
            // One node recomputes for all; whoever waits here is told that it is queued.
            self.current = None;
            self.due = Some(Instant::now() + LOOK_AGAIN);
            self.waiting.drain(..).for_each(|job| answer(job, Ok(())));
            return;
        }
        match self.piece(db, fence).await {
            Ok(true) => {}
            Ok(false) => {
                // Other nodes queue games without telling.
                let shared = fence.sharing() == Sharing::Nodes;
                self.due = shared.then(|| Instant::now() + LOOK_AGAIN);
                self.waiting.drain(..).for_each(|job| answer(job, Ok(())));
            }
            Err(error) => {
                self.due = Some(Instant::now() + AGAIN);
                self.current = None;
                let told: Result<(), NotWritten> = refused(&error);
                self.waiting.drain(..).for_each(|job| answer(job, told));
            }
        }
    }

    /// One piece. Whether there may be more.
    async fn piece(&mut self, db: &Db, fence: &Fence) -> Result<bool, WriteError> {
        let mut transaction = db.begin().await?;
        if !fence.holds(&mut transaction).await? {
            return Err(WriteError::Fenced);
        }
        ratings::one_at_a_time(&mut transaction, db, fence).await?;
        let current = match &mut self.current {
            Some(current) => current,
            none => match Recomputation::first(&mut transaction).await? {
                Some(first) => none.insert(first),
                None => return Ok(false),
            },
        };
        let done = current.step(&mut transaction, Instant::now() + PIECE).await?;
        transaction.commit().await?;
        if done {
            self.current = None;
        }
        Ok(true)
    }
}
