//! Carcassonne on the wire: the keys of the platform's player view, and what a screen needs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use smol_str::SmolStr;
use std::collections::BTreeMap;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// The board as players and spectators see it. Everything is open but the order of the bag.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct CarcassonneView {
    /// The tiles.
    pub board: BoardView,
    /// The features, by id.
    #[cfg_attr(test, ts(as = "BTreeMap<String, FeatureView>"))]
    #[cfg_attr(test, schema(value_type = BTreeMap<String, FeatureView>))]
    pub features: BTreeMap<SmolStr, FeatureView>,
    /// The tile in hand.
    pub current_tile: Option<String>,
    /// Tiles still to be drawn.
    pub tiles_remaining: usize,
    /// How many of each kind are still to be drawn; only their order is secret.
    #[cfg_attr(test, ts(as = "BTreeMap<String, u8>"))]
    #[cfg_attr(test, schema(value_type = BTreeMap<String, u8>))]
    pub bag: BTreeMap<SmolStr, u8>,
    /// How many of each kind were set aside because they fitted nowhere.
    #[cfg_attr(test, ts(as = "BTreeMap<String, u8>"))]
    #[cfg_attr(test, schema(value_type = BTreeMap<String, u8>))]
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
    #[cfg_attr(test, schema(pattern = "^-?[0-9]+,-?[0-9]+$"))]
    pub last_placed_position: Option<String>,
    /// Open cells that no tile to come fits.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub dead_cells: Vec<SmolStr>,
}

/// The tiles on the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BoardView {
    /// By cell, `x,y`.
    #[cfg_attr(test, ts(as = "BTreeMap<String, TileView>"))]
    #[cfg_attr(test, schema(value_type = BTreeMap<String, TileView>))]
    pub tiles: BTreeMap<SmolStr, TileView>,
    /// The empty cells beside a tile.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub open_positions: Vec<SmolStr>,
}

/// A tile on the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TileView {
    /// Its kind.
    #[serde(rename = "type")]
    #[cfg_attr(test, ts(as = "String"))]
    #[cfg_attr(test, schema(value_type = String))]
    pub kind: SmolStr,
    /// Clockwise, in degrees.
    #[cfg_attr(test, schema(maximum = 270, multiple_of = 90))]
    pub rotation: u16,
    /// The seat that placed it; none for the start tile.
    pub player: Option<usize>,
    /// The turn in which it was placed, from 1; 0 for the start tile.
    pub turn: usize,
}

/// A meeple on the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct MeepleView {
    /// Its owner's seat.
    pub player: usize,
    /// Which of the owner's meeples.
    pub meeple: u8,
    /// Its cell, `x,y`.
    #[cfg_attr(test, ts(as = "String"))]
    #[cfg_attr(test, schema(value_type = String, pattern = "^-?[0-9]+,-?[0-9]+$"))]
    pub position: SmolStr,
    /// Its segment, in our notation.
    #[cfg_attr(test, ts(as = "String"))]
    #[cfg_attr(test, schema(value_type = String))]
    pub segment: SmolStr,
    /// Its segment, named by sides.
    pub spot: Option<String>,
    /// The feature's id.
    #[cfg_attr(test, ts(as = "String"))]
    #[cfg_attr(test, schema(value_type = String))]
    pub feature: SmolStr,
}

/// A feature of the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct FeatureView {
    /// `city`, `road`, `field` or `monastery`.
    #[cfg_attr(test, ts(as = "String"))]
    #[cfg_attr(test, schema(schema_with = super::schemas::terrain))]
    pub feature_type: SmolStr,
    /// Its cells.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub tiles: Vec<SmolStr>,
    /// Its segments as `[cell, segment]`.
    #[cfg_attr(test, ts(as = "Vec<(String, String)>"))]
    #[cfg_attr(test, schema(value_type = Vec<(String, String)>))]
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
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub fed_by: Vec<SmolStr>,
}

/// Points of one seat, by what they were scored for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Breakdown {
    /// Cities.
    pub city: i32,
    /// Roads.
    pub road: i32,
    /// Monasteries.
    pub monastery: i32,
    /// Fields.
    pub field: i32,
}

/// The position as a bot gets it, with the keys of the platform's bot view.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct CarcassonneBotView {
    /// The tiles.
    pub board: BoardView,
    /// The tile in hand.
    pub current_tile: Option<String>,
    /// Tiles still to be drawn.
    pub tiles_remaining: usize,
    /// `me` and `opponent_1`, … in the order of play after me.
    pub scores: BTreeMap<String, i32>,
    /// My meeples in hand.
    pub my_meeples: u8,
    /// The features.
    pub features: Vec<BotFeature>,
    /// The actions that are legal now: `{x, y, rotation}`, or `{meeple_spot}` and `{skip}`.
    #[cfg_attr(test, ts(type = "Record<string, unknown>[]"))]
    #[cfg_attr(test, schema(value_type = Vec<Object>))]
    pub valid_actions: Vec<Value>,
    /// The phase.
    #[cfg_attr(test, schema(schema_with = super::schemas::phase))]
    pub phase: String,
}

/// A feature as a bot gets it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BotFeature {
    /// `city`, `road`, `field` or `monastery`.
    #[serde(rename = "type")]
    #[cfg_attr(test, schema(schema_with = super::schemas::terrain))]
    pub kind: String,
    /// Its cells.
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub tiles: Vec<SmolStr>,
    /// Whether it is finished.
    pub is_complete: bool,
    /// Who has meeples on it: `me`, `opponent_1`, …
    pub claimed_by: Vec<String>,
    /// Sides that are still open.
    pub open_edges: usize,
}

/// A tile kind in the catalogue.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TileInfo {
    /// Its letter.
    pub id: String,
    /// How many there are.
    pub count: u8,
    /// The terrain at north, east, south, west, unrotated.
    pub edges: [String; 4],
    /// Its segments.
    pub segments: Vec<SegmentInfo>,
}

/// A segment of a tile kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SegmentInfo {
    /// Its name in our notation.
    pub segment: String,
    /// Its name by sides.
    pub spot: String,
    /// `city`, `road`, `field` or `monastery`.
    #[cfg_attr(test, schema(schema_with = super::schemas::terrain))]
    pub terrain: String,
    /// Pennants on it.
    pub pennants: u8,
    /// Where a meeple stands, from 0 to 1 eastward and southward, for each rotation.
    pub anchors: [[f32; 2]; 4],
}
