//! Makes the description from the handlers, and holds it against the stored one.

use super::{DOCUMENT, answers};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Info, OpenApi, SecurityRequirement};

fn all() -> OpenApi {
    let mut document = describe(super::super::described().to_openapi());
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

/// The document as text with a line for each route and each schema: small in the program, and a
/// change of one route is a change of one line.
fn text(document: &Value) -> String {
    let mut text = String::new();
    write_lines(&mut text, document, 2);
    text.push('\n');
    text
}

fn write_lines(text: &mut String, value: &Value, levels: usize) {
    match value.as_object() {
        Some(entries) if levels > 0 && !entries.is_empty() => {
            for (index, (key, entry)) in entries.iter().enumerate() {
                let before = if index == 0 { '{' } else { ',' };
                write!(text, "{before}\n{}:", Value::from(key.as_str())).expect("a string grows");
                write_lines(text, entry, levels - 1);
            }
            text.push_str("\n}");
        }
        _ => text.push_str(&value.to_string()),
    }
}

#[test]
fn the_stored_api_document_is_what_the_handlers_say() {
    let made = text(&serde_json::to_value(all()).unwrap());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json"), &made).unwrap();
        return;
    }
    let differs = made.lines().zip(DOCUMENT.lines()).find(|(made, stored)| made != stored);
    assert!(
        made == DOCUMENT,
        "run `BLESS=1 cargo test --workspace --lib api_document`; first: {differs:?}"
    );
}

#[test]
fn every_route_of_the_api_document_is_served_where_it_says() {
    let document = serde_json::to_value(all()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let described: BTreeSet<_> = paths
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| (method.clone(), path.clone()))
        })
        .collect();
    let listed = super::super::listed().into_iter();
    let listed: BTreeSet<_> =
        listed.map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
    assert_eq!(listed, described);
}

/// `docs/api.md` is what people read. A gap of a path stands there as `ID`, `NAME` or a variable of
/// the shell.
#[test]
fn every_path_of_the_api_document_stands_in_the_guide() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let named: Vec<Vec<&str>> = guide
        .match_indices("/api/")
        .map(|(at, _)| {
            let path = |c: char| c.is_ascii_alphanumeric() || "/-_.$".contains(c);
            let end = guide[at..].find(|c| !path(c)).unwrap_or(guide.len() - at);
            guide[at..at + end].trim_end_matches('.').split('/').collect()
        })
        .collect();
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let is_named = |path: &str| {
        let parts: Vec<&str> = path.split('/').collect();
        named.iter().any(|other| {
            let fits = |(part, other): (&&str, &&str)| part.starts_with('{') || part == other;
            other.len() == parts.len() && parts.iter().zip(other).all(fits)
        })
    };
    let paths = document["paths"].as_object().unwrap().keys();
    let missing: Vec<&String> = paths.filter(|path| !is_named(path)).collect();
    assert!(missing.is_empty(), "not in docs/api.md: {missing:?}");
}
