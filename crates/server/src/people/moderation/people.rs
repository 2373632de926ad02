//! Users as moderators look them up: by name or by id, deleted ones too.

use crate::error::Refusal;
use crate::people::accounts::Role;
use crate::storage::db::Db;
use crate::wire::UserCard;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A user, whether there still is one or not.
#[derive(Clone, Debug)]
pub struct Person {
    /// Who.
    pub card: UserCard,
    /// What they may do.
    pub role: Role,
    /// Whether they are kept out.
    pub banned: bool,
    /// Whether the account is deleted.
    pub deleted: bool,
    /// When it was made.
    pub created: i64,
    /// When it was last used.
    pub seen: i64,
}

const COLUMNS: &str = "SELECT id, name, guest, role, banned, deleted, created, seen FROM users";

impl Person {
    /// The person of a name now, or of `id:` and an id. The mark is needed: somebody may call
    /// themselves as somebody else's id.
    ///
    /// # Errors
    /// If there is none.
    pub async fn find(db: &Db, name_or_id: &str) -> Result<Self, Refusal> {
        if let Some(id) = name_or_id.strip_prefix("id:") {
            return Self::with_id(db, id).await;
        }
        let nobody =
            || Refusal::NotFound(format!("nobody is called '{}'", game::excerpt(name_or_id, 40)));
        if name_or_id.contains('\0') {
            return Err(nobody());
        }
        let sql = format!("{COLUMNS} WHERE name_key = $1 AND deleted = 0");
        let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(name_or_id.to_lowercase());
        let row = row.fetch_optional(&db.pool).await?.ok_or_else(nobody)?;
        Ok(Self::from_row(&row)?)
    }

    /// The person of an id.
    ///
    /// # Errors
    /// If there is none.
    pub async fn with_id(db: &Db, id: &str) -> Result<Self, Refusal> {
        let mut connection = db.pool.acquire().await?;
        Self::by_id(&mut connection, id).await
    }

    /// The person of an id, within a transaction.
    ///
    /// # Errors
    /// If there is none.
    pub async fn by_id(from: &mut AnyConnection, id: &str) -> Result<Self, Refusal> {
        let sql = format!("{COLUMNS} WHERE id = $1");
        let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(from).await?;
        let row = row.ok_or_else(|| Refusal::NotFound("there is no such user".into()))?;
        Ok(Self::from_row(&row)?)
    }

    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            card: card(row, "id", "name", "guest")?,
            role: Role::of(&row.try_get::<String, _>("role")?),
            banned: row.try_get::<i64, _>("banned")? != 0,
            deleted: row.try_get::<i64, _>("deleted")? != 0,
            created: row.try_get("created")?,
            seen: row.try_get("seen")?,
        })
    }
}

/// A user's card from the columns of a row.
pub(super) fn card(
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
pub(super) fn card_if_any(
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
