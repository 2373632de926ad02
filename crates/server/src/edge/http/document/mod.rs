//! The description of the API, made from the handlers themselves.

mod answers;

use crate::app::App;
use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use std::sync::OnceLock;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Info, OpenApi, SecurityRequirement};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The route of the description.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(document))
}

/// This description, in the form of OpenAPI.
#[utoipa::path(get, path = "/api/openapi.json", tag = "about", responses(
    (status = OK, body = Object)), security(()))]
async fn document() -> impl IntoResponse {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| serde_json::to_string(&all()).expect("it is plain JSON"));
    ([(header::CONTENT_TYPE, "application/json")], text.as_str())
}

/// Whether a route answers as its description says it can. What is not described is not judged.
pub(super) fn tells(method: &Method, route: &str, status: StatusCode) -> bool {
    type Documented = Vec<(Method, String, Vec<u16>)>;
    static TOLD: OnceLock<Documented> = OnceLock::new();
    let told = TOLD.get_or_init(|| answers::told(&mut all()));
    let mut described = told.iter().filter(|(of, path, _)| of == method && path == route);
    described.all(|(_, _, statuses)| statuses.contains(&status.as_u16()))
}

fn all() -> OpenApi {
    let mut document = describe(super::api().to_openapi());
    answers::complete(&mut document);
    document
}

fn describe(mut document: OpenApi) -> OpenApi {
    let mut info = Info::new("Bastide", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Accounts, games, records and statistics. Every answer with an error status has a \
         Problem as its body."
            .to_owned(),
    );
    document.info = info;
    let cookie = ApiKey::Cookie(ApiKeyValue::new("bastide"));
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    let none: [&str; 0] = [];
    document.security = Some(vec![
        SecurityRequirement::default(),
        SecurityRequirement::new("cookie", none),
        SecurityRequirement::new("token", none),
    ]);
    document
}
