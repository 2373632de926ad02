//! The tables `addresses` and `server_keys`.

use super::people::card;
use crate::storage::db::{Db, Statement};
use crate::wire::UserCard;

/// Notes that a user was seen at a network.
pub(in crate::people::moderation) fn note(user: &str, network: &str, now: i64) -> Statement {
    let sql = "INSERT INTO addresses (user_id, network, first, last) VALUES ($1, $2, $3, $3) \
               ON CONFLICT (user_id, network) DO UPDATE SET last = excluded.last";
    Statement::new(sql, vec![user.into(), network.into(), now.into()])
}

/// The networks that a user was seen at, with the first and the last time; the latest first.
pub(in crate::people::moderation) async fn of_user(
    db: &Db,
    user: &str,
) -> Result<Vec<(String, i64, i64)>, sqlx::Error> {
    let sql = "SELECT network, first, last FROM addresses WHERE user_id = $1 \
               ORDER BY last DESC, network LIMIT 20";
    sqlx::query_as(sql).bind(user).fetch_all(&db.pool).await
}

/// All networks that a user was seen at.
pub(in crate::people::moderation) async fn networks_of(
    db: &Db,
    user: &str,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT network FROM addresses WHERE user_id = $1";
    sqlx::query_scalar(sql).bind(user).fetch_all(&db.pool).await
}

/// Who else was seen at a network, the latest first.
pub(in crate::people::moderation) async fn others_at(
    db: &Db,
    network: &str,
    user: &str,
) -> Result<Vec<UserCard>, sqlx::Error> {
    let sql = "SELECT u.id, u.name, u.guest FROM addresses a JOIN users u ON u.id = a.user_id \
               WHERE a.network = $1 AND a.user_id <> $2 AND u.deleted = 0 \
               ORDER BY a.last DESC, u.id LIMIT 20";
    let rows = sqlx::query(sql).bind(network).bind(user).fetch_all(&db.pool).await?;
    rows.iter().map(|row| card(row, "id", "name", "guest")).collect()
}

/// Moderators and administrators who were seen at a network.
pub(in crate::people::moderation) async fn staff_at(
    db: &Db,
    network: &str,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT u.id FROM addresses a JOIN users u ON u.id = a.user_id \
               WHERE a.network = $1 AND u.role <> 'user' AND u.deleted = 0";
    sqlx::query_scalar(sql).bind(network).fetch_all(&db.pool).await
}

/// Removes what was last seen before a time.
pub(in crate::people::moderation) async fn remove_before(
    db: &Db,
    before: i64,
) -> Result<(), sqlx::Error> {
    let remove = sqlx::query("DELETE FROM addresses WHERE last < $1").bind(before);
    remove.execute(&db.pool).await?;
    Ok(())
}

/// The key that labels are made with: the stored one, or this one from now on.
pub(in crate::people::moderation) async fn key(db: &Db, new: &str) -> Result<String, sqlx::Error> {
    let sql = "INSERT INTO server_keys (name, value) VALUES ('addresses', $1) \
               ON CONFLICT DO NOTHING";
    sqlx::query(sql).bind(new).execute(&db.pool).await?;
    let sql = "SELECT value FROM server_keys WHERE name = 'addresses'";
    sqlx::query_scalar(sql).fetch_one(&db.pool).await
}
