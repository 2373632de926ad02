//! How people like to play, kept with their account.

use super::store;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::time;
use crate::wire::Settings;

/// What was kept; the defaults if nothing was, or if an older program wrote what is no longer known.
///
/// # Errors
/// If the database does not answer.
pub async fn settings_of(db: &Db, user: &str) -> Result<Settings, Refusal> {
    let body = store::settings::read(db, user).await?;
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()).unwrap_or_default())
}

/// Keeps the settings of a user.
///
/// # Errors
/// If a value is out of its range, or the database does not answer.
pub async fn keep_settings(db: &Db, user: &str, settings: &Settings) -> Result<(), Refusal> {
    if settings.volume > 100 {
        return Err(Refusal::Bad("a volume is a number from 0 to 100".into()));
    }
    let body = serde_json::to_string(settings).map_err(|_| Refusal::Internal)?;
    Ok(store::settings::write(db, user, &body, time::now()).await?)
}
