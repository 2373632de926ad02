//! Bodies that may be left out.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

/// A JSON body, or nothing at all, which means the default. What is there is read as strictly as
/// any other body.
pub(super) struct OptionalJson<T>(pub(super) T);

impl<S, T> FromRequest<S> for OptionalJson<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Default,
{
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        // Its size was checked before.
        let bytes = to_bytes(body, usize::MAX).await;
        let bytes = bytes.map_err(|_| StatusCode::BAD_REQUEST.into_response())?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        let request = Request::from_parts(parts, Body::from(bytes));
        let read = Json::<T>::from_request(request, state).await;
        read.map(|Json(value)| Self(value)).map_err(IntoResponse::into_response)
    }
}
