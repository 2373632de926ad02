//! One server owns a database: a second one on the same is told so instead of playing the same
//! games.
//!
//! Two things say whose it is. A lock keeps a second server from starting; it can end without
//! anybody being told, with the connection that holds it. So whoever takes the database also raises
//! a number in it, the epoch, and every transaction that changes a game carries the epoch that its
//! server raised (`play/journal`): a server that lost its right changes nothing, whether it has
//! noticed or not.

use super::{DatabaseKind, Db, OpenError, sqlite_file};
use crate::time;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection, Executor, Row};
use std::fs::{File, TryLockError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

/// A database that is this process's own until this is released or the process ends, however it
/// ends.
#[derive(Debug)]
pub struct Ownership {
    url: String,
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// A lock on a file beside the database.
    File(File),
    /// A lock of a connection, which the database gives up with it.
    Connection(Box<AnyConnection>),
}

/// The number of our lock among those that a database knows.
const LOCK: i64 = 0x0062_6173_7469_6465;

/// A process that was killed may still be leaving.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the connection that holds the lock may take to answer before it counts as ended.
const ANSWER: Duration = Duration::from_secs(3);

/// How often it is noted that the server runs.
const NOTE_EVERY: Duration = Duration::from_secs(10);

/// Lets PostgreSQL notice within half a minute that the machine of a server is gone, and with it its
/// lock.
const KEEPALIVE: &str = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; \
                         SET tcp_keepalives_count = 3";

impl Ownership {
    /// Takes a database for this process.
    ///
    /// # Errors
    /// If another process has it, or it cannot be reached.
    pub async fn take(url: &str) -> Result<Self, OpenError> {
        install_default_drivers();
        let until = Instant::now() + PATIENCE;
        loop {
            match try_take(url).await? {
                Some(held) => return Ok(Self { url: url.to_owned(), held }),
                None if Instant::now() < until => sleep(Duration::from_millis(100)).await,
                None => return Err(OpenError::InUse(super::place_of(url))),
            }
        }
    }

    /// Looks whether the database is still this process's own, and takes a lock that has ended
    /// again if nobody else has taken the database meanwhile.
    pub async fn look_after(&mut self, db: &Db, fence: &Fence) {
        let mut epoch = self.epoch(db).await;
        if epoch.is_none() && matches!(self.held, Held::Connection(_)) {
            fence.set(LeaseState::Seeking);
            match timeout(ANSWER, try_take(&self.url)).await {
                Ok(Ok(Some(held))) => {
                    self.held = held;
                    epoch = self.epoch(db).await;
                }
                // Another server has it and raises the epoch in a moment, or what is left of our
                // own connection does. Whether we still may write is in the database.
                Ok(Ok(None)) => {
                    if fence.is_raised(db).await {
                        fence.lose();
                    }
                    return;
                }
                Ok(Err(_)) | Err(_) => return,
            }
        }
        match epoch {
            Some(epoch) if epoch != fence.epoch() => fence.lose(),
            Some(_) => fence.set(LeaseState::Held),
            None => {}
        }
    }

    /// The epoch as the database has it, asked over the connection that holds the lock.
    async fn epoch(&mut self, db: &Db) -> Option<i64> {
        let query = sqlx::query_scalar(EPOCH);
        let asked = async {
            match &mut self.held {
                Held::File(_) => query.fetch_one(&db.pool).await,
                Held::Connection(connection) => query.fetch_one(&mut **connection).await,
            }
        };
        timeout(ANSWER, asked).await.ok()?.ok()
    }

    /// Gives the database back.
    pub async fn release(self) {
        match self.held {
            Held::File(file) => drop(file),
            Held::Connection(connection) => {
                // One that is broken has given up the lock already.
                let _ = timeout(ANSWER, connection.close()).await;
            }
        }
    }
}

async fn try_take(url: &str) -> Result<Option<Held>, OpenError> {
    match DatabaseKind::of(url)? {
        DatabaseKind::Sqlite => {
            let mut path = sqlite_file(url)?.into_os_string();
            path.push(".lock");
            let failed = |error| OpenError::Lock(path.display().to_string(), error);
            let mut options = File::options();
            options.write(true).create(true).truncate(false);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => Ok(Some(Held::File(file))),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(failed(error)),
            }
        }
        DatabaseKind::Postgres => {
            let failed = |error| OpenError::database(url, &error);
            let mut connection = AnyConnection::connect(url).await.map_err(failed)?;
            connection.execute(KEEPALIVE).await.map_err(failed)?;
            let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
            let taken: bool = lock.fetch_one(&mut connection).await.map_err(failed)?;
            Ok(taken.then_some(Held::Connection(Box::new(connection))))
        }
    }
}

const EPOCH: &str = "SELECT epoch FROM owner WHERE id = 1";

/// The right of this server to change games; clones share it.
#[derive(Clone, Debug)]
pub struct Fence(Arc<Raised>);

#[derive(Debug)]
struct Raised {
    kind: DatabaseKind,
    epoch: i64,
    /// Milliseconds in which no server ran, summed up.
    down: i64,
    state: watch::Sender<LeaseState>,
}

/// Whether the database is this server's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaseState {
    /// It is.
    Held,
    /// The lock has ended, and is being taken again. What is written is still checked.
    Seeking,
    /// Another server has taken it. This one writes nothing any more.
    Lost,
}

impl Fence {
    /// Raises the epoch: from now on no server before this one changes a game.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn raise(db: &Db) -> Result<Self, sqlx::Error> {
        let sql = "INSERT INTO owner (id, epoch, taken, alive, down) VALUES (1, 1, $1, $1, 0) \
                   ON CONFLICT (id) DO UPDATE SET epoch = owner.epoch + 1, taken = excluded.taken, \
                   alive = excluded.alive, down = owner.down + CASE \
                   WHEN excluded.alive > owner.alive THEN excluded.alive - owner.alive ELSE 0 END \
                   RETURNING epoch, down";
        let row = sqlx::query(sql).bind(time::now()).fetch_one(&db.pool).await?;
        let (epoch, down) = (row.try_get("epoch")?, row.try_get("down")?);
        let state = watch::Sender::new(LeaseState::Held);
        Ok(Self(Arc::new(Raised { kind: db.kind, epoch, down, state })))
    }

    /// The epoch that this server raised.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.0.epoch
    }

    /// Whether a transaction may still change games; until it ends nobody raises the epoch.
    pub(crate) async fn holds(&self, transaction: &mut AnyConnection) -> Result<bool, sqlx::Error> {
        let sql = match self.0.kind {
            // It has its turn among the writers already.
            DatabaseKind::Sqlite => EPOCH,
            DatabaseKind::Postgres => "SELECT epoch FROM owner WHERE id = 1 FOR SHARE",
        };
        let epoch: i64 = sqlx::query_scalar(sql).fetch_one(transaction).await?;
        if epoch != self.0.epoch {
            self.lose();
        }
        Ok(epoch == self.0.epoch)
    }

    /// Whether another server has raised the epoch; not if the database does not answer.
    async fn is_raised(&self, db: &Db) -> bool {
        let asked = sqlx::query_scalar::<_, i64>(EPOCH).fetch_one(&db.pool);
        matches!(timeout(ANSWER, asked).await, Ok(Ok(epoch)) if epoch != self.0.epoch)
    }

    /// Notes that the server runs: what comes after the last note counts as time in which none did.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn note_alive(&self, db: &Db) -> Result<(), sqlx::Error> {
        let sql = "UPDATE owner SET alive = $1 WHERE id = 1 AND epoch = $2";
        let note = sqlx::query(sql).bind(time::now()).bind(self.0.epoch);
        note.execute(&db.pool).await.map(|_| ())
    }

    /// How often that is to be done.
    #[must_use]
    pub const fn note_every() -> Duration {
        NOTE_EVERY
    }

    /// The time now, in Unix milliseconds, without the time in which no server ran.
    #[must_use]
    pub fn served_time(&self) -> i64 {
        time::now() - self.0.down
    }

    /// Whether the database is this server's own.
    #[must_use]
    pub fn lease_state(&self) -> LeaseState {
        *self.0.state.borrow()
    }

    /// Returns when another server has taken the database.
    pub async fn lost(&self) {
        let mut state = self.0.state.subscribe();
        // The sender lives in `self`, so waiting cannot fail.
        let _ = state.wait_for(|state| *state == LeaseState::Lost).await;
    }

    fn lose(&self) {
        self.set(LeaseState::Lost);
    }

    /// What was lost stays lost.
    fn set(&self, now: LeaseState) {
        let changed = self.0.state.send_if_modified(|state| {
            let changes = *state != now && *state != LeaseState::Lost;
            if changes {
                *state = now;
            }
            changes
        });
        match now {
            LeaseState::Held if changed => tracing::info!("the database's lock is taken again"),
            LeaseState::Seeking if changed => {
                tracing::warn!("the database's lock has ended; it is being taken again");
            }
            LeaseState::Lost if changed => tracing::error!(
                "another server has taken the database; this one changes nothing more and stops"
            ),
            _ => {}
        }
    }
}
