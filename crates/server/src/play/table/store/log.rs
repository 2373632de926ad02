//! The rows of the log, as they are read; the journal writes them.

use crate::error::Refusal;
use crate::storage::db::Db;
use sqlx::Row;
use sqlx::any::AnyRow;

/// An entry of the log as the database has it.
#[derive(Clone, Debug)]
pub(in crate::play::table) struct SavedEntry {
    pub(in crate::play::table) ply: i64,
    pub(in crate::play::table) seat: Option<i64>,
    pub(in crate::play::table) kind: String,
    pub(in crate::play::table) body: String,
    pub(in crate::play::table) clocks: String,
    pub(in crate::play::table) at: i64,
}

/// The log of a game from its first entry on.
pub(super) async fn read(db: &Db, id: &str) -> Result<Vec<SavedEntry>, Refusal> {
    let sql = "SELECT ply, seat, kind, body, clocks, at FROM log WHERE game_id = $1 ORDER BY ply";
    let rows = sqlx::query(sql).bind(id).fetch_all(&db.pool).await?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &AnyRow) -> Result<SavedEntry, Refusal> {
    Ok(SavedEntry {
        ply: row.try_get("ply")?,
        seat: row.try_get("seat")?,
        kind: row.try_get("kind")?,
        body: row.try_get("body")?,
        clocks: row.try_get("clocks")?,
        at: row.try_get("at")?,
    })
}
