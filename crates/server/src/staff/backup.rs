//! Backup and restore: all tables in one portable file, made while the server runs.
//!
//! The file is compressed text, a JSON value a line: a head with the version of the tables, then
//! each table with its columns and its rows, then the number of rows. It is the same for both
//! databases, so that a backup of one can be restored into the other.

use crate::people::moderation::audit;
use crate::storage::db::{
    DatabaseKind, Db, MIGRATIONS, OpenError, Ownership, Sharing, guard_audit_log, latest,
};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Column as _, Row, Transaction};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Why there is no backup, or why it was not restored. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file could not be written or read.
    #[error("the file {0}: {1}")]
    File(String, io::Error),
    /// The file is no backup, or only a part of one.
    #[error("the file is no whole backup: {0}; nothing was restored")]
    Broken(String),
    /// The backup is of a newer version of this program.
    #[error(
        "the backup was made by a newer version of this program (its tables are at {found}, this \
         version knows {known}); restore it with that version"
    )]
    Newer {
        /// The version of its tables.
        found: i64,
        /// The last version known here.
        known: i64,
    },
    /// There is something in the database.
    #[error(
        "the database has {0} users already; restore into an empty one (another --data folder or \
         --database), then start the server on that"
    )]
    NotEmpty(i64),
    /// It was used by a version that came after the backup.
    #[error("the database was used already; restore into one that never was")]
    Used,
    /// The database said no.
    #[error("the database failed: {0}")]
    Database(String),
    /// The database could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.to_string())
    }
}

impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    /// The first one: which version of the tables.
    BastideBackup { tables: i64 },
    /// What follows are rows of this table.
    Table { name: String, columns: Vec<Column> },
    /// A row: texts, whole numbers as texts, other numbers as texts, or nothing.
    Row(Vec<Option<String>>),
    /// The last one: how many rows there were.
    End { rows: u64 },
}

#[derive(Clone, Serialize, Deserialize)]
struct Column {
    name: String,
    kind: ColumnKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ColumnKind {
    Text,
    Integer,
    Real,
}

const VERSION: &str = "SELECT MAX(version) FROM _sqlx_migrations";

/// Tables that others refer to come before them; those not named here come last.
const FIRST: [&str; 2] = ["users", "games"];

/// Writes all tables, as they are at one moment, to a new file. Returns the number of rows.
///
/// # Errors
/// If the file is there already or cannot be written, or the database does not answer.
pub async fn backup(db: &Db, file: &Path) -> Result<u64, BackupError> {
    let failed = |error| BackupError::File(file.display().to_string(), error);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // It holds the seeds of running games and the hashes of passwords.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = GzEncoder::new(options.open(file).map_err(failed)?, Compression::default());
    let written = write_all(db, &mut out).await;
    let finished = written.and_then(|rows| {
        out.finish().and_then(|file| file.sync_all()).map_err(failed)?;
        Ok(rows)
    });
    if finished.is_err() {
        // Half a backup is worse than none.
        let _ = std::fs::remove_file(file);
    }
    finished
}

async fn write_all(db: &Db, out: &mut impl Write) -> Result<u64, BackupError> {
    let mut reading = match db.kind {
        DatabaseKind::Sqlite => db.pool.begin().await?,
        DatabaseKind::Postgres => {
            db.pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?
        }
    };
    let tables: i64 = sqlx::query_scalar(VERSION).fetch_one(&mut *reading).await?;
    write_line(out, &Line::BastideBackup { tables })?;
    let mut rows = 0;
    for name in table_names(db.kind, &mut reading).await? {
        let columns = columns_of(db.kind, &mut reading, &name).await?;
        write_line(out, &Line::Table { name: name.clone(), columns: columns.clone() })?;
        let select = format!("SELECT * FROM {name}");
        let mut found = sqlx::query(AssertSqlSafe(select)).fetch(&mut *reading);
        while let Some(row) = found.try_next().await? {
            write_line(out, &Line::Row(cells(&row, &columns)?))?;
            rows += 1;
        }
    }
    write_line(out, &Line::End { rows })?;
    reading.rollback().await?;
    Ok(rows)
}

fn write_line(out: &mut impl Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// The names of all our tables, those that others refer to first.
async fn table_names(
    kind: DatabaseKind,
    reading: &mut Transaction<'static, Any>,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = match kind {
        DatabaseKind::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
             AND name <> '_sqlx_migrations'"
        }
        DatabaseKind::Postgres => {
            "SELECT table_name::text FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_name <> '_sqlx_migrations'"
        }
    };
    let mut names: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut **reading).await?;
    names.sort_by_key(|name| {
        let place = FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
        (place, name.clone())
    });
    Ok(names)
}

async fn columns_of(
    kind: DatabaseKind,
    reading: &mut Transaction<'static, Any>,
    table: &str,
) -> Result<Vec<Column>, sqlx::Error> {
    let sql = match kind {
        DatabaseKind::Sqlite => "SELECT name, type FROM pragma_table_info($1) ORDER BY cid",
        DatabaseKind::Postgres => {
            "SELECT column_name::text, data_type::text FROM information_schema.columns \
             WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
        }
    };
    let rows = sqlx::query(sql).bind(table).fetch_all(&mut **reading).await?;
    let columns = rows.iter().map(|row| {
        let declared: String = row.try_get(1)?;
        let kind = match declared.to_ascii_uppercase().as_str() {
            "BIGINT" => ColumnKind::Integer,
            "DOUBLE PRECISION" => ColumnKind::Real,
            _ => ColumnKind::Text,
        };
        Ok(Column { name: row.try_get(0)?, kind })
    });
    columns.collect()
}

fn cells(row: &AnyRow, columns: &[Column]) -> Result<Vec<Option<String>>, sqlx::Error> {
    let cell = |(index, column): (usize, &Column)| {
        debug_assert_eq!(row.column(index).name(), column.name);
        Ok(match column.kind {
            ColumnKind::Text => row.try_get(index)?,
            ColumnKind::Integer => row.try_get::<Option<i64>, _>(index)?.map(|n| n.to_string()),
            ColumnKind::Real => row.try_get::<Option<f64>, _>(index)?.map(|x| format!("{x:?}")),
        })
    };
    columns.iter().enumerate().map(cell).collect()
}

/// Fills an empty database from a file, all or nothing. Returns the number of rows.
///
/// # Errors
/// If the database is not empty, or the file is no whole backup that this version can read.
pub async fn restore(url: &str, file: &Path) -> Result<u64, BackupError> {
    let failed = |error| BackupError::File(file.display().to_string(), error);
    let mut lines = BufReader::new(GzDecoder::new(File::open(file).map_err(failed)?)).lines();
    let found = match next_line(&mut lines)? {
        Line::BastideBackup { tables } => tables,
        _ => return Err(BackupError::Broken("it does not begin as one".into())),
    };
    if found > latest() {
        return Err(BackupError::Newer { found, known: latest() });
    }
    let own = Ownership::take(url, Sharing::Alone).await?;
    let db = Db::connect(url, 2).await?;
    // First the tables as they were, then their rows, then what changed since.
    MIGRATIONS.run_to(found, &db.pool).await.map_err(OpenError::Migration)?;
    let applied: i64 = sqlx::query_scalar(VERSION).fetch_one(&db.pool).await?;
    if applied > found {
        return Err(BackupError::Used);
    }
    let users: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM users").fetch_one(&db.pool).await?;
    if users > 0 {
        return Err(BackupError::NotEmpty(users));
    }
    let mut changes = db.begin().await?;
    let known = table_names(db.kind, &mut changes).await?;
    let rows = read_all(&mut lines, &mut changes, &known).await?;
    if known.iter().any(|table| table == "audit") {
        let whole = audit::verify(&mut changes, None).await?;
        let broken = |fault| BackupError::Broken(format!("its audit log is not in order: {fault}"));
        whole.map_err(broken)?;
    }
    changes.commit().await?;
    MIGRATIONS.run(&db.pool).await.map_err(OpenError::Migration)?;
    guard_audit_log(&db).await?;
    db.pool.close().await;
    own.release().await;
    Ok(rows)
}

async fn read_all(
    lines: &mut impl Iterator<Item = io::Result<String>>,
    changes: &mut Transaction<'static, Any>,
    known: &[String],
) -> Result<u64, BackupError> {
    let mut table: Option<(String, Vec<Column>)> = None;
    let mut rows = 0;
    loop {
        match next_line(lines)? {
            Line::Table { name, columns } => {
                let plain = |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                if !known.contains(&name) || !columns.iter().all(|column| plain(&column.name)) {
                    return Err(BackupError::Broken(format!("it has an unknown table '{name}'")));
                }
                table = Some((name, columns));
            }
            Line::Row(cells) => {
                let (name, columns) = table
                    .as_ref()
                    .ok_or_else(|| BackupError::Broken("a row of no table".into()))?;
                if cells.len() != columns.len() {
                    return Err(BackupError::Broken("a row has cells missing".into()));
                }
                let mut insert = sqlx::query(AssertSqlSafe(insert_into(name, columns, &cells)));
                for (cell, column) in cells.into_iter().zip(columns) {
                    if is_bound(column, cell.as_ref()) {
                        insert = bind(insert, cell, column)?;
                    }
                }
                insert.execute(&mut **changes).await?;
                rows += 1;
            }
            Line::End { rows: expected } if expected == rows => return Ok(rows),
            Line::End { .. } => return Err(BackupError::Broken("rows are missing".into())),
            Line::BastideBackup { .. } => {
                return Err(BackupError::Broken("it begins twice".into()));
            }
        }
    }
}

/// What inserts a row. A real number that is absent is left out: a statement is prepared once, with the types of its first
/// values, and that of an absent real number is not the type of those that are there.
fn insert_into(table: &str, columns: &[Column], cells: &[Option<String>]) -> String {
    let there = columns.iter().zip(cells).filter(|(column, cell)| is_bound(column, cell.as_ref()));
    let names: Vec<&str> = there.map(|(column, _)| column.name.as_str()).collect();
    let places: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
    format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), places.join(", "))
}

fn is_bound(column: &Column, cell: Option<&String>) -> bool {
    cell.is_some() || column.kind != ColumnKind::Real
}

fn bind<'q>(
    insert: Query<'q, Any, AnyArguments>,
    cell: Option<String>,
    column: &Column,
) -> Result<Query<'q, Any, AnyArguments>, BackupError> {
    let broken = || BackupError::Broken(format!("a cell of '{}' is no number", column.name));
    Ok(match column.kind {
        ColumnKind::Text => insert.bind(cell),
        ColumnKind::Integer => {
            let number: Option<i64> =
                cell.map(|cell| cell.parse().map_err(|_| broken())).transpose()?;
            insert.bind(number)
        }
        ColumnKind::Real => {
            let number: Option<f64> =
                cell.map(|cell| cell.parse().map_err(|_| broken())).transpose()?;
            insert.bind(number)
        }
    })
}

fn next_line(lines: &mut impl Iterator<Item = io::Result<String>>) -> Result<Line, BackupError> {
    let line = lines.next().ok_or_else(|| BackupError::Broken("it breaks off".into()))??;
    serde_json::from_str(&line).map_err(|error| BackupError::Broken(error.to_string()))
}
