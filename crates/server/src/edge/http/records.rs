//! Routes about games as they are stored: records, replays, imports, the library, fairness.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::games;
use crate::limits::Limited;
use crate::people::accounts::{Requester, find_user};
use crate::people::moderation::visible_game;
use crate::play::import::{TakenIn, import_game};
use crate::storage::records::{self, Filter, Outcome};
use crate::wire::{Fairness, Import, Library, Replay};
#[cfg(test)]
use crate::wire::{Imported, Problem};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

routes! {
    "/api/games/{id}/record" => get record;
    "/api/games/{id}/replay" => get replay;
    "/api/games/{id}/fairness" => get fairness;
    "/api/import" => post import;
    "/api/games" => get library;
}

/// The game's record in our notation, as far as it is played.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/record", tag = "records", params(("id" = String, Path)),
    responses((status = OK, body = String, content_type = "text/plain"))))]
async fn record(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    let text = records::text(&stored)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

#[derive(Deserialize)]
struct At {
    ply: Option<usize>,
}

/// The game at a ply with what happened there; without `ply` the end, with all plies and their
/// events for stepping through.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/replay", tag = "records",
    params(("id" = String, Path), ("ply" = Option<usize>, Query)),
    responses((status = OK, body = Replay))))]
async fn replay(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
    Query(At { ply }): Query<At>,
) -> Result<Json<Replay>, Refusal> {
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    let shown = tokio::task::spawn_blocking(move || records::replay(&stored, ply)).await;
    shown.map_err(|_| Refusal::Internal)?.map(Json)
}

/// What a finished game's draws came from: commitment, seed, nonces, order, draws. Refused while
/// the game is played.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/fairness", tag = "records",
    params(("id" = String, Path)),
    responses((status = OK, body = Fairness), (status = CONFLICT, body = Problem))))]
async fn fairness(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
) -> Result<Json<Fairness>, Refusal> {
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    records::fairness(&stored).map(Json)
}

/// Takes in a record that was played elsewhere; it is replayed, and refused with the reason if a
/// move is not legal. Handed in again under the same `offline_key`, the game that is stored is told.
#[cfg_attr(test, utoipa::path(post, path = "/api/import", tag = "records", request_body = Import,
    responses((status = CREATED, body = Imported), (status = OK, body = Imported),
    (status = UNPROCESSABLE_ENTITY, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn import(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Json(asked): Json<Import>,
) -> Result<Response, Refusal> {
    app.limits.take(Limited::NewGame, address, Some(&who.user))?;
    let taken_in = import_game(&app.db, app.tables.journal(), &who, asked).await?;
    let (status, imported) = match taken_in {
        TakenIn::New(imported) => (StatusCode::CREATED, imported),
        TakenIn::Known(imported) => (StatusCode::OK, imported),
    };
    let location = format!("/api/games/{}", imported.id);
    Ok((status, [(header::LOCATION, location)], Json(imported)).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordQuery {
    user: Option<String>,
    opponent: Option<String>,
    bot: Option<String>,
    result: Option<Outcome>,
    duel: Option<bool>,
    since: Option<i64>,
    until: Option<i64>,
    game: Option<String>,
    rated: Option<bool>,
    imported: Option<bool>,
    before: Option<String>,
    limit: Option<usize>,
}

/// Finished games, the latest first: public ones, and the asker's own. `user` is a name, `opponent`
/// that of another person at the same table, `bot` that of one of our bots; `result` is how it ended for `user`:
/// `won`, `tied` or `lost`; `duel` tells games for two from others; `since` and `until` are Unix
/// times in milliseconds. `next` of a page is `before` of the one that follows.
#[cfg_attr(test, utoipa::path(get, path = "/api/games", tag = "records",
    params(("user" = Option<String>, Query, min_length = 3, max_length = 20),
    ("opponent" = Option<String>, Query, min_length = 3, max_length = 20),
    ("bot" = Option<String>, Query, max_length = 40), ("result" = inline(Option<Outcome>), Query),
    ("duel" = Option<bool>, Query), ("since" = Option<i64>, Query), ("until" = Option<i64>, Query),
    ("game" = Option<String>, Query, pattern = "^(carcassonne|tinytown)$"),
    ("rated" = Option<bool>, Query), ("imported" = Option<bool>, Query),
    ("before" = Option<String>, Query, max_length = 64),
    ("limit" = Option<usize>, Query, minimum = 1, maximum = 50)),
    responses((status = OK, body = Library), (status = NOT_FOUND, body = Problem))))]
async fn library(
    State(app): State<App>,
    who: Option<Requester>,
    Query(wanted): Query<RecordQuery>,
) -> Result<Json<Library>, Refusal> {
    if wanted.result.is_some() && wanted.user.is_none() {
        return Err(Refusal::Bad("'result' is that of a 'user': name one".to_owned()));
    }
    let named = async |name: &str| {
        let nobody = || format!("nobody is called '{}'", game::excerpt(name, 40));
        find_user(&app.db, name).await?.ok_or_else(|| Refusal::NotFound(nobody()))
    };
    let user = match &wanted.user {
        None => None,
        Some(name) => Some(named(name).await?),
    };
    let opponent = match &wanted.opponent {
        None => None,
        Some(name) => Some(named(name).await?),
    };
    if let Some(bot) = wanted.bot.as_deref().filter(|bot| !games::knows_bot(bot)) {
        let asked = game::excerpt(bot, 40);
        return Err(Refusal::Bad(format!(
            "no bot is called '{asked}'; /api/game-types lists them"
        )));
    }
    let filter = Filter {
        asker: who.map(|who| who.user),
        user: user.map(|user| user.id),
        opponent: opponent.map(|user| user.id),
        bot: wanted.bot,
        outcome: wanted.result,
        duel: wanted.duel,
        since: wanted.since,
        until: wanted.until,
        game: wanted.game,
        rated: wanted.rated,
        imported: wanted.imported,
        before: wanted.before,
        limit: wanted.limit.unwrap_or(20),
    };
    records::library(&app.db, &filter).await.map(Json)
}
