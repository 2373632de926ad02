//! The table `users`.

use crate::people::accounts::{Role, User};
use crate::storage::db::Db;
use crate::time;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyExecutor, Row};

/// The columns that [`User::from_row`] reads, of users who are not deleted.
macro_rules! select_user {
    ($which:literal) => {
        concat!(
            "SELECT id, name, password, guest, banned, role, created FROM users WHERE ",
            $which,
            " AND deleted = 0"
        )
    };
}

impl User {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            password: row.try_get("password")?,
            guest: row.try_get::<i64, _>("guest")? != 0,
            banned: row.try_get::<i64, _>("banned")? != 0,
            role: Role::of(&row.try_get::<String, _>("role")?),
            created: row.try_get("created")?,
        })
    }
}

/// The user whose name has a key, unless deleted.
pub(in crate::people::accounts) async fn by_key(
    db: &Db,
    key: &str,
) -> Result<Option<User>, sqlx::Error> {
    let row = sqlx::query(select_user!("name_key = $1")).bind(key).fetch_optional(&db.pool).await?;
    row.map(|row| User::from_row(&row)).transpose()
}

/// The user of an id, unless deleted.
pub(in crate::people::accounts) async fn by_id(
    db: &Db,
    id: &str,
) -> Result<Option<User>, sqlx::Error> {
    let row = sqlx::query(select_user!("id = $1")).bind(id).fetch_optional(&db.pool).await?;
    row.map(|row| User::from_row(&row)).transpose()
}

/// The guest, other than one, whose name has a key.
pub(in crate::people::accounts) async fn guest_with_key(
    from: impl AnyExecutor<'_>,
    key: &str,
    but: &str,
) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT id FROM users WHERE name_key = $1 AND guest = 1 AND id <> $2";
    sqlx::query_scalar(sql).bind(key).bind(but).fetch_optional(from).await
}

/// The name of a user, deleted or not, and whether it is a guest's.
pub(in crate::people::accounts) async fn name_and_guest(
    from: impl AnyExecutor<'_>,
    id: &str,
) -> Result<(String, bool), sqlx::Error> {
    let row = sqlx::query("SELECT name, guest FROM users WHERE id = $1").bind(id);
    let row = row.fetch_one(from).await?;
    Ok((row.try_get("name")?, row.try_get::<i64, _>("guest")? != 0))
}

/// The names of moderators and administrators other than one.
pub(in crate::people::accounts) async fn names_of_staff(
    from: impl AnyExecutor<'_>,
    but: &str,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT name FROM users WHERE role <> 'user' AND deleted = 0 AND id <> $1";
    sqlx::query_scalar(sql).bind(but).fetch_all(from).await
}

/// Makes a user: a guest without a password, an account with its hash.
pub(in crate::people::accounts) async fn insert(
    to: impl AnyExecutor<'_>,
    id: &str,
    (name, key): (&str, &str),
    password: Option<&str>,
    now: i64,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO users (id, name, name_key, password, guest, created, seen) \
               VALUES ($1, $2, $3, $4, $5, $6, $6)";
    let insert = sqlx::query(sql).bind(id).bind(name).bind(key).bind(password.map(str::to_owned));
    insert.bind(i64::from(password.is_none())).bind(now).execute(to).await?;
    Ok(())
}

/// Makes an account of a guest. Whether it was a guest.
pub(in crate::people::accounts) async fn make_account(
    to: impl AnyExecutor<'_>,
    guest: &str,
    (name, key): (&str, &str),
    password: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE users SET name = $1, name_key = $2, password = $3, guest = 0 \
               WHERE id = $4 AND guest = 1 AND deleted = 0";
    let update = sqlx::query(sql).bind(name).bind(key).bind(password).bind(guest);
    Ok(update.execute(to).await?.rows_affected() == 1)
}

pub(in crate::people::accounts) async fn set_name(
    to: impl AnyExecutor<'_>,
    id: &str,
    (name, key): (&str, &str),
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE users SET name = $1, name_key = $2 WHERE id = $3";
    sqlx::query(sql).bind(name).bind(key).bind(id).execute(to).await?;
    Ok(())
}

pub(in crate::people::accounts) async fn set_password(
    to: impl AnyExecutor<'_>,
    id: &str,
    hash: &str,
) -> Result<(), sqlx::Error> {
    let update = sqlx::query("UPDATE users SET password = $1 WHERE id = $2").bind(hash).bind(id);
    update.execute(to).await?;
    Ok(())
}

pub(in crate::people::accounts) async fn set_banned(
    to: impl AnyExecutor<'_>,
    id: &str,
    banned: bool,
    until: Option<i64>,
) -> Result<(), sqlx::Error> {
    let update = sqlx::query("UPDATE users SET banned = $1, banned_until = $2 WHERE id = $3");
    update.bind(i64::from(banned)).bind(until).bind(id).execute(to).await?;
    Ok(())
}

/// Those whose bans have ended by now, some of them.
pub(in crate::people::accounts) async fn with_ended_bans(
    db: &Db,
) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT id FROM users WHERE banned = 1 AND banned_until <= $1 LIMIT 100";
    sqlx::query_scalar(sql).bind(time::now()).fetch_all(&db.pool).await
}

/// Whether a user is kept out without an end.
pub(in crate::people::accounts) async fn is_banned_for_good(
    db: &Db,
    id: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM users WHERE id = $1 AND banned = 1 AND banned_until IS NULL";
    Ok(sqlx::query_scalar::<_, i64>(sql).bind(id).fetch_one(&db.pool).await? > 0)
}

/// The name of a user, deleted or not; `None` if there never was one.
pub(in crate::people::accounts) async fn name(
    db: &Db,
    id: &str,
) -> Result<Option<String>, sqlx::Error> {
    let name = sqlx::query_scalar("SELECT name FROM users WHERE id = $1").bind(id);
    name.fetch_optional(&db.pool).await
}

pub(in crate::people::accounts) async fn set_role(
    to: impl AnyExecutor<'_>,
    id: &str,
    role: Role,
) -> Result<(), sqlx::Error> {
    let update = sqlx::query("UPDATE users SET role = $1 WHERE id = $2").bind(role.name());
    update.bind(id).execute(to).await?;
    Ok(())
}

/// The role of a user; a mere user's if there is none.
pub(in crate::people::accounts) async fn role(db: &Db, id: &str) -> Result<Role, sqlx::Error> {
    let role = sqlx::query_scalar::<_, String>("SELECT role FROM users WHERE id = $1").bind(id);
    Ok(role.fetch_optional(&db.pool).await?.map_or(Role::User, |role| Role::of(&role)))
}

pub(in crate::people::accounts) async fn note_use(
    db: &Db,
    id: &str,
    now: i64,
) -> Result<(), sqlx::Error> {
    let note = sqlx::query("UPDATE users SET seen = $1 WHERE id = $2").bind(now).bind(id);
    note.execute(&db.pool).await?;
    Ok(())
}

/// Marks a user as deleted: with a name that says nothing, and nothing to come in by.
pub(in crate::people::accounts) async fn mark_deleted(
    to: &mut AnyConnection,
    id: &str,
    name: &str,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE users SET name = $1, name_key = $2, password = NULL, role = 'user', \
               deleted = 1 WHERE id = $3";
    let forget = sqlx::query(sql).bind(name).bind(format!("deleted {id}")).bind(id);
    forget.execute(&mut *to).await?;
    let chat = sqlx::query("UPDATE chat SET name = $1 WHERE user_id = $2").bind(name).bind(id);
    chat.execute(to).await?;
    Ok(())
}

/// The name now stands on all seats the user ever had.
pub(in crate::people::accounts) async fn name_on_seats(
    to: impl AnyExecutor<'_>,
    id: &str,
    name: &str,
) -> Result<(), sqlx::Error> {
    let update = sqlx::query("UPDATE seats SET name = $1 WHERE user_id = $2").bind(name).bind(id);
    update.execute(to).await?;
    Ok(())
}

/// Some of the games that a user sits in and that are not over.
pub(in crate::people::accounts) async fn unfinished_games(
    from: impl AnyExecutor<'_>,
    id: &str,
    most: i64,
) -> Result<Vec<String>, sqlx::Error> {
    // Who is only invited may leave for good.
    let sql = "SELECT g.id FROM games g JOIN seats s ON s.game_id = g.id \
               WHERE s.user_id = $1 AND s.kind = 'user' AND g.status <> 'over' \
               GROUP BY g.id ORDER BY g.id LIMIT $2";
    sqlx::query_scalar(sql).bind(id).bind(most).fetch_all(from).await
}

/// Removes what stands about a user in the tables of other subjects: whom they muted or blocked,
/// where they were seen, how they played, what they studied, which puzzles they solved.
pub(in crate::people::accounts) async fn remove_traces(
    to: &mut AnyConnection,
    id: &str,
) -> Result<(), sqlx::Error> {
    for sql in [
        "DELETE FROM mutes WHERE user_id = $1 OR muted = $1",
        "DELETE FROM blocks WHERE user_id = $1 OR blocked = $1",
        "DELETE FROM addresses WHERE user_id = $1",
        "DELETE FROM early_exits WHERE user_id = $1",
        "DELETE FROM thinking WHERE user_id = $1",
        "DELETE FROM study_earlier WHERE study_id IN (SELECT id FROM studies WHERE owner = $1)",
        "DELETE FROM study_chapters WHERE study_id IN (SELECT id FROM studies WHERE owner = $1)",
        "DELETE FROM studies WHERE owner = $1",
        "DELETE FROM puzzle_answers WHERE user_id = $1",
        "DELETE FROM puzzle_solvers WHERE user_id = $1",
    ] {
        sqlx::query(sql).bind(id).execute(&mut *to).await?;
    }
    Ok(())
}

/// Removes guests who were last seen before a time, have no session, and left nothing behind.
pub(in crate::people::accounts) async fn remove_guests(
    to: &mut AnyConnection,
    before: i64,
) -> Result<(), sqlx::Error> {
    for sql in [
        "DELETE FROM mutes WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM blocks WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM puzzle_answers \
         WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM puzzle_solvers \
         WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM users WHERE guest = 1 AND seen < $1 \
         AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id) \
         AND NOT EXISTS (SELECT 1 FROM games g WHERE g.host = users.id) \
         AND NOT EXISTS (SELECT 1 FROM studies t WHERE t.owner = users.id) \
         AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.muted = users.id) \
         AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocked = users.id) \
         AND NOT EXISTS (SELECT 1 FROM reports r \
                         WHERE r.reporter = users.id OR r.subject = users.id) \
         AND NOT EXISTS (SELECT 1 FROM sanctions s WHERE s.user_id = users.id) \
         AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.user_id = users.id) \
         AND id NOT IN (SELECT user_id FROM chat)",
    ] {
        sqlx::query(sql).bind(before).execute(&mut *to).await?;
    }
    Ok(())
}
