//! Routes about studies: games with variations and comments.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::people::accounts::Requester;
use crate::studies;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{
    ChapterChange, ChapterEdit, ChapterEdited, EarlierTexts, NewChapters, NewStudy, PutBack,
    Studies, StudyChange, StudyChapter, StudyInfo,
};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

routes! {
    "/api/studies" => get list, post create;
    "/api/studies/{id}" => get look, patch change, delete remove;
    "/api/studies/{id}/text" => get text;
    "/api/studies/{id}/chapters" => post add;
    "/api/studies/{id}/chapters/{chapter}" => get chapter, patch rename, delete remove_chapter;
    "/api/studies/{id}/chapters/{chapter}/edits" => post edit;
    "/api/studies/{id}/chapters/{chapter}/earlier" => get earlier, post put_back;
}

/// The asker's studies, the one changed last first.
#[cfg_attr(test, utoipa::path(get, path = "/api/studies", tag = "studies",
    responses((status = OK, body = Studies)), security(("cookie" = []), ("token" = []))))]
async fn list(State(app): State<App>, who: Requester) -> Result<Json<Studies>, Refusal> {
    Ok(Json(Studies { studies: studies::of_owner(&app.db, &who).await? }))
}

/// Makes a study, from text in our notation (a record is one) or empty.
#[cfg_attr(test, utoipa::path(post, path = "/api/studies", tag = "studies", request_body = NewStudy,
    responses((status = CREATED, body = StudyInfo), (status = CONFLICT, body = Problem),
    (status = UNPROCESSABLE_ENTITY, body = Problem), (status = TOO_MANY_REQUESTS, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn create(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Json(wanted): Json<NewStudy>,
) -> Result<Response, Refusal> {
    app.limits.take(Limited::NewStudy, address, Some(&who.user))?;
    let study = studies::create(&app.db, &who, wanted).await?;
    let location = format!("/api/studies/{}", study.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(study)).into_response())
}

/// A study without its moves.
#[cfg_attr(test, utoipa::path(get, path = "/api/studies/{id}", tag = "studies",
    params(("id" = String, Path)), responses((status = OK, body = StudyInfo))))]
async fn look(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
) -> Result<Json<StudyInfo>, Refusal> {
    studies::look(&app.db, &id, who.as_ref()).await.map(Json)
}

/// Changes the title of a study, or who may see it.
#[cfg_attr(test, utoipa::path(patch, path = "/api/studies/{id}", tag = "studies",
    params(("id" = String, Path)), request_body = StudyChange,
    responses((status = OK, body = StudyInfo), (status = FORBIDDEN, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn change(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(wanted): Json<StudyChange>,
) -> Result<Json<StudyInfo>, Refusal> {
    studies::change(&app.db, &id, &who, wanted).await.map(Json)
}

/// Deletes a study.
#[cfg_attr(test, utoipa::path(delete, path = "/api/studies/{id}", tag = "studies",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = FORBIDDEN, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn remove(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    studies::delete(&app.db, &id, &who).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A study as text, with all chapters, variations and comments.
#[cfg_attr(test, utoipa::path(get, path = "/api/studies/{id}/text", tag = "studies",
    params(("id" = String, Path)),
    responses((status = OK, body = String, content_type = "text/plain"))))]
async fn text(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let text = studies::text(&app.db, &id, who.as_ref()).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Adds chapters from text; a record is a chapter.
#[cfg_attr(test, utoipa::path(post, path = "/api/studies/{id}/chapters", tag = "studies",
    params(("id" = String, Path)), request_body = NewChapters,
    responses((status = CREATED, body = StudyInfo), (status = FORBIDDEN, body = Problem),
    (status = CONFLICT, body = Problem), (status = UNPROCESSABLE_ENTITY, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn add(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
    Json(wanted): Json<NewChapters>,
) -> Result<(StatusCode, Json<StudyInfo>), Refusal> {
    app.limits.take(Limited::NewStudy, address, Some(&who.user))?;
    let study = studies::add(&app.db, &id, &who, wanted.text).await?;
    Ok((StatusCode::CREATED, Json(study)))
}

/// A chapter with all its moves.
#[cfg_attr(test, utoipa::path(get, path = "/api/studies/{id}/chapters/{chapter}", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)),
    responses((status = OK, body = StudyChapter))))]
async fn chapter(
    State(app): State<App>,
    who: Option<Requester>,
    Path((id, chapter)): Path<(String, String)>,
) -> Result<Json<StudyChapter>, Refusal> {
    studies::chapter(&app.db, &id, &chapter, who.as_ref()).await.map(Json)
}

/// Gives a chapter another title; its study's owner does.
#[cfg_attr(test, utoipa::path(patch, path = "/api/studies/{id}/chapters/{chapter}", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)), request_body = ChapterChange,
    responses((status = OK, body = StudyInfo), (status = FORBIDDEN, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn rename(
    State(app): State<App>,
    who: Requester,
    Path((id, chapter)): Path<(String, String)>,
    Json(wanted): Json<ChapterChange>,
) -> Result<Json<StudyInfo>, Refusal> {
    studies::rename(&app.db, &id, &chapter, &who, &wanted.title).await.map(Json)
}

/// Deletes a chapter, but not the last one; its study's owner does.
#[cfg_attr(test, utoipa::path(delete, path = "/api/studies/{id}/chapters/{chapter}", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)),
    responses((status = NO_CONTENT), (status = FORBIDDEN, body = Problem),
    (status = CONFLICT, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn remove_chapter(
    State(app): State<App>,
    who: Requester,
    Path((id, chapter)): Path<(String, String)>,
) -> Result<StatusCode, Refusal> {
    studies::delete_chapter(&app.db, &id, &chapter, &who).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes a chapter as it is now, whoever changed it last. Refused as `conflict` if the place is no longer
/// there, or its comment says something else than the writer knew.
#[cfg_attr(test, utoipa::path(post, path = "/api/studies/{id}/chapters/{chapter}/edits",
    tag = "studies", params(("id" = String, Path), ("chapter" = String, Path)),
    request_body = ChapterEdit,
    responses((status = OK, body = ChapterEdited), (status = FORBIDDEN, body = Problem),
    (status = CONFLICT, body = Problem), (status = PAYLOAD_TOO_LARGE, body = Problem),
    (status = UNPROCESSABLE_ENTITY, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn edit(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path((id, chapter)): Path<(String, String)>,
    Json(wanted): Json<ChapterEdit>,
) -> Result<Json<ChapterEdited>, Refusal> {
    app.limits.take(Limited::StudyEdit, address, Some(&who.user))?;
    studies::edit(&app.db, &id, &chapter, &who, wanted).await.map(Json)
}

/// The texts that a chapter had before something was taken away in it, the latest first; for its study's owner.
#[cfg_attr(test, utoipa::path(get, path = "/api/studies/{id}/chapters/{chapter}/earlier",
    tag = "studies", params(("id" = String, Path), ("chapter" = String, Path)),
    responses((status = OK, body = EarlierTexts), (status = FORBIDDEN, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn earlier(
    State(app): State<App>,
    who: Requester,
    Path((id, chapter)): Path<(String, String)>,
) -> Result<Json<EarlierTexts>, Refusal> {
    studies::earlier(&app.db, &id, &chapter, &who).await.map(Json)
}

/// Puts an earlier text of a chapter back; what is there now becomes an earlier one. Its study's owner does.
#[cfg_attr(test, utoipa::path(post, path = "/api/studies/{id}/chapters/{chapter}/earlier",
    tag = "studies", params(("id" = String, Path), ("chapter" = String, Path)),
    request_body = PutBack,
    responses((status = OK, body = StudyChapter), (status = FORBIDDEN, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn put_back(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path((id, chapter)): Path<(String, String)>,
    Json(wanted): Json<PutBack>,
) -> Result<Json<StudyChapter>, Refusal> {
    app.limits.take(Limited::StudyEdit, address, Some(&who.user))?;
    studies::put_back(&app.db, &id, &chapter, &who, wanted.version).await.map(Json)
}
