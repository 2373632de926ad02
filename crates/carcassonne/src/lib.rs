//! The rules of Carcassonne for 2–6 players: exact, explained, fast.
//!
//! [`Carcassonne`] is a game in progress; it implements [`game::Game`]. Tiles are data
//! ([`Tile::printed`]), features grow by union-find, and a state is a few kilobytes without
//! heap. `docs/notation.md` describes every text form, `docs/state-space.md` the formal model.

#![forbid(unsafe_code)]

mod board;
mod cell_name;
mod event;
mod feature;
mod feature_view;
mod features;
mod game;
mod geometry;
mod interpreter;
mod matrix;
mod meeples;
mod monasteries;
mod move_list;
mod moves;
mod phase;
mod picture;
mod refusal;
mod scoring;
mod segment;
mod setup;
mod survey;
mod tables;
pub mod tensor;
mod tile;
mod views;

pub use crate::cell_name::CellName;
pub use crate::event::{Event, FeatureId, Score};
pub use crate::feature_view::{Feature, FeatureSummary};
pub use crate::game::Carcassonne;
pub use crate::geometry::{Cell, Rotation, Side};
pub use crate::interpreter::{InterpretError, Interpreted, interpret, interpret_with};
pub use crate::meeples::MEEPLES;
pub use crate::move_list::write_list;
pub use crate::moves::{Deed, Move};
pub use crate::phase::Phase;
pub use crate::picture::{LEGEND, Picture, Sketch};
pub use crate::segment::Segment;
pub use crate::setup::{Extent, Setup, SetupError, Start, TinyCity};
pub use crate::survey::{Constraint, FeatureCounts, OpenSide};
pub use crate::tile::{KINDS, PrintedSegment, PrintedTile, TILES, Terrain, Tile};
pub use crate::views::{PlacedMeeple, PlacedTile};
