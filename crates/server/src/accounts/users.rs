//! The rows of people.

use super::names;
use crate::db::Db;
use crate::error::Refusal;
use crate::{ids, time};
use sqlx::Row;
use sqlx::any::AnyRow;

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
    /// Whether the account was deleted.
    pub deleted: bool,
    /// When the account was made, Unix milliseconds.
    pub created: i64,
}

impl User {
    pub(super) fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            password: row.try_get("password")?,
            guest: row.try_get::<i64, _>("guest")? != 0,
            banned: row.try_get::<i64, _>("banned")? != 0,
            deleted: row.try_get::<i64, _>("deleted")? != 0,
            created: row.try_get("created")?,
        })
    }
}

/// The user with a name, in whatever case.
///
/// # Errors
/// If the database does not answer.
pub async fn find_user(db: &Db, name: &str) -> Result<Option<User>, Refusal> {
    let sql = "SELECT id, name, password, guest, banned, deleted, created FROM users \
               WHERE name_key = $1 AND deleted = 0";
    let row = sqlx::query(sql).bind(names::key_of(name)).fetch_optional(&db.pool).await?;
    Ok(row.map(|row| User::from_row(&row)).transpose()?)
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
    let guest = true;
    Ok(User { id, name, password: None, guest, banned: false, deleted: false, created: now })
}
