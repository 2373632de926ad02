//! Recovery codes: there is no e-mail, so each of these lets a person in once.

use crate::error::Refusal;
use crate::storage::db::Db;
use crate::{ids, time};
use sqlx::{Any, Transaction};

/// How many are given out.
const CODES: usize = 8;

/// Makes new codes and voids those before. They are shown this once; their hashes are kept.
///
/// # Errors
/// If the database does not answer.
pub async fn new_codes(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<Vec<String>, Refusal> {
    let void = sqlx::query("DELETE FROM recovery_codes WHERE user_id = $1").bind(user);
    void.execute(&mut **changes).await?;
    let codes: Vec<String> = (0..CODES).map(|_| ids::new_code()).collect();
    for code in &codes {
        let insert = sqlx::query("INSERT INTO recovery_codes (hash, user_id) VALUES ($1, $2)");
        insert.bind(hash_of(user, code)).bind(user).execute(&mut **changes).await?;
    }
    Ok(codes)
}

/// Uses a code up; says whether it was one.
///
/// # Errors
/// If the database does not answer.
pub async fn use_code(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    code: &str,
) -> Result<bool, Refusal> {
    let sql = "UPDATE recovery_codes SET used = $1 \
               WHERE hash = $2 AND user_id = $3 AND used IS NULL";
    let update = sqlx::query(sql).bind(time::now()).bind(hash_of(user, code)).bind(user);
    Ok(update.execute(&mut **changes).await?.rows_affected() == 1)
}

/// How many codes a user has left.
///
/// # Errors
/// If the database does not answer.
pub async fn codes_left(db: &Db, user: &str) -> Result<u32, Refusal> {
    let sql = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1 AND used IS NULL";
    let left: i64 = sqlx::query_scalar(sql).bind(user).fetch_one(&db.pool).await?;
    Ok(u32::try_from(left).unwrap_or(u32::MAX))
}

/// However it was typed: case, blanks and hyphens do not matter.
fn hash_of(user: &str, code: &str) -> String {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).take(64).collect();
    ids::hash_of(&format!("{user} {}", plain.to_ascii_lowercase()))
}
