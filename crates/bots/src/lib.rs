//! Named agents for each game: evaluations, nets and their training, levels, exact endings.
//!
//! [`inputs`] turns a position into numbers, [`net`] reads them, [`value`] and `any_evaluator` make
//! evaluations of that, [`roster`] and [`levels`] give agents names, [`train`] makes nets
//! (`docs/net.md`), [`review`] judges whole games (`docs/review.md`),
//! [`puzzle`] holds positions to be solved (`docs/puzzles.md`), [`tinytown_players`] plays
//! Tinytown. All of it but [`tinytown_players`] is written once for the base game and for games with
//! sets. The trained nets and the configurations that made them lie in
//! `crates/bots/nets`; [`nets`] says which is for which setup. Features leave out what the engine in
//! the browser does not need.

#[macro_use]
mod wide;

mod any_evaluator;
#[cfg(target_feature = "simd128")]
mod blocks;
pub mod calibration;
pub mod deck;
mod error;
mod fnv;
#[cfg(feature = "train")]
mod gradient;
pub mod inputs;
pub mod levels;
pub mod net;
mod net_file;
pub mod nets;
pub mod one_ply;
pub mod puzzle;
pub mod review;
pub mod roster;
mod scope;
#[cfg(feature = "tinytown")]
pub mod tinytown_players;
#[cfg(feature = "train")]
pub mod train;
pub mod turn_look;
pub mod value;

pub use any_evaluator::AnyEvaluator;
pub use error::{BotError, LoadCause, LoadError, NetError};
pub use scope::Scope;
