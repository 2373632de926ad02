//! The database: SQLite in a file of its own, or PostgreSQL by URL, through one portable dialect.
//!
//! Queries use `$1` placeholders, `BIGINT`, `DOUBLE PRECISION` and `TEXT` only, which both
//! databases read alike. SQLite runs in WAL mode with `synchronous=FULL`: a committed move
//! survives the loss of power, not only the end of the process.

mod audit_guard;
mod exposure;
mod migrations;
mod nodes;
mod ownership;
mod private;
mod probe;
mod statement;
mod upgrade;

pub(crate) use audit_guard::install as guard_audit_log;
pub(crate) use exposure::warnings as exposure_warnings;
pub(crate) use migrations::MIGRATIONS;
pub(crate) use nodes::LEASE;
pub use nodes::{Holder, Members};
pub use ownership::{Fence, LeaseState, Ownership, Sharing};
pub use private::private_folder;
pub use probe::{Probe, Unready};
pub use statement::{Bound, Statement};

use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Executor, Transaction};
use std::path::PathBuf;
use std::time::Duration;

/// Which database it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DatabaseKind {
    /// A file on this machine.
    Sqlite,
    /// A server.
    Postgres,
}

impl DatabaseKind {
    fn of(url: &str) -> Result<Self, OpenError> {
        match url.split(':').next() {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            // What follows may hold a password.
            scheme => Err(OpenError::Url(scheme.unwrap_or_default().to_owned())),
        }
    }
}

/// The file of a SQLite database.
fn sqlite_file(url: &str) -> Result<PathBuf, OpenError> {
    let nothing = || OpenError::NoFile(url.to_owned());
    let options: SqliteConnectOptions = url.parse().map_err(|_| nothing())?;
    let file = options.get_filename();
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    if in_memory || file.as_os_str().is_empty() {
        return Err(nothing());
    }
    Ok(file.to_owned())
}

/// Where a database is, without a name and a password to get there.
fn place_of(url: &str) -> String {
    let plain = url.split('?').next().unwrap_or_default();
    let rest = plain.split_once(':').map_or(plain, |(_, rest)| rest);
    rest.rsplit('@').next().unwrap_or_default().trim_start_matches("//").to_owned()
}

/// A SQLite file is made if it is not there.
fn made_if_absent(url: &str) -> String {
    match url.contains("mode=") {
        true => url.to_owned(),
        false => format!("{url}{}mode=rwc", if url.contains('?') { '&' } else { '?' }),
    }
}

/// After how long without a connection to a server a request is refused: it may be away.
const UNREACHABLE: Duration = Duration::from_secs(5);

/// An open database.
#[derive(Clone, Debug)]
pub struct Db {
    /// Connections.
    pub pool: AnyPool,
    /// Which database it is.
    pub kind: DatabaseKind,
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names no database that is known here.
    #[error("the database's URL must begin with sqlite: or postgres://, not '{0}'")]
    Url(String),
    /// It was last used by a newer version of this program.
    #[error(
        "the database was last used by a newer version of this program (its tables are at {found}, \
         this version knows {known}); use that version, or restore a backup made with this one"
    )]
    Newer {
        /// The version of the tables.
        found: i64,
        /// The last version known here.
        known: i64,
    },
    /// Its tables would have to be changed under nodes that could not go on with them.
    #[error(
        "this version changes the tables of the database (migration {0}) in a way that the nodes which \
         run cannot work with; stop all of them first, then start this version"
    )]
    OthersRun(i64),
    /// Its tables could not be brought up to date.
    #[error("the tables of the database could not be brought up to date: {0}")]
    Migration(sqlx::migrate::MigrateError),
    /// It was built without what it would need.
    #[error(
        "this program was built without encryption for PostgreSQL; build it with the feature 'tls' for \
         sslmode, or leave sslmode out"
    )]
    NoTls,
    /// SQLite without a file would keep nothing.
    #[error("'{0}' names no file; expected sqlite:FILE")]
    NoFile(String),
    /// Another server plays its games.
    #[error("another server uses the database {0}; stop it first, or use another --data folder")]
    InUse(String),
    /// The file that shows that it is in use could not be made.
    #[error("the file {0} could not be locked: {1}")]
    Lock(String, std::io::Error),
    /// The database said no.
    #[error("the database {0} could not be opened: {1}")]
    Database(String, String),
}

impl OpenError {
    fn database(url: &str, error: &sqlx::Error) -> Self {
        Self::Database(place_of(url), error.to_string())
    }
}

/// The version of the tables that this program makes.
pub(crate) fn latest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

impl Db {
    /// Opens a database and brings its tables up to date.
    ///
    /// # Errors
    /// If the URL is neither `sqlite:` nor `postgres:`, if the database cannot be opened, or if a
    /// newer version of this program has changed more than this one can do without.
    pub async fn open(url: &str, connections: u32) -> Result<Self, OpenError> {
        Self::open_for(url, connections, Sharing::Alone).await
    }

    /// Opens a database as [`Db::open`] does, for a server that shares it or does not.
    ///
    /// # Errors
    /// As [`Db::open`].
    pub async fn open_for(
        url: &str,
        connections: u32,
        sharing: Sharing,
    ) -> Result<Self, OpenError> {
        let db = Self::connect_for(url, connections, sharing).await?;
        upgrade::bring_up_to_date(&db, url, sharing).await?;
        guard_audit_log(&db).await.map_err(|error| OpenError::database(url, &error))?;
        Ok(db)
    }

    /// Opens a database as it is.
    pub(crate) async fn connect(url: &str, connections: u32) -> Result<Self, OpenError> {
        Self::connect_for(url, connections, Sharing::Alone).await
    }

    async fn connect_for(url: &str, connections: u32, sharing: Sharing) -> Result<Self, OpenError> {
        install_default_drivers();
        let kind = DatabaseKind::of(url)?;
        let full = match kind {
            DatabaseKind::Sqlite => sqlite_file(url).map(|_| made_if_absent(url))?,
            DatabaseKind::Postgres => {
                exposure::check_encryption(url)?;
                url.to_owned()
            }
        };
        if kind == DatabaseKind::Sqlite {
            let may_make = full.contains("mode=rwc");
            private::private_database(&sqlite_file(url)?, may_make);
        }
        let failed = |error| OpenError::database(url, &error);
        // A pool would try again and again, and then say only that it took too long.
        let mut first = AnyConnection::connect(&full).await.map_err(failed)?;
        settle(&mut first, kind, sharing).await.map_err(failed)?;
        first.close().await.map_err(failed)?;
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(match kind {
                DatabaseKind::Sqlite => Duration::from_secs(30),
                DatabaseKind::Postgres => UNREACHABLE,
            })
            // A file does not hang up; a server may have, and is asked before it is used.
            .test_before_acquire(kind == DatabaseKind::Postgres)
            .after_connect(move |connection, _| Box::pin(settle(connection, kind, sharing)))
            // A transaction that failed because the disk is full cannot always be rolled back;
            // its connection would refuse every other one.
            .before_acquire(|connection, _| {
                let clean = !connection.is_in_transaction();
                Box::pin(async move { Ok(clean) })
            })
            .connect(&full)
            .await
            .map_err(failed)?;
        Ok(Self { pool, kind })
    }

    /// Whether it takes what is written: a folder may be read-only.
    ///
    /// # Errors
    /// If it does not.
    pub async fn check_writable(&self, url: &str) -> Result<(), OpenError> {
        let failed = |error| OpenError::database(url, &error);
        let attempt = self.begin().await.map_err(failed)?;
        attempt.rollback().await.map_err(failed)
    }

    /// Begins a transaction that will write. On SQLite it takes its turn among the writers now,
    /// so that it cannot fail half-way because of another one.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        match self.kind {
            DatabaseKind::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await,
            DatabaseKind::Postgres => self.pool.begin().await,
        }
    }
}

/// What every connection begins with.
async fn settle(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    sharing: Sharing,
) -> Result<(), sqlx::Error> {
    if kind == DatabaseKind::Sqlite {
        let pragmas = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
                       PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
        connection.execute(pragmas).await?;
    }
    if kind == DatabaseKind::Postgres && sharing == Sharing::Nodes {
        // A node that stands still in the middle of a transaction must not keep others from
        // taking up its games.
        connection.execute("SET idle_in_transaction_session_timeout = 4000").await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_without_the_password() {
        let place = place_of("postgres://ada:se:cr@t@db.example:5432/bastide?sslmode=require");
        assert_eq!(place, "db.example:5432/bastide");
        assert_eq!(place_of("sqlite:data/bastide.db?mode=rwc"), "data/bastide.db");
    }

    #[test]
    fn a_database_without_a_file_is_refused() {
        for url in ["sqlite:", "sqlite://", "sqlite::memory:", "sqlite:x?mode=memory"] {
            assert!(matches!(sqlite_file(url), Err(OpenError::NoFile(_))), "{url}");
        }
        assert_eq!(sqlite_file("sqlite:data/x.db?mode=rwc").unwrap(), PathBuf::from("data/x.db"));
    }

    #[tokio::test]
    async fn a_full_disk_is_forgotten_once_there_is_room() {
        let folder = std::env::temp_dir().join(format!("bastide_full_{}", crate::ids::new_id()));
        std::fs::create_dir_all(&folder).unwrap();
        let url = format!("sqlite:{}", folder.join("x.db").display());
        let db = Db::open(&url, 1).await.unwrap();
        let insert = "INSERT INTO orders (id, kind, subject, created) VALUES ($1, $2, '', 0)";
        let write = async |id: &str, text: String| {
            let mut changes = db.begin().await?;
            sqlx::query(insert).bind(id.to_owned()).bind(text).execute(&mut *changes).await?;
            changes.commit().await
        };
        // The one connection there is may take no more pages, as on a disk without room.
        sqlx::query("PRAGMA max_page_count = 1").execute(&db.pool).await.unwrap();
        let full = write("a", "x".repeat(1 << 20)).await.unwrap_err().to_string();
        assert!(full.contains("full"), "{full}");
        write("b", String::new()).await.unwrap();
        db.pool.close().await;
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
