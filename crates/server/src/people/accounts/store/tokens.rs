//! The table `tokens`.

use crate::people::accounts::tokens::scope_of;
use crate::storage::db::Db;
use crate::wire::{TokenInfo, TokenScope};
use sqlx::{AnyExecutor, Row};

/// Whose token it is, as a request needs to know it.
pub(in crate::people::accounts) struct TokenUser {
    pub(in crate::people::accounts) token: String,
    pub(in crate::people::accounts) bot: bool,
    pub(in crate::people::accounts) seen: Option<i64>,
    pub(in crate::people::accounts) scope: TokenScope,
    pub(in crate::people::accounts) expires: Option<i64>,
    pub(in crate::people::accounts) user: String,
    pub(in crate::people::accounts) name: String,
    pub(in crate::people::accounts) guest: bool,
    pub(in crate::people::accounts) banned: bool,
}

/// The token whose secret has a hash.
pub(in crate::people::accounts) async fn by_hash(
    db: &Db,
    hash: &str,
) -> Result<Option<TokenUser>, sqlx::Error> {
    let sql = "SELECT t.id AS token, t.bot, t.seen, t.scope, t.expires, u.id, u.name, u.guest, \
               u.banned FROM tokens t JOIN users u ON u.id = t.user_id \
               WHERE t.hash = $1 AND u.deleted = 0";
    let found = sqlx::query(sql).bind(hash).fetch_optional(&db.pool).await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some(TokenUser {
        token: row.try_get("token")?,
        bot: row.try_get::<i64, _>("bot")? != 0,
        seen: row.try_get("seen")?,
        scope: scope_of(row.try_get("scope")?),
        expires: row.try_get("expires")?,
        user: row.try_get("id")?,
        name: row.try_get("name")?,
        guest: row.try_get::<i64, _>("guest")? != 0,
        banned: row.try_get::<i64, _>("banned")? != 0,
    }))
}

pub(in crate::people::accounts) async fn note_use(
    db: &Db,
    hash: &str,
    now: i64,
) -> Result<(), sqlx::Error> {
    let note = sqlx::query("UPDATE tokens SET seen = $1 WHERE hash = $2").bind(now).bind(hash);
    note.execute(&db.pool).await?;
    Ok(())
}

pub(in crate::people::accounts) async fn count(db: &Db, user: &str) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM tokens WHERE user_id = $1").bind(user);
    count.fetch_one(&db.pool).await
}

pub(in crate::people::accounts) async fn insert(
    db: &Db,
    hash: &str,
    user: &str,
    info: &TokenInfo,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO tokens (hash, id, user_id, label, bot, created, scope, expires) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let insert = sqlx::query(sql).bind(hash).bind(&info.id).bind(user);
    let insert = insert.bind(&info.label).bind(i64::from(info.bot)).bind(info.created);
    let scope = if info.scope == TokenScope::Play { "play" } else { "read" };
    insert.bind(scope).bind(info.expires).execute(&db.pool).await?;
    Ok(())
}

/// A user's tokens, the newest first.
pub(in crate::people::accounts) async fn of_user(
    db: &Db,
    user: &str,
) -> Result<Vec<TokenInfo>, sqlx::Error> {
    let sql = "SELECT id, label, bot, created, seen, scope, expires FROM tokens WHERE user_id = $1 \
               ORDER BY created DESC, id";
    let rows = sqlx::query(sql).bind(user).fetch_all(&db.pool).await?;
    let tokens = rows.iter().map(|row| {
        Ok(TokenInfo {
            id: row.try_get("id")?,
            label: row.try_get("label")?,
            bot: row.try_get::<i64, _>("bot")? != 0,
            scope: scope_of(row.try_get("scope")?),
            expires: row.try_get("expires")?,
            created: row.try_get("created")?,
            seen: row.try_get("seen")?,
        })
    });
    tokens.collect()
}

/// Ends a token of a user. Whether there was one.
pub(in crate::people::accounts) async fn end(
    db: &Db,
    user: &str,
    id: &str,
) -> Result<bool, sqlx::Error> {
    let delete = sqlx::query("DELETE FROM tokens WHERE id = $1 AND user_id = $2").bind(id);
    Ok(delete.bind(user).execute(&db.pool).await?.rows_affected() > 0)
}

pub(in crate::people::accounts) async fn end_all(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM tokens WHERE user_id = $1").bind(user).execute(to).await?;
    Ok(())
}

/// Removes tokens that expired before a time.
pub(in crate::people::accounts) async fn remove_expired(
    to: impl AnyExecutor<'_>,
    before: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM tokens WHERE expires < $1").bind(before).execute(to).await?;
    Ok(())
}
