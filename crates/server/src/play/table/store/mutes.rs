//! The rows of mutes: who does not want to read whom.

use crate::storage::db::Db;
use sqlx::Row;

/// All of them: the reader and whom they do not read.
pub(in crate::play::table) async fn all(db: &Db) -> Result<Vec<(String, String)>, sqlx::Error> {
    let rows = sqlx::query("SELECT user_id, muted FROM mutes").fetch_all(&db.pool).await?;
    rows.iter().map(|row| Ok((row.try_get("user_id")?, row.try_get("muted")?))).collect()
}

/// Adds a mute, or removes it.
pub(in crate::play::table) async fn set(
    db: &Db,
    reader: &str,
    speaker: &str,
    muted: bool,
) -> Result<(), sqlx::Error> {
    let sql = if muted {
        "INSERT INTO mutes (user_id, muted) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    } else {
        "DELETE FROM mutes WHERE user_id = $1 AND muted = $2"
    };
    sqlx::query(sql).bind(reader).bind(speaker).execute(&db.pool).await?;
    Ok(())
}
