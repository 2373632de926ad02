//! Routes that let the engine think: about any record, about a finished game, as a hint. None of
//! them helps in a rated game that is being played, nor on the board of people who play people.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::engine::analysis::{LONGEST, MOST_LINES, Question, USUAL};
use crate::error::Refusal;
use crate::games::read_any_record;
use crate::limits::Limited;
use crate::people::accounts::Requester;
use crate::people::moderation::visible_game;
use crate::storage::records::Stored;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{Analyse, Analysis, Status};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use std::time::Duration;

routes! {
    "/api/analyse" => post analyse;
    "/api/games/{id}/hint" => post hint;
    "/api/games/{id}/thoughts" => get thoughts;
}

/// The most positions or playouts of one question.
const MOST_NODES: u64 = 5_000_000;

/// Move list in, next move out: the turn to play, what it is worth, and the best others.
#[cfg_attr(test, utoipa::path(post, path = "/api/analyse", tag = "analysis", request_body = Analyse,
    responses((status = OK, body = Analysis), (status = UNPROCESSABLE_ENTITY, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem), (status = CONFLICT, body = Problem))))]
async fn analyse(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Json(asked): Json<Analyse>,
) -> Result<Json<Analysis>, Refusal> {
    let user = who.as_ref().map(|who| who.user.as_str());
    app.limits.take(Limited::Analysis, address, user)?;
    let (game, record) = read_any_record(&asked.record)?;
    let question = Question {
        game: game.to_owned(),
        record,
        ply: asked.ply,
        bot: asked.bot,
        time: time(asked.time_ms),
        nodes: asked.nodes.map(|nodes| nodes.clamp(1, MOST_NODES)),
        top: asked.top.unwrap_or(5).clamp(1, MOST_LINES),
    };
    answer(&app, user, address, question).await
}

/// What the engine would play now, in a game that is not rated: against bots alone, or where all
/// players allow it.
#[cfg_attr(test, utoipa::path(post, path = "/api/games/{id}/hint", tag = "analysis", params(("id" = String, Path)),
    responses((status = OK, body = Analysis), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem), (status = UNPROCESSABLE_ENTITY, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn hint(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
) -> Result<Json<Analysis>, Refusal> {
    let stored = visible_game(&app.db, &id, Some(&who)).await?;
    if stored.status != Status::Playing {
        return Err(Refusal::Conflict("a hint is for a game that is being played".to_owned()));
    }
    may_be_thought_about(&stored, Some(&who))?;
    app.limits.take(Limited::Analysis, address, Some(&who.user))?;
    answer(&app, Some(&who.user), address, question(&stored, None, None, 5)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    ply: Option<usize>,
    time_ms: Option<u64>,
    top: Option<usize>,
}

/// What the engine thinks of a position of a finished game, or of one that is not rated, against
/// bots alone or where all players allow it.
#[cfg_attr(test, utoipa::path(get, path = "/api/games/{id}/thoughts", tag = "analysis",
    params(("id" = String, Path), ("ply" = Option<usize>, Query),
    ("time_ms" = Option<u64>, Query, minimum = 1, maximum = 5000),
    ("top" = Option<usize>, Query, minimum = 1, maximum = 50)),
    responses((status = OK, body = Analysis), (status = CONFLICT, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem), (status = UNPROCESSABLE_ENTITY, body = Problem))))]
async fn thoughts(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(At { ply, time_ms, top }): Query<At>,
) -> Result<Json<Analysis>, Refusal> {
    let stored = visible_game(&app.db, &id, who.as_ref()).await?;
    may_be_thought_about(&stored, who.as_ref())?;
    let user = who.as_ref().map(|who| who.user.as_str());
    app.limits.take(Limited::Analysis, address, user)?;
    let top = top.unwrap_or(5).clamp(1, MOST_LINES);
    answer(&app, user, address, question(&stored, ply, time_ms, top)).await
}

/// Lets the engine think about a question, unless the answer would help where it must not.
async fn answer(
    app: &App,
    user: Option<&str>,
    address: ClientAddress,
    question: Question,
) -> Result<Json<Analysis>, Refusal> {
    let Question { game, record, ply, .. } = &question;
    app.tables.refuse_help_at(user, game, record, *ply).await?;
    let whose = user.map_or_else(|| address.limit_key(), str::to_owned);
    app.work.analyse(&whose, question).await.map(Json)
}

/// A game that is being played is thought about for its player alone, against bots, or where all
/// players allow it, and never if it is rated.
fn may_be_thought_about(stored: &Stored, who: Option<&Requester>) -> Result<(), Refusal> {
    if stored.status == Status::Over {
        return Ok(());
    }
    if stored.rated {
        return Err(Refusal::Forbidden(
            "the game is rated: the engine does not help until it is over".to_owned(),
        ));
    }
    let alone = who.is_some_and(|who| {
        stored.seats_of(&who.user).next().is_some() && stored.only_bots_against(&who.user)
    });
    if alone || stored.help {
        return Ok(());
    }
    Err(Refusal::Forbidden(
        "while people play, the engine helps only if all of them allow it; against bots, it helps \
         their player"
            .to_owned(),
    ))
}

fn question(stored: &Stored, ply: Option<usize>, ms: Option<u64>, top: usize) -> Question {
    let (game, record) = (stored.game.clone(), stored.record());
    Question { game, record, ply, bot: None, time: time(ms), nodes: None, top }
}

fn time(ms: Option<u64>) -> Duration {
    ms.map_or(USUAL, Duration::from_millis).clamp(Duration::from_millis(1), LONGEST)
}
