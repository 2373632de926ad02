//! Routes for pictures of games, puzzles and studies, which other sites may show.

use super::headers::RESOURCE_POLICY;
use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::people::moderation::visible_game;
use crate::storage::records::{self, Form};
use crate::studies;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::Status;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::LazyLock;
use tokio::sync::Semaphore;
#[cfg(test)]
use utoipa::ToSchema;

routes! {
    "/api/games/{id}/picture" => get picture;
    "/api/games/{id}/animation" => get animation;
    "/api/puzzles/{id}/picture" => get puzzle_picture;
    "/api/studies/{id}/picture" => get study_picture;
}

/// Raised when a position is drawn differently, so that nobody keeps the old picture.
const DRAWING_VERSION: u32 = 1;

const SIZES: std::ops::RangeInclusive<u32> = 64..=2048;
const USUAL_SIZE: u32 = 800;

/// One picture is drawn at a time: drawing takes a core for a moment, and games go first.
static DRAWING: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(1));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PictureQuery {
    ply: Option<usize>,
    format: Option<Format>,
    size: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
enum Format {
    Png,
    Svg,
    Card,
}

/// A picture of the game at a ply (without `ply`: as it stands) as PNG or SVG; its longer side has
/// about `size` pixels (64 to 2048, 800 if not given). `format=card` is a PNG of 1200 × 630 pixels,
/// for previews of links. Other sites may embed it. A private game has no picture.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/picture", tag = "records",
    params(("id" = String, Path), ("ply" = Option<usize>, Query),
    ("format" = inline(Option<Format>), Query),
    ("size" = Option<u32>, Query, minimum = 64, maximum = 2048)),
    responses((status = OK, content((Vec<u8> = "image/png"), (String = "image/svg+xml"))),
    (status = NOT_MODIFIED), (status = TOO_MANY_REQUESTS, body = Problem)), security(())))]
async fn picture(
    State(app): State<App>,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(wanted): Query<PictureQuery>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let size = wanted.size.unwrap_or(USUAL_SIZE);
    if !SIZES.contains(&size) {
        return Err(Refusal::Bad(format!("size={size}: a picture has 64 to 2048 pixels a side")));
    }
    // Whoever asks: what may be embedded anywhere shows only what everybody may see.
    let stored = visible_game(&app.db, &id, None).await?;
    let (form, kind) = match wanted.format.unwrap_or(Format::Png) {
        Format::Png => (Form::Png, "image/png"),
        Format::Svg => (Form::Svg, "image/svg+xml"),
        Format::Card => (Form::Card, "image/png"),
    };
    let ply = wanted.ply;
    let moves = stored.moves.len();
    let tag = format!("\"{DRAWING_VERSION}-{}-{size}-{form:?}\"", ply.unwrap_or(moves));
    let (known, age) = (is_known(&headers, &tag), kept_for(stored.status));
    let picture = Picture { kind, tag, age, limited: Limited::Picture };
    let drawn = async || draw(move || records::picture(&stored, ply, form, size)).await;
    picture.told(&app, address, known, drawn).await
}

/// A finished game as a short animation (GIF), a frame a turn. Other sites may embed it. A
/// private game has none.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/animation", tag = "records",
    params(("id" = String, Path)),
    responses((status = OK, body = Vec<u8>, content_type = "image/gif"),
    (status = NOT_MODIFIED), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(())))]
async fn animation(
    State(app): State<App>,
    address: ClientAddress,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let stored = visible_game(&app.db, &id, None).await?;
    if stored.status != Status::Over {
        return Err(Refusal::Conflict("a game is animated when it is over".to_owned()));
    }
    let (kind, age) = ("image/gif", kept_for(stored.status));
    let tag = format!("\"{DRAWING_VERSION}-{}\"", stored.moves.len());
    let known = is_known(&headers, &tag);
    let picture = Picture { kind, tag, age, limited: Limited::Animation };
    let drawn = async || draw(move || records::animation(&stored)).await;
    picture.told(&app, address, known, drawn).await
}

/// The position of a puzzle, before its answer, as a PNG of 1200 × 630 pixels, for previews of links. Other sites
/// may embed it.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/{id}/picture", tag = "puzzles",
    params(("id" = String, Path)),
    responses((status = OK, body = Vec<u8>, content_type = "image/png"), (status = NOT_MODIFIED),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(())))]
async fn puzzle_picture(
    State(app): State<App>,
    address: ClientAddress,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (kind, age) = ("image/png", kept_for(Status::Over));
    let tag = format!("\"{DRAWING_VERSION}-{id}\"");
    let known = app.puzzles.has(&id).await? && is_known(&headers, &tag);
    let picture = Picture { kind, tag, age, limited: Limited::Picture };
    let drawn = async || {
        let position = app.puzzles.position(&id).await?;
        draw(move || records::card(&position)).await
    };
    picture.told(&app, address, known, drawn).await
}

/// The end of the main line of a study's first chapter as a PNG of 1200 × 630 pixels, for previews of links. Other
/// sites may embed it. A private study has none, for its owner neither.
#[cfg_attr(test, utoipa::path(get, path = "/api/studies/{id}/picture", tag = "studies",
    params(("id" = String, Path)),
    responses((status = OK, body = Vec<u8>, content_type = "image/png"), (status = NOT_MODIFIED),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(())))]
async fn study_picture(
    State(app): State<App>,
    address: ClientAddress,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let chapter = studies::first_chapter(&app.db, &id).await?;
    // It may be changed, or become private, at any time.
    let (kind, age) = ("image/png", kept_for(Status::Playing));
    let tag = format!("\"{DRAWING_VERSION}-{}\"", chapter.version());
    let known = is_known(&headers, &tag);
    let picture = Picture { kind, tag, age, limited: Limited::Picture };
    let drawn = async || {
        let position = chapter.last_position().await?;
        draw(move || records::card(&position)).await
    };
    picture.told(&app, address, known, drawn).await
}

/// What is told of a picture before it is drawn.
struct Picture {
    kind: &'static str,
    /// It changes with what is drawn.
    tag: String,
    /// How long it may be kept.
    age: &'static str,
    limited: Limited,
}

impl Picture {
    /// The picture, or that the asker has it already; that costs nothing and is not limited.
    async fn told(
        self,
        app: &App,
        address: ClientAddress,
        known: bool,
        drawn: impl AsyncFnOnce() -> Result<Vec<u8>, Refusal>,
    ) -> Result<Response, Refusal> {
        let headers = shown(self.kind, self.tag, self.age);
        if known {
            return Ok((StatusCode::NOT_MODIFIED, headers, ()).into_response());
        }
        app.limits.take(self.limited, address, None)?;
        Ok((headers, drawn().await?).into_response())
    }
}

async fn draw(
    work: impl FnOnce() -> Result<Vec<u8>, Refusal> + Send + 'static,
) -> Result<Vec<u8>, Refusal> {
    let _turn = DRAWING.acquire().await.map_err(|_| Refusal::Internal)?;
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::Internal)?
}

/// How long a picture may be kept: a game that goes on can be taken back.
const fn kept_for(status: Status) -> &'static str {
    match status {
        Status::Over => "public, max-age=86400",
        Status::Waiting | Status::Playing => "public, max-age=5",
    }
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag))
}

/// The headers of a picture; an array, so that they replace what the body would say of itself.
fn shown(kind: &'static str, tag: String, age: &'static str) -> [(HeaderName, String); 4] {
    [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, age.to_owned()),
        (RESOURCE_POLICY, "cross-origin".to_owned()),
    ]
}
