//! Browsers that somebody came in with before. Wrong passwords of strangers use up what may be
//! tried for an account; a browser that is known has an allowance of its own.

use super::store;
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
    let known = store::sessions::is_known_device(db, &hash, user, oldest()).await?;
    Ok(known.then_some(hash))
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
        Some(secret) if store::sessions::is_device(db, &ids::hash_of(secret)).await? => {
            secret.to_owned()
        }
        _ => ids::new_secret(),
    };
    let hash = ids::hash_of(&secret);
    store::sessions::note_device(db, &hash, user, time::now(), MOST).await?;
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let (name, age) = (cookie_name(config), DAYS * 24 * 60 * 60);
    // Sent where it is needed and nowhere else.
    let cookie = format!(
        "{name}={secret}; Path=/api/login; HttpOnly; SameSite=Strict; Max-Age={age}{secure}"
    );
    Ok(HeaderValue::from_str(&cookie).expect("secrets are hexadecimal digits"))
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
