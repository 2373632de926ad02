//! Routes about how somebody likes to play.

use super::routes;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{LoggedIn, keep_settings, settings_of};
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::Settings;
use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value};

routes! {
    "/api/me/settings" => get settings, put change_settings;
}

/// How I like to play; the defaults if I never said.
#[cfg_attr(test, utoipa::path(get, path = "/api/me/settings", tag = "accounts", responses(
    (status = OK, body = Settings), (status = UNAUTHORIZED, body = Problem)),
    security(("cookie" = []))))]
async fn settings(State(app): State<App>, here: LoggedIn) -> Result<Json<Settings>, Refusal> {
    Ok(Json(settings_of(&app.db, &here.who.user).await?))
}

/// Keep how I like to play. A guest's choices stay in the browser.
#[cfg_attr(test, utoipa::path(put, path = "/api/me/settings", tag = "accounts", request_body = Settings,
    responses((status = OK, body = Settings), (status = BAD_REQUEST, body = Problem),
    (status = FORBIDDEN, body = Problem)), security(("cookie" = []))))]
async fn change_settings(
    State(app): State<App>,
    here: LoggedIn,
    Json(wanted): Json<Map<String, Value>>,
) -> Result<Json<Settings>, Refusal> {
    let wanted: Settings = serde_json::from_value(Value::Object(wanted)).map_err(|error| {
        // The error names what was sent, however long that is.
        Refusal::Bad(error.to_string().chars().take(200).collect())
    })?;
    if here.who.guest {
        return Err(Refusal::Forbidden("a guest's settings stay in the browser".into()));
    }
    keep_settings(&app.db, &here.who.user, &wanted).await?;
    Ok(Json(wanted))
}
