//! A game as numbers, for learners: numbered actions, a compact list, planes. See `docs/tensors.md`.
//!
//! What a number means is fixed by [`VERSION`]. Everything is seen from one seat, the *viewer*:
//! relative seat 0 is the viewer, 1 the seat after it, and so on.

mod compact;
mod globals;
mod numbering;
mod planes;

pub use compact::{Compact, FEATURE_HEAD, TILE_ROW, compact_len, feature_rows};
pub use globals::{GLOBALS_HEAD, globals_len, write_globals};
pub use numbering::{MEEPLE_ACTIONS, Numbering, NumberingError};
pub use planes::{Planes, plane_count, plane_names};

/// The version of the numbering and of both layouts. It moves when any number changes its meaning.
pub const VERSION: u32 = 1;
