//! Routes about games: make one, see it, play it, talk at it.

use super::body::OptionalJson;
use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::edge::socket;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::people::accounts::Requester;
use crate::play::table::{Action, Command, Moves, Outgoing, UPDATE_HEAD, ViewOf};
use crate::wire::{Answer, Join, NewGame, PlayResult, Say};
#[cfg(test)]
use crate::wire::{Play, Problem, Update, Welcome};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::sync::mpsc;
#[cfg(test)]
use utoipa::ToSchema;

routes! {
    "/api/games" => post create;
    "/api/games/{id}" => get show;
    "/api/games/{id}/updates" => get updates;
    "/api/games/{id}/view" => get view;
    "/api/games/{id}/play" => post play;
    "/api/games/{id}/join" => post join;
    "/api/games/{id}/leave" => post leave;
    "/api/games/{id}/resign" => post resign;
    "/api/games/{id}/draw" => post draw;
    "/api/games/{id}/takeback" => post takeback;
    "/api/games/{id}/abort" => post abort;
    "/api/games/{id}/rematch" => post rematch;
    "/api/games/{id}/chat" => post chat;
    "/api/games/{id}/socket" => get socket::socket;
}

/// Makes a game and answers as `GET /api/games/{id}` does.
#[cfg_attr(test, utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = CREATED, body = Welcome, description = "as the socket's welcome"),
    (status = UNPROCESSABLE_ENTITY, body = Problem,
        description = "the record of `from` does not replay"),
    (status = TOO_MANY_REQUESTS, body = Problem),
    (status = CONFLICT, body = Problem, description = "as many games against bots as may be"),
    (status = SERVICE_UNAVAILABLE, body = Problem,
        description = "rated games against this bot are not offered now")),
    security(("cookie" = []), ("token" = []))))]
async fn create(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Json(new): Json<NewGame>,
) -> Result<Response, Refusal> {
    app.limits.take(Limited::NewGame, address, Some(&who.user))?;
    app.tables.addresses().note(&who.user, address);
    let place = app.tables.take_bot_place(&who, address, &new).await?;
    let id = app.tables.create(&who, new).await?;
    let text = app.tables.look(&id, Some(&who), ViewOf::Welcome).await?;
    place.keep(&id);
    let location = format!("/api/games/{id}");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], json(text)).into_response())
}

/// The table and the game: the same as the first message of the socket.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = OK, body = Welcome))))]
async fn show(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    Ok(json(app.tables.look(&id, who.as_ref(), ViewOf::Welcome).await?))
}

/// What a poll waits for.
#[derive(Deserialize)]
struct Since {
    /// The last version seen.
    from: Option<u64>,
    /// Seconds to wait.
    wait: Option<u64>,
}

/// The longest wait of a poll, in seconds.
const LONGEST_WAIT: u64 = 60;

/// The game as soon as it is past a version: at once, or when it changes within `wait` seconds
/// (0 to 60, 25 if left out). 204 if it did not.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/updates", tag = "games", params(("id" = String, Path),
    ("from" = Option<u64>, Query), ("wait" = Option<u64>, Query, maximum = 60)),
    responses((status = OK, body = Update), (status = NO_CONTENT),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn updates(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(Since { from, wait }): Query<Since>,
) -> Result<Response, Refusal> {
    let _open = app.connections.open(address)?;
    let wait = Duration::from_secs(wait.unwrap_or(25).min(LONGEST_WAIT));
    let (queue, mut messages) = mpsc::channel(1);
    let (table, connection) = app.tables.watch(&id, who.as_ref(), from, true, &queue).await?;
    drop(queue);
    let next = tokio::select! {
        next = tokio::time::timeout(wait, messages.recv()) => next.ok().flatten(),
        () = app.stopped() => None,
    };
    // A table that has ended has forgotten the connection anyway.
    let _ = table.send(Command::Unwatch { connection }).await;
    Ok(match next {
        Some(Outgoing::Update(text)) => {
            let inner = text.as_str().strip_prefix(UPDATE_HEAD).and_then(|t| t.strip_suffix('}'));
            json(inner.ok_or(Refusal::Internal)?.to_owned())
        }
        Some(Outgoing::Other(_) | Outgoing::GoodBye) | None => {
            StatusCode::NO_CONTENT.into_response()
        }
    })
}

/// Whose eyes to look through.
#[derive(Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
enum Eyes {
    Player,
    #[default]
    Spectator,
    Bot,
}

#[derive(Deserialize)]
struct As {
    #[serde(rename = "as")]
    eyes: Option<Eyes>,
}

/// The board as a `player` at the table, a `spectator`, or a `bot` on the asker's seat sees it.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/view", tag = "games",
    params(("id" = String, Path), ("as" = inline(Option<Eyes>), Query)),
    responses((status = OK, body = Object))))]
async fn view(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
    Query(As { eyes }): Query<As>,
) -> Result<Response, Refusal> {
    let view = match eyes.unwrap_or_default() {
        Eyes::Spectator => ViewOf::Spectator,
        Eyes::Player => ViewOf::Player,
        Eyes::Bot => ViewOf::Bot,
    };
    Ok(json(app.tables.look(&id, who.as_ref(), view).await?))
}

/// Plays one move or both: `{"version", "moves"}` in our notation, or the action form.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/play", tag = "games", params(("id" = String, Path)),
    request_body = Play, responses((status = OK, body = PlayResult),
    (status = UNPROCESSABLE_ENTITY, body = Problem), (status = CONFLICT, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn play(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(body): Json<Value>,
) -> Result<Json<PlayResult>, Refusal> {
    let (version, moves) = read_play(&who, body)?;
    let reply = app.tables.act(&id, &who, None, Action::Play { version, moves }).await?;
    let played = reply.played.ok_or(Refusal::Internal)?;
    Ok(Json((*played).clone()))
}

/// What a body asks to play. A `player_id`, wherever it stands, must be the asker's.
fn read_play(who: &Requester, body: Value) -> Result<(Option<u64>, Moves), Refusal> {
    let Value::Object(mut body) = body else {
        return Err(Refusal::Bad(
            "a play is an object: {\"version\", \"moves\"} or an action".to_owned(),
        ));
    };
    check_player(who, &body)?;
    let version = match body.remove("version") {
        None | Some(Value::Null) => None,
        Some(version) => Some(version.as_u64().ok_or_else(|| {
            Refusal::Bad("'version' is the number of the version that was seen".to_owned())
        })?),
    };
    match body.remove("moves") {
        None => Ok((version, Moves::Json(Value::Object(body)))),
        Some(moves) => {
            if let Some(key) = body.keys().find(|key| *key != "player_id") {
                let key = game::excerpt(key, 40);
                return Err(Refusal::Bad(format!("'{key}' does not go with 'moves'")));
            }
            let moves = serde_json::from_value(moves)
                .map_err(|_| Refusal::Bad("'moves' is a list of texts, one a move".to_owned()))?;
            Ok((version, Moves::Text(moves)))
        }
    }
}

fn check_player(who: &Requester, part: &Map<String, Value>) -> Result<(), Refusal> {
    for inner in part.values().filter_map(Value::as_object) {
        check_player(who, inner)?;
    }
    match part.get("player_id") {
        None => Ok(()),
        Some(Value::String(id)) if *id == who.user => Ok(()),
        Some(_) => Err(Refusal::Forbidden(format!(
            "'player_id' is not yours; you are '{}', and may leave it out",
            who.user
        ))),
    }
}

/// Does something at a table, and answers with nothing but that it is done.
async fn act(app: &App, id: &str, who: &Requester, action: Action) -> Result<StatusCode, Refusal> {
    app.tables.act(id, who, None, action).await.map(|_| StatusCode::NO_CONTENT)
}

/// Sits down: on the seat that is kept for the asker, or on an open one.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/join", tag = "games", params(("id" = String, Path)),
    request_body = Option<Join>, responses((status = OK, body = Welcome),
    (status = CONFLICT, body = Problem), (status = TOO_MANY_REQUESTS, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn join(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
    OptionalJson(Join { nonce }): OptionalJson<Join>,
) -> Result<Response, Refusal> {
    app.limits.take(Limited::NewGame, address, Some(&who.user))?;
    app.tables.addresses().note(&who.user, address);
    app.tables.act(&id, &who, None, Action::Join { nonce }).await?;
    Ok(json(app.tables.look(&id, Some(&who), ViewOf::Welcome).await?))
}

/// Gets up before the game has begun, or declines an invitation.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/leave", tag = "games", params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = CONFLICT, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn leave(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    act(&app, &id, &who, Action::Leave).await
}

/// Gives up.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = CONFLICT, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn resign(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    act(&app, &id, &who, Action::Resign).await
}

/// Offers, accepts or declines a draw, in games for two.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    request_body = Answer, responses((status = NO_CONTENT), (status = CONFLICT, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn draw(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(Answer { accept }): Json<Answer>,
) -> Result<StatusCode, Refusal> {
    act(&app, &id, &who, Action::Draw(accept)).await
}

/// Asks for, accepts or declines a takeback, in games that are not rated.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/takeback", tag = "games",
    params(("id" = String, Path)), request_body = Answer,
    responses((status = NO_CONTENT), (status = CONFLICT, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn takeback(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(Answer { accept }): Json<Answer>,
) -> Result<StatusCode, Refusal> {
    act(&app, &id, &who, Action::Takeback(accept)).await
}

/// Calls the game off before its second turn is played.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/abort", tag = "games", params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = CONFLICT, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn abort(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    act(&app, &id, &who, Action::Abort).await
}

/// Asks for, accepts or declines another game with the seats moved on.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/rematch", tag = "games", params(("id" = String, Path)),
    request_body = Answer, responses((status = NO_CONTENT), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn rematch(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Json(Answer { accept }): Json<Answer>,
) -> Result<StatusCode, Refusal> {
    act(&app, &id, &who, Action::Rematch(accept)).await
}

/// Says something: players to players, spectators to spectators.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/chat", tag = "games", params(("id" = String, Path)),
    request_body = Say,
    responses((status = NO_CONTENT), (status = TOO_MANY_REQUESTS, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn chat(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
    Json(Say { text }): Json<Say>,
) -> Result<StatusCode, Refusal> {
    app.limits.take(Limited::Chat, address, Some(&who.user))?;
    act(&app, &id, &who, Action::Chat(text)).await
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
