//! Players that know only what a game is, and the arithmetic of matches between them.
//!
//! An [`Agent`] answers a position with a whole turn, within [`Limits`], and stops when a
//! [`Stop`] says so. What positions are worth it asks an [`Evaluator`]. With one thread and no
//! limit of time, the same seed gives the same answer on every machine: see [`math`].
//!
//! `turns` lists whole turns; `deepening` searches with more and more; `game_clock` divides the time of a game. Agents: `greedy` (one turn), [`expectimax`] (Star1, Star2, Star2.5),
//! `ending` (exact), [`uct`], [`puct`], [`lookahead`] (the best one), `parallel` (several threads).
//! [`arena`] is the arithmetic of matches.

#![forbid(unsafe_code)]

mod agent;
pub mod arena;
mod deepening;
mod ending;
mod evaluator;
pub mod expectimax;
mod game_clock;
mod greedy;
mod limits;
pub mod lookahead;
pub mod math;
mod moments;
mod parallel;
pub mod puct;
mod replies;
mod report;
mod seeds;
mod turns;
pub mod uct;
mod uniform;
mod value;

pub use agent::Agent;
pub use deepening::deepen;
pub use ending::{EndingLimits, Solver, WithEndings};
pub use evaluator::{
    Bounds, CurrentScore, Evaluator, even_values, list_turns, value_of, value_turns,
};
pub use expectimax::{Expectimax, ExpectimaxParams, Pruning};
pub use game_clock::GameClock;
pub use greedy::{Greedy, GreedyParams};
pub use limits::{Clock, ClockKind, Limits, Moment, Stop};
pub use lookahead::{Lookahead, LookaheadParams, Rollouts, RolloutsParams};
pub use moments::Moments;
pub use parallel::Parallel;
pub use puct::{Puct, PuctParams};
pub use report::{Line, Report};
pub use turns::{LONGEST_TURN, Path, Turns, any_turn, play_turn};
pub use uct::{Uct, UctParams};
pub use uniform::Uniform;
pub use value::{Objective, Value, Values, add_weighted, final_values, zero_sum};

/// Whether there are no threads to start: WebAssembly has one, and searches there are given no more.
pub(crate) const ONE_THREAD: bool = cfg!(target_family = "wasm");
