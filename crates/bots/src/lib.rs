//! Named players for each game: evaluations, nets and their training, levels, exact endings.

#[macro_use]
mod wide;

mod gradient;
mod judge;
pub mod levels;
pub mod look;
pub mod net;
mod net_file;
pub mod nets;
pub mod one_ply;
pub mod roster;
pub mod town;
pub mod train;
pub mod value;

pub use judge::Judge;
