//! All routes in one place. Each area brings its own, with their part of the API document.

mod accounts;
mod guard;
mod problems;
mod types;

use crate::app::App;
use crate::error::Refusal;
use axum::Router;
use axum::http::Uri;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa_axum::router::OpenApiRouter;

/// The whole server as one router.
pub fn router(app: App) -> Router {
    let (api, _document) = api().split_for_parts();
    api.fallback(nothing_here)
        .layer(from_fn_with_state(app.clone(), guard::body_limit))
        .layer(from_fn_with_state(app.clone(), guard::origin))
        .layer(from_fn(problems::as_json))
        .with_state(app)
}

/// Every route of the API. An area is one line here; its handlers carry `#[utoipa::path]`, so
/// that no route is missing from the document.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(accounts::routes()).merge(types::routes())
}

async fn nothing_here(uri: Uri) -> Refusal {
    Refusal::NotFound(format!("there is nothing at {}", uri.path()))
}
