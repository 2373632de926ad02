//! Recovery codes: there is no e-mail, so each of these lets a person in once.

use super::store::credentials;
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
    credentials::remove_codes(&mut **changes, user).await?;
    let codes: Vec<String> = (0..CODES).map(|_| ids::new_code()).collect();
    for code in &codes {
        credentials::add_code(&mut **changes, user, &hash_of(user, code)).await?;
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
    let hash = hash_of(user, code);
    Ok(credentials::use_code(&mut **changes, user, &hash, time::now()).await?)
}

/// How many codes a user has left.
///
/// # Errors
/// If the database does not answer.
pub async fn codes_left(db: &Db, user: &str) -> Result<u32, Refusal> {
    let left = credentials::codes_left(db, user).await?;
    Ok(u32::try_from(left).unwrap_or(u32::MAX))
}

/// However it was typed: case, blanks and hyphens do not matter.
fn hash_of(user: &str, code: &str) -> String {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).take(64).collect();
    ids::hash_of(&format!("{user} {}", plain.to_ascii_lowercase()))
}
