//! The tables `freed_names`, which keeps a name for who had it, and `name_history`, which tells
//! moderators what somebody was called.

use crate::storage::db::Db;
use crate::wire::FormerName;
use crate::{ids, time};
use sqlx::{AnyExecutor, Row};

/// Whether somebody else than a user had a name after a time.
pub(in crate::people::accounts) async fn is_kept(
    from: impl AnyExecutor<'_>,
    key: &str,
    user: &str,
    since: i64,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM freed_names WHERE name_key = $1 \
               AND (user_id = '' OR user_id <> $2) AND at > $3";
    let kept = sqlx::query_scalar::<_, i64>(sql).bind(key).bind(user).bind(since);
    Ok(kept.fetch_one(from).await? > 0)
}

/// Notes that a user has a name no more; without a user the account is deleted.
pub(in crate::people::accounts) async fn free(
    to: impl AnyExecutor<'_>,
    key: &str,
    user: &str,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO freed_names (id, name_key, user_id, at) VALUES ($1, $2, $3, $4)";
    let insert = sqlx::query(sql).bind(ids::new_id()).bind(key).bind(user).bind(time::now());
    insert.execute(to).await?;
    Ok(())
}

/// When a user gave up names after a time, the latest first.
pub(in crate::people::accounts) async fn freed_by(
    from: impl AnyExecutor<'_>,
    user: &str,
    since: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    let sql = "SELECT at FROM freed_names WHERE user_id = $1 AND at > $2 ORDER BY at DESC";
    sqlx::query_scalar(sql).bind(user).bind(since).fetch_all(from).await
}

/// Names that a user gave up are kept on, but no longer for them.
pub(in crate::people::accounts) async fn forget_owner(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    let update = sqlx::query("UPDATE freed_names SET user_id = '' WHERE user_id = $1").bind(user);
    update.execute(to).await?;
    Ok(())
}

/// Names that were given up before a time are free.
pub(in crate::people::accounts) async fn release(
    to: impl AnyExecutor<'_>,
    before: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM freed_names WHERE at < $1").bind(before).execute(to).await?;
    Ok(())
}

/// Notes the name that a user has now, if another one comes.
pub(in crate::people::accounts) async fn remember(
    to: impl AnyExecutor<'_>,
    user: &str,
    new: &str,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO name_history (user_id, name, given_up) \
               SELECT id, name, $1 FROM users WHERE id = $2 AND name <> $3";
    sqlx::query(sql).bind(time::now()).bind(user).bind(new).execute(to).await?;
    Ok(())
}

/// When a user had another name after a time, the latest first.
pub(in crate::people::accounts) async fn changed_by(
    from: impl AnyExecutor<'_>,
    user: &str,
    since: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    let sql = "SELECT given_up FROM name_history WHERE user_id = $1 AND given_up > $2 \
               ORDER BY given_up DESC";
    sqlx::query_scalar(sql).bind(user).bind(since).fetch_all(from).await
}

/// What a user was called before, the latest first.
pub(in crate::people::accounts) async fn former(
    db: &Db,
    user: &str,
) -> Result<Vec<FormerName>, sqlx::Error> {
    let sql = "SELECT name, given_up FROM name_history WHERE user_id = $1 \
               ORDER BY given_up DESC LIMIT 50";
    let rows = sqlx::query(sql).bind(user).fetch_all(&db.pool).await?;
    let former = rows.iter().map(|row| {
        Ok(FormerName { name: row.try_get("name")?, given_up: row.try_get("given_up")? })
    });
    former.collect()
}

pub(in crate::people::accounts) async fn forget_history(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    let delete = sqlx::query("DELETE FROM name_history WHERE user_id = $1").bind(user);
    delete.execute(to).await?;
    Ok(())
}
