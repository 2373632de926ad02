//! Every request gets an id, a log line and its place in the metrics.

use super::document;
use crate::app::App;
use crate::config::Config;
use crate::wire::{Problem, ProblemCode};
use crate::{ids, metrics};
use axum::Json;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tracing::Instrument;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id (never the client's), and notes how it went.
pub(super) async fn requests(State(app): State<App>, request: Request, next: Next) -> Response {
    warn_of_unknown_proxy(&app.config, request.headers());
    let begun = Instant::now();
    let id = ids::new_id();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let span = tracing::info_span!("request", %id, %method, route);
    let mut response = next.run(request).instrument(span.clone()).await;
    if cfg!(debug_assertions) && !document::is_documented(&method, route, response.status()) {
        response = undescribed(&method, route, response.status());
    }
    let (status, took) = (response.status(), begun.elapsed());
    metrics::count_request(&method, route, status, took);
    let ms = took.as_millis();
    let _inside = span.enter();
    if status.is_server_error() && !app.is_stopping() {
        tracing::error!(status = status.as_u16(), ms, "answered");
    } else {
        tracing::debug!(status = status.as_u16(), ms, "answered");
    }
    let value = HeaderValue::from_str(&id).expect("ids are letters and digits");
    response.headers_mut().insert(REQUEST_ID, value);
    response
}

/// A server on the internet whose proxy is not named counts all people as one, which nobody sees
/// before the limits bite.
fn warn_of_unknown_proxy(config: &Config, headers: &HeaderMap) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let forwarded = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
    let unknown = config.public_url.is_some() && config.trusted_proxies.is_empty();
    if forwarded && unknown && !TOLD.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            "requests come through a proxy, whose clients all count as one: name it with \
             --trusted-proxy ADDRESS"
        );
    }
}

/// Where assertions are on, an answer that the API's document does not tell of is a fault: every
/// test that meets one fails, and says which route is to be described better.
fn undescribed(method: &Method, route: &str, status: StatusCode) -> Response {
    let message = format!("{method} {route} answers {status}, which is not in the API's document");
    tracing::error!(message);
    let problem = Problem { code: ProblemCode::Internal, message };
    (StatusCode::INTERNAL_SERVER_ERROR, Json(problem)).into_response()
}
