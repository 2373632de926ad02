//! Users as moderators look them up: by name or by id, deleted ones too.

use super::store;
use crate::error::Refusal;
use crate::people::accounts::Role;
use crate::storage::db::Db;
use crate::wire::UserCard;
use sqlx::AnyConnection;

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
        let found = store::people::called(db, &name_or_id.to_lowercase()).await?;
        found.ok_or_else(nobody)
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
        let found = store::people::by_id(from, id).await?;
        found.ok_or_else(|| Refusal::NotFound("there is no such user".into()))
    }
}
