//! The journal: one task writes for all tables, everything that waits in one transaction.
//!
//! A table that changes hands its rows to the journal and tells nobody before the transaction is
//! committed. Many tables that change at the same time share one commit, and so one wait for the
//! disk: that is what lets a thousand moves a second be safe.
//!
//! Every transaction first asks whether this server still owns the games ([`Fence`]): one that lost
//! the database to another server changes nothing.

mod recomputing;

use crate::people::moderation::sanctions;
use crate::people::{fairplay, ratings};
use crate::storage::db::{Db, Fence, Statement};
use recomputing::Recomputing;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

/// Where tables write; cheap to clone.
#[derive(Clone, Debug)]
pub struct Journal(mpsc::Sender<Job>);

/// One table's change: all of it is written, or nothing.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Statements, run in order before the log is written.
    pub statements: Vec<Statement>,
    /// New entries of the log.
    pub log: Vec<LogRow>,
    /// A game that is over with this change: its ratings are settled in the same transaction.
    pub over: Option<String>,
    /// A game whose rating is taken back. It goes this way because nobody else settles ratings. It is
    /// written with the rest; what follows from it for later games comes after that, and then the
    /// answer.
    pub annul: Option<Annulment>,
    /// Whether somebody may have written the same before, under a key that is there once: then it is not
    /// written again, and that is no fault.
    pub may_be_written: bool,
}

/// The taking back of a game's rating, with what is kept of it.
#[derive(Clone, Debug)]
pub struct Annulment {
    /// The game.
    pub game: String,
    /// Who took it back, and why.
    pub(crate) sanction: sanctions::PendingSanction,
}

/// An entry of a game's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogRow {
    /// The game.
    pub game: String,
    /// Which entry, from 1.
    pub ply: i64,
    /// The seat it is about.
    pub seat: Option<i64>,
    /// What kind of entry.
    pub kind: &'static str,
    /// The move, the outcome, or what else the kind needs.
    pub body: String,
    /// Unix time in milliseconds.
    pub at: i64,
    /// Milliseconds left by seat, as a JSON list.
    pub clocks: String,
    /// Milliseconds that a person took for the turn which ends here.
    pub spent: Option<i64>,
}

/// Why a transaction was rolled back.
#[derive(Debug, thiserror::Error)]
enum WriteError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error("another server has taken the database")]
    Fenced,
    #[error("a row is not as the table believed: {0}")]
    Unexpected(&'static str),
}

/// A change that could not be written. Whether it was is settled by reading the log again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the change could not be written")]
pub struct NotWritten;

#[derive(Debug)]
struct Job {
    change: Change,
    done: oneshot::Sender<Result<(), NotWritten>>,
}

/// Changes that wait before a table has to wait to hand in its own.
const WAITING: usize = 4096;

/// The most changes in one transaction.
const GROUP: usize = 512;

/// The least time from one transaction to the next: when many tables change, those of so long share
/// one, which costs each of them less than its own would. A change that comes alone does not wait.
const PACE: Duration = Duration::from_millis(2);

impl Journal {
    /// Starts the task that writes as long as this server owns the games. It ends when all clones
    /// of the journal are gone.
    #[must_use]
    pub fn start(db: Db, fence: Fence) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        tokio::spawn(write_all(db, fence, receiver));
        Self(sender)
    }

    /// Writes a change; when this returns, it is on the disk.
    ///
    /// # Errors
    /// If the database refuses it or fails.
    pub async fn write(&self, change: Change) -> Result<(), NotWritten> {
        let (done, written) = oneshot::channel();
        self.0.send(Job { change, done }).await.map_err(|_| NotWritten)?;
        written.await.map_err(|_| NotWritten)?
    }
}

impl Journal {
    /// How many changes wait to be written.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }
}

async fn write_all(db: Db, fence: Fence, mut jobs: mpsc::Receiver<Job>) {
    let mut group = Vec::with_capacity(GROUP);
    let mut next = Instant::now();
    let mut recomputing = Recomputing::new();
    loop {
        let waiting = jobs.recv_many(&mut group, GROUP);
        let received = match recomputing.patience() {
            None => Some(waiting.await),
            Some(patience) => timeout(patience, waiting).await.ok(),
        };
        match received {
            Some(0) => return,
            Some(_) => {
                if Instant::now() < next {
                    sleep_until(next).await;
                    while group.len() < GROUP
                        && let Ok(job) = jobs.try_recv()
                    {
                        group.push(job);
                    }
                }
                next = Instant::now() + PACE;
                write_jobs(&db, &fence, &mut group, &mut recomputing).await;
            }
            None => {}
        }
        recomputing.step(&db, &fence).await;
    }
}

/// Writes all jobs of a group and answers them.
async fn write_jobs(db: &Db, fence: &Fence, group: &mut Vec<Job>, recomputing: &mut Recomputing) {
    metrics::histogram!("bastide_journal_group").record(group.len() as f64);
    let changes: Vec<&Change> = group.iter().map(|job| &job.change).collect();
    let begun = Instant::now();
    let together = write_group(db, fence, &changes).await;
    metrics::histogram!("bastide_commit_seconds").record(begun.elapsed().as_secs_f64());
    match together {
        Ok(()) => group.drain(..).for_each(|job| written(job, recomputing)),
        Err(error) if group.len() == 1 || matches!(error, WriteError::Fenced) => {
            group.drain(..).for_each(|job| refuse(job, &error));
        }
        // One of them is at fault; the others must not suffer for it.
        Err(_) => {
            for job in group.drain(..) {
                match write_group(db, fence, &[&job.change]).await {
                    Ok(()) => written(job, recomputing),
                    Err(error) => refuse(job, &error),
                }
            }
        }
    }
}

fn written(job: Job, recomputing: &mut Recomputing) {
    match job.change.annul {
        Some(_) => recomputing.queued(job),
        None => answer(job, Ok(())),
    }
}

fn answer(job: Job, result: Result<(), NotWritten>) {
    // A table that does not wait any more has ended; its log is read again when it is needed.
    let _ = job.done.send(result);
}

fn refuse(job: Job, error: &WriteError) {
    let known = job.change.may_be_written && is_written_already(error);
    let told = if known { Err(NotWritten) } else { refused(error) };
    answer(job, told);
}

fn is_written_already(error: &WriteError) -> bool {
    let WriteError::Database(error) = error else { return false };
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

fn refused(error: &WriteError) -> Result<(), NotWritten> {
    tracing::error!(%error, "the journal could not write a change");
    metrics::counter!("bastide_journal_failures_total").increment(1);
    Err(NotWritten)
}

/// How often a transaction is tried again that the database gave up for another one.
const RETRIES: usize = 3;

async fn write_group(db: &Db, fence: &Fence, changes: &[&Change]) -> Result<(), WriteError> {
    for _ in 0..RETRIES {
        match try_group(db, fence, changes).await {
            Err(error) if gave_way(&error) => tracing::warn!(%error, "a change is written again"),
            done => return done,
        }
    }
    try_group(db, fence, changes).await
}

/// Whether PostgreSQL gave a transaction up because it and another one waited for each other. All of
/// it is undone then, and nothing is wrong with it.
fn gave_way(error: &WriteError) -> bool {
    let WriteError::Database(sqlx::Error::Database(error)) = error else { return false };
    matches!(error.code().as_deref(), Some("40001" | "40P01"))
}

async fn try_group(db: &Db, fence: &Fence, changes: &[&Change]) -> Result<(), WriteError> {
    let mut transaction = db.begin().await?;
    // One cheap statement for all changes of the group; the lock that it takes on PostgreSQL makes
    // another server wait with raising the epoch until this transaction has ended.
    if !fence.holds(&mut transaction).await? {
        return Err(WriteError::Fenced);
    }
    if changes.iter().any(|change| change.over.is_some() || change.annul.is_some()) {
        ratings::one_at_a_time(&mut transaction, db, fence).await?;
    }
    for statement in changes.iter().flat_map(|change| &change.statements) {
        if !statement.run(&mut transaction).await? {
            return Err(WriteError::Unexpected(statement.sql()));
        }
    }
    let rows: Vec<&LogRow> = changes.iter().flat_map(|change| &change.log).collect();
    insert_log(&mut transaction, &rows).await?;
    for game in changes.iter().filter_map(|change| change.over.as_ref()) {
        ratings::on_game_over(&mut transaction, game).await?;
        fairplay::on_game_over(&mut transaction, game).await?;
    }
    for annulment in changes.iter().filter_map(|change| change.annul.as_ref()) {
        // Twice at the same time is once.
        if ratings::annul(&mut transaction, &annulment.game).await? {
            sanctions::insert(&mut transaction, db, &annulment.sanction).await?;
        }
    }
    Ok(transaction.commit().await?)
}

/// Statements that insert 64, 16, 4 or 1 rows: few, so that they stay prepared.
static INSERTS: LazyLock<[(usize, String); 4]> =
    LazyLock::new(|| [64, 16, 4, 1].map(|rows| (rows, insert_of(rows))));

const COLUMNS: usize = 8;

fn insert_of(rows: usize) -> String {
    let row = |index: usize| {
        let at = index * COLUMNS;
        let places: Vec<String> = (1..=COLUMNS).map(|column| format!("${}", at + column)).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!(
        "INSERT INTO log (game_id, ply, seat, kind, body, at, clocks, spent) VALUES {}",
        rows.join(", ")
    )
}

async fn insert_log(to: &mut AnyConnection, mut rows: &[&LogRow]) -> Result<(), sqlx::Error> {
    for (size, sql) in &*INSERTS {
        while rows.len() >= *size {
            let (now, later) = rows.split_at(*size);
            let query = now.iter().fold(sqlx::query(sql.as_str()), |query, row| bind(query, row));
            query.execute(&mut *to).await?;
            rows = later;
        }
    }
    Ok(())
}

fn bind<'q>(query: Query<'q, Any, AnyArguments>, row: &LogRow) -> Query<'q, Any, AnyArguments> {
    query
        .bind(row.game.clone())
        .bind(row.ply)
        .bind(row.seat)
        .bind(row.kind)
        .bind(row.body.clone())
        .bind(row.at)
        .bind(row.clocks.clone())
        .bind(row.spent)
}
