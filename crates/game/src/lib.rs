//! What a game is: a finite, turn-based game whose chance is an explicit turn.
//!
//! The rules crates implement [`Game`]; search knows nothing else of them.

#![forbid(unsafe_code)]

mod by_player;
mod excerpt;
mod game;
pub mod laws;
mod player;
mod random;
mod record;
pub mod study;

pub use by_player::ByPlayer;
pub use excerpt::excerpt;
pub use game::{Game, IllegalMove, Turn, ignore};
pub use player::{MAX_PLAYERS, Player, PlayerSet};
pub use random::Random;
pub use record::{ParseRecordError, Record, ReplayError, layout_of_line, named_game};
