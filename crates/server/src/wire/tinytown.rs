//! Tinytown on the wire.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// The grid as the player sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TinytownView {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// The squares by row: an empty text, `brick`, `glass`, `cottage` or `greenhouse`.
    pub squares: Vec<Vec<String>>,
    /// The resource to place now, where the variant deals one.
    pub resource: Option<String>,
    /// The buildings that could be built now, each move with the squares it uses.
    pub buildings: Vec<BuildingChoice>,
    /// Points now.
    pub points: i32,
    /// The points that perfect play reaches from the empty grid.
    pub optimum: i32,
    /// The points that perfect play still reaches from here.
    pub reachable: i32,
    /// The patterns of the buildings, for the page to show.
    pub patterns: Vec<PatternInfo>,
}

/// A building that could be built now.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct BuildingChoice {
    /// The move, in our notation.
    #[serde(rename = "move")]
    pub moved: String,
    /// The building.
    pub building: String,
    /// Where it would stand, `[row, column]` from 0.
    pub square: [usize; 2],
    /// The squares it takes, `[row, column]` from 0.
    pub uses: Vec<[usize; 2]>,
}

/// A building's pattern.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PatternInfo {
    /// The building.
    pub building: String,
    /// Its resources by row; an empty text where nothing is needed.
    pub rows: Vec<Vec<String>>,
    /// What it is worth, in words.
    pub worth: String,
}
