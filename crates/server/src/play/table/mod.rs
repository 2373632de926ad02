//! Tables: one task owns one game.
//!
//! A task is generic over its game; its mailbox is the same type for all games, and that is all
//! the rest of the server knows of it. Every change goes the same way: it is checked on a copy,
//! written to the log, and only then becomes the state and is told to those who watch. Whatever
//! ends a task, the log rebuilds it.

mod actions;
mod blocks;
mod bot_games;
mod bots;
mod change;
mod chat;
mod clocks;
mod command;
mod create;
mod ending;
mod help;
mod help_asleep;
mod lists;
mod lobby;
mod manager;
mod mutes;
mod offers;
mod play;
mod presence;
mod rated;
mod rebuild;
mod render;
mod seats;
mod silence;
mod sleep;
mod state;
mod store;
mod streams;
mod task;
mod timeouts;
mod times;
mod waking;
mod watchers;

pub use command::{Action, Command, Moves, Outgoing, Reply, TableHandle, ViewOf};
pub use create::{check_clock, check_rated_by};
pub use help::Reached;
pub use manager::Tables;
pub(crate) use render::UPDATE_HEAD;
pub use streams::Subscription;

#[cfg(test)]
mod tests;
