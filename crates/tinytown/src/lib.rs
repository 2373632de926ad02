//! Tinytown: the rules, the state-transition graph and the exact solution.

#![forbid(unsafe_code)]

mod action;
mod count;
mod enumerate;
pub mod export;
mod graph;
mod limit;
mod notation;
mod optimal;
mod progress;
mod prospect;
mod shape;
mod size;
mod solution;
mod space;
mod town;
mod variant;

pub use action::{Action, Building, ParseActionError, Resource, VectorError};
pub use count::Counts;
pub use graph::{Edge, Graph};
pub use limit::{TooLarge, Unfit, grouped, memory_text};
pub use notation::StateError;
pub use optimal::Optimal;
pub use progress::{Progress, Stopped, unwatched};
pub use size::{MAX_CELLS, Size, SizeError, Square};
pub use solution::Solution;
pub use space::{Rank, Space};
pub use town::{Event, Phase, Tinytown};
pub use variant::{Setup, SetupError, Variant};
