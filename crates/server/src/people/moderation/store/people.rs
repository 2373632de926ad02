//! The table `users` as moderators see it: deleted ones too.

use crate::people::accounts::Role;
use crate::people::moderation::Person;
use crate::storage::db::Db;
use crate::wire::UserCard;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

const COLUMNS: &str = "SELECT id, name, guest, role, banned, deleted, created, seen FROM users";

/// The person whose name has a key, unless deleted.
pub(in crate::people::moderation) async fn called(
    db: &Db,
    key: &str,
) -> Result<Option<Person>, sqlx::Error> {
    let sql = format!("{COLUMNS} WHERE name_key = $1 AND deleted = 0");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(key).fetch_optional(&db.pool).await?;
    row.map(|row| from_row(&row)).transpose()
}

/// The person of an id, deleted or not.
pub(in crate::people::moderation) async fn by_id(
    from: &mut AnyConnection,
    id: &str,
) -> Result<Option<Person>, sqlx::Error> {
    let sql = format!("{COLUMNS} WHERE id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(from).await?;
    row.map(|row| from_row(&row)).transpose()
}

fn from_row(row: &AnyRow) -> Result<Person, sqlx::Error> {
    Ok(Person {
        card: card(row, "id", "name", "guest")?,
        role: Role::of(&row.try_get::<String, _>("role")?),
        banned: row.try_get::<i64, _>("banned")? != 0,
        deleted: row.try_get::<i64, _>("deleted")? != 0,
        created: row.try_get("created")?,
        seen: row.try_get("seen")?,
    })
}

/// A user's card from the columns of a row.
pub(in crate::people::moderation) fn card(
    row: &AnyRow,
    id: &str,
    name: &str,
    guest: &str,
) -> Result<UserCard, sqlx::Error> {
    Ok(UserCard {
        id: row.try_get(id)?,
        name: row.try_get(name)?,
        guest: row.try_get::<i64, _>(guest)? != 0,
    })
}

/// The same, where there may be no user.
pub(in crate::people::moderation) fn card_if_any(
    row: &AnyRow,
    id: &str,
    name: &str,
    guest: &str,
) -> Result<Option<UserCard>, sqlx::Error> {
    match row.try_get::<Option<String>, _>(name)? {
        None => Ok(None),
        Some(_) => card(row, id, name, guest).map(Some),
    }
}
