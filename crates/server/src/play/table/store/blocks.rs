//! The rows of blocks: who wants nothing to do with whom.

use crate::storage::db::Db;
use crate::time;
use crate::wire::UserCard;
use sqlx::Row;
use sqlx::any::AnyRow;

/// All of them: who made it, and against whom.
pub(in crate::play::table) async fn all(db: &Db) -> Result<Vec<(String, String)>, sqlx::Error> {
    let rows = sqlx::query("SELECT user_id, blocked FROM blocks").fetch_all(&db.pool).await?;
    rows.iter().map(|row| Ok((row.try_get("user_id")?, row.try_get("blocked")?))).collect()
}

/// How many people a user has blocked.
pub(in crate::play::table) async fn count(db: &Db, user: &str) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM blocks WHERE user_id = $1");
    count.bind(user).fetch_one(&db.pool).await
}

/// Adds a block.
pub(in crate::play::table) async fn add(
    db: &Db,
    user: &str,
    other: &str,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO blocks (user_id, blocked, created) VALUES ($1, $2, $3) \
               ON CONFLICT DO NOTHING";
    sqlx::query(sql).bind(user).bind(other).bind(time::now()).execute(&db.pool).await?;
    Ok(())
}

/// Removes a block.
pub(in crate::play::table) async fn remove(
    db: &Db,
    user: &str,
    other: &str,
) -> Result<(), sqlx::Error> {
    let sql = "DELETE FROM blocks WHERE user_id = $1 AND blocked = $2";
    sqlx::query(sql).bind(user).bind(other).execute(&db.pool).await?;
    Ok(())
}

/// Whom a user has blocked, the latest first.
pub(in crate::play::table) async fn of(db: &Db, user: &str) -> Result<Vec<UserCard>, sqlx::Error> {
    let sql = "SELECT u.id, u.name, u.guest FROM blocks b JOIN users u ON u.id = b.blocked \
               WHERE b.user_id = $1 AND u.deleted = 0 ORDER BY b.created DESC, u.id";
    let rows = sqlx::query(sql).bind(user).fetch_all(&db.pool).await?;
    let card = |row: &AnyRow| {
        let guest = row.try_get::<i64, _>("guest")? != 0;
        Ok(UserCard { id: row.try_get("id")?, name: row.try_get("name")?, guest })
    };
    rows.iter().map(card).collect()
}
