//! Routes for moderators: the queue of reports, people, sanctions, the audit log. Everybody else is
//! refused, and a token is not enough.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::people::accounts::Moderator;
use crate::people::moderation::history;
use crate::people::moderation::reports::{self, ReportFilter, Step};
use crate::staff::moderate;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{
    AuditRow, CloseReport, NewSanction, PersonHistory, Report, ReportQueue, Sanction, WithReason,
};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Deserialize;

routes! {
    "/api/moderation/reports" => get queue;
    "/api/moderation/reports/{id}/take" => post take;
    "/api/moderation/reports/{id}/release" => post release;
    "/api/moderation/reports/{id}/close" => post close;
    "/api/moderation/people/{name}" => get person;
    "/api/moderation/people/{name}/sanctions" => post punish;
    "/api/moderation/sanctions" => get sanctions;
    "/api/moderation/sanctions/{id}/lift" => post lift;
    "/api/moderation/games/{id}/annul" => post annul;
    "/api/moderation/audit" => get log;
}

/// Which part of the queue.
#[derive(Deserialize)]
struct Part {
    part: Option<String>,
}

/// The queue of reports: `open`, `mine`, `others` (taken by other moderators) or `done`.
#[cfg_attr(test, utoipa::path(get, path = "/api/moderation/reports", tag = "moderation",
    params(("part" = Option<String>, Query, pattern = "^(open|mine|others|done)$")), responses(
    (status = OK, body = ReportQueue), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = FORBIDDEN, body = Problem))))]
async fn queue(
    State(app): State<App>,
    moderator: Moderator,
    Query(Part { part }): Query<Part>,
) -> Result<Json<ReportQueue>, Refusal> {
    let which = match part.as_deref().unwrap_or("open") {
        "open" => ReportFilter::Open,
        "mine" => ReportFilter::Mine,
        "others" => ReportFilter::Others,
        "done" => ReportFilter::Done,
        other => {
            let other = game::excerpt(other, 40);
            return Err(Refusal::Bad(format!("part={other}: open, mine, others or done")));
        }
    };
    reports::queue(&app.db, &moderator, which).await.map(Json)
}

/// Look at a report, so that other moderators need not.
#[cfg_attr(test, utoipa::path(post, path = "/api/moderation/reports/{id}/take", tag = "moderation",
    params(("id" = String, Path)), responses(
    (status = OK, body = Report), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = NOT_FOUND, body = Problem),
    (status = CONFLICT, body = Problem))))]
async fn take(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
) -> Result<Json<Report>, Refusal> {
    reports::step(&app.db, &moderator, &id, Step::Take).await.map(Json)
}

/// Leave a report to others again.
#[cfg_attr(test, utoipa::path(post, path = "/api/moderation/reports/{id}/release", tag = "moderation",
    params(("id" = String, Path)), responses(
    (status = OK, body = Report), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = NOT_FOUND, body = Problem),
    (status = CONFLICT, body = Problem))))]
async fn release(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
) -> Result<Json<Report>, Refusal> {
    reports::step(&app.db, &moderator, &id, Step::Release).await.map(Json)
}

/// Close a report that was dealt with.
#[cfg_attr(test, utoipa::path(post, path = "/api/moderation/reports/{id}/close", tag = "moderation",
    params(("id" = String, Path)), request_body = CloseReport, responses(
    (status = OK, body = Report), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = FORBIDDEN, body = Problem),
    (status = NOT_FOUND, body = Problem), (status = CONFLICT, body = Problem))))]
async fn close(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
    Json(how): Json<CloseReport>,
) -> Result<Json<Report>, Refusal> {
    reports::step(&app.db, &moderator, &id, Step::close(&how)?).await.map(Json)
}

/// Everything moderators know of a person, by name or id.
#[cfg_attr(test, utoipa::path(get, path = "/api/moderation/people/{name}", tag = "moderation",
    params(("name" = String, Path, description = "a name, or `id:` and an id")), responses(
    (status = OK, body = PersonHistory), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem), (status = NOT_FOUND, body = Problem))))]
async fn person(
    State(app): State<App>,
    moderator: Moderator,
    Path(name): Path<String>,
) -> Result<Json<PersonHistory>, Refusal> {
    // On the heap: what it waits for is large.
    Box::pin(history::history(&app.db, &app.addresses, &moderator, &name)).await.map(Json)
}

/// Silence, ban or close a person's account, or ban an address of theirs.
#[cfg_attr(test, utoipa::path(post, path = "/api/moderation/people/{name}/sanctions", tag = "moderation",
    params(("name" = String, Path, description = "a name, or `id:` and an id")),
    request_body = NewSanction, responses(
    (status = OK, body = Sanction), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = FORBIDDEN, body = Problem),
    (status = NOT_FOUND, body = Problem), (status = CONFLICT, body = Problem))))]
async fn punish(
    State(app): State<App>,
    moderator: Moderator,
    address: ClientAddress,
    Path(name): Path<String>,
    Json(wanted): Json<NewSanction>,
) -> Result<Json<Sanction>, Refusal> {
    Box::pin(moderate::apply_sanction(&app, &moderator, address, &name, wanted)).await.map(Json)
}

/// The sanctions that hold now, the latest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/moderation/sanctions", tag = "moderation", responses(
    (status = OK, body = Vec<Sanction>), (status = UNAUTHORIZED, body = Problem),
    (status = FORBIDDEN, body = Problem))))]
async fn sanctions(
    State(app): State<App>,
    _moderator: Moderator,
) -> Result<Json<Vec<Sanction>>, Refusal> {
    moderate::active(&app).await.map(Json)
}

/// Lift a sanction.
#[cfg_attr(test, utoipa::path(post, path = "/api/moderation/sanctions/{id}/lift", tag = "moderation",
    params(("id" = String, Path)), request_body = WithReason, responses(
    (status = OK, body = Sanction), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = FORBIDDEN, body = Problem),
    (status = NOT_FOUND, body = Problem), (status = CONFLICT, body = Problem))))]
async fn lift(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
    Json(because): Json<WithReason>,
) -> Result<Json<Sanction>, Refusal> {
    moderate::lift(&app, &moderator, &id, &because).await.map(Json)
}

/// Take back what a game did to ratings, and recompute what came after it.
#[cfg_attr(test, utoipa::path(post, path = "/api/moderation/games/{id}/annul", tag = "moderation",
    params(("id" = String, Path)), request_body = WithReason, responses(
    (status = NO_CONTENT), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = FORBIDDEN, body = Problem),
    (status = NOT_FOUND, body = Problem), (status = CONFLICT, body = Problem))))]
async fn annul(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
    Json(because): Json<WithReason>,
) -> Result<StatusCode, Refusal> {
    Box::pin(moderate::annul(&app, &moderator, &id, &because)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Rows before this one.
#[derive(Deserialize)]
struct Before {
    before: Option<i64>,
}

/// The audit log, a hundred rows at a time, the latest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/moderation/audit", tag = "moderation",
    params(("before" = Option<i64>, Query, description = "only rows with a smaller number")),
    responses((status = OK, body = Vec<AuditRow>), (status = BAD_REQUEST, body = Problem),
    (status = UNAUTHORIZED, body = Problem), (status = FORBIDDEN, body = Problem))))]
async fn log(
    State(app): State<App>,
    _moderator: Moderator,
    Query(Before { before }): Query<Before>,
) -> Result<Json<Vec<AuditRow>>, Refusal> {
    let rows = moderate::log(&app, before).await?;
    let row = |entry: crate::people::moderation::audit::AuditEntry| AuditRow {
        number: entry.number,
        at: entry.at,
        actor: entry.actor,
        actor_name: entry.actor_name,
        action: entry.action,
        subject: entry.subject,
        details: entry.details,
        hash: entry.hash,
    };
    Ok(Json(rows.into_iter().map(row).collect()))
}
