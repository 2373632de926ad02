//! Pictures of positions as SVG, pixels, PNG and animated GIF.
//!
//! Tiles are drawn from the printed tiles of the rules, so that art and rules cannot disagree: the
//! ground turns with the tile, everything that stands on it is drawn upright. The page in the
//! browser draws by the same rule in its own language (`web/src/art`); this is the drawing for
//! everything that has no browser.
//!
//! ```
//! use game::Game;
//! let game = carcassonne::Carcassonne::new(&carcassonne::Setup::default());
//! let scene = drawing::board(&game, drawing::Frame::close(&game));
//! let png = scene.png(48).expect("a small picture");
//! assert_eq!(&png[1..4], b"PNG");
//! ```

#![forbid(unsafe_code)]

mod animation;
mod board;
mod fields;
mod figure;
mod geometry;
mod meadow;
mod palette;
mod path;
mod raster;
mod river;
mod scene;
mod shape;
mod svg;
mod symbols;
mod tile;
mod tile_shape;
mod tinytown_grid;
mod town;
mod ways;

pub use crate::animation::{AnimationError, gif};
pub use crate::board::{ANCHORS, Frame, anchors, board};
pub use crate::raster::TooLarge;
pub use crate::scene::Scene;
pub use crate::tinytown_grid::tinytown;
