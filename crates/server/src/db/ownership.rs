//! One server owns a database: a second one on the same is told so instead of playing the same
//! games.

use super::{Kind, OpenError, sqlite_file};
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection};
use std::fs::{File, TryLockError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A database that is this process's own until this is released or the process ends, however it
/// ends.
#[derive(Debug)]
pub struct Ownership(Held);

#[derive(Debug)]
enum Held {
    /// A lock on a file beside the database.
    File(File),
    /// A lock of a connection, which the database gives up with it.
    Connection(AnyConnection),
}

/// The number of our lock among those that a database knows.
const LOCK: i64 = 0x0062_6173_7469_6465;

/// A process that was killed may still be leaving.
const PATIENCE: Duration = Duration::from_secs(5);

impl Ownership {
    /// Takes a database for this process.
    ///
    /// # Errors
    /// If another process has it, or it cannot be reached.
    pub async fn take(url: &str) -> Result<Self, OpenError> {
        install_default_drivers();
        let until = Instant::now() + PATIENCE;
        loop {
            match Self::try_take(url).await? {
                Some(taken) => return Ok(taken),
                None if Instant::now() < until => sleep(Duration::from_millis(100)).await,
                None => return Err(OpenError::InUse(super::place_of(url))),
            }
        }
    }

    async fn try_take(url: &str) -> Result<Option<Self>, OpenError> {
        match Kind::of(url)? {
            Kind::Sqlite => {
                let mut path = sqlite_file(url)?.into_os_string();
                path.push(".lock");
                let failed = |error| OpenError::Lock(path.display().to_string(), error);
                let mut options = File::options();
                options.write(true).create(true).truncate(false);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                let file = options.open(&path).map_err(failed)?;
                match file.try_lock() {
                    Ok(()) => Ok(Some(Self(Held::File(file)))),
                    Err(TryLockError::WouldBlock) => Ok(None),
                    Err(TryLockError::Error(error)) => Err(failed(error)),
                }
            }
            Kind::Postgres => {
                let failed = |error| OpenError::database(url, &error);
                let mut connection = AnyConnection::connect(url).await.map_err(failed)?;
                let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
                let taken: bool = lock.fetch_one(&mut connection).await.map_err(failed)?;
                Ok(taken.then_some(Self(Held::Connection(connection))))
            }
        }
    }

    /// Gives the database back.
    pub async fn release(self) {
        match self.0 {
            Held::File(file) => drop(file),
            Held::Connection(connection) => {
                // One that is broken has given up the lock already.
                let _ = connection.close().await;
            }
        }
    }
}
