//! The tables `sessions` and `devices`: where people are logged in, and browsers they came in with.

use crate::storage::db::Db;
use crate::wire::SessionInfo;
use sqlx::{AnyConnection, AnyExecutor, Row};

/// Who has a session, as a request needs to know it.
pub(in crate::people::accounts) struct SessionUser {
    pub(in crate::people::accounts) session: String,
    pub(in crate::people::accounts) seen: i64,
    pub(in crate::people::accounts) user: String,
    pub(in crate::people::accounts) name: String,
    pub(in crate::people::accounts) guest: bool,
    pub(in crate::people::accounts) banned: bool,
}

/// The session whose secret has a hash, if it was used since a time.
pub(in crate::people::accounts) async fn by_hash(
    db: &Db,
    hash: &str,
    since: i64,
) -> Result<Option<SessionUser>, sqlx::Error> {
    let sql = "SELECT s.id AS session, s.seen, u.id, u.name, u.guest, u.banned \
               FROM sessions s JOIN users u ON u.id = s.user_id \
               WHERE s.hash = $1 AND s.seen >= $2 AND u.deleted = 0";
    let found = sqlx::query(sql).bind(hash).bind(since).fetch_optional(&db.pool).await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some(SessionUser {
        session: row.try_get("session")?,
        seen: row.try_get("seen")?,
        user: row.try_get("id")?,
        name: row.try_get("name")?,
        guest: row.try_get::<i64, _>("guest")? != 0,
        banned: row.try_get::<i64, _>("banned")? != 0,
    }))
}

/// The name of a user who may come in, and whether it is a guest's, if the session and the token (where
/// not empty) are still theirs.
pub(in crate::people::accounts) async fn still_there(
    db: &Db,
    user: &str,
    session: &str,
    token: &str,
    now: i64,
) -> Result<Option<(String, bool)>, sqlx::Error> {
    let sql = "SELECT u.name, u.guest FROM users u WHERE u.id = $1 AND u.banned = 0 \
               AND u.deleted = 0 AND ($2 = '' OR EXISTS \
               (SELECT 1 FROM sessions s WHERE s.id = $2 AND s.user_id = u.id)) \
               AND ($3 = '' OR EXISTS \
               (SELECT 1 FROM tokens t WHERE t.id = $3 AND t.user_id = u.id \
               AND (t.expires IS NULL OR t.expires > $4)))";
    let found = sqlx::query(sql).bind(user).bind(session).bind(token).bind(now);
    let Some(row) = found.fetch_optional(&db.pool).await? else { return Ok(None) };
    Ok(Some((row.try_get("name")?, row.try_get::<i64, _>("guest")? != 0)))
}

pub(in crate::people::accounts) async fn note_use(
    db: &Db,
    hash: &str,
    now: i64,
) -> Result<(), sqlx::Error> {
    let note = sqlx::query("UPDATE sessions SET seen = $1 WHERE hash = $2").bind(now).bind(hash);
    note.execute(&db.pool).await?;
    Ok(())
}

/// Begins a session. Of more than so many, those that were not used for the longest time end.
pub(in crate::people::accounts) async fn begin(
    db: &Db,
    (hash, id): (&str, &str),
    user: &str,
    agent: &str,
    now: i64,
    most: i64,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO sessions (hash, id, user_id, created, seen, agent) \
               VALUES ($1, $2, $3, $4, $4, $5)";
    let insert = sqlx::query(sql).bind(hash).bind(id).bind(user).bind(now).bind(agent);
    insert.execute(&db.pool).await?;
    let sql = "DELETE FROM sessions WHERE user_id = $1 AND id NOT IN \
               (SELECT id FROM sessions WHERE user_id = $1 ORDER BY seen DESC LIMIT $2)";
    sqlx::query(sql).bind(user).bind(most).execute(&db.pool).await?;
    Ok(())
}

/// A user's sessions, the last used first; the one of an id is marked as the present one.
pub(in crate::people::accounts) async fn of_user(
    db: &Db,
    user: &str,
    here: &str,
) -> Result<Vec<SessionInfo>, sqlx::Error> {
    let sql = "SELECT id, created, seen, agent FROM sessions WHERE user_id = $1 \
               ORDER BY seen DESC, id";
    let rows = sqlx::query(sql).bind(user).fetch_all(&db.pool).await?;
    let sessions = rows.iter().map(|row| {
        let id: String = row.try_get("id")?;
        Ok(SessionInfo {
            current: id == here,
            id,
            created: row.try_get("created")?,
            seen: row.try_get("seen")?,
            agent: row.try_get("agent")?,
        })
    });
    sessions.collect()
}

pub(in crate::people::accounts) async fn count(db: &Db, user: &str) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM sessions WHERE user_id = $1").bind(user);
    count.fetch_one(&db.pool).await
}

/// Ends a session of a user. Whether there was one.
pub(in crate::people::accounts) async fn end(
    db: &Db,
    user: &str,
    id: &str,
) -> Result<bool, sqlx::Error> {
    let delete = sqlx::query("DELETE FROM sessions WHERE id = $1 AND user_id = $2").bind(id);
    Ok(delete.bind(user).execute(&db.pool).await?.rows_affected() > 0)
}

/// Ends all sessions of a user but one, or all if that is empty.
pub(in crate::people::accounts) async fn end_others(
    to: impl AnyExecutor<'_>,
    user: &str,
    but: &str,
) -> Result<(), sqlx::Error> {
    let delete = sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND id <> $2").bind(user);
    delete.bind(but).execute(to).await?;
    Ok(())
}

/// Ends sessions that were last used before a time.
pub(in crate::people::accounts) async fn end_old(
    to: impl AnyExecutor<'_>,
    before: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM sessions WHERE seen < $1").bind(before).execute(to).await?;
    Ok(())
}

/// Whether a device of a user was used since a time.
pub(in crate::people::accounts) async fn is_known_device(
    db: &Db,
    hash: &str,
    user: &str,
    since: i64,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM devices WHERE hash = $1 AND user_id = $2 AND seen > $3";
    let known = sqlx::query_scalar::<_, i64>(sql).bind(hash).bind(user).bind(since);
    Ok(known.fetch_one(&db.pool).await? > 0)
}

/// Whether it is a device of anybody.
pub(in crate::people::accounts) async fn is_device(
    db: &Db,
    hash: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM devices WHERE hash = $1";
    Ok(sqlx::query_scalar::<_, i64>(sql).bind(hash).fetch_one(&db.pool).await? > 0)
}

/// Notes that a device was used. Of more than so many, those not used for the longest time go.
pub(in crate::people::accounts) async fn note_device(
    db: &Db,
    hash: &str,
    user: &str,
    now: i64,
    most: i64,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO devices (hash, user_id, seen) VALUES ($1, $2, $3) \
               ON CONFLICT (hash, user_id) DO UPDATE SET seen = excluded.seen";
    sqlx::query(sql).bind(hash).bind(user).bind(now).execute(&db.pool).await?;
    let sql = "DELETE FROM devices WHERE user_id = $1 AND hash NOT IN \
               (SELECT hash FROM devices WHERE user_id = $1 ORDER BY seen DESC, hash LIMIT $2)";
    sqlx::query(sql).bind(user).bind(most).execute(&db.pool).await?;
    Ok(())
}

pub(in crate::people::accounts) async fn forget_devices(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM devices WHERE user_id = $1").bind(user).execute(to).await?;
    Ok(())
}

/// Forgets devices that were last used before a time.
pub(in crate::people::accounts) async fn forget_old_devices(
    to: &mut AnyConnection,
    before: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM devices WHERE seen < $1").bind(before).execute(to).await?;
    Ok(())
}
