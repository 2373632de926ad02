//! Tinytown: the rules, the state-transition graph and the exact solution.

#![forbid(unsafe_code)]

mod action;
mod count;
mod progress;
mod prospect;
mod shape;
mod size;
mod town;
mod variant;

pub use action::{Action, Building, ParseActionError, Resource, VectorError};
pub use count::Counts;
pub use progress::{Progress, Stopped, unwatched};
pub use size::{MAX_CELLS, Size, SizeError, Square};
pub use town::{Event, Phase, Tinytown};
pub use variant::{Setup, SetupError, Variant};
