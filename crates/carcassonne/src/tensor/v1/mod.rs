//! Version 1: the base game. Its numbers never change.

mod compact;
mod globals;
mod planes;

pub use compact::{Compact, FEATURE_HEAD, TILE_ROW, compact_len, feature_rows};
pub use globals::{GLOBALS_HEAD, globals_len, write_globals};
pub use planes::{Planes, plane_count, plane_names};
