//! API tokens: how programs are let in, to play or only to read, for as long as their owner likes.

use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{CreatedToken, NewToken, TokenInfo, TokenScope};
use crate::{ids, time};
use sqlx::{Any, Row, Transaction};

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
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM tokens WHERE user_id = $1").bind(user);
    let count: i64 = count.fetch_one(&db.pool).await?;
    if count >= MOST {
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
    let sql = "INSERT INTO tokens (hash, id, user_id, label, bot, created, scope, expires) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let insert = sqlx::query(sql).bind(ids::hash_of(&token)).bind(&info.id).bind(user);
    let insert = insert.bind(&info.label).bind(i64::from(info.bot)).bind(info.created);
    let scope = if info.scope == TokenScope::Play { "play" } else { "read" };
    insert.bind(scope).bind(info.expires).execute(&db.pool).await?;
    Ok(CreatedToken { info, token })
}

/// A user's tokens, the newest first.
///
/// # Errors
/// If the database does not answer.
pub async fn tokens_of(db: &Db, user: &str) -> Result<Vec<TokenInfo>, Refusal> {
    let sql = "SELECT id, label, bot, created, seen, scope, expires FROM tokens WHERE user_id = $1 \
               ORDER BY created DESC, id";
    let rows = sqlx::query(sql).bind(user).fetch_all(&db.pool).await?;
    let tokens = rows.iter().map(|row| {
        Ok(TokenInfo {
            id: row.try_get("id")?,
            label: row.try_get("label")?,
            bot: row.try_get::<i64, _>("bot")? != 0,
            scope: scope_of(row.try_get("scope")?),
            expires: row.try_get("expires")?,
            created: row.try_get("created")?,
            seen: row.try_get("seen")?,
        })
    });
    Ok(tokens.collect::<Result<_, sqlx::Error>>()?)
}

/// Ends a token of a user.
///
/// # Errors
/// If the user has no such token.
pub async fn end_token(db: &Db, user: &str, id: &str) -> Result<(), Refusal> {
    let delete = sqlx::query("DELETE FROM tokens WHERE id = $1 AND user_id = $2").bind(id);
    if delete.bind(user).execute(&db.pool).await?.rows_affected() == 0 {
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
    let delete = sqlx::query("DELETE FROM tokens WHERE user_id = $1").bind(user);
    delete.execute(&mut **changes).await?;
    Ok(())
}
