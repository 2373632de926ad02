//! Chat timeouts, as moderators have set them (`people::moderation` writes them).

use crate::storage::db::Db;
use crate::time;
use sqlx::Row;

/// Who is silenced now, and until when; of one user, or of all for an empty id. A user may have
/// several; one without an end has none.
pub(in crate::play::table) async fn active(
    db: &Db,
    user: &str,
) -> Result<Vec<(String, Option<i64>)>, sqlx::Error> {
    let sql = "SELECT user_id, ends FROM sanctions WHERE kind = 'chat_timeout' \
               AND lifted IS NULL AND (ends IS NULL OR ends > $1) \
               AND ($2 = '' OR user_id = $2)";
    let rows = sqlx::query(sql).bind(time::now()).bind(user).fetch_all(&db.pool).await?;
    rows.iter().map(|row| Ok((row.try_get("user_id")?, row.try_get("ends")?))).collect()
}
