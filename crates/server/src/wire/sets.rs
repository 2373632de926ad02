//! What is told of each set of Carcassonne.

use super::{BotInfo, TileInfo};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;
use views::{FigureName, SetName};

/// What is told of the sets of Carcassonne: the tiles beyond the base game's, and who plays with them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SetsInfo {
    /// The sets there are.
    pub sets: Vec<SetInfo>,
    /// Their tiles. One with a garden lies in the place of the base game's tile with the same letter.
    pub tiles: Vec<TileInfo>,
    /// The bots that play with sets; none of them plays rated games.
    pub bots: Vec<BotInfo>,
    /// The name of the strongest of them.
    pub strongest: String,
}

/// A set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SetInfo {
    /// Its name in options and setups.
    pub name: SetName,
    /// Its name for people.
    pub display_name: String,
    /// How many tiles it adds; those with gardens replace others.
    pub tiles: usize,
    /// The figures that it gives to each player.
    pub figures: Vec<FigureName>,
}
