//! The API's document tells the truth: every route is sent what can go wrong, and answers with
//! nothing that the document does not tell, and with all that it tells of every route.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{Client, Server};
use reqwest::Method;
use serde_json::{Value, json};
use server::people::accounts::Role;
use std::collections::{BTreeMap, BTreeSet};

/// What the document adds to routes by their kind; each of these must really be answered.
const SHARED: [u16; 6] = [400, 401, 403, 404, 413, 415];

/// The first number of those who are banned.
const BANNED: usize = 1000;

/// A described route.
struct Route {
    method: Method,
    path: String,
    operation: Value,
}

impl Route {
    fn told(&self) -> BTreeSet<u16> {
        let told = self.operation["responses"].as_object().unwrap().keys();
        told.map(|status| status.parse().unwrap()).collect()
    }

    fn address(&self, id: &str, name: &str) -> String {
        let path = self.path.replace("{id}", id).replace("{name}", name);
        let path = path.replace("{line}", "1").replace("{seat}", "0");
        // A poll answers at once.
        if self.path.ends_with("/updates") {
            return format!("{path}?wait=0");
        }
        let required = self.parameters().into_iter().filter(|p| p["required"] == true);
        let queries = required.filter(|parameter| parameter["in"] == "query");
        let queries: Vec<String> =
            queries.map(|parameter| format!("{}=1", parameter["name"].as_str().unwrap())).collect();
        if queries.is_empty() { path } else { format!("{path}?{}", queries.join("&")) }
    }

    /// The request as a socket's, where the route is one.
    fn upgraded(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        if !self.path.ends_with("/socket") {
            return request;
        }
        request
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
    }

    fn has_body(&self) -> bool {
        self.operation["requestBody"]["content"]["application/json"].is_object()
    }

    fn parameters(&self) -> Vec<Value> {
        self.operation["parameters"].as_array().cloned().unwrap_or_default()
    }

    fn queries(&self) -> Vec<String> {
        let parameters = self.parameters();
        let queries = parameters.iter().filter(|parameter| parameter["in"] == "query");
        queries.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn routes(document: &Value) -> Vec<Route> {
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            routes.push(Route { method, path: path.clone(), operation: operation.clone() });
        }
    }
    routes
}

/// A value that a schema describes: all that is required, and the least of it.
fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/components/schemas/");
        return sample(document, &document["components"]["schemas"][name]);
    }
    for kind in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[kind].as_array() {
            let real = choices.iter().find(|choice| choice["type"] != "null");
            return sample(document, real.unwrap());
        }
    }
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.first()) {
        return word.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("string") => json!("x".repeat(schema["minLength"].as_u64().unwrap_or(4) as usize)),
        Some("integer" | "number") => schema["minimum"].as_i64().unwrap_or(1).into(),
        Some("boolean") => json!(true),
        Some("array") => json!([sample(document, &schema["items"])]),
        _ => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let required = required.iter().map(|name| name.as_str().unwrap().to_owned());
            let value = |name: &String| sample(document, &schema["properties"][name]);
            required.map(|name| (name.clone(), value(&name))).collect()
        }
    }
}

/// A new account with a game that is being played: the client, its name and the game's id.
async fn account(server: &Server, number: usize) -> (Client, String, String) {
    let (client, other) = (server.client(), server.guest().await);
    let name = format!("Ada{number}");
    let credentials = json!({"name": name, "password": "correct horse"});
    client.post("/api/register", &credentials).await.ok();
    let wanted = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    let made = client.post("/api/games", &wanted).await.value();
    let id = made["info"]["id"].as_str().unwrap().to_owned();
    other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    (client, name, id)
}

/// What was sent, and the status of the answer.
type Tried = (String, u16);

/// Sends a request and checks that an error is a problem in JSON.
async fn send(what: &str, request: reqwest::RequestBuilder) -> Tried {
    let response = request.send().await.expect("the server answers");
    let status = response.status();
    if status.as_u16() >= 400 {
        let text = response.text().await.unwrap();
        let problem: Result<server::wire::Problem, _> = serde_json::from_str(&text);
        assert!(problem.is_ok_and(|problem| !problem.message.is_empty()), "{what}: {text}");
        assert!(!status.is_server_error(), "{what}: {text}");
    }
    (what.to_owned(), status.as_u16())
}

/// Sends a route what can go wrong with any route, and what could go well.
async fn try_all(server: &Server, document: &Value, route: &Route, number: usize) -> Vec<Tried> {
    let (client, name, id) = account(server, number).await;
    let desk = route.path.starts_with("/api/moderation/");
    let set_role = async |role: Role| {
        let db = &server.app.db;
        server::staff::admin::set_role(db, &name, role).await.expect("the account is there");
    };
    if desk {
        set_role(Role::Administrator).await;
    }
    let unknown = ("zzzzzzzzzz", "Nobody-Here");
    let known = route.address(&id, &name);
    let to = |client: &Client, path: &str| client.request(route.method.clone(), path);
    let stranger = server.client();
    let mut tried = Vec::new();
    tried.push(send("nobody", to(&stranger, &known)).await);
    let wrong = to(&stranger, &known).bearer_auth("bastide_nonsense");
    tried.push(send("a wrong token", wrong).await);
    let foreign = route.upgraded(to(&stranger, &known)).header("origin", "https://evil.example");
    tried.push(send("another origin", foreign).await);
    let separator = if known.contains('?') { '&' } else { '?' };
    tried.push(send("a zero byte", to(&client, &format!("{known}{separator}x=%00"))).await);
    for query in route.queries() {
        let path = format!("{known}{separator}{query}=%5Bnonsense%5D");
        tried.push(send(&format!("a wrong {query}"), to(&client, &path)).await);
    }
    let missing = route.address(unknown.0, unknown.1);
    let body = &route.operation["requestBody"]["content"]["application/json"]["schema"];
    let body = if route.has_body() { sample(document, body) } else { Value::Null };
    if route.has_body() {
        tried.push(send("an unknown id", to(&client, &missing).json(&body)).await);
        let json = |text: &'static str| {
            to(&client, &known).header("content-type", "application/json").body(text)
        };
        for text in ["{", "null", "[]", "{}", "3", "{\"a\": 1}"] {
            tried.push(send(text, json(text)).await);
        }
        let plain = to(&client, &known).header("content-type", "text/plain").body("text");
        tried.push(send("text", plain).await);
    } else {
        tried.push(send("an unknown id", route.upgraded(to(&client, &missing))).await);
    }
    if route.method != Method::GET {
        let large = to(&client, &known).header("content-type", "application/json");
        tried.push(send("a large body", large.body(vec![b' '; 300 * 1024])).await);
    }
    let guest = server.guest().await;
    for (who, client) in [("a guest", &guest), ("the account", &client), ("again", &client)] {
        let request = to(client, &known);
        let request = if route.has_body() { request.json(&body) } else { request };
        tried.push(send(who, request).await);
    }
    if desk {
        // The next account's name is like this one, which nobody may have while it is staff's.
        set_role(Role::User).await;
    }
    let (banned, name, _) = account(server, BANNED + number).await;
    server::staff::admin::ban(&server.app.db, &name, true).await.expect("the account is there");
    tried.push(send("somebody banned", route.upgraded(to(&banned, &known))).await);
    tried
}

#[tokio::test]
async fn routes_answer_what_their_document_tells_and_nothing_else() {
    let server = Server::start().await;
    let document: Value = server.client().get("/api/openapi.json").await.json();
    let mut wrong = BTreeMap::new();
    for (number, route) in routes(&document).iter().enumerate() {
        let tried = try_all(&server, &document, route, number).await;
        let told = route.told();
        let untold: Vec<_> = tried.iter().filter(|(_, status)| !told.contains(status)).collect();
        let seen: BTreeSet<u16> = tried.iter().map(|(_, status)| *status).collect();
        let never: Vec<_> =
            told.iter().filter(|s| SHARED.contains(s) && !seen.contains(s)).collect();
        if !untold.is_empty() || !never.is_empty() {
            let report = format!("untold: {untold:?}; told and never seen: {never:?}");
            wrong.insert(format!("{} {}", route.method, route.path), report);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    server.stop().await;
}

#[tokio::test]
async fn nothing_in_the_document_is_left_open_that_has_a_list_or_a_bound() {
    let server = Server::start().await;
    let document: Value = server.client().get("/api/openapi.json").await.json();
    let mut open = Vec::new();
    for route in routes(&document) {
        for parameter in route.operation["parameters"].as_array().into_iter().flatten() {
            if !is_narrow(&parameter["schema"]) {
                open.push(format!("{} {}: {}", route.method, route.path, parameter["name"]));
            }
        }
        for (status, response) in route.operation["responses"].as_object().unwrap() {
            let said = response["description"].as_str().is_some_and(|text| !text.is_empty());
            assert!(said, "{} {} {status} has no description", route.method, route.path);
        }
    }
    // What clients send: every text has a list, a pattern or a length.
    let schemas = &document["components"]["schemas"];
    for name in asked_for(&document) {
        for (field, schema) in schemas[&name]["properties"].as_object().into_iter().flatten() {
            if !is_narrow(schema) {
                open.push(format!("{name}.{field}"));
            }
        }
    }
    assert!(open.is_empty(), "{open:#?}");
    let codes = schemas["ProblemCode"]["enum"].as_array().unwrap();
    assert!(codes.iter().any(|code| code == "stale_version"), "{codes:?}");
    server.stop().await;
}

/// The schemas of bodies.
fn asked_for(document: &Value) -> BTreeSet<String> {
    let all = routes(document);
    let named = all.iter().filter_map(|route| {
        let schema = &route.operation["requestBody"]["content"]["application/json"]["schema"];
        let choices = schema["oneOf"].as_array();
        let choice = choices.and_then(|all| all.iter().find(|one| one["$ref"].is_string()));
        choice.unwrap_or(schema)["$ref"].as_str().map(str::to_owned)
    });
    named.map(|name| name.trim_start_matches("#/components/schemas/").to_owned()).collect()
}

/// Whether a text is bounded in some way; what is no text is.
fn is_narrow(schema: &Value) -> bool {
    let is_text = schema["type"] == "string" || schema["type"][0] == "string";
    !is_text || ["enum", "pattern", "maxLength", "format"].iter().any(|key| !schema[key].is_null())
}
