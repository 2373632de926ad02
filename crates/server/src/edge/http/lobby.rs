//! Routes about what is going on: the lobby, the stream of events for programs, muting.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::connections::Open;
use crate::people::accounts::{ChangeListener, Requester, find_user};
use crate::play::table::Subscription;
use crate::wire::{Lobby, MyGames};
#[cfg(test)]
use crate::wire::{Problem, StreamEvent};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use std::convert::Infallible;
use std::time::Duration;

routes! {
    "/api/lobby" => get lobby;
    "/api/lobby/mine" => get mine;
    "/api/stream" => get events;
    "/api/mutes/{name}" => put mute, delete unmute;
}

/// What is going on: games to join or watch, invitations, and the asker's games.
#[cfg_attr(test, utoipa::path(get, path = "/api/lobby", tag = "games", responses((status = OK, body = Lobby))))]
async fn lobby(State(app): State<App>, who: Option<Requester>) -> Result<Json<Lobby>, Refusal> {
    app.tables.lobby(who.as_ref().map(|who| who.user.as_str())).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    before: Option<String>,
}

/// More of the asker's games that are not over, the newest first: `mine_next` of the lobby, or
/// `next` of a page, is `before` of the page that follows.
#[cfg_attr(test, utoipa::path(get, path = "/api/lobby/mine", tag = "games",
    params(("before" = Option<String>, Query, max_length = 64)), responses(
    (status = OK, body = MyGames), (status = BAD_REQUEST, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn mine(
    State(app): State<App>,
    who: Requester,
    Query(Page { before }): Query<Page>,
) -> Result<Json<MyGames>, Refusal> {
    app.tables.games_of(&who.user, before.as_deref()).await.map(Json)
}

/// How often an empty line shows that the stream is alive.
const ALIVE_EVERY: Duration = Duration::from_secs(10);

/// Everything that concerns a program that plays, one line of JSON each: `game_start`,
/// `your_turn` with what a bot sees, `game_over`, `invitation`. Games that are going on come
/// first. An empty line every ten seconds shows that the stream is alive.
#[cfg_attr(test, utoipa::path(get, path = "/api/stream", tag = "bots",
    responses((status = OK, body = StreamEvent, content_type = "application/x-ndjson"),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn events(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
) -> Result<Response, Refusal> {
    let open = app.connections.open(address)?;
    let changes = app.changes.listen();
    let subscription = app.tables.subscribe(&who.user).await?;
    let listener = Listener { app, who, address, changes, subscription, _open: open };
    let lines = stream::unfold(listener, |mut listener| async move {
        let line = listener.next_line().await?;
        Some((Ok::<_, Infallible>(line), listener))
    });
    let kind =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

/// A program that listens to a stream.
struct Listener {
    app: App,
    who: Requester,
    address: ClientAddress,
    changes: ChangeListener,
    subscription: Subscription,
    _open: Open,
}

impl Listener {
    async fn next_line(&mut self) -> Option<Bytes> {
        loop {
            tokio::select! {
                event = self.subscription.events.recv() => {
                    return event.map(|event| Bytes::from(format!("{event}\n")));
                }
                () = tokio::time::sleep(ALIVE_EVERY) => return Some(Bytes::from_static(b"\n")),
                () = self.app.stopped() => return None,
                () = self.changes.about(&self.who.user) => {
                    self.app.addresses.refuse_banned(self.address).ok()?;
                    self.who = self.who.again(&self.app.db).await?;
                }
            }
        }
    }
}

/// Hides what a user says, at every table and from now on.
#[cfg_attr(test, utoipa::path(put, path = "/api/mutes/{name}", tag = "games", params(("name" = String, Path)),
    responses((status = NO_CONTENT)), security(("cookie" = []), ("token" = []))))]
async fn mute(
    State(app): State<App>,
    who: Requester,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    set_mute(&app, &who, &name, true).await
}

/// Shows again what a user says.
#[cfg_attr(test, utoipa::path(delete, path = "/api/mutes/{name}", tag = "games", params(("name" = String, Path)),
    responses((status = NO_CONTENT)), security(("cookie" = []), ("token" = []))))]
async fn unmute(
    State(app): State<App>,
    who: Requester,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    set_mute(&app, &who, &name, false).await
}

async fn set_mute(
    app: &App,
    who: &Requester,
    name: &str,
    muted: bool,
) -> Result<StatusCode, Refusal> {
    let other = find_user(&app.db, name).await?.ok_or_else(|| {
        Refusal::NotFound(format!("nobody is called '{}'", game::excerpt(name, 40)))
    })?;
    app.tables.mute(&who.user, &other.id, muted).await?;
    Ok(StatusCode::NO_CONTENT)
}
