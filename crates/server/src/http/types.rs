//! `GET /api/game-types`: the games there are.

use crate::app::App;
use crate::games::game_types;
use crate::wire::GameType;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Routes about the games there are.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// The games there are: options as a JSON Schema, bots, and the tiles of Carcassonne.
#[utoipa::path(get, path = "/api/game-types", tag = "games", responses(
    (status = OK, body = [GameType])))]
async fn list() -> Json<&'static [GameType]> {
    Json(game_types())
}
