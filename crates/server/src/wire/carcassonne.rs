//! Carcassonne on the wire, beside what players see (`views`): the view of bots and the tiles.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use smol_str::SmolStr;
use std::collections::BTreeMap;
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;
use views::{BoardView, GoodName, GoodsView, SetName, SetsView, is_false};

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
    /// What the sets add; seats in the order of play after me, mine first. Absent in the base game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(nullable = false))]
    pub sets: Option<SetsView>,
    /// The features.
    pub features: Vec<BotFeature>,
    /// The actions that are legal now: `{x, y, rotation}`, or `{meeple_spot}` and `{skip}`; with sets
    /// also `{meeple_spot, figure}` and `{recall}`.
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
    /// `city`, `road`, `field`, `monastery` or `garden`.
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
    /// Whether an inn lies by the road.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub inn: bool,
    /// Whether a cathedral stands in the city.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub cathedral: bool,
    /// The goods in a city.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(nullable = false))]
    pub goods: Option<GoodsView>,
}

/// A tile kind in the catalogue.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TileInfo {
    /// Its letter; a name such as `IC/RrRr` in a set.
    pub id: String,
    /// How many there are.
    pub count: u8,
    /// The terrain at north, east, south, west, unrotated: `city`, `road`, `field` or `river`.
    #[cfg_attr(test, schema(min_items = 4, max_items = 4))]
    pub edges: [String; 4],
    /// Its segments.
    pub segments: Vec<SegmentInfo>,
    /// The set it belongs to, unless it is of the base game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(nullable = false))]
    pub set: Option<SetName>,
}

/// A segment of a tile kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SegmentInfo {
    /// Its name in our notation.
    pub segment: String,
    /// Its name by sides.
    pub spot: String,
    /// `city`, `road`, `field`, `monastery` or `garden`.
    #[cfg_attr(test, schema(schema_with = super::schemas::terrain))]
    pub terrain: String,
    /// Pennants on it.
    pub pennants: u8,
    /// Where a meeple stands, from 0 to 1 eastward and southward, for each rotation.
    pub anchors: [[f32; 2]; 4],
    /// Whether an inn lies by the road, or a cathedral stands in the city.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub special: bool,
    /// The kind of goods in the city.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(nullable = false))]
    pub good: Option<GoodName>,
}
