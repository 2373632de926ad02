//! `GET /api/game-types`: the games there are.

use crate::games::game_types;
use crate::wire::GameType;
use axum::routing::get;
use axum::{Json, Router};

/// The routes; they need no state.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/api/game-types", get(list))
}

async fn list() -> Json<&'static [GameType]> {
    Json(game_types())
}
