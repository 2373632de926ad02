//! The rows of people.

use super::{Role, freed, names};
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::{ids, time};
use sqlx::any::AnyRow;
use sqlx::{Any, Row, Transaction};

/// A person.
#[derive(Clone, Debug)]
pub struct User {
    /// The id, which never changes.
    pub id: String,
    /// The name now.
    pub name: String,
    /// The hash of the password; guests have none.
    pub password: Option<String>,
    /// Whether it is a guest.
    pub guest: bool,
    /// Whether the user may not come in.
    pub banned: bool,
    /// What the user may do beyond playing.
    pub role: Role,
    /// When the account was made, Unix milliseconds.
    pub created: i64,
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

/// The user with a name, in whatever case.
///
/// # Errors
/// If the database does not answer.
pub async fn find_user(db: &Db, name: &str) -> Result<Option<User>, Refusal> {
    // No name has one, and not every database can look for it.
    if name.contains('\0') {
        return Ok(None);
    }
    let sql = "SELECT id, name, password, guest, banned, role, created FROM users \
               WHERE name_key = $1 AND deleted = 0";
    let row = sqlx::query(sql).bind(names::key_of(name)).fetch_optional(&db.pool).await?;
    Ok(row.map(|row| User::from_row(&row)).transpose()?)
}

/// The user with an id.
///
/// # Errors
/// If there is none (any more).
pub async fn find_user_by_id(db: &Db, id: &str) -> Result<User, Refusal> {
    let sql = "SELECT id, name, password, guest, banned, role, created FROM users \
               WHERE id = $1 AND deleted = 0";
    let row = sqlx::query(sql).bind(id).fetch_optional(&db.pool).await?;
    let row = row.ok_or_else(|| Refusal::NotFound("there is no such user".into()))?;
    Ok(User::from_row(&row)?)
}

/// A new guest.
///
/// # Errors
/// If the database does not answer.
pub async fn new_guest(db: &Db) -> Result<User, Refusal> {
    let (id, name, now) = (ids::new_id(), names::guest_name(), time::now());
    let sql = "INSERT INTO users (id, name, name_key, guest, created, seen) \
               VALUES ($1, $2, $3, 1, $4, $4)";
    let insert = sqlx::query(sql).bind(&id).bind(&name).bind(names::key_of(&name)).bind(now);
    insert.execute(&db.pool).await?;
    Ok(User {
        id,
        name,
        password: None,
        guest: true,
        banned: false,
        role: Role::User,
        created: now,
    })
}

/// Somebody who registers.
pub struct NewUser<'a> {
    /// The guest they were so far, whose games they keep.
    pub guest: Option<&'a str>,
    /// The name.
    pub name: &'a str,
    /// The hash of the password.
    pub password: &'a str,
}

/// Makes an account, or makes the guest's one.
///
/// # Errors
/// If the name is taken.
pub async fn become_user(
    changes: &mut Transaction<'static, Any>,
    new: NewUser<'_>,
) -> Result<String, Refusal> {
    let key = names::key_of(new.name);
    freed::refuse_kept(changes, new.name, new.guest.unwrap_or_default()).await?;
    freed::refuse_like_staff(changes, new.name, new.guest.unwrap_or_default()).await?;
    let Some(guest) = new.guest else {
        let id = ids::new_id();
        let sql = "INSERT INTO users (id, name, name_key, password, guest, created, seen) \
                   VALUES ($1, $2, $3, $4, 0, $5, $5)";
        let insert = sqlx::query(sql).bind(&id).bind(new.name).bind(key).bind(new.password);
        let done = insert.bind(time::now()).execute(&mut **changes).await;
        done.map_err(|error| taken(error, new.name))?;
        return Ok(id);
    };
    let sql = "UPDATE users SET name = $1, name_key = $2, password = $3, guest = 0 \
               WHERE id = $4 AND guest = 1 AND deleted = 0";
    let update = sqlx::query(sql).bind(new.name).bind(key).bind(new.password).bind(guest);
    let done = update.execute(&mut **changes).await.map_err(|error| taken(error, new.name))?;
    if done.rows_affected() != 1 {
        return Err(Refusal::Conflict("you have an account already".into()));
    }
    name_on_seats(changes, guest, new.name).await?;
    Ok(guest.to_owned())
}

/// Gives a user another name. The one before is kept for them for a while.
///
/// # Errors
/// If the name is taken, or they changed it too often.
pub async fn rename(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    name: &str,
    limited: bool,
) -> Result<(), Refusal> {
    let before = sqlx::query_scalar("SELECT name FROM users WHERE id = $1").bind(id);
    let before: String = before.fetch_one(&mut **changes).await?;
    if names::key_of(&before) != names::key_of(name) {
        freed::refuse_kept(changes, name, id).await?;
        freed::refuse_like_staff(changes, name, id).await?;
        if limited {
            freed::refuse_often(changes, id).await?;
        }
        freed::note_freed(changes, &before, id).await?;
    }
    set_name(changes, id, name).await
}

/// Gives a guest the name they chose. It is lent, so the one before is free at once.
///
/// # Errors
/// If the name is taken, or kept for somebody, or they changed it too often.
pub async fn name_guest(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    name: &str,
    limited: bool,
) -> Result<(), Refusal> {
    freed::refuse_kept(changes, name, id).await?;
    freed::refuse_like_staff(changes, name, id).await?;
    if limited {
        freed::refuse_often_guest(changes, id).await?;
    }
    set_name(changes, id, name).await
}

async fn set_name(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    name: &str,
) -> Result<(), Refusal> {
    let sql = "INSERT INTO name_history (user_id, name, given_up) \
               SELECT id, name, $1 FROM users WHERE id = $2 AND name <> $3";
    let kept = sqlx::query(sql).bind(time::now()).bind(id).bind(name);
    kept.execute(&mut **changes).await?;
    let sql = "UPDATE users SET name = $1, name_key = $2 WHERE id = $3";
    let update = sqlx::query(sql).bind(name).bind(names::key_of(name)).bind(id);
    update.execute(&mut **changes).await.map_err(|error| taken(error, name))?;
    name_on_seats(changes, id, name).await
}

/// A guest's name is lent: who makes an account may have it. The guest gets another one, as when
/// they came; gives the guest's id and new name.
///
/// # Errors
/// If the database does not answer.
pub async fn take_from_guest(
    changes: &mut Transaction<'static, Any>,
    name: &str,
    taker: &str,
) -> Result<Option<(String, String)>, Refusal> {
    let sql = "SELECT id FROM users WHERE name_key = $1 AND guest = 1 AND id <> $2";
    let found = sqlx::query(sql).bind(names::key_of(name)).bind(taker);
    let Some(row) = found.fetch_optional(&mut **changes).await? else { return Ok(None) };
    let (guest, other): (String, String) = (row.try_get("id")?, names::guest_name());
    set_name(changes, &guest, &other).await?;
    Ok(Some((guest, other)))
}

/// The name now stands on all seats the user ever had.
pub(super) async fn name_on_seats(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    name: &str,
) -> Result<(), Refusal> {
    let update = sqlx::query("UPDATE seats SET name = $1 WHERE user_id = $2").bind(name).bind(id);
    update.execute(&mut **changes).await?;
    Ok(())
}

/// Stores the hash of another password. Whoever came in with the one before is a stranger now.
///
/// # Errors
/// If the database does not answer.
pub async fn set_password(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    hash: &str,
) -> Result<(), Refusal> {
    let update = sqlx::query("UPDATE users SET password = $1 WHERE id = $2").bind(hash).bind(id);
    update.execute(&mut **changes).await?;
    let forget = sqlx::query("DELETE FROM devices WHERE user_id = $1").bind(id);
    forget.execute(&mut **changes).await?;
    Ok(())
}

/// Keeps a user out, with all sessions and tokens, until a time or for good, or lets them in again.
///
/// # Errors
/// If the database does not answer.
pub async fn set_banned(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    banned: bool,
    until: Option<i64>,
) -> Result<(), Refusal> {
    let update = sqlx::query("UPDATE users SET banned = $1, banned_until = $2 WHERE id = $3");
    let update = update.bind(i64::from(banned)).bind(until.filter(|_| banned)).bind(id);
    update.execute(&mut **changes).await?;
    Ok(())
}

fn taken(error: sqlx::Error, name: &str) -> Refusal {
    if error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
        return Refusal::Conflict(format!("the name '{name}' is taken"));
    }
    error.into()
}
