//! What the sets of Carcassonne add to views, and what is told of each set.

use super::{BotInfo, TileInfo};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// A set that is played beside the base game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum SetName {
    /// Inns and cathedrals.
    Inns,
    /// Traders and builders.
    Traders,
    /// The river.
    River,
    /// Gardens and abbots.
    Gardens,
}

/// A figure that is no meeple.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum FigureName {
    /// The big meeple of the inns.
    Big,
    /// The builder of the traders.
    Builder,
    /// The pig of the traders.
    Pig,
    /// The abbot of the gardens.
    Abbot,
}

/// A kind of goods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum GoodName {
    /// Nine tokens.
    Wine,
    /// Six tokens.
    Grain,
    /// Five tokens.
    Cloth,
}

/// Tokens by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct GoodsView {
    /// Of nine.
    pub wine: u8,
    /// Of six.
    pub grain: u8,
    /// Of five.
    pub cloth: u8,
}

/// What the sets add to the view of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SetsView {
    /// The sets that are played.
    pub names: Vec<SetName>,
    /// Figures in hand beside the meeples, by seat.
    pub figures: Vec<Vec<FigureName>>,
    /// Goods, by seat; empty without the traders.
    pub goods: Vec<GoodsView>,
    /// River tiles still to be drawn, before all others.
    pub river_remaining: usize,
    /// Whether this is the second part of a turn, which a builder gave.
    pub second_part: bool,
}

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
