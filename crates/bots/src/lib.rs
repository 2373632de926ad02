//! Named players for each game: evaluations, nets and their training, levels, exact endings.

#[macro_use]
mod wide;

mod gradient;
pub mod look;
pub mod net;
mod net_file;
mod numbers;
pub mod one_ply;
pub mod train;
pub mod value;
