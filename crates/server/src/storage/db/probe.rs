//! Whether the database takes what is written. One that only answers questions is not enough: on
//! a full disk it still does.

use super::{DatabaseKind, Db, sqlite_file};
use crate::time;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Looks from time to time whether something can be written.
pub struct Probe {
    /// The folder of a SQLite database, whose disk may be full.
    folder: Option<PathBuf>,
    last: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

/// Why nothing can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unready {
    /// It took too long, or the connection is gone.
    #[error("the database does not answer")]
    Silent,
    /// It answers, and takes nothing.
    #[error("the database takes nothing that is written")]
    ReadOnly,
    /// There is hardly any room left.
    #[error("the disk is full")]
    Full,
}

/// What a write came to is good for so long: whoever asks more often costs the disk nothing.
const FRESH: Duration = Duration::from_secs(1);

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Less room than this, in bytes, is none: the log of changes grows by more between two merges.
const ROOM: u64 = 4 << 20;

impl Probe {
    /// A probe of the database with a URL.
    #[must_use]
    pub fn new(url: &str) -> Self {
        let file = DatabaseKind::of(url).ok().filter(|kind| *kind == DatabaseKind::Sqlite);
        let file = file.and_then(|_| sqlite_file(url).ok());
        let folder = file.and_then(|file| file.parent().map(PathBuf::from));
        // A file without a folder before it is in the present one.
        let folder =
            folder.map(|folder| if folder.as_os_str().is_empty() { ".".into() } else { folder });
        Self { folder, last: Mutex::new(None) }
    }

    /// Whether something can be written now, or could a moment ago.
    ///
    /// # Errors
    /// If it cannot.
    pub async fn check(&self, db: &Db) -> Result<(), Unready> {
        let question = sqlx::query("SELECT 1").execute(&db.pool);
        if !matches!(tokio::time::timeout(PATIENCE, question).await, Ok(Ok(_))) {
            return Err(Unready::Silent);
        }
        let mut last = self.last.lock().await;
        if let Some((_, answer)) = last.filter(|(at, _)| at.elapsed() < FRESH) {
            return answer;
        }
        let answer = match tokio::time::timeout(PATIENCE, write(db)).await {
            Err(_) => Err(Unready::Silent),
            Ok(Err(sqlx::Error::Database(_))) => Err(Unready::ReadOnly),
            Ok(Err(_)) => Err(Unready::Silent),
            Ok(Ok(())) if self.is_full() => Err(Unready::Full),
            Ok(Ok(())) => Ok(()),
        };
        *last = Some((Instant::now(), answer));
        answer
    }

    fn is_full(&self) -> bool {
        #[cfg(target_os = "linux")]
        {
            let room = self.folder.as_ref().and_then(|folder| rustix::fs::statvfs(folder).ok());
            room.is_some_and(|room| room.f_bavail.saturating_mul(room.f_frsize) < ROOM)
        }
        #[cfg(not(target_os = "linux"))]
        false
    }
}

/// Bytes that are written: more than any single change needs, so that the last free page of a
/// disk does not pass for room.
const PADDING: usize = 64 * 1024;

async fn write(db: &Db) -> Result<(), sqlx::Error> {
    let mut changes = db.begin().await?;
    let sql = "INSERT INTO write_probe (id, at, padding) VALUES (1, $1, $2) \
               ON CONFLICT (id) DO UPDATE SET at = excluded.at, padding = excluded.padding";
    let at = time::now();
    let padding = format!("{at:016}").repeat(PADDING / 16);
    sqlx::query(sql).bind(at).bind(padding).execute(&mut *changes).await?;
    changes.commit().await
}
