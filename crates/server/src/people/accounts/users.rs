//! People: guests who come, accounts that are made, names and passwords that change.

use super::{Role, names, released_names, store};
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::FormerName;
use crate::{ids, time};
use sqlx::{Any, Transaction};

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

/// The user with a name, in whatever case.
///
/// # Errors
/// If the database does not answer.
pub async fn find_user(db: &Db, name: &str) -> Result<Option<User>, Refusal> {
    // No name has one, and not every database can look for it.
    if name.contains('\0') {
        return Ok(None);
    }
    Ok(store::users::by_key(db, &names::key_of(name)).await?)
}

/// The user with an id.
///
/// # Errors
/// If there is none (any more).
pub async fn find_user_by_id(db: &Db, id: &str) -> Result<User, Refusal> {
    let user = store::users::by_id(db, id).await?;
    user.ok_or_else(|| Refusal::NotFound("there is no such user".into()))
}

/// A new guest.
///
/// # Errors
/// If the database does not answer.
pub async fn new_guest(db: &Db) -> Result<User, Refusal> {
    let (id, name, now) = (ids::new_id(), names::guest_name(), time::now());
    store::users::insert(&db.pool, &id, (&name, &names::key_of(&name)), None, now).await?;
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
    released_names::refuse_kept(changes, new.name, new.guest.unwrap_or_default()).await?;
    released_names::refuse_like_staff(changes, new.name, new.guest.unwrap_or_default()).await?;
    let Some(guest) = new.guest else {
        let id = ids::new_id();
        let name = (new.name, key.as_str());
        let now = time::now();
        let done = store::users::insert(&mut **changes, &id, name, Some(new.password), now).await;
        done.map_err(|error| taken(error, new.name))?;
        return Ok(id);
    };
    let name = (new.name, key.as_str());
    let done = store::users::make_account(&mut **changes, guest, name, new.password).await;
    if !done.map_err(|error| taken(error, new.name))? {
        return Err(Refusal::Conflict("you have an account already".into()));
    }
    store::users::name_on_seats(&mut **changes, guest, new.name).await?;
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
    let (before, _) = store::users::name_and_guest(&mut **changes, id).await?;
    if names::key_of(&before) != names::key_of(name) {
        released_names::refuse_kept(changes, name, id).await?;
        released_names::refuse_like_staff(changes, name, id).await?;
        if limited {
            released_names::refuse_often(changes, id).await?;
        }
        released_names::note_freed(changes, &before, id).await?;
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
    released_names::refuse_kept(changes, name, id).await?;
    released_names::refuse_like_staff(changes, name, id).await?;
    if limited {
        released_names::refuse_often_guest(changes, id).await?;
    }
    set_name(changes, id, name).await
}

async fn set_name(
    changes: &mut Transaction<'static, Any>,
    id: &str,
    name: &str,
) -> Result<(), Refusal> {
    store::names::remember(&mut **changes, id, name).await?;
    let set = store::users::set_name(&mut **changes, id, (name, &names::key_of(name))).await;
    set.map_err(|error| taken(error, name))?;
    Ok(store::users::name_on_seats(&mut **changes, id, name).await?)
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
    let key = names::key_of(name);
    let found = store::users::guest_with_key(&mut **changes, &key, taker).await?;
    let Some(guest) = found else { return Ok(None) };
    let other = names::guest_name();
    set_name(changes, &guest, &other).await?;
    Ok(Some((guest, other)))
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
    store::users::set_password(&mut **changes, id, hash).await?;
    Ok(store::sessions::forget_devices(&mut **changes, id).await?)
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
    let until = until.filter(|_| banned);
    Ok(store::users::set_banned(&mut **changes, id, banned, until).await?)
}

/// Those whose bans have ended by now, some of them.
///
/// # Errors
/// If the database does not answer.
pub async fn with_ended_bans(db: &Db) -> Result<Vec<String>, Refusal> {
    Ok(store::users::with_ended_bans(db).await?)
}

/// Whether a user is kept out without an end.
///
/// # Errors
/// If the database does not answer.
pub async fn is_banned_for_good(db: &Db, id: &str) -> Result<bool, Refusal> {
    Ok(store::users::is_banned_for_good(db, id).await?)
}

/// The name of a user now, also of one who is deleted; `None` if there never was one.
///
/// # Errors
/// If the database does not answer.
pub async fn name_of(db: &Db, id: &str) -> Result<Option<String>, Refusal> {
    Ok(store::users::name(db, id).await?)
}

/// What a user was called before, the latest first.
///
/// # Errors
/// If the database does not answer.
pub async fn former_names(db: &Db, id: &str) -> Result<Vec<FormerName>, Refusal> {
    Ok(store::names::former(db, id).await?)
}

fn taken(error: sqlx::Error, name: &str) -> Refusal {
    if error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
        return Refusal::Conflict(format!("the name '{name}' is taken"));
    }
    error.into()
}
