//! Routes about reviews of finished games: ask for one, follow it, read it, try another turn.

use super::body::OptionalJson;
use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::engine::review_told::{depth_of, told_attempt};
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use crate::limits::Limited;
use crate::limits::connections::Open;
use crate::people::accounts::{Requester, find_user};
use crate::people::moderation::visible_game;
use crate::reviews::{self, Watching};
use crate::storage::records::{self, Stored};
use crate::wire::{
    NewReview, ReviewDepth, ReviewJob, ReviewState, ReviewedGames, TriedTurn, TryPosition, TryTurn,
};
#[cfg(test)]
use crate::wire::{Problem, ReviewLine};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bots::review::AttemptError;
use futures_util::stream;
use search::Stop;
use serde::Deserialize;
use std::convert::Infallible;
use std::time::Duration;

routes! {
    "/api/games/{id}/review" => get look, post ask, delete cancel;
    "/api/games/{id}/review/stream" => get follow;
    "/api/games/{id}/review/position" => get position;
    "/api/games/{id}/review/try" => post attempt;
    "/api/users/{name}/reviews" => get of_user;
    "/api/bots/{name}/reviews" => get of_bot;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    #[serde(default)]
    depth: ReviewDepth,
}

/// The review of a finished game, or where it stands: `absent` if nobody has asked for it.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/review", tag = "reviews",
    params(("id" = String, Path), ("depth" = inline(Option<ReviewDepth>), Query)),
    responses((status = OK, body = ReviewJob))))]
async fn look(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
    Query(Which { depth }): Query<Which>,
) -> Result<Json<ReviewJob>, Refusal> {
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    app.reviews.look(&stored, depth).await.map(Json)
}

/// Asks for a review. It is made once for each depth: one that is there, or being made, costs
/// nothing. Refused while the game is played.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/review", tag = "reviews",
    params(("id" = String, Path)), request_body = Option<NewReview>,
    responses((status = OK, body = ReviewJob), (status = ACCEPTED, body = ReviewJob),
    (status = CONFLICT, body = Problem), (status = TOO_MANY_REQUESTS, body = Problem),
    (status = SERVICE_UNAVAILABLE, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn ask(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
    OptionalJson(asked): OptionalJson<NewReview>,
) -> Result<Response, Refusal> {
    let depth = asked.depth;
    let stored = visible_game(&app.db, &id, Some(&who)).await?;
    reviews::check_reviewable(&stored)?;
    let mut job = app.reviews.look(&stored, depth).await?;
    if job.state == ReviewState::Absent {
        app.limits.take(Limited::Review, address, Some(&who.user))?;
        app.tables.refuse_review(&who.user, &stored).await?;
    }
    if job.state != ReviewState::Done {
        job = app.reviews.ask(&who.user, &stored, depth).await?;
    }
    let status = match job.state {
        ReviewState::Done => StatusCode::OK,
        _ => StatusCode::ACCEPTED,
    };
    Ok((status, Json(job)).into_response())
}

/// The asker no longer wants the review: it stops if nobody else does. Asking twice, or for a
/// review that nobody makes, does nothing.
#[cfg_attr(test, utoipa::path(delete, path = "/api/games/{id}/review", tag = "reviews",
    params(("id" = String, Path), ("depth" = inline(Option<ReviewDepth>), Query)),
    responses((status = NO_CONTENT)), security(("cookie" = []), ("token" = []))))]
async fn cancel(
    State(app): State<App>,
    who: Requester,
    Path(id): Path<String>,
    Query(Which { depth }): Query<Which>,
) -> Result<StatusCode, Refusal> {
    visible_game(&app.db, &id, Some(&who)).await?;
    app.reviews.cancel(&who.user, &id, depth).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How often an empty line shows that the stream is alive.
const ALIVE_EVERY: Duration = Duration::from_secs(10);

/// A review while it is made, one line of JSON for each step; those that were reviewed before come
/// first, and the last line is `done` or `failed`. An empty line every ten seconds shows that the
/// stream is alive.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/review/stream", tag = "reviews",
    params(("id" = String, Path), ("depth" = inline(Option<ReviewDepth>), Query)),
    responses((status = OK, body = ReviewLine, content_type = "application/x-ndjson"),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn follow(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(Which { depth }): Query<Which>,
) -> Result<Response, Refusal> {
    let open = app.connections.open(address)?;
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    let watching = app.reviews.watch(&stored, depth).await?;
    let follower = Follower { app, watching, _open: open };
    let lines = stream::unfold(follower, |mut follower| async move {
        let line = follower.next_line().await?;
        Some((Ok::<_, Infallible>(line), follower))
    });
    let kind =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

/// Somebody who follows a review.
struct Follower {
    app: App,
    watching: Watching,
    _open: Open,
}

impl Follower {
    async fn next_line(&mut self) -> Option<Bytes> {
        tokio::select! {
            line = self.watching.line() => line.map(|line| Bytes::from(format!("{line}\n"))),
            () = tokio::time::sleep(ALIVE_EVERY) => Some(Bytes::from_static(b"\n")),
            () = self.app.stopped() => self.watching.give_up(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    ply: usize,
}

/// The position of a finished game before the decision that begins with a ply, and the turns that
/// can be tried there.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/review/position", tag = "reviews",
    params(("id" = String, Path), ("ply" = usize, Query, minimum = 1)),
    responses((status = OK, body = TryPosition), (status = CONFLICT, body = Problem))))]
async fn position(
    State(app): State<App>,
    who: Option<Requester>,
    Path(id): Path<String>,
    Query(At { ply }): Query<At>,
) -> Result<Json<TryPosition>, Refusal> {
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    reviews::check_reviewable(&stored)?;
    let shown = tokio::task::spawn_blocking(move || {
        let legal = records::legal_turns(&stored, ply)?;
        let position = records::replay(&stored, Some(ply - 1))?;
        Ok::<_, Refusal>(TryPosition { position, legal })
    });
    shown.await.map_err(|_| Refusal::Internal)?.map(Json)
}

/// What the engine's turn is worth more than another one, measured as the review does.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/review/try", tag = "reviews",
    params(("id" = String, Path)), request_body = TryTurn,
    responses((status = OK, body = TriedTurn), (status = CONFLICT, body = Problem),
    (status = UNPROCESSABLE_ENTITY, body = Problem), (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn attempt(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Path(id): Path<String>,
    Json(tried): Json<TryTurn>,
) -> Result<Json<TriedTurn>, Refusal> {
    let user = who.as_ref().map(|who| who.user.as_str());
    app.limits.take(Limited::Attempt, address, user)?;
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    reviews::check_reviewable(&stored)?;
    let decision = reviews::decision(&app.db, &id, tried.depth, tried.ply).await?;
    let stop = Stop::new();
    let work = Compare { stored, tried, best: decision.best, stop: stop.clone() };
    let compare = move || {
        let game = work.stored.game.clone();
        with_game(&game, work)?
    };
    app.attempts.run(stop, compare).await.map(Json)
}

struct Compare {
    stored: Stored,
    tried: TryTurn,
    best: Vec<String>,
    stop: Stop,
}

impl WithGame for Compare {
    type Out = Result<TriedTurn, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let record = G::read_record(&self.stored.record())?;
        let read = |moves: &[String]| -> Result<Vec<G::Move>, Refusal> {
            let each = moves.iter().map(|text| {
                let bad = || format!("'{}' is no move in our notation", game::excerpt(text, 40));
                text.parse().map_err(|_| Refusal::IllegalMove(bad()))
            });
            each.collect()
        };
        let (best, tried) = (read(&self.best)?, read(&self.tried.moves)?);
        let depth = depth_of(self.tried.depth);
        let plies = self.tried.ply - 1;
        let compared = G::compare_turns(&record, plies, [&best, &tried], depth, &self.stop);
        let compared = compared
            .ok_or_else(|| Refusal::Conflict(format!("games of {} are not reviewed", G::NAME)))?;
        compared.map(|attempt| told_attempt(&attempt)).map_err(|error| match error {
            AttemptError::Stopped => Refusal::Unavailable("the server is stopping".to_owned()),
            AttemptError::Record(_) => Refusal::Internal,
            error => Refusal::IllegalMove(error.to_string()),
        })
    }
}

/// The latest reviewed games of a user, and what they come to.
#[cfg_attr(test, utoipa::path(get, path = "/api/users/{name}/reviews", tag = "reviews",
    params(("name" = String, Path)), responses((status = OK, body = ReviewedGames))))]
async fn of_user(
    State(app): State<App>,
    who: Option<Requester>,
    Path(name): Path<String>,
) -> Result<Json<ReviewedGames>, Refusal> {
    let nobody = || Refusal::NotFound(format!("nobody is called '{}'", game::excerpt(&name, 40)));
    let user = find_user(&app.db, &name).await?.ok_or_else(nobody)?;
    let asker = who.as_ref().map(|who| who.user.as_str());
    reviews::user_games(&app.db, &user.id, asker).await.map(Json)
}

/// The latest reviewed games of a bot, and what they come to.
#[cfg_attr(test, utoipa::path(get, path = "/api/bots/{name}/reviews", tag = "reviews",
    params(("name" = String, Path)), responses((status = OK, body = ReviewedGames)), security(())))]
async fn of_bot(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<ReviewedGames>, Refusal> {
    if !crate::games::knows_bot(&name) {
        return Err(Refusal::NotFound(format!("no bot is called '{}'", game::excerpt(&name, 40))));
    }
    reviews::bot_games(&app.db, &name).await.map(Json)
}
