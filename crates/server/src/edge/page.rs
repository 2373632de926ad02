//! Answers with files of the page.

use crate::page::{File, Page};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The index with something else in its head, for one answer.
pub(super) fn index_with(page: &Page, change: impl FnOnce(&str) -> String) -> Option<Response> {
    let index = std::str::from_utf8(&page.index()?.plain).ok()?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    Some((headers, change(index)).into_response())
}

/// The file at a path. Paths that look like no file are places within the page: they get its
/// index, and the page finds its way.
pub(super) fn at_path(page: &Page, path: &str, headers: &HeaderMap) -> Option<Response> {
    let path = path.trim_start_matches('/');
    if let Some(file) = page.file(path) {
        return Some(answer(file, headers, path.starts_with("assets/")));
    }
    let is_place = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let index = page.index().filter(|_| is_place)?;
    Some(answer(index, headers, false))
}

fn answer(file: &File, headers: &HeaderMap, immutable: bool) -> Response {
    let lifetime = if immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [
        (header::ETAG, file.tag.clone()),
        (header::CACHE_CONTROL, lifetime.to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    let asked = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if asked(header::IF_NONE_MATCH).is_some_and(|tags| tags.contains(&file.tag)) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, file.kind.clone())];
    let takes = |wanted: &str| {
        let codings = asked(header::ACCEPT_ENCODING).unwrap_or_default().split(',');
        codings.map(|coding| coding.trim().split(';').next()).any(|name| name == Some(wanted))
    };
    let brotli = file.brotli.clone().filter(|_| takes("br")).map(|bytes| ("br", bytes));
    let gzip = || file.gzip().filter(|_| takes("gzip")).map(|bytes| ("gzip", bytes));
    match brotli.or_else(gzip) {
        Some((coding, bytes)) => {
            let coding = [(header::CONTENT_ENCODING, coding)];
            (common, kind, coding, Body::from(bytes)).into_response()
        }
        None => (common, kind, Body::from(file.plain.clone())).into_response(),
    }
}
