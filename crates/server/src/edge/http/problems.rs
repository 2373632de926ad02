//! Every refusal as a `Problem`: also those that the framework words as plain text.

use crate::wire::{Problem, ProblemCode};
use axum::Json;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The longest sentence of the framework.
const SENTENCE: usize = 16 * 1024;

/// Turns answers with an error status and a plain text into JSON.
pub(super) async fn as_json(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    if status.as_u16() < 400 || !is_plain(response.headers()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, SENTENCE).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (status, code) = meaning(status);
    let message = match text.trim() {
        "" => status.canonical_reason().unwrap_or("refused").to_lowercase(),
        text => text.to_owned(),
    };
    let problem = Problem { code, message };
    let mut answer = (status, Json(problem)).into_response();
    if let Some(allow) = parts.headers.get(header::ALLOW) {
        answer.headers_mut().insert(header::ALLOW, allow.clone());
    }
    answer
}

fn is_plain(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_none_or(|kind| kind.starts_with("text/plain"))
}

/// Our status and word for one of the framework's. Its 422 is JSON of the wrong shape, which
/// here is a bad request: 422 is kept for moves that the rules refuse.
fn meaning(status: StatusCode) -> (StatusCode, ProblemCode) {
    match status {
        StatusCode::UNPROCESSABLE_ENTITY => (StatusCode::BAD_REQUEST, ProblemCode::BadRequest),
        StatusCode::NOT_FOUND => (status, ProblemCode::NotFound),
        StatusCode::PAYLOAD_TOO_LARGE => (status, ProblemCode::TooLarge),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (status, ProblemCode::UnsupportedMediaType),
        StatusCode::METHOD_NOT_ALLOWED => (status, ProblemCode::MethodNotAllowed),
        status if status.is_server_error() => (status, ProblemCode::Internal),
        status => (status, ProblemCode::BadRequest),
    }
}
