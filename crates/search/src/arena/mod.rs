//! Matches: games between agents, and what their results say about strength.

mod elo;
mod play;
mod ratings;
mod sprt;
mod tally;

pub use elo::{Interval, elo_of_score, score_of_elo};
pub use play::{
    Contestant, FinishedGame, GameFailed, GameTime, Reason, ResourceUse, deal_from, deal_random,
    play_game,
};
pub use ratings::{Pairing, ratings};
pub use sprt::{Sprt, Verdict};
pub use tally::{Estimate, Outcome, Tally};
