//! Browsers that somebody came in with before. Wrong passwords of strangers use up what may be
//! tried for an account; a browser that is known has an allowance of its own.

use crate::config::Config;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::{ids, time};
use axum::http::{HeaderMap, HeaderValue};

/// The most devices that are known for one user; those not used for the longest time go first.
const MOST: i64 = 20;

/// How long a browser keeps the cookie: what browsers allow at most.
const DAYS: i64 = 400;

/// The device that a request comes from, if the user came in with it before: the hash of its
/// secret.
///
/// # Errors
/// If the database does not answer.
pub async fn known_device(
    db: &Db,
    config: &Config,
    user: &str,
    headers: &HeaderMap,
) -> Result<Option<String>, Refusal> {
    let Some(hash) = secret_of(config, headers).map(ids::hash_of) else { return Ok(None) };
    let sql = "SELECT COUNT(*) FROM devices WHERE hash = $1 AND user_id = $2 AND seen > $3";
    let known = sqlx::query_scalar(sql).bind(&hash).bind(user).bind(oldest());
    let known: i64 = known.fetch_one(&db.pool).await?;
    Ok((known > 0).then_some(hash))
}

/// Notes that a user came in with the device that a request comes from; gives its cookie. A
/// browser with several accounts is one device of each.
///
/// # Errors
/// If the database does not answer.
///
/// # Panics
/// Never: secrets are hexadecimal digits.
pub async fn remember_device(
    db: &Db,
    config: &Config,
    user: &str,
    headers: &HeaderMap,
) -> Result<HeaderValue, Refusal> {
    let secret = match secret_of(config, headers) {
        // One that we never gave out could be in other hands.
        Some(secret) if is_ours(db, secret).await? => secret.to_owned(),
        _ => ids::new_secret(),
    };
    let sql = "INSERT INTO devices (hash, user_id, seen) VALUES ($1, $2, $3) \
               ON CONFLICT (hash, user_id) DO UPDATE SET seen = excluded.seen";
    let insert = sqlx::query(sql).bind(ids::hash_of(&secret)).bind(user).bind(time::now());
    insert.execute(&db.pool).await?;
    let sql = "DELETE FROM devices WHERE user_id = $1 AND hash NOT IN \
               (SELECT hash FROM devices WHERE user_id = $1 ORDER BY seen DESC, hash LIMIT $2)";
    sqlx::query(sql).bind(user).bind(MOST).execute(&db.pool).await?;
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let (name, age) = (cookie_name(config), DAYS * 24 * 60 * 60);
    // Sent where it is needed and nowhere else.
    let cookie = format!(
        "{name}={secret}; Path=/api/login; HttpOnly; SameSite=Strict; Max-Age={age}{secure}"
    );
    Ok(HeaderValue::from_str(&cookie).expect("secrets are hexadecimal digits"))
}

async fn is_ours(db: &Db, secret: &str) -> Result<bool, Refusal> {
    let sql = "SELECT COUNT(*) FROM devices WHERE hash = $1";
    let found: i64 = sqlx::query_scalar(sql).bind(ids::hash_of(secret)).fetch_one(&db.pool).await?;
    Ok(found > 0)
}

fn secret_of<'a>(config: &Config, headers: &'a HeaderMap) -> Option<&'a str> {
    super::sessions::cookie_of(headers, cookie_name(config))
}

/// Devices that were last used before are not known any more.
pub(super) fn oldest() -> i64 {
    time::now() - DAYS * time::DAY
}

fn cookie_name(config: &Config) -> &'static str {
    if config.is_secure() { "__Secure-bastide-device" } else { "bastide-device" }
}
