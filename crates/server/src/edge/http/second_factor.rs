//! Routes about the second factor: codes of an authenticator beside the password.

use super::accounts::check_present;
use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{self, LoggedIn};
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{PasswordOnly, RecoveryCodes, SecondFactorCode, SecondFactorSetup};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sqlx::{Any, Transaction};

routes! {
    "/api/me/second-factor" => post begin, delete remove;
    "/api/me/second-factor/confirm" => post confirm;
}

/// Begin a second factor: the secret for an authenticator, shown this once. It counts once a code
/// is confirmed.
#[cfg_attr(test, utoipa::path(post, path = "/api/me/second-factor", tag = "accounts",
    request_body = PasswordOnly, responses((status = OK, body = SecondFactorSetup),
    (status = BAD_REQUEST, body = Problem), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn begin(
    State(app): State<App>,
    here: LoggedIn,
    address: ClientAddress,
    Json(given): Json<PasswordOnly>,
) -> Result<Json<SecondFactorSetup>, Refusal> {
    check_present(&app, &here, address, given.password).await?;
    let mut changes = app.db.begin().await?;
    let made = accounts::enrol(&mut changes, &here.who.user, &here.who.name).await?;
    changes.commit().await?;
    Ok(Json(SecondFactorSetup { secret: made.secret, uri: made.uri }))
}

/// Confirm the second factor with a code of the authenticator. From now on a login asks for one.
/// New recovery codes are shown this once, those before are void, and all other sessions end.
#[cfg_attr(test, utoipa::path(post, path = "/api/me/second-factor/confirm", tag = "accounts",
    request_body = SecondFactorCode, responses((status = OK, body = RecoveryCodes),
    (status = BAD_REQUEST, body = Problem), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn confirm(
    State(app): State<App>,
    here: LoggedIn,
    Json(given): Json<SecondFactorCode>,
) -> Result<Json<RecoveryCodes>, Refusal> {
    let user = &here.who.user;
    app.limits.take_code(user, Some(&here.session))?;
    let mut changes = app.db.begin().await?;
    if !accounts::confirm(&mut changes, user, &given.code).await? {
        return Err(Refusal::WrongCode);
    }
    let recovery_codes = accounts::new_codes(&mut changes, user).await?;
    accounts::end_other_sessions(&mut changes, user, &here.session).await?;
    changes.commit().await?;
    app.changes.tell(user);
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Remove the second factor, with the password and a code (of the authenticator, or a recovery
/// code).
#[cfg_attr(test, utoipa::path(delete, path = "/api/me/second-factor", tag = "accounts",
    request_body = SecondFactorCode, responses((status = NO_CONTENT),
    (status = BAD_REQUEST, body = Problem), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn remove(
    State(app): State<App>,
    here: LoggedIn,
    address: ClientAddress,
    Json(given): Json<SecondFactorCode>,
) -> Result<StatusCode, Refusal> {
    check_present(&app, &here, address, given.password).await?;
    let user = &here.who.user;
    let mut changes = app.db.begin().await?;
    check_code(&app, &mut changes, user, Some(&given.code), Some(&here.session)).await?;
    accounts::remove_second_factor(&mut changes, user).await?;
    changes.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Uses up the second factor of somebody who comes in: a code of the authenticator, or a recovery
/// code. Who has none needs none.
pub(super) async fn check_code(
    app: &App,
    changes: &mut Transaction<'static, Any>,
    user: &str,
    given: Option<&str>,
    device: Option<&str>,
) -> Result<(), Refusal> {
    if !accounts::has_second_factor_within(changes, user).await? {
        return Ok(());
    }
    let Some(code) = given.filter(|code| !code.trim().is_empty()) else {
        return Err(Refusal::SecondFactorNeeded);
    };
    let right = if accounts::is_totp(code) {
        app.limits.take_code(user, device)?;
        accounts::use_totp(changes, user, code).await?
    } else {
        // Nobody guesses one of 80 bits: it works when a stranger has used up the other way.
        accounts::use_code(changes, user, code).await?
    };
    if right { Ok(()) } else { Err(Refusal::WrongCode) }
}
