//! Who may change the games of a database: one server alone, or several nodes, each the games that
//! it holds.
//!
//! Two things say whose it is. A lock keeps a second server from starting, unless both are nodes,
//! which share it; it can end without anybody being told, with the connection that holds it. So
//! whoever takes the database also raises a number in it, the epoch, which from then on is the name
//! of its row among the nodes, and every transaction that changes a game looks whether that row is
//! still there (`play/journal`): a server that lost its right changes nothing, whether it has
//! noticed or not. `nodes` says how a node keeps its row, and how others take it away.

use super::{DatabaseKind, Db, OpenError, exposure, nodes, sqlite_file};
use crate::time;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection, Executor, Row};
use std::fs::{File, TryLockError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

/// A database that is this process's own until this is released or the process ends, however it
/// ends.
#[derive(Debug)]
pub struct Ownership {
    url: String,
    sharing: Sharing,
    held: Held,
}

/// With whom a database is shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// With nobody: one server has all games.
    Alone,
    /// With other nodes: each has the games that it holds.
    Nodes,
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
    pub async fn take(url: &str, sharing: Sharing) -> Result<Self, OpenError> {
        install_default_drivers();
        let until = Instant::now() + PATIENCE;
        loop {
            match try_take(url, sharing).await? {
                Some(held) => return Ok(Self { url: url.to_owned(), sharing, held }),
                None if Instant::now() < until => sleep(Duration::from_millis(100)).await,
                None => return Err(OpenError::InUse(super::place_of(url))),
            }
        }
    }

    /// Looks whether the database is still this process's own, and takes a lock that has ended
    /// again if nobody else has taken the database meanwhile.
    pub async fn look_after(&mut self, db: &Db, fence: &Fence) {
        let mut stands = self.stands(db, fence).await;
        if stands.is_none() && matches!(self.held, Held::Connection(_)) {
            fence.set(LeaseState::Seeking);
            match timeout(ANSWER, try_take(&self.url, self.sharing)).await {
                Ok(Ok(Some(held))) => {
                    self.held = held;
                    stands = self.stands(db, fence).await;
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
        match stands {
            Some(false) => fence.lose(),
            Some(true) => fence.set(LeaseState::Held),
            None => {}
        }
    }

    /// Whether the epoch still counts, asked over the connection that holds the lock.
    async fn stands(&mut self, db: &Db, fence: &Fence) -> Option<bool> {
        let query = sqlx::query_scalar::<_, i64>(STANDS).bind(fence.epoch());
        let asked = async {
            match &mut self.held {
                Held::File(_) => query.fetch_one(&db.pool).await,
                Held::Connection(connection) => query.fetch_one(&mut **connection).await,
            }
        };
        Some(timeout(ANSWER, asked).await.ok()?.ok()? > 0)
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

async fn try_take(url: &str, sharing: Sharing) -> Result<Option<Held>, OpenError> {
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
            let locked = match sharing {
                Sharing::Alone => file.try_lock(),
                Sharing::Nodes => file.try_lock_shared(),
            };
            match locked {
                Ok(()) => Ok(Some(Held::File(file))),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(failed(error)),
            }
        }
        DatabaseKind::Postgres => {
            exposure::check_encryption(url)?;
            let failed = |error| OpenError::database(url, &error);
            let mut connection = AnyConnection::connect(url).await.map_err(failed)?;
            connection.execute(KEEPALIVE).await.map_err(failed)?;
            let lock = match sharing {
                Sharing::Alone => "SELECT pg_try_advisory_lock($1)",
                Sharing::Nodes => "SELECT pg_try_advisory_lock_shared($1)",
            };
            let lock = sqlx::query_scalar(lock).bind(LOCK);
            let taken: bool = lock.fetch_one(&mut connection).await.map_err(failed)?;
            Ok(taken.then_some(Held::Connection(Box::new(connection))))
        }
    }
}

const STANDS: &str = "SELECT COUNT(*) FROM nodes WHERE epoch = $1";

/// The right of this server to change games; clones share it.
#[derive(Clone, Debug)]
pub struct Fence(Arc<Raised>);

#[derive(Debug)]
struct Raised {
    kind: DatabaseKind,
    sharing: Sharing,
    epoch: i64,
    /// The name of the database among others.
    cluster: String,
    /// Milliseconds in which no server ran, summed up.
    down: i64,
    /// Whether no node is older.
    first: AtomicBool,
    /// Whether this server has given up its right by itself.
    left: AtomicBool,
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
    /// Raises the epoch. A server that is to be alone takes the right of all before it; a node
    /// joins those that there are.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn raise(db: &Db, sharing: Sharing) -> Result<Self, sqlx::Error> {
        let now = time::now();
        let mut transaction = db.begin().await?;
        // Whoever raises the epoch at the same time waits here.
        let first = "INSERT INTO owner (id, epoch, taken, alive, down) VALUES (1, 0, $1, $1, 0) \
                     ON CONFLICT (id) DO UPDATE SET taken = excluded.taken";
        sqlx::query(first).bind(now).execute(&mut *transaction).await?;
        let others = match sharing {
            Sharing::Alone => 0,
            Sharing::Nodes => nodes::count_living(&mut transaction, db.kind).await?,
        };
        if others == 0 {
            nodes::remove_all(&mut transaction).await?;
            let down = "UPDATE owner SET down = down + CASE WHEN $1 > alive THEN $1 - alive ELSE 0 END, \
                        alive = $1 WHERE id = 1";
            sqlx::query(down).bind(now).execute(&mut *transaction).await?;
        }
        let raise = "UPDATE owner SET epoch = epoch + 1, cluster = COALESCE(cluster, $1) WHERE id = 1 \
                     RETURNING epoch, down, cluster";
        let raise = sqlx::query(raise).bind(crate::ids::new_id());
        let row = raise.fetch_one(&mut *transaction).await?;
        let (epoch, down) = (row.try_get("epoch")?, row.try_get("down")?);
        let cluster = row.try_get("cluster")?;
        nodes::insert(&mut transaction, db.kind, epoch).await?;
        transaction.commit().await?;
        let state = watch::Sender::new(LeaseState::Held);
        Ok(Self(Arc::new(Raised {
            kind: db.kind,
            sharing,
            epoch,
            cluster,
            down,
            first: AtomicBool::new(others == 0),
            left: AtomicBool::new(false),
            state,
        })))
    }

    /// The epoch that this server raised.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.0.epoch
    }

    /// With whom the database is shared.
    #[must_use]
    pub fn sharing(&self) -> Sharing {
        self.0.sharing
    }

    /// Whether this is the one server, or the oldest node: it does what must be done once.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.0.first.load(Ordering::Acquire)
    }

    /// Notes whether an older node is there.
    pub(super) fn set_first(&self, first: bool) {
        self.0.first.store(first, Ordering::Release);
    }

    /// The name of the database among others, for a bus that several use.
    #[must_use]
    pub fn cluster(&self) -> &str {
        &self.0.cluster
    }

    /// Whether a transaction may still change games; until it ends nobody takes that right away.
    pub(crate) async fn holds(&self, transaction: &mut AnyConnection) -> Result<bool, sqlx::Error> {
        let sql = match self.0.kind {
            // It has its turn among the writers already.
            DatabaseKind::Sqlite => "SELECT epoch FROM nodes WHERE epoch = $1",
            DatabaseKind::Postgres => "SELECT epoch FROM nodes WHERE epoch = $1 FOR SHARE",
        };
        let found: Option<i64> =
            sqlx::query_scalar(sql).bind(self.0.epoch).fetch_optional(transaction).await?;
        if found.is_none() {
            self.lose();
        }
        Ok(found.is_some())
    }

    /// Whether this server's right was taken away; not if the database does not answer.
    async fn is_raised(&self, db: &Db) -> bool {
        let asked = sqlx::query_scalar::<_, i64>(STANDS).bind(self.0.epoch).fetch_one(&db.pool);
        matches!(timeout(ANSWER, asked).await, Ok(Ok(0)))
    }

    /// Notes that the server runs: what comes after the last note counts as time in which none did.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn note_alive(&self, db: &Db) -> Result<(), sqlx::Error> {
        let sql = "UPDATE owner SET alive = $1 WHERE id = 1 AND alive < $1 \
                   AND EXISTS (SELECT 1 FROM nodes WHERE epoch = $2)";
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

    /// Notes that the right was taken away; one that was given up was not.
    pub(super) fn lose(&self) {
        if !self.0.left.load(Ordering::Acquire) {
            self.set(LeaseState::Lost);
        }
    }

    /// Notes that this server gives up its right.
    pub(super) fn note_leaving(&self) {
        self.0.left.store(true, Ordering::Release);
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
