//! Tinytown: the rules, the state-transition graph and the exact solution.
//!
//! [`Tinytown`] is a game in progress. [`Counts`] says how large a grid's graph is, [`Graph`]
//! enumerates it, [`Solution`] solves it by a sweep over all states, and [`Optimal`] plays
//! perfectly on any grid, those too large to enumerate included.
//!
//! ```
//! use game::Game;
//! use tinytown::{Optimal, Setup, Tinytown, without_progress};
//!
//! let setup: Setup = "4x4".parse().expect("a setup");
//! let optimal = Optimal::new(setup, &mut without_progress).expect("nobody stops it");
//! let mut town = Tinytown::new(&setup);
//! while let Some(action) = optimal.best_action(&town) {
//!     town.step(action).expect("a best action is legal");
//! }
//! assert_eq!(town.points(), 25);
//! ```

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
pub mod tensor;
mod town;
mod variant;

pub use action::{Action, Building, ParseActionError, Resource, VectorError};
pub use count::Counts;
pub use graph::{Edge, Graph};
pub use limit::{TableError, TooLarge, memory_text, with_thousands_separators};
pub use notation::StateError;
pub use optimal::Optimal;
pub use progress::{Progress, Stopped, without_progress};
pub use size::{MAX_CELLS, Size, SizeError, Square, SquareError};
pub use solution::Solution;
pub use space::{Rank, Space};
pub use town::{Event, Phase, Tinytown};
pub use variant::{Setup, SetupError, Variant};
