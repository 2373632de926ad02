//! How somebody likes to play: every choice has a few known values, so that what is kept is small.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// How fast things move on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Animation {
    /// Nothing moves.
    Off,
    /// Twice as fast as usual.
    Fast,
    /// As designed.
    #[default]
    Normal,
    /// Half as fast as usual.
    Slow,
}

/// The players' colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Colours {
    /// As designed: told apart with every kind of colour vision.
    #[default]
    Standard,
    /// Darker and stronger.
    Strong,
}

/// The colour and mark of one's own seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum OwnColour {
    /// As the seat has it.
    #[default]
    Seat,
    /// The first seat's: blue, a disc.
    Blue,
    /// The second seat's: orange, a triangle.
    Orange,
    /// The third seat's: green, a square.
    Green,
    /// The fourth seat's: yellow, a diamond.
    Yellow,
    /// The fifth seat's: pink, a cross.
    Pink,
    /// The sixth seat's: black, a star.
    Black,
}

/// The table under the tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum BoardTheme {
    /// Light stone.
    #[default]
    Limestone,
    /// Wood.
    Oak,
    /// Grey stone.
    Slate,
    /// Green cloth.
    Felt,
}

/// How somebody likes to play. What is not named keeps its default, what is not known is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct Settings {
    /// Whether the meeple that was chosen waits to be confirmed.
    pub confirm: bool,
    /// Whether the meeple's places are shown along with the tile, so that one click ends the turn.
    pub one_click_meeple: bool,
    /// Whether the tile may be turned before its turn has come.
    pub premove_rotation: bool,
    /// How fast things move.
    pub animation: Animation,
    /// Whether the names of columns and rows are shown.
    pub coordinates: bool,
    /// The players' colours.
    pub colours: Colours,
    /// The colour and mark that one's own seat is shown with; the seat that has them by its place
    /// takes those of one's own.
    pub own_colour: OwnColour,
    /// Whether the players' marks are drawn large.
    pub large_marks: bool,
    /// How loud sounds are, from 0 to 100.
    #[cfg_attr(test, schema(maximum = 100))]
    pub volume: u8,
    /// The table under the tiles.
    pub board: BoardTheme,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            confirm: true,
            one_click_meeple: false,
            premove_rotation: false,
            animation: Animation::default(),
            coordinates: true,
            colours: Colours::default(),
            own_colour: OwnColour::default(),
            large_marks: false,
            volume: 100,
            board: BoardTheme::default(),
        }
    }
}
