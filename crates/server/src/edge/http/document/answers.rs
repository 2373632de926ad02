//! What routes can answer beside what their handlers say: it follows from what every request
//! passes before its handler, so it is added here once for all.

use axum::http::{Method, StatusCode};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

const JSON: &str = "application/json";

/// Adds to every route what it can answer, and to its parameters what they look like.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations(item) {
            let shared: Vec<_> = shared(path, &method, operation).collect();
            for (status, why) in shared {
                let responses = &mut operation.responses.responses;
                responses.entry(status.as_str().to_owned()).or_insert_with(|| problem(why).into());
            }
            operation.responses.responses.iter_mut().for_each(explain);
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(parameter) = parameter
                    && parameter.parameter_in == ParameterIn::Path
                {
                    narrow(&parameter.name, &mut parameter.schema);
                }
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let all = [
        (Method::GET, &mut item.get),
        (Method::PUT, &mut item.put),
        (Method::POST, &mut item.post),
        (Method::PATCH, &mut item.patch),
        (Method::DELETE, &mut item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// What follows from a route's kind: whether it has a body, names something in its path, asks who
/// is there.
fn shared(
    path: &str,
    method: &Method,
    operation: &Operation,
) -> impl Iterator<Item = (StatusCode, &'static str)> {
    let changes = *method != Method::GET;
    let body = operation.request_body.as_ref().is_some_and(|body| match body {
        RefOr::T(body) => body.content.contains_key(JSON),
        RefOr::Ref(_) => true,
    });
    let anybody = [SecurityRequirement::default()];
    let asks = operation.security.as_deref() != Some(&anybody);
    let names = path.contains('{');
    [
        (
            true,
            StatusCode::BAD_REQUEST,
            "The request cannot be read, or asks for what there is not.",
        ),
        (
            asks,
            StatusCode::UNAUTHORIZED,
            "No session and no token where one is needed, or one that is over.",
        ),
        (
            asks || changes,
            StatusCode::FORBIDDEN,
            "Not allowed to the asker, or sent by a page of another origin.",
        ),
        (names, StatusCode::NOT_FOUND, "There is no such thing, or none that the asker may see."),
        (changes, StatusCode::REQUEST_TIMEOUT, "The body took too long to arrive."),
        (changes, StatusCode::PAYLOAD_TOO_LARGE, "The body is too large."),
        (body, StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body is not said to be JSON."),
        (true, StatusCode::INTERNAL_SERVER_ERROR, "A fault of the server."),
        (
            true,
            StatusCode::SERVICE_UNAVAILABLE,
            "The server is stopping, too busy, or cannot write.",
        ),
    ]
    .into_iter()
    .filter_map(|(can, status, why)| can.then_some((status, why)))
}

fn problem(why: &str) -> Response {
    let schema = Ref::from_schema_name("Problem");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(why).content(JSON, content).build()
}

/// Gives an answer the sentence that OpenAPI asks for, and the headers that go with its status.
fn explain((status, response): (&String, &mut RefOr<Response>)) {
    let RefOr::T(response) = response else { return };
    let status = status.parse().ok().and_then(|number| StatusCode::from_u16(number).ok());
    let Some(status) = status else { return };
    if response.description.is_empty() {
        response.description = status.canonical_reason().unwrap_or("An answer").to_owned();
    }
    let header = |kind: Type, about: &str| {
        let schema = ObjectBuilder::new().schema_type(SchemaType::Type(kind));
        HeaderBuilder::new().schema(Some(schema)).description(Some(about)).build()
    };
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            let header = header(Type::Integer, "Seconds until the next try.");
            response.headers.insert("Retry-After".to_owned(), header.into());
        }
        StatusCode::UNAUTHORIZED => {
            let header = header(Type::String, "How programs say who they are.");
            response.headers.insert("WWW-Authenticate".to_owned(), header.into());
        }
        _ => {}
    }
}

/// Ids and names in paths look the same everywhere.
fn narrow(name: &str, schema: &mut Option<RefOr<Schema>>) {
    let Some(RefOr::T(Schema::Object(object))) = schema else { return };
    if object.schema_type != SchemaType::Type(Type::String) || object.pattern.is_some() {
        return;
    }
    match name {
        "id" | "chapter" => object.pattern = Some("^[0-9a-z]{1,32}$".to_owned()),
        "name" => (object.min_length, object.max_length) = (Some(3), Some(20)),
        _ => {}
    }
}
