//! The database: SQLite in a file of its own, or PostgreSQL by URL, through one portable dialect.
//!
//! Queries use `$1` placeholders, `BIGINT`, `DOUBLE PRECISION` and `TEXT` only, which both
//! databases read alike. SQLite runs in WAL mode with `synchronous=FULL`: a committed move
//! survives the loss of power, not only the end of the process.

use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::{AnyPool, Executor};

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

impl Db {
    /// Opens a database and brings its tables up to date.
    ///
    /// # Errors
    /// If the URL is neither `sqlite:` nor `postgres:`, or the database cannot be opened.
    pub async fn open(url: &str, connections: u32) -> Result<Self, sqlx::Error> {
        install_default_drivers();
        let kind = if url.starts_with("sqlite:") { Kind::Sqlite } else { Kind::Postgres };
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if kind == Kind::Sqlite {
                        let pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                                       PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 10000;";
                        connection.execute(pragmas).await?;
                    }
                    Ok(())
                })
            })
            .connect(url)
            .await?;
        sqlx::migrate!("./migrations").run(&pool).await?;
        Ok(Self { pool, kind })
    }
}
