//! Where people are logged in: an opaque cookie, of which only the hash is stored.

use super::store;
use crate::config::Config;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::SessionInfo;
use crate::{ids, time};
use axum::http::{HeaderMap, HeaderValue, header};
use sqlx::{Any, Transaction};

/// The longest description of a browser that is kept.
const AGENT_LENGTH: usize = 200;

/// The most sessions of one user; those that were not used for the longest time end first.
const MOST: i64 = 50;

/// Begins a session; the secret goes into the cookie and is kept nowhere else.
///
/// # Errors
/// If the database does not answer.
pub async fn new_session(db: &Db, user: &str, headers: &HeaderMap) -> Result<String, Refusal> {
    let secret = ids::new_secret();
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let agent: String = agent.unwrap_or("unknown").chars().take(AGENT_LENGTH).collect();
    let key = (ids::hash_of(&secret), ids::new_id());
    store::sessions::begin(db, (&key.0, &key.1), user, &agent, time::now(), MOST).await?;
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
#[must_use]
pub fn secret_of<'a>(config: &Config, headers: &'a HeaderMap) -> Option<&'a str> {
    cookie_of(headers, cookie_name(config))
}

/// The value of a cookie.
pub(super) fn cookie_of<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok()).flat_map(|all| all.split(';'));
    let mut pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// The prefix makes browsers refuse the cookie from anywhere but this very host, by https.
fn cookie_name(config: &Config) -> &'static str {
    if config.is_secure() { "__Host-bastide" } else { "bastide" }
}

/// A user's sessions, the last used first.
///
/// # Errors
/// If the database does not answer.
pub async fn sessions_of(db: &Db, user: &str, here: &str) -> Result<Vec<SessionInfo>, Refusal> {
    Ok(store::sessions::of_user(db, user, here).await?)
}

/// How many sessions a user has.
///
/// # Errors
/// If the database does not answer.
pub async fn count_sessions(db: &Db, user: &str) -> Result<i64, Refusal> {
    Ok(store::sessions::count(db, user).await?)
}

/// Ends a session of a user.
///
/// # Errors
/// If the user has no such session.
pub async fn end_session(db: &Db, user: &str, id: &str) -> Result<(), Refusal> {
    if !store::sessions::end(db, user, id).await? {
        return Err(Refusal::NotFound("you have no such session".into()));
    }
    Ok(())
}

/// Ends all sessions of a user but one.
///
/// # Errors
/// If the database does not answer.
pub async fn end_other_sessions(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    but: &str,
) -> Result<(), Refusal> {
    Ok(store::sessions::end_others(&mut **changes, user, but).await?)
}

/// Ends all sessions of a user.
///
/// # Errors
/// If the database does not answer.
pub async fn end_sessions(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<(), Refusal> {
    end_other_sessions(changes, user, "").await
}
