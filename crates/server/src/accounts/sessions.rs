//! Where people are logged in: an opaque cookie, of which only the hash is stored.

use crate::config::Config;
use crate::db::Db;
use crate::error::Refusal;
use crate::{ids, time};
use axum::http::{HeaderMap, HeaderValue, header};

/// The longest description of a browser that is kept.
const AGENT_LENGTH: usize = 200;

/// Begins a session; the secret goes into the cookie and is kept nowhere else.
///
/// # Errors
/// If the database does not answer.
pub async fn new_session(db: &Db, user: &str, headers: &HeaderMap) -> Result<String, Refusal> {
    let secret = ids::new_secret();
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let agent: String = agent.unwrap_or("unknown").chars().take(AGENT_LENGTH).collect();
    let sql = "INSERT INTO sessions (hash, id, user_id, created, seen, agent) \
               VALUES ($1, $2, $3, $4, $4, $5)";
    let insert = sqlx::query(sql).bind(ids::hash_of(&secret)).bind(ids::new_id()).bind(user);
    insert.bind(time::now()).bind(agent).execute(&db.pool).await?;
    Ok(secret)
}

/// The header that gives a browser its session, or takes it away if there is no secret.
///
/// # Panics
/// Never: secrets are hexadecimal digits.
#[must_use]
pub fn session_cookie(config: &Config, secret: Option<&str>) -> HeaderValue {
    let name = cookie_name(config);
    let age = secret.map_or(0, |_| u64::from(config.session_days) * 24 * 60 * 60);
    let value = secret.unwrap_or_default();
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}");
    HeaderValue::from_str(&cookie).expect("secrets are hexadecimal digits")
}

/// The secret in a request's cookie.
pub(super) fn secret_of<'a>(config: &Config, headers: &'a HeaderMap) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok()).flat_map(|all| all.split(';'));
    let mut pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    pairs.find(|(name, _)| *name == cookie_name(config)).map(|(_, secret)| secret)
}

/// The prefix makes browsers refuse the cookie from anywhere but this very host, by https.
fn cookie_name(config: &Config) -> &'static str {
    if config.is_secure() { "__Host-bastide" } else { "bastide" }
}

/// Removes sessions that were not used for so many days, and guests who left nothing behind.
///
/// # Errors
/// If the database does not answer.
pub async fn remove_old(db: &Db, days: u32) -> Result<(), sqlx::Error> {
    let oldest = time::now() - i64::from(days) * time::DAY;
    let mut changes = db.begin().await?;
    for sql in [
        "DELETE FROM sessions WHERE seen < $1",
        "DELETE FROM mutes WHERE user_id IN (SELECT id FROM users WHERE guest = 1 AND seen < $1)",
        "DELETE FROM users WHERE guest = 1 AND seen < $1 \
         AND id NOT IN (SELECT user_id FROM sessions) AND id NOT IN (SELECT user_id FROM tokens) \
         AND id NOT IN (SELECT host FROM games) \
         AND id NOT IN (SELECT muted FROM mutes) \
         AND id NOT IN (SELECT user_id FROM seats WHERE user_id IS NOT NULL) \
         AND id NOT IN (SELECT user_id FROM chat)",
    ] {
        sqlx::query(sql).bind(oldest).execute(&mut *changes).await?;
    }
    changes.commit().await
}
