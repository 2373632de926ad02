//! A board as JSON: the keys of the platform's player view, and what a screen needs.

use crate::{FigureName, GoodsView, SetsView};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::BTreeMap;
#[cfg(feature = "schema")]
use ts_rs::TS;
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// The board as players and spectators see it. Everything is open but the order of the bag.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct CarcassonneView {
    /// The tiles.
    pub board: BoardView,
    /// The features, by id.
    #[cfg_attr(feature = "schema", ts(as = "BTreeMap<String, FeatureView>"))]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, FeatureView>))]
    pub features: BTreeMap<SmolStr, FeatureView>,
    /// The tile in hand.
    pub current_tile: Option<String>,
    /// Tiles still to be drawn.
    pub tiles_remaining: usize,
    /// How many of each kind are still to be drawn; only their order is secret.
    #[cfg_attr(feature = "schema", ts(as = "BTreeMap<String, u8>"))]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u8>))]
    pub bag: BTreeMap<SmolStr, u8>,
    /// How many of each kind were set aside because they fitted nowhere.
    #[cfg_attr(feature = "schema", ts(as = "BTreeMap<String, u8>"))]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u8>))]
    pub discards: BTreeMap<SmolStr, u8>,
    /// Meeples in hand, by seat.
    pub meeple_supply: Vec<u8>,
    /// The meeples on the board.
    pub meeples: Vec<MeepleView>,
    /// Points, by seat.
    pub scores: Vec<i32>,
    /// Points if the game ended now, by seat.
    pub projected_scores: Vec<i32>,
    /// Points by seat and by what they were scored for.
    pub breakdown: Vec<Breakdown>,
    /// The cell of the tile placed last, `x,y`.
    #[cfg_attr(feature = "schema", schema(pattern = "^-?[0-9]+,-?[0-9]+$"))]
    pub last_placed_position: Option<String>,
    /// Open cells that no tile to come fits.
    #[cfg_attr(feature = "schema", ts(as = "Vec<String>"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub dead_cells: Vec<SmolStr>,
    /// What the sets add; absent in the base game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub sets: Option<SetsView>,
}

/// The tiles on the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct BoardView {
    /// By cell, `x,y`.
    #[cfg_attr(feature = "schema", ts(as = "BTreeMap<String, TileView>"))]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, TileView>))]
    pub tiles: BTreeMap<SmolStr, TileView>,
    /// The empty cells beside a tile.
    #[cfg_attr(feature = "schema", ts(as = "Vec<String>"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub open_positions: Vec<SmolStr>,
}

/// A tile on the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct TileView {
    /// Its kind.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: SmolStr,
    /// Clockwise, in degrees.
    #[cfg_attr(feature = "schema", schema(maximum = 270, multiple_of = 90))]
    pub rotation: u16,
    /// The seat that placed it; none for the start tile.
    pub player: Option<usize>,
    /// The turn in which it was placed, from 1; 0 for the start tile. The second part of a turn that
    /// a builder gave counts as one more.
    pub turn: usize,
}

/// A meeple or another figure on the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct MeepleView {
    /// Its owner's seat.
    pub player: usize,
    /// Which of the owner's figures: meeples from 0, then the others.
    pub meeple: u8,
    /// What it is, unless it is a meeple.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub figure: Option<FigureName>,
    /// Its cell, `x,y`.
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^-?[0-9]+,-?[0-9]+$"))]
    pub position: SmolStr,
    /// Its segment, in our notation.
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub segment: SmolStr,
    /// Its segment, named by sides.
    pub spot: Option<String>,
    /// The feature's id.
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub feature: SmolStr,
}

/// A feature of the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct FeatureView {
    /// `city`, `road`, `field`, `monastery` or `garden`.
    #[cfg_attr(feature = "schema", ts(as = "String"))]
    #[cfg_attr(feature = "schema", schema(schema_with = crate::schemas::terrain))]
    pub feature_type: SmolStr,
    /// Its cells.
    #[cfg_attr(feature = "schema", ts(as = "Vec<String>"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub tiles: Vec<SmolStr>,
    /// Its segments as `[cell, segment]`.
    #[cfg_attr(feature = "schema", ts(as = "Vec<(String, String)>"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<(String, String)>))]
    pub segments: Vec<(SmolStr, SmolStr)>,
    /// Whether it is finished.
    pub is_complete: bool,
    /// Pennants in a city.
    pub pennants: u8,
    /// Sides that are still open.
    pub open_edges: usize,
    /// Seats with the most meeples on it.
    pub owners: Vec<usize>,
    /// What it would score for each owner if the game ended now (or did, when it was finished).
    pub points: i32,
    /// Finished cities that a field feeds.
    pub cities: usize,
    /// The ids of these cities.
    #[cfg_attr(feature = "schema", ts(as = "Vec<String>"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub fed_by: Vec<SmolStr>,
    /// Whether an inn lies by the road.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub inn: bool,
    /// Whether a cathedral stands in the city.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub cathedral: bool,
    /// The goods in a city.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub goods: Option<GoodsView>,
    /// Seats with a builder on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<usize>>"))]
    pub builders: Vec<usize>,
    /// Seats with a pig on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<usize>>"))]
    pub pigs: Vec<usize>,
}

/// For what is said only when it is so.
#[must_use]
pub const fn is_false(said: &bool) -> bool {
    !*said
}

const fn is_zero(points: &i32) -> bool {
    *points == 0
}

/// Points of one seat, by what they were scored for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(TS, ToSchema))]
pub struct Breakdown {
    /// Cities.
    pub city: i32,
    /// Roads.
    pub road: i32,
    /// Monasteries.
    pub monastery: i32,
    /// Fields.
    pub field: i32,
    /// Gardens.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<i32>"))]
    pub garden: i32,
    /// The most goods of a kind.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<i32>"))]
    pub goods: i32,
}
