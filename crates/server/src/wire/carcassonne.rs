//! Carcassonne on the wire: the keys of the platform's player view, and what a screen needs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
#[cfg(test)]
use ts_rs::TS;
use utoipa::ToSchema;

/// The board as players and spectators see it. Everything is open but the order of the bag.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct CarcassonneView {
    /// The tiles.
    pub board: BoardView,
    /// The features, by id.
    pub features: BTreeMap<String, FeatureView>,
    /// The tile in hand.
    pub current_tile: Option<String>,
    /// Tiles still to be drawn.
    pub tiles_remaining: usize,
    /// How many of each kind are still to be drawn; only their order is secret.
    pub bag: BTreeMap<String, u8>,
    /// How many of each kind were set aside because they fitted nowhere.
    pub discards: BTreeMap<String, u8>,
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
    #[schema(pattern = "^-?[0-9]+,-?[0-9]+$")]
    pub last_placed_position: Option<String>,
    /// Open cells that no tile to come fits.
    pub dead_cells: Vec<String>,
}

/// The tiles on the board.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct BoardView {
    /// By cell, `x,y`.
    pub tiles: BTreeMap<String, TileView>,
    /// The empty cells beside a tile.
    pub open_positions: Vec<String>,
}

/// A tile on the board.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct TileView {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// Clockwise, in degrees.
    #[schema(maximum = 270, multiple_of = 90)]
    pub rotation: u16,
    /// The seat that placed it; none for the start tile.
    pub player: Option<usize>,
    /// The turn in which it was placed, from 1; 0 for the start tile.
    pub turn: usize,
}

/// A meeple on the board.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct MeepleView {
    /// Its owner's seat.
    pub player: usize,
    /// Which of the owner's meeples.
    pub meeple: u8,
    /// Its cell, `x,y`.
    #[schema(pattern = "^-?[0-9]+,-?[0-9]+$")]
    pub position: String,
    /// Its segment, in our notation.
    pub segment: String,
    /// Its segment, named by sides.
    pub spot: Option<String>,
    /// The feature's id.
    pub feature: String,
}

/// A feature of the board.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct FeatureView {
    /// `city`, `road`, `field` or `monastery`.
    #[schema(schema_with = super::schemas::terrain)]
    pub feature_type: String,
    /// Its cells.
    pub tiles: Vec<String>,
    /// Its segments as `[cell, segment]`.
    pub segments: Vec<(String, String)>,
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
    pub fed_by: Vec<String>,
}

/// Points of one seat, by what they were scored for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
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
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
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
    #[schema(value_type = Vec<Object>)]
    pub valid_actions: Vec<Value>,
    /// The phase.
    #[schema(schema_with = super::schemas::phase)]
    pub phase: String,
}

/// A feature as a bot gets it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct BotFeature {
    /// `city`, `road`, `field` or `monastery`.
    #[serde(rename = "type")]
    #[schema(schema_with = super::schemas::terrain)]
    pub kind: String,
    /// Its cells.
    pub tiles: Vec<String>,
    /// Whether it is finished.
    pub is_complete: bool,
    /// Who has meeples on it: `me`, `opponent_1`, …
    pub claimed_by: Vec<String>,
    /// Sides that are still open.
    pub open_edges: usize,
}

/// A tile kind in the catalogue.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
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
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct SegmentInfo {
    /// Its name in our notation.
    pub segment: String,
    /// Its name by sides.
    pub spot: String,
    /// `city`, `road`, `field` or `monastery`.
    #[schema(schema_with = super::schemas::terrain)]
    pub terrain: String,
    /// Pennants on it.
    pub pennants: u8,
    /// Where a meeple stands, from 0 to 1 eastward and southward, for each rotation.
    pub anchors: [[f32; 2]; 4],
}
