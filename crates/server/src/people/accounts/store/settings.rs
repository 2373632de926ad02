//! The table `settings`.

use crate::storage::db::Db;
use sqlx::AnyExecutor;

/// What a user keeps, as JSON.
pub(in crate::people::accounts) async fn read(
    db: &Db,
    user: &str,
) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT body FROM settings WHERE user_id = $1";
    sqlx::query_scalar(sql).bind(user).fetch_optional(&db.pool).await
}

pub(in crate::people::accounts) async fn write(
    db: &Db,
    user: &str,
    body: &str,
    now: i64,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO settings (user_id, body, changed) VALUES ($1, $2, $3) \
               ON CONFLICT (user_id) DO UPDATE SET body = $2, changed = $3";
    sqlx::query(sql).bind(user).bind(body).bind(now).execute(&db.pool).await?;
    Ok(())
}

pub(in crate::people::accounts) async fn remove(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM settings WHERE user_id = $1").bind(user).execute(to).await?;
    Ok(())
}
