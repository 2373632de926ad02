//! Routes about puzzles: the day's, the next one, an answer, one's own progress and mistakes.

use super::routes;
use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::limits::Limited;
use crate::people::accounts::Requester;
use crate::puzzles;
#[cfg(test)]
use crate::wire::Problem;
use crate::wire::{
    MyPuzzles, OwnAnswer, OwnMistakes, OwnPuzzle, OwnResult, PuzzleAnswer, PuzzlePosition,
    PuzzleResult, PuzzleTheme, PuzzleThemes,
};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;

routes! {
    "/api/puzzles" => get themes;
    "/api/puzzles/daily" => get daily;
    "/api/puzzles/next" => get next;
    "/api/puzzles/mine" => get mine;
    "/api/puzzles/own" => get own;
    "/api/puzzles/own/{id}" => get own_position;
    "/api/puzzles/own/{id}/answer" => post own_answer;
    "/api/puzzles/{id}" => get look;
    "/api/puzzles/{id}/answer" => post answer;
}

/// How many puzzles there are, by theme.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles", tag = "puzzles",
    responses((status = OK, body = PuzzleThemes)), security(())))]
async fn themes(State(app): State<App>) -> Result<Json<PuzzleThemes>, Refusal> {
    app.puzzles.themes().await.map(Json)
}

/// The puzzle of this day (UTC), the same for everybody.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/daily", tag = "puzzles",
    responses((status = OK, body = PuzzlePosition), (status = NOT_FOUND, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn daily(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
) -> Result<Json<PuzzlePosition>, Refusal> {
    app.limits.take(Limited::Puzzle, address, who.as_ref().map(|who| who.user.as_str()))?;
    app.puzzles.daily(who.as_ref()).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    theme: Option<PuzzleTheme>,
    seen: Option<String>,
}

/// A puzzle near the asker's rating that the asker has not answered yet. `seen` is the one just looked at: it
/// is not given again, even to those who are not logged in.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/next", tag = "puzzles",
    params(("theme" = inline(Option<PuzzleTheme>), Query), ("seen" = Option<String>, Query, pattern = "^[0-9a-f]{8}$")),
    responses((status = OK, body = PuzzlePosition), (status = NOT_FOUND, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn next(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Query(Wanted { theme, seen }): Query<Wanted>,
) -> Result<Json<PuzzlePosition>, Refusal> {
    app.limits.take(Limited::Puzzle, address, who.as_ref().map(|who| who.user.as_str()))?;
    app.puzzles.next(who.as_ref(), theme, seen.as_deref()).await.map(Json)
}

/// The asker's rating for puzzles, what was solved in a row, and the latest answers.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/mine", tag = "puzzles",
    responses((status = OK, body = MyPuzzles)), security(("cookie" = []), ("token" = []))))]
async fn mine(State(app): State<App>, who: Requester) -> Result<Json<MyPuzzles>, Refusal> {
    app.puzzles.mine(&who).await.map(Json)
}

/// The asker's mistakes in the latest of their reviewed games, to be practised; nobody else is told of them.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/own", tag = "puzzles",
    responses((status = OK, body = OwnMistakes)), security(("cookie" = []), ("token" = []))))]
async fn own(State(app): State<App>, who: Requester) -> Result<Json<OwnMistakes>, Refusal> {
    puzzles::own_mistakes(&app.db, &who).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    ply: usize,
}

/// A mistake of the asker in a reviewed game, to be solved as a puzzle is; nobody else reaches it.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/own/{id}", tag = "puzzles",
    params(("id" = String, Path), ("ply" = usize, Query, minimum = 1)),
    responses((status = OK, body = OwnPuzzle), (status = TOO_MANY_REQUESTS, body = Problem)),
    security(("cookie" = []), ("token" = []))))]
async fn own_position(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(At { ply }): Query<At>,
) -> Result<Json<OwnPuzzle>, Refusal> {
    app.limits.take(Limited::Puzzle, address, Some(&who.user))?;
    puzzles::own_puzzle(&app.db, &who, &id, ply).await.map(Json)
}

/// Another turn in place of a mistake of the asker: right if it is as good as the engine's. It is never rated.
#[cfg_attr(test, utoipa::path(post, path = "/api/puzzles/own/{id}/answer", tag = "puzzles",
    params(("id" = String, Path)), request_body = OwnAnswer,
    responses((status = OK, body = OwnResult), (status = UNPROCESSABLE_ENTITY, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem)), security(("cookie" = []), ("token" = []))))]
async fn own_answer(
    State(app): State<App>,
    who: Requester,
    address: ClientAddress,
    Path(id): Path<String>,
    Json(answer): Json<OwnAnswer>,
) -> Result<Json<OwnResult>, Refusal> {
    app.limits.take(Limited::Attempt, address, Some(&who.user))?;
    puzzles::answer_own(&app.db, &who, &id, &answer, &app.attempts).await.map(Json)
}

/// A puzzle as it is to be solved: the position and the turns that can be played. What it is about, how hard it
/// is and where it comes from is told with the answer.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/{id}", tag = "puzzles",
    params(("id" = String, Path)),
    responses((status = OK, body = PuzzlePosition), (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn look(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Path(id): Path<String>,
) -> Result<Json<PuzzlePosition>, Refusal> {
    app.limits.take(Limited::Puzzle, address, who.as_ref().map(|who| who.user.as_str()))?;
    app.puzzles.look(&id, who.as_ref()).await.map(Json)
}

/// Answers a puzzle with a whole turn. The first answer of somebody who is logged in, as a guest at least, is
/// rated; others are judged alike, and change nothing. A first answer is counted but not rated (`shown_here`) if
/// the answer was shown at the same address within a day to somebody without an account.
#[cfg_attr(test, utoipa::path(post, path = "/api/puzzles/{id}/answer", tag = "puzzles",
    params(("id" = String, Path)), request_body = PuzzleAnswer,
    responses((status = OK, body = PuzzleResult), (status = UNPROCESSABLE_ENTITY, body = Problem),
    (status = TOO_MANY_REQUESTS, body = Problem))))]
async fn answer(
    State(app): State<App>,
    who: Option<Requester>,
    address: ClientAddress,
    Path(id): Path<String>,
    Json(PuzzleAnswer { moves }): Json<PuzzleAnswer>,
) -> Result<Json<PuzzleResult>, Refusal> {
    app.limits.take(Limited::Puzzle, address, who.as_ref().map(|who| who.user.as_str()))?;
    app.puzzles.answer(&id, who.as_ref(), address, &moves, &app.attempts).await.map(Json)
}
