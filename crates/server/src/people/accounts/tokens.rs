//! API tokens: how programs are let in, to play or only to read, for as long as their owner likes.

use super::store;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{CreatedToken, NewToken, TokenInfo, TokenScope};
use crate::{ids, time};
use sqlx::{Any, Transaction};

/// The most tokens of one user.
const MOST: i64 = 20;

/// The longest label.
const LABEL: usize = 60;

/// The longest life, in days.
const LIFE: u32 = 3650;

/// A scope as it is stored.
pub(super) fn scope_of(stored: &str) -> TokenScope {
    // What this version does not know may do the least.
    if stored == "play" { TokenScope::Play } else { TokenScope::Read }
}

/// Makes a token; its secret is shown this once.
///
/// # Errors
/// If the label is too long or the user has too many.
pub async fn new_token(db: &Db, user: &str, wanted: NewToken) -> Result<CreatedToken, Refusal> {
    let label = wanted.label.trim();
    let length = label.chars().count();
    if !(1..=LABEL).contains(&length) || label.chars().any(char::is_control) {
        let allowed = format!("a label has 1 to {LABEL} characters and no line breaks");
        return Err(Refusal::Bad(allowed));
    }
    if wanted.expires_in_days.is_some_and(|days| !(1..=LIFE).contains(&days)) {
        return Err(Refusal::Bad(format!("a token expires in 1 to {LIFE} days, or never")));
    }
    if count_tokens(db, user).await? >= MOST {
        return Err(Refusal::Conflict(format!("you have {MOST} tokens; delete one first")));
    }
    let token = format!("bastide_{}", ids::new_secret());
    let info = TokenInfo {
        id: ids::new_id(),
        label: label.to_owned(),
        bot: wanted.bot,
        scope: wanted.scope,
        expires: wanted.expires_in_days.map(|days| time::now() + i64::from(days) * time::DAY),
        created: time::now(),
        seen: None,
    };
    store::tokens::insert(db, &ids::hash_of(&token), user, &info).await?;
    Ok(CreatedToken { info, token })
}

/// A user's tokens, the newest first.
///
/// # Errors
/// If the database does not answer.
pub async fn tokens_of(db: &Db, user: &str) -> Result<Vec<TokenInfo>, Refusal> {
    Ok(store::tokens::of_user(db, user).await?)
}

/// How many tokens a user has.
///
/// # Errors
/// If the database does not answer.
pub async fn count_tokens(db: &Db, user: &str) -> Result<i64, Refusal> {
    Ok(store::tokens::count(db, user).await?)
}

/// Ends a token of a user.
///
/// # Errors
/// If the user has no such token.
pub async fn end_token(db: &Db, user: &str, id: &str) -> Result<(), Refusal> {
    if !store::tokens::end(db, user, id).await? {
        return Err(Refusal::NotFound("you have no such token".into()));
    }
    Ok(())
}

/// Ends all tokens of a user.
///
/// # Errors
/// If the database does not answer.
pub async fn end_tokens(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<(), Refusal> {
    Ok(store::tokens::end_all(&mut **changes, user).await?)
}
