//! The database: SQLite in a file of its own, or PostgreSQL by URL, through one portable dialect.
//!
//! Queries use `$1` placeholders, `BIGINT`, `DOUBLE PRECISION` and `TEXT` only, which both
//! databases read alike. SQLite runs in WAL mode with `synchronous=FULL`: a committed move
//! survives the loss of power, not only the end of the process.

mod backup;
pub mod journal;

pub use backup::{BackupError, backup, restore};

use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::{Any, AnyPool, Executor, Transaction};

/// Which database it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file on this machine.
    Sqlite,
    /// A server.
    Postgres,
}

/// An open database.
#[derive(Clone, Debug)]
pub struct Db {
    /// Connections.
    pub pool: AnyPool,
    /// Which database it is.
    pub kind: Kind,
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
    /// Its tables could not be brought up to date.
    #[error("the tables of the database could not be brought up to date: {0}")]
    Migration(sqlx::migrate::MigrateError),
    /// The database said no.
    #[error("the database could not be opened: {0}")]
    Database(#[from] sqlx::Error),
}

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

/// The version of the tables that this program makes.
fn latest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

impl Db {
    /// Opens a database and brings its tables up to date.
    ///
    /// # Errors
    /// If the URL is neither `sqlite:` nor `postgres:`, if the database cannot be opened, or if it
    /// was last used by a newer version of this program.
    pub async fn open(url: &str, connections: u32) -> Result<Self, OpenError> {
        let db = Self::connect(url, connections).await?;
        if let Err(error) = MIGRATIONS.run(&db.pool).await {
            return Err(match error {
                sqlx::migrate::MigrateError::VersionMissing(found) if found > latest() => {
                    OpenError::Newer { found, known: latest() }
                }
                error => OpenError::Migration(error),
            });
        }
        Ok(db)
    }

    async fn connect(url: &str, connections: u32) -> Result<Self, OpenError> {
        install_default_drivers();
        let kind = match url.split(':').next() {
            Some("sqlite") => Kind::Sqlite,
            Some("postgres" | "postgresql") => Kind::Postgres,
            // What follows may hold a password.
            scheme => return Err(OpenError::Url(scheme.unwrap_or_default().to_owned())),
        };
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            // A file does not hang up; a server may have, and is asked before it is used.
            .test_before_acquire(kind == Kind::Postgres)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if kind == Kind::Sqlite {
                        let pragmas = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
                                       PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
                        connection.execute(pragmas).await?;
                    }
                    Ok(())
                })
            })
            .connect(url)
            .await?;
        Ok(Self { pool, kind })
    }

    /// Begins a transaction that will write. On SQLite it takes its turn among the writers now,
    /// so that it cannot fail half-way because of another one.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        match self.kind {
            Kind::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await,
            Kind::Postgres => self.pool.begin().await,
        }
    }
}
