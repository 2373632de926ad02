//! The rules of Carcassonne for 2–6 players: exact, explained, fast.
//!
//! [`Carcassonne`] is a base game in progress, [`Expanded`] one with any of the sets; both are a
//! [`Position`] and implement [`game::Game`]. Tiles are data
//! ([`Tile::printed`]), features grow by union-find, and a state is a few kilobytes without
//! heap. `docs/notation.md` describes every text form, `docs/state-space.md` the formal model.
//!
//! From the ground up:
//!
//! - `tile`, `geometry`, `segment`: the kinds as printed; cells, sides, rotations; `cell_name`.
//! - `tables`: what the engine looks up while playing, derived from the tiles at compile time.
//! - `board`: which tile lies where, and the frontier of cells where one could.
//! - `feature`, `features`: what is counted of a feature, packed in a word; union-find.
//! - `edition`, `sets`, `set_tiles`: the base game and the game with all sets as two instances of one
//!   code; the sets and their tiles.
//! - `figure`, `goods`, `marks`, `river`, `choices`: what the sets add; which figures may be put where.
//! - `meeples`, `monasteries`: who stands where; which monasteries are watched.
//! - `setup`, `moves`, `event`: what is settled before, what is done, what happened.
//! - `game`, `scoring`, `refusal`: a turn; points; why a move is not legal.
//! - `views`, `feature_view`, `phase`, `picture`: looking at a game; nothing here changes it.
//! - `survey`: what evaluations look at, cheap enough for every position of a search.
//! - `matrix`: cells of an n×n board by row and column, as the formal model names them.
//! - `layout`: a position laid by hand.
//! - `interpreter`, `move_list`: any list of moves gives the board or an error; the JSON list.
//! - [`tensor`]: the game as numbers for learners (`docs/tensors.md`).
//!
//! The way of one move: text becomes a [`Move`], or an error that says what was expected. `play`
//! asks `is_legal`; an illegal move changes nothing, and its error carries the reason and the legal
//! moves. `play_unchecked` acts: a draw takes a tile from the bag, a placement writes the board,
//! updates at most five frontier cells and joins the tile's segments with those beside, a meeple
//! marks its feature. At the end of the turn finished features score. Every step tells `emit` what
//! happened; search passes a closure that does nothing, and pays nothing.

#![forbid(unsafe_code)]

mod board;
mod cell_name;
mod choices;
mod claims;
mod edition;
mod error;
mod event;
mod feature;
mod feature_view;
mod features;
mod figure;
mod game;
mod geometry;
mod goods;
mod interpreter;
mod layout;
mod marks;
mod matrix;
mod meeples;
mod monasteries;
mod move_list;
mod moves;
mod phase;
mod picture;
mod refusal;
mod river;
mod scoring;
mod segment;
mod set_tiles;
mod sets;
mod setup;
mod survey;
mod tables;
pub mod tensor;
mod tile;
mod views;

pub use crate::cell_name::CellName;
pub use crate::edition::{AllSets, Array, Base, Edition};
pub use crate::error::ParseError;
pub use crate::event::{Event, FeatureId, Score};
pub use crate::feature_view::{Feature, FeatureSummary};
pub use crate::figure::{FIGURES, Figure};
pub use crate::game::{Carcassonne, Expanded, Position};
pub use crate::geometry::{Cell, Rotation, Side};
pub use crate::goods::{Good, Goods};
pub use crate::interpreter::{
    AnyInterpreted, InterpretError, Interpreted, interpret, interpret_any, interpret_with,
};
pub use crate::layout::{LaidTile, Layout, LayoutError};
pub use crate::meeples::MEEPLES;
pub use crate::move_list::write_list;
pub use crate::moves::{Move, MoveKind};
pub use crate::phase::Phase;
pub use crate::picture::{LEGEND, LEGEND_OF_SETS, Picture, Sketch};
pub use crate::segment::Segment;
pub use crate::sets::Sets;
pub use crate::setup::{BoardSize, Setup, SetupError, Start, TinyCity};
pub use crate::setup::{ExpandedSetup, Options};
pub use crate::survey::{Constraint, FeatureCounts, OpenSide};
pub use crate::tile::{ALL_KINDS, BASE_KINDS, PrintedSegment, PrintedTile, TILES, Terrain, Tile};
pub use crate::views::{PlacedMeeple, PlacedTile};
