//! Routes by which people help themselves: report somebody, keep away from somebody.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::people::accounts::{Requester, User, find_user};
use crate::people::moderation::reports;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{NewReport, OwnReport, UserCard};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

routes! {
    "/api/reports" => post report, get own;
    "/api/blocks" => get blocks;
    "/api/blocks/{name}" => put block, delete unblock;
}

/// Report a player or a line of chat to the moderators. A game goes with it as evidence; of a line
/// of chat, the text and the lines around it are kept as they are now.
#[cfg_attr(test, utoipa::path(post, path = "/api/reports", tag = "moderation", request_body = NewReport,
    responses((status = CREATED, body = OwnReport), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn report(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Json(new): Json<NewReport>,
) -> Result<(StatusCode, Json<OwnReport>), Refusal> {
    app.limits.take(Limited::Report, address, Some(&who.user))?;
    // On the heap: what it waits for is large.
    let made =
        Box::pin(reports::make(&app.db, &who, new)).await.map_err(|refusal| match refusal {
            // What the body names, not what the address does.
            Refusal::NotFound(why) => Refusal::Bad(why),
            other => other,
        })?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// The reports I made, and whether they were handled.
#[cfg_attr(test, utoipa::path(get, path = "/api/reports", tag = "moderation", responses(
    (status = OK, body = Vec<OwnReport>), (status = UNAUTHORIZED, body = Problem))))]
async fn own(State(app): State<App>, who: Requester) -> Result<Json<Vec<OwnReport>>, Refusal> {
    reports::made_by(&app.db, &who.user).await.map(Json)
}

/// Whom I have blocked.
#[cfg_attr(test, utoipa::path(get, path = "/api/blocks", tag = "moderation", responses(
    (status = OK, body = Vec<UserCard>), (status = UNAUTHORIZED, body = Problem))))]
async fn blocks(State(app): State<App>, who: Requester) -> Result<Json<Vec<UserCard>>, Refusal> {
    app.tables.blocked_by(&who.user).await.map(Json)
}

/// Block a user: no chat either way, no invitations, no games together.
#[cfg_attr(test, utoipa::path(put, path = "/api/blocks/{name}", tag = "moderation",
    params(("name" = String, Path)), responses(
    (status = NO_CONTENT), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = NOT_FOUND, body = Problem),
    (status = CONFLICT, body = Problem))))]
async fn block(
    State(app): State<App>,
    who: Requester,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let other = named(&app, &name).await?;
    app.tables.block(&who.user, &other.id, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Block a user no longer.
#[cfg_attr(test, utoipa::path(delete, path = "/api/blocks/{name}", tag = "moderation",
    params(("name" = String, Path)), responses(
    (status = NO_CONTENT), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = NOT_FOUND, body = Problem))))]
async fn unblock(
    State(app): State<App>,
    who: Requester,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let other = named(&app, &name).await?;
    app.tables.block(&who.user, &other.id, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn named(app: &App, name: &str) -> Result<User, Refusal> {
    find_user(&app.db, name)
        .await?
        .ok_or_else(|| Refusal::NotFound(format!("nobody is called '{}'", game::excerpt(name, 40))))
}
