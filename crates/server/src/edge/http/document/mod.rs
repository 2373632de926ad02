//! The description of the API: a file that the tests make from the handlers themselves.
//!
//! `BLESS=1 cargo test --workspace --lib api_document` writes it anew.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod make;

use super::routes;
use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use serde_json::Value;
use std::sync::OnceLock;

const DOCUMENT: &str = include_str!("../../../../openapi.json");

routes! {
    "/api/openapi.json" => get document;
}

/// This description, in the form of OpenAPI.
#[cfg_attr(test, utoipa::path(get, path = "/api/openapi.json", tag = "about", responses(
    (status = OK, body = Object)), security(())))]
async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT)
}

/// Whether a route answers as its description says it can. What is not described is not judged.
pub(super) fn is_documented(method: &Method, route: &str, status: StatusCode) -> bool {
    static PARSED: OnceLock<Value> = OnceLock::new();
    let parsed = PARSED.get_or_init(|| serde_json::from_str(DOCUMENT).expect("it is JSON"));
    let method = method.as_str().to_ascii_lowercase();
    let responses = parsed["paths"][route][method]["responses"].as_object();
    responses.is_none_or(|responses| responses.contains_key(status.as_str()))
}
