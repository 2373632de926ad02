//! What the engine does for people: bots' turns, analyses, reviews, puzzles. Whoever needs something puts a [`Task`] into the
//! [`WorkQueue`] of this server and holds a [`Ticket`] for it.
//!
//! - `queue` has a line for each kind of work ([`Line`]), in each of which users are served in turn.
//! - `carry_out` is a worker's thread: it takes what is most urgent from a [`Source`], does it and tells how it
//!   goes. The threads of this server take from the queue itself.
//! - `elsewhere` hands what waits to workers on other machines while there are any, and takes it back when there
//!   are none: then the threads of this server go on.
//! - `worker` is such a machine: the same threads, with the bus as their source.
//!
//! A task has the record of a game as far as it was played, and never what will be drawn.

mod analyse;
mod carry_out;
mod elsewhere;
pub(crate) mod fair_queue;
mod letters;
mod mining;
mod queue;
mod task;
#[cfg(test)]
mod tests;
mod ticket;
mod worker;

pub use carry_out::{Given, Report, Source};
pub use elsewhere::hand_to_workers;
pub use mining::{MinedText, MiningOrder, QueuedMiners};
pub use queue::{Waits, WorkQueue, WorkThreads};
pub(crate) use task::STOPPED;
pub use task::{Answer, BotTurn, Budget, GameReview, Line, Load, Outcome, ReviewedStep, Task};
pub use ticket::{Event, Ticket};
pub use worker::{Worker, build};
