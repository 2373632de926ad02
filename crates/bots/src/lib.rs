//! Named agents for each game: evaluations, nets and their training, levels, exact endings.
//!
//! [`look`] turns a position into numbers, [`net`] reads them, [`value`] and `judge` make
//! evaluations of that, [`roster`] and [`levels`] give agents names, [`train`] makes nets
//! (`docs/net.md`), [`town`] plays Tinytown. All of it but [`town`] is written once for the base game
//! and for games with sets. The trained nets and the configurations that made them lie in
//! `crates/bots/nets`; [`nets`] says which is for which setup.

#[macro_use]
mod wide;

pub mod deck;
mod error;
mod gradient;
mod judge;
pub mod levels;
pub mod look;
pub mod net;
mod net_file;
pub mod nets;
pub mod one_ply;
pub mod roster;
mod scope;
pub mod town;
pub mod train;
pub mod value;

pub use error::{BotError, LoadCause, LoadError, NetError};
pub use judge::Judge;
pub use scope::Scope;
