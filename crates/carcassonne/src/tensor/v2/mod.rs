//! Version 2: the base game and every combination of sets, in arrays of one size.
//!
//! Sizes depend on the players and the board alone: what a set adds is 0 where it is not played, so
//! that one learner serves every setup.

mod compact;
mod facts;
mod globals;
mod planes;

pub use compact::{Compact, FEATURE_HEAD, TILE_ROW, compact_len, feature_rows, feature_width};
pub use globals::{GLOBALS_HEAD, globals_len, write_globals};
pub use planes::{Planes, plane_count, plane_names};

use crate::edition::{AllSets, Edition};

/// The most tiles that can lie when every set is played.
pub const TILE_ROWS: usize = <AllSets as Edition>::TILES;
