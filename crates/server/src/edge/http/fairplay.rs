//! Routes of fair play: what the asker may do now, a claim on the win, help that all allow, and who
//! stands out.

use super::routes;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::{Moderator, Requester};
use crate::people::fairplay;
use crate::play::table::Action;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{Answer, Claim, FlaggedPlayer, OwnFairplay};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

routes! {
    "/api/me/fairplay" => get own;
    "/api/games/{id}/claim" => post claim;
    "/api/games/{id}/help" => post help;
    "/api/moderation/standouts" => get standouts;
}

/// What the rules of fair play mean for the asker now.
#[cfg_attr(test, utoipa::path(get, path = "/api/me/fairplay", tag = "accounts", responses(
    (status = OK, body = OwnFairplay), (status = UNAUTHORIZED, body = Problem))))]
async fn own(State(app): State<App>, who: Requester) -> Result<Json<OwnFairplay>, Refusal> {
    let wait = fairplay::wait_of(&app.db, &who.user).await?;
    let rated_wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    Ok(Json(OwnFairplay { rated_wait_ms }))
}

/// Claims the win from a player who has been silent for too long (`claim_in_ms` of the seat is 0),
/// or calls the game off. Among three or more the silent seat is out, and the game goes on.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/claim", tag = "games", params(("id" = String, Path)),
    request_body = Claim, responses((status = NO_CONTENT), (status = CONFLICT, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = NOT_FOUND, body = Problem))))]
async fn claim(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(Claim { win }): Json<Claim>,
) -> Result<StatusCode, Refusal> {
    app.tables.act(&id, &who, None, Action::Claim { win }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Allows the engine's help in a casual game of people, or forbids it: it is open once all players
/// allow it, and closed as soon as one does not.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/help", tag = "games", params(("id" = String, Path)),
    request_body = Answer, responses((status = NO_CONTENT), (status = CONFLICT, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = NOT_FOUND, body = Problem))))]
async fn help(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(Answer { accept }): Json<Answer>,
) -> Result<StatusCode, Refusal> {
    app.tables.act(&id, &who, None, Action::Help(accept)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Players who stand out in the last thirty days, for moderators to look at: no verdicts.
#[cfg_attr(test, utoipa::path(get, path = "/api/moderation/standouts", tag = "moderation", responses(
    (status = OK, body = Vec<FlaggedPlayer>), (status = FORBIDDEN, body = Problem),
    (status = UNAUTHORIZED, body = Problem))))]
async fn standouts(
    State(app): State<App>,
    _: Moderator,
) -> Result<Json<Vec<FlaggedPlayer>>, Refusal> {
    Ok(Json(fairplay::standouts(&app.db).await?))
}
