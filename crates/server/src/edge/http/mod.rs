//! All routes in one place. Each area brings its own, with their part of the API document.

mod accounts;
mod analyse;
mod body;
mod document;
mod fairplay;
mod games;
mod guard;
mod headers;
mod lobby;
mod moderation;
mod operation;
mod pictures;
mod problems;
mod puzzles;
mod records;
mod reports;
mod reviews;
mod route_list;
mod second_factor;
pub(crate) mod seek;
mod sessions;
mod settings;
mod statistics;
mod studies;
mod types;
mod watch;

use crate::app::App;
use crate::config::PublicUrl;
use crate::edge::page;
use crate::edge::preview::Preview;
use crate::error::Refusal;
use crate::storage::records as stored;
use axum::Router;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, Method, StatusCode, Uri, Version, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use route_list::{areas, routes};
use std::any::Any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

// Every route of the API. An area is one word here; its handlers carry `#[utoipa::path]`, so that
// no route is missing from the document.
areas!(
    document,
    accounts,
    sessions,
    second_factor,
    settings,
    games,
    fairplay,
    lobby,
    seek,
    records,
    pictures,
    analyse,
    reviews,
    studies,
    puzzles,
    statistics,
    types,
    reports,
    moderation,
);

/// The whole server as one router. What is listed last here sees a request first.
pub fn router(app: App) -> Router {
    api()
        .merge(operation::routes())
        .layer(CompressionLayer::new().compress_when(SizeAbove::new(LARGE).and(is_json)))
        .fallback(page_or_nothing)
        .layer(from_fn_with_state(app.clone(), guard::body_limit))
        .layer(from_fn_with_state(app.clone(), guard::origin))
        .layer(from_fn(guard::address))
        .layer(from_fn(problems::as_json))
        .layer(CatchPanicLayer::custom(after_panic))
        .layer(from_fn_with_state(app.clone(), headers::protect))
        .layer(from_fn_with_state(app.clone(), watch::requests))
        .with_state(app)
}

/// Answers of so many bytes are compressed: reviews and replays shrink to a tenth.
const LARGE: u64 = 4096;

/// Streams are lines of JSON and leave line by line; only whole answers are compressed.
fn is_json(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json")
}

/// What is no route: a file of the page, or nothing.
async fn page_or_nothing(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let path: String = uri.path().chars().take(200).collect();
    let nothing = || Refusal::NotFound(format!("there is nothing at {method} {path}"));
    let is_api = path == "/api" || path.starts_with("/api/");
    if is_api || !matches!(method, Method::GET | Method::HEAD) {
        return Err(nothing());
    }
    if let Some(preview) = preview_of(&app, uri.path()).await? {
        let base = base_url(&app, &headers);
        let index = page::index_with(&app.page, |page| preview.within(page, &base));
        return index.ok_or_else(nothing);
    }
    page::at_path(&app.page, uri.path(), &headers).ok_or_else(nothing)
}

/// What a link to a game, a puzzle or a study tells; nothing of what not everybody with the link may see.
async fn preview_of(app: &App, path: &str) -> Result<Option<Preview>, Refusal> {
    let Some((kind, id)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
        return Ok(None);
    };
    if id.is_empty() || id.len() > 32 || !id.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Ok(None);
    }
    match kind {
        "g" => preview_of_game(app, id).await,
        "puzzles" => Ok(app.puzzles.has(id).await?.then(|| Preview::of_puzzle(id))),
        "study" => match crate::studies::look(&app.db, id, None).await {
            Ok(study) => Ok(Preview::of_study(&study)),
            Err(Refusal::NotFound(_)) => Ok(None),
            Err(refusal) => Err(refusal),
        },
        _ => Ok(None),
    }
}

async fn preview_of_game(app: &App, id: &str) -> Result<Option<Preview>, Refusal> {
    if let Some(listed) = app.tables.listed(id).await? {
        return Ok(Preview::of(&listed));
    }
    Ok(stored::finished(&app.db, id).await?.as_ref().and_then(Preview::of))
}

/// How people reach the server: as configured, or as this request did.
fn base_url(app: &App, headers: &HeaderMap) -> String {
    let configured = app.config.public_url.as_ref().map(|url| url.as_str().to_owned());
    let asked = || {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        format!("http://{host}").parse::<PublicUrl>().ok().map(|url| url.as_str().to_owned())
    };
    configured.or_else(asked).unwrap_or_default()
}

/// A fault of ours ends one request, not the server.
fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    tracing::error!(panic = text.unwrap_or_default(), "a request failed");
    Refusal::Internal.into_response()
}
