//! Routes about where I am logged in, and about the tokens of my programs.

use super::routes;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{self, LoggedIn};
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{CreatedToken, NewToken, SessionInfo, TokenInfo};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

routes! {
    "/api/me/sessions" => get sessions, delete end_others;
    "/api/me/sessions/{id}" => delete end_session;
    "/api/me/tokens" => get tokens, post new_token;
    "/api/me/tokens/{id}" => delete end_token;
}

/// Where I am logged in.
#[cfg_attr(test, utoipa::path(get, path = "/api/me/sessions", tag = "accounts",
    responses((status = OK, body = Vec<SessionInfo>)), security(("cookie" = []))))]
async fn sessions(
    State(app): State<App>,
    here: LoggedIn,
) -> Result<Json<Vec<SessionInfo>>, Refusal> {
    Ok(Json(accounts::sessions_of(&app.db, &here.who.user, &here.session).await?))
}

/// Log out everywhere else.
#[cfg_attr(test, utoipa::path(delete, path = "/api/me/sessions", tag = "accounts",
    responses((status = NO_CONTENT)), security(("cookie" = []))))]
async fn end_others(State(app): State<App>, here: LoggedIn) -> Result<StatusCode, Refusal> {
    let mut changes = app.db.begin().await?;
    accounts::end_other_sessions(&mut changes, &here.who.user, &here.session).await?;
    changes.commit().await?;
    app.changes.tell(&here.who.user);
    Ok(StatusCode::NO_CONTENT)
}

/// End one of my sessions.
#[cfg_attr(test, utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "accounts",
    params(("id" = String, Path, description = "the session's public id")),
    responses((status = NO_CONTENT)), security(("cookie" = []))))]
async fn end_session(
    State(app): State<App>,
    here: LoggedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    accounts::end_session(&app.db, &here.who.user, &id).await?;
    app.changes.tell(&here.who.user);
    Ok(StatusCode::NO_CONTENT)
}

/// The tokens of my programs.
#[cfg_attr(test, utoipa::path(get, path = "/api/me/tokens", tag = "accounts",
    responses((status = OK, body = Vec<TokenInfo>)), security(("cookie" = []))))]
async fn tokens(State(app): State<App>, here: LoggedIn) -> Result<Json<Vec<TokenInfo>>, Refusal> {
    Ok(Json(accounts::tokens_of(&app.db, &here.who.user).await?))
}

/// Make a token, shown this once.
#[cfg_attr(test, utoipa::path(post, path = "/api/me/tokens", tag = "accounts", request_body = NewToken,
    responses((status = OK, body = CreatedToken), (status = CONFLICT, body = Problem)),
    security(("cookie" = []))))]
async fn new_token(
    State(app): State<App>,
    here: LoggedIn,
    Json(wanted): Json<NewToken>,
) -> Result<Json<CreatedToken>, Refusal> {
    if here.who.guest {
        return Err(Refusal::Forbidden("a guest has no tokens; register first".into()));
    }
    Ok(Json(accounts::new_token(&app.db, &here.who.user, wanted).await?))
}

/// End one of my tokens.
#[cfg_attr(test, utoipa::path(delete, path = "/api/me/tokens/{id}", tag = "accounts",
    params(("id" = String, Path, description = "the token's public id")),
    responses((status = NO_CONTENT)), security(("cookie" = []))))]
async fn end_token(
    State(app): State<App>,
    here: LoggedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    accounts::end_token(&app.db, &here.who.user, &id).await?;
    app.changes.tell(&here.who.user);
    Ok(StatusCode::NO_CONTENT)
}
