//! Finished games: replays, the library, imports.

use super::GameSummary;
#[cfg(test)]
use super::GameView;
use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// A game at one of its plies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Replay {
    /// The game's id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub id: String,
    /// Its type's id.
    #[cfg_attr(test, schema(schema_with = super::schemas::game_id))]
    pub game: String,
    /// Its setup in our notation.
    pub setup: String,
    /// The ply shown: so many moves, draws included, were made.
    pub ply: usize,
    /// The last ply there is.
    pub last: usize,
    /// The phase at that ply.
    #[cfg_attr(test, schema(schema_with = super::schemas::phase))]
    pub phase: String,
    /// The seat to move there.
    pub turn: Option<usize>,
    /// The board there, by game type.
    #[cfg_attr(test, ts(type = "CarcassonneView | TinytownView"))]
    #[cfg_attr(test, schema(value_type = GameView))]
    pub view: Value,
    /// What the move that led there made happen.
    #[cfg_attr(test, ts(type = "GameEvent[]"))]
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    pub events: Vec<Value>,
    /// Every ply with its move and events, where none was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub plies: Option<Vec<ReplayPly>>,
}

/// A ply of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReplayPly {
    /// Which, from 1; 0 is the opening.
    pub ply: usize,
    /// The move, in our notation; empty for the opening.
    #[serde(rename = "move")]
    pub moved: String,
    /// Who made it; none for a draw.
    pub seat: Option<usize>,
    /// What it made happen.
    #[cfg_attr(test, ts(type = "GameEvent[]"))]
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    pub events: Vec<Value>,
}

/// A page of the library of finished games, the latest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Library {
    /// The games.
    pub games: Vec<GameSummary>,
    /// What to send as `before` for the next page; absent on the last one.
    pub next: Option<String>,
}

/// A record that was taken in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Imported {
    /// The id of the game.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{10}$"))]
    pub id: String,
    /// How many plies it has.
    pub plies: usize,
    /// Whether it is played to its end.
    pub finished: bool,
}
