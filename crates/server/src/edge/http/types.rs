//! `GET /api/game-types`: the games there are, and the sets of Carcassonne.

use super::routes;
use crate::app::App;
use crate::games::sets_info;
use crate::wire::{GameType, SetsInfo};
use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;

routes! {
    "/api/game-types" => get list;
    "/api/game-types/carcassonne/sets" => get sets;
}

/// Which bots are listed.
#[derive(Deserialize)]
struct TypesQuery {
    /// Engines too, not only the levels for people.
    all: Option<bool>,
}

/// The games there are: options as a JSON Schema, bots, and the tiles of Carcassonne. Bots are the
/// levels for people; with `all=true` the engines too, which play by name in casual games.
#[cfg_attr(test, utoipa::path(get, path = "/api/game-types", tag = "games",
    params(("all" = Option<bool>, Query)), responses((status = OK, body = [GameType])),
    security(())))]
async fn list(
    State(app): State<App>,
    Query(TypesQuery { all }): Query<TypesQuery>,
) -> Json<Vec<GameType>> {
    Json(app.tables.game_types(all.unwrap_or(false)))
}

/// The sets of Carcassonne: their tiles, figures, and the bots that play with them. Who plays the base
/// game needs none of it.
#[cfg_attr(test, utoipa::path(get, path = "/api/game-types/carcassonne/sets", tag = "games",
    responses((status = OK, body = SetsInfo)), security(())))]
async fn sets() -> Json<&'static SetsInfo> {
    Json(sets_info())
}
