//! What every request passes before its handler: where it comes from, how large it is.

use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use std::time::Duration;

/// Refuses what a page of somebody else makes a browser send: browsers name the page's origin in
/// every such request, and send our cookie along. Programs name none. Refuses also what comes from
/// an address that moderators keep out; the page itself still loads, and tells why nothing else does.
pub(super) async fn origin(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let headers = request.headers();
    if request.uri().path().starts_with("/api/") {
        let address =
            ClientAddress::of(request.extensions(), headers, &app.config.trusted_proxies)?;
        app.addresses.refuse_banned(address)?;
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if safe && !headers.contains_key(header::UPGRADE) {
        return Ok(next.run(request).await);
    }
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or("unreadable"));
    match origin {
        Some(origin) if !is_ours(&app, headers, origin) => {
            let origin: String = origin.chars().take(100).collect();
            Err(Refusal::Forbidden(format!("requests from pages of '{origin}' are not taken")))
        }
        _ => Ok(next.run(request).await),
    }
}

fn is_ours(app: &App, headers: &HeaderMap, origin: &str) -> bool {
    let config = &app.config;
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let same_host = host.is_some_and(|host| {
        let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        named.is_some_and(|named| named.eq_ignore_ascii_case(host))
    });
    same_host
        || config.public_url.as_ref().is_some_and(|url| url.as_str() == origin)
        || config.allowed_origins.iter().any(|allowed| allowed == origin)
}

/// Refuses addresses with a zero byte: no id and no name has one, and not every database can look
/// for it.
pub(super) async fn address(request: Request, next: Next) -> Result<Response, Refusal> {
    if request.uri().to_string().contains("%00") {
        return Err(Refusal::Bad("an address has no zero bytes".into()));
    }
    Ok(next.run(request).await)
}

/// So much of a body that is too large is still read, so that the client hears why it was refused
/// instead of losing the connection in the middle of sending.
const READ_IN_VAIN: usize = 32 * 1024 * 1024;

/// How long a body may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);

/// Reads the body within its limits, in size and in time. What only asks has none that counts.
pub(super) async fn body_limit(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(next.run(request).await);
    }
    let limit = app.config.body_limit;
    let (parts, body) = request.into_parts();
    let read = tokio::time::timeout(ARRIVAL, read_body(body, limit)).await;
    let read = read.map_err(|_| Refusal::TooSlow)??;
    Ok(next.run(Request::from_parts(parts, Body::from(read))).await)
}

async fn read_body(body: Body, limit: usize) -> Result<Vec<u8>, Refusal> {
    let mut read = Vec::new();
    let mut length = 0;
    let mut stream = body.into_data_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Refusal::Bad("the body broke off".into()))?;
        length += chunk.len();
        if length <= limit {
            read.extend_from_slice(&chunk);
        } else {
            read = Vec::new();
        }
        if length > READ_IN_VAIN {
            break;
        }
    }
    if length > limit {
        return Err(Refusal::TooLarge(format!("the body is larger than {limit} bytes")));
    }
    Ok(read)
}
