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
        text => in_plain_words(text),
    };
    let problem = Problem { code, message };
    let mut answer = (status, Json(problem)).into_response();
    if let Some(allow) = parts.headers.get(header::ALLOW) {
        answer.headers_mut().insert(header::ALLOW, allow.clone());
    }
    answer
}

/// How the framework says where it could not read something, and how that is said here.
const READ_FROM: [(&str, &str); 4] = [
    ("Failed to deserialize the JSON body into the target type: ", "the body does not fit: "),
    ("Failed to parse the request body as JSON: ", "the body is no JSON: "),
    ("Failed to deserialize query string: ", "the query does not fit: "),
    ("Invalid URL: ", "the address does not fit: "),
];

/// What is expected, by the first word of the framework's name for it.
const EXPECTED: [(&str, &str); 6] = [
    ("usize u8 u16 u32 u64", "a whole number from 0 on"),
    ("isize i8 i16 i32 i64", "a whole number"),
    ("f32 f64", "a number"),
    (
        "struct internally adjacently map enum",
        "an object with the fields that the documentation lists",
    ),
    ("sequence", "a list"),
    ("boolean", "true or false"),
];

/// What the values of a query are read with says, and what is meant.
const UNREAD: [(&str, &str); 4] = [
    ("invalid digit found in string", "expected a whole number from 0 on"),
    ("cannot parse integer from empty string", "expected a whole number from 0 on"),
    ("number too large to fit in target type", "the number is too large"),
    ("provided string was not `true` or `false`", "expected true or false"),
];

/// A sentence of the framework without the names of its types.
fn in_plain_words(text: &str) -> String {
    let known = READ_FROM
        .iter()
        .find_map(|(begins, told)| text.strip_prefix(begins).map(|rest| (*begins, *told, rest)));
    let Some((begins, told, rest)) = known else { return text.to_owned() };
    // Only who wrote JSON that is none wants to know where it stops being some.
    let rest = match rest.rfind(" at line ") {
        Some(at) if !begins.contains("as JSON") => &rest[..at],
        _ => rest,
    };
    let Some((found, expected)) = rest.rsplit_once(", expected ") else {
        let unread = UNREAD.iter().find(|(said, _)| rest.ends_with(said));
        let meant = unread.map(|(said, meant)| format!("{}{meant}", rest.trim_end_matches(said)));
        return format!("{told}{}", meant.unwrap_or_else(|| rest.to_owned()));
    };
    let name =
        expected.strip_prefix("a ").unwrap_or(expected).split(' ').next().unwrap_or_default();
    let plain = EXPECTED.iter().find(|(names, _)| names.split(' ').any(|one| one == name));
    let expected = plain.map_or(expected, |(_, plain)| *plain);
    format!("{told}{found}, expected {expected}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_told_without_the_names_of_types() {
        let body = "Failed to deserialize the JSON body into the target type: ";
        for (said, told) in [
            (
                "from.ply: invalid value: integer `-1`, expected usize at line 1 column 60",
                "from.ply: invalid value: integer `-1`, expected a whole number from 0 on",
            ),
            (
                "from: invalid type: integer `5`, expected struct FromPosition at line 1 column 9",
                "from: invalid type: integer `5`, expected an object with the fields that the \
                 documentation lists",
            ),
            (
                "moves: invalid type: null, expected a sequence at line 1 column 9",
                "moves: invalid type: null, expected a list",
            ),
            (
                "visibility: unknown variant `x`, expected one of `private`, `link` at line 1 column 9",
                "visibility: unknown variant `x`, expected one of `private`, `link`",
            ),
            ("missing field `record` at line 1 column 2", "missing field `record`"),
        ] {
            let told = format!("the body does not fit: {told}");
            assert_eq!(in_plain_words(&format!("{body}{said}")), told);
        }
        let query = "Failed to deserialize query string: ply: invalid digit found in string";
        assert_eq!(
            in_plain_words(query),
            "the query does not fit: ply: expected a whole number from 0 on"
        );
        let broken = "Failed to parse the request body as JSON: expected value at line 1 column 1";
        assert_eq!(
            in_plain_words(broken),
            "the body is no JSON: expected value at line 1 column 1"
        );
        assert_eq!(in_plain_words("method not allowed"), "method not allowed");
    }
}
