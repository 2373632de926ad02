//! What those who run the server do about users, at the command line and on the database itself.

use super::store;
use crate::config::PasswordCost;
use crate::error::Refusal;
use crate::ids;
use crate::people::accounts::{self, Passwords, Role, User};
use crate::people::moderation::audit::{self, Actor, NewEntry};
use crate::people::moderation::sanctions::{self, PendingSanction};
use crate::puzzles::{self, Added};
use crate::storage::db::Db;
use crate::wire::SanctionKind;
use bots::puzzle::ParsePuzzleError;
use serde_json::{Value, json};
use sqlx::{Any, Transaction};

/// A line of the list of users.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// Whether it is a guest.
    pub guest: bool,
    /// Whether the user may not come in.
    pub banned: bool,
    /// What the user may do beyond playing.
    pub role: Role,
    /// When the account was made, Unix milliseconds.
    pub created: i64,
    /// When it was last used.
    pub seen: i64,
    /// How many games the user has sat in.
    pub games: i64,
}

/// Users whose name contains a text, the last seen first.
///
/// # Errors
/// If the database does not answer.
pub async fn users(
    db: &Db,
    containing: &str,
    guests: bool,
    most: i64,
) -> Result<Vec<Listed>, Refusal> {
    Ok(store::users(db, containing, guests, most).await?)
}

/// What is known of one user, beside the list's line.
#[derive(Clone, Debug)]
pub struct Details {
    /// The list's line.
    pub listed: Listed,
    /// Where the user is logged in.
    pub sessions: i64,
    /// The tokens of the user's programs.
    pub tokens: i64,
    /// Recovery codes that are left.
    pub codes: u32,
    /// Whether a login needs a second factor.
    pub second_factor: bool,
    /// Games that are not over, by id.
    pub unfinished: Vec<String>,
}

/// All about one user.
///
/// # Errors
/// If there is none of that name.
pub async fn show(db: &Db, name: &str) -> Result<Details, Refusal> {
    let user = named(db, name).await?;
    let listed = users(db, name, true, i64::MAX).await?;
    let listed = listed.into_iter().find(|listed| listed.id == user.id);
    let unfinished = store::unfinished_games(db, &user.id).await?;
    Ok(Details {
        listed: listed.ok_or(Refusal::Internal)?,
        sessions: accounts::count_sessions(db, &user.id).await?,
        tokens: accounts::count_tokens(db, &user.id).await?,
        codes: accounts::codes_left(db, &user.id).await?,
        second_factor: accounts::has_second_factor(db, &user.id).await?,
        unfinished: unfinished.into_iter().map(|(game, _)| game).collect(),
    })
}

/// Gives a user a new password, made here if none is given, and ends all sessions. Returns it.
///
/// # Errors
/// If there is no such user, or the password is too short or too long.
pub async fn reset_password(
    db: &Db,
    name: &str,
    password: Option<String>,
) -> Result<String, Refusal> {
    let user = named(db, name).await?;
    if user.guest {
        return Err(Refusal::Conflict(format!("'{}' is a guest and has no password", user.name)));
    }
    let password = password.unwrap_or_else(ids::new_code);
    accounts::check_password(&password)?;
    let hash = Passwords::new(1, PasswordCost::Recommended).hash(password.clone()).await?;
    let mut changes = db.begin().await?;
    accounts::set_password(&mut changes, &user.id, &hash).await?;
    accounts::end_sessions(&mut changes, &user.id).await?;
    note(db, &mut changes, "password", format!("user:{}", user.id), json!({"name": user.name}))
        .await?;
    order(&mut changes, "look_again", &user.id).await?;
    changes.commit().await?;
    Ok(password)
}

/// Takes away the second factor of a user who lost it.
///
/// # Errors
/// If there is no such user, or they have none.
pub async fn remove_second_factor(db: &Db, name: &str) -> Result<String, Refusal> {
    let user = named(db, name).await?;
    let mut changes = db.begin().await?;
    if !accounts::remove_second_factor(&mut changes, &user.id).await? {
        return Err(Refusal::Conflict(format!("'{}' has no second factor", user.name)));
    }
    changes.commit().await?;
    Ok(user.name)
}

/// Keeps a user out, or lets them in again.
///
/// # Errors
/// If there is no such user.
pub async fn ban(db: &Db, name: &str, banned: bool) -> Result<String, Refusal> {
    let user = named(db, name).await?;
    let mut changes = db.begin().await?;
    if banned {
        let reason = "by those who run the server";
        let new =
            PendingSanction::of(Actor::CommandLine, SanctionKind::Ban, Some(&user.id), reason)?;
        sanctions::insert(&mut changes, db, &new).await?;
    } else {
        sanctions::lift_bans(&mut changes, &user.id).await?;
        let subject = format!("user:{}", user.id);
        note(db, &mut changes, "lift_ban", subject, json!({"name": user.name})).await?;
    }
    sanctions::settle_ban(&mut changes, &user.id).await?;
    order(&mut changes, "look_again", &user.id).await?;
    changes.commit().await?;
    Ok(user.name)
}

/// Gives a user a role; returns the name.
///
/// # Errors
/// If there is no such user, or it is a guest.
pub async fn set_role(db: &Db, name: &str, role: Role) -> Result<String, Refusal> {
    let user = named(db, name).await?;
    if user.guest {
        return Err(Refusal::Conflict(format!("'{}' is a guest and has no role", user.name)));
    }
    let mut changes = db.begin().await?;
    accounts::set_role(&mut changes, &user.id, role).await?;
    let details = json!({"name": user.name, "from": user.role, "to": role});
    note(db, &mut changes, "role", format!("user:{}", user.id), details).await?;
    order(&mut changes, "look_again", &user.id).await?;
    changes.commit().await?;
    Ok(user.name)
}

/// Deletes a user's account.
///
/// # Errors
/// If there is no such user, or they sit in a game that is not over.
pub async fn delete(db: &Db, name: &str) -> Result<(), Refusal> {
    let user = named(db, name).await?;
    let mut changes = db.begin().await?;
    accounts::delete_user_within(&mut changes, &user.id).await?;
    note(db, &mut changes, "delete", format!("user:{}", user.id), json!({})).await?;
    order(&mut changes, "look_again", &user.id).await?;
    changes.commit().await?;
    Ok(())
}

async fn named(db: &Db, name: &str) -> Result<User, Refusal> {
    let user = accounts::find_user(db, name).await?;
    user.ok_or_else(|| Refusal::NotFound(format!("there is no user '{name}'")))
}

/// Asks the running server to finish a game; returns the order's id.
///
/// # Errors
/// If there is no such game, or it is over.
pub async fn order_finish(db: &Db, game: &str) -> Result<String, Refusal> {
    match store::status_of_game(db, game).await?.as_deref() {
        None => return Err(Refusal::NotFound(format!("there is no game '{game}'"))),
        Some("over") => return Err(Refusal::Conflict(format!("the game '{game}' is over"))),
        Some(_) => {}
    }
    let mut changes = db.begin().await?;
    note(db, &mut changes, "finish_game", format!("game:{game}"), json!({})).await?;
    let order = order(&mut changes, "finish_game", game).await?;
    changes.commit().await?;
    Ok(order)
}

/// Why puzzles were not added.
#[derive(Debug, thiserror::Error)]
pub enum AddPuzzlesError {
    /// The text is no file of puzzles; says in which line.
    #[error(transparent)]
    Text(#[from] ParsePuzzleError),
    /// The database failed.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Adds the puzzles of a text (`docs/puzzles.md`): all of them, or none if one cannot be read.
///
/// # Errors
/// If the text cannot be read, or the database fails.
pub async fn add_puzzles(db: &Db, text: &str) -> Result<Added, AddPuzzlesError> {
    let read = bots::puzzle::read_all(text)?;
    let mut changes = db.begin().await.map_err(Refusal::from)?;
    let added = puzzles::add(&mut changes, &read).await.map_err(Refusal::from)?;
    let details = json!({"new": added.new, "known": added.known});
    note(db, &mut changes, "add_puzzles", "puzzles".to_owned(), details).await?;
    changes.commit().await.map_err(Refusal::from)?;
    Ok(added)
}

/// Writes what was done at the command line into the audit log.
async fn note(
    db: &Db,
    changes: &mut Transaction<'static, Any>,
    action: &'static str,
    subject: String,
    details: Value,
) -> Result<(), Refusal> {
    let entry = NewEntry { actor: Actor::CommandLine, action, subject, details };
    Ok(audit::append(changes, db.kind, &entry).await?)
}

/// Leaves the running server an order; returns its id.
async fn order(
    changes: &mut Transaction<'static, Any>,
    kind: &str,
    subject: &str,
) -> Result<String, Refusal> {
    Ok(store::add_order(changes, kind, subject).await?)
}

/// What the server answered to an order, if it has.
///
/// # Errors
/// If the database does not answer.
pub async fn answer_to(db: &Db, order: &str) -> Result<Option<String>, Refusal> {
    Ok(store::answer_to(db, order).await?)
}
