//! What goes away: accounts that are deleted, sessions and guests that are forgotten.

use super::{devices, freed, users};
use crate::error::Refusal;
use crate::people::ratings;
use crate::storage::db::Db;
use crate::{ids, time};
use sqlx::{Any, Row, Transaction};

/// Deletes an account: nobody can come in by it, nothing tells whose it was, and its name is free
/// after a while.
/// Its games stay, as they are the opponents' too, with a name that says nothing, which this gives.
///
/// # Errors
/// If the user sits in a game that is not over.
pub async fn delete_user(db: &Db, id: &str) -> Result<String, Refusal> {
    let mut changes = db.begin().await?;
    let name = delete_user_within(&mut changes, id).await?;
    changes.commit().await?;
    Ok(name)
}

/// The same within a transaction that does more.
///
/// # Errors
/// If the user sits in a game that is not over.
pub async fn delete_user_within(
    changes: &mut Transaction<'static, Any>,
    id: &str,
) -> Result<String, Refusal> {
    let sql = "SELECT g.id FROM games g JOIN seats s ON s.game_id = g.id \
               WHERE s.user_id = $1 AND s.kind = 'user' AND g.status <> 'over' GROUP BY g.id ORDER BY g.id LIMIT 5";
    let running: Vec<String> = sqlx::query_scalar(sql).bind(id).fetch_all(&mut **changes).await?;
    if !running.is_empty() {
        let games = running.join(", ");
        return Err(Refusal::Conflict(format!(
            "you still sit in games that are not over ({games}); resign or leave them first"
        )));
    }
    for sql in [
        "DELETE FROM sessions WHERE user_id = $1",
        "DELETE FROM tokens WHERE user_id = $1",
        "DELETE FROM recovery_codes WHERE user_id = $1",
        "DELETE FROM second_factors WHERE user_id = $1",
        "DELETE FROM devices WHERE user_id = $1",
        "UPDATE freed_names SET user_id = '' WHERE user_id = $1",
        "DELETE FROM settings WHERE user_id = $1",
        "DELETE FROM mutes WHERE user_id = $1 OR muted = $1",
        "DELETE FROM blocks WHERE user_id = $1 OR blocked = $1",
        "DELETE FROM addresses WHERE user_id = $1",
        "DELETE FROM name_history WHERE user_id = $1",
        "DELETE FROM early_exits WHERE user_id = $1",
        "DELETE FROM thinking WHERE user_id = $1",
    ] {
        sqlx::query(sql).bind(id).execute(&mut **changes).await?;
    }
    ratings::store::remove_user(changes, id).await?;
    let before = sqlx::query("SELECT name, guest FROM users WHERE id = $1").bind(id);
    let before = before.fetch_one(&mut **changes).await?;
    if before.try_get::<i64, _>("guest")? == 0 {
        freed::note_freed(changes, before.try_get("name")?, "").await?;
    }
    let name = format!("Deleted-{}", &ids::new_id()[..6]);
    let sql = "UPDATE users SET name = $1, name_key = $2, password = NULL, role = 'user', \
               deleted = 1 WHERE id = $3";
    let forget = sqlx::query(sql).bind(&name).bind(format!("deleted {id}")).bind(id);
    forget.execute(&mut **changes).await?;
    users::name_on_seats(changes, id, &name).await?;
    let chat = sqlx::query("UPDATE chat SET name = $1 WHERE user_id = $2").bind(&name).bind(id);
    chat.execute(&mut **changes).await?;
    Ok(name)
}

/// How long a token that has expired is still listed, so that its owner sees why it fails.
const EXPIRED_SHOWN: i64 = 30 * time::DAY;

/// Removes sessions that were not used for so many days, and guests who left nothing behind.
///
/// # Errors
/// If the database does not answer.
pub async fn remove_old(db: &Db, days: u32) -> Result<(), sqlx::Error> {
    let oldest = time::now() - i64::from(days) * time::DAY;
    let mut changes = db.begin().await?;
    for sql in [
        "DELETE FROM sessions WHERE seen < $1",
        "DELETE FROM mutes WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM blocks WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM users WHERE guest = 1 AND seen < $1 \
         AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id) \
         AND NOT EXISTS (SELECT 1 FROM games g WHERE g.host = users.id) \
         AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.muted = users.id) \
         AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocked = users.id) \
         AND NOT EXISTS (SELECT 1 FROM reports r \
                         WHERE r.reporter = users.id OR r.subject = users.id) \
         AND NOT EXISTS (SELECT 1 FROM sanctions s WHERE s.user_id = users.id) \
         AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.user_id = users.id) \
         AND id NOT IN (SELECT user_id FROM chat)",
    ] {
        sqlx::query(sql).bind(oldest).execute(&mut *changes).await?;
    }
    for (sql, before) in [
        ("DELETE FROM devices WHERE seen < $1", devices::oldest()),
        ("DELETE FROM freed_names WHERE at < $1", time::now() - freed::KEPT),
        ("DELETE FROM tokens WHERE expires < $1", time::now() - EXPIRED_SHOWN),
    ] {
        sqlx::query(sql).bind(before).execute(&mut *changes).await?;
    }
    changes.commit().await
}
