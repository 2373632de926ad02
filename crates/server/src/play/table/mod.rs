//! Tables: one task owns one game.
//!
//! A task is generic over its game; its mailbox is the same type for all games, and that is all
//! the rest of the server knows of it. Every change goes the same way: it is decided on a copy,
//! stored, and only then becomes the state and is told to those who watch. Whatever ends a task,
//! the log rebuilds it.
//!
//! The parts of a table hold what belongs together; each has private fields, says at its top what
//! always holds, and can be read alone:
//!
//! - `game`: the played game and its log. `seats`: who sits where, who is out, away or silent.
//!   `clocks`. `offers`. `chat`. `ratings`: those that are shown, plain values.
//! - `audience`: who watches, and what they were not told yet. `bot_turns`: the bot that thinks.
//!   `repeats`: messages sent twice. `residency`: how long a table stays in memory.
//!
//! They are composed twice. `decide` holds the first six and decides: an action in, a decision
//! out, without I/O. `task` holds that and the others, and does all I/O: it takes `command`s,
//! checks what the table cannot know, stores, tells, and lets time pass.
//!
//! Around the tables: `manager` does something at them, `places` finds them by id, `remote` those that other nodes
//! hold, `create` makes games (`from_position`: those that begin with a position of a record), `lobby` lists them,
//! `waking` wakes those that sleep, `streams` are the events for programs, `help` and
//! `help_sleeping` keep the engine from games that are being played, `bot_games` limits games
//! against our bots, `blocks`, `mutes` and `timeouts` say who hears whom. All SQL stands in
//! `store`.

mod audience;
mod blocks;
mod bot_games;
mod bot_turns;
mod chat;
mod clocks;
mod command;
mod create;
mod decide;
mod from_position;
mod game;
mod help;
mod help_sleeping;
mod lobby;
mod manager;
mod mutes;
mod offers;
mod places;
mod ratings;
mod remote;
mod repeats;
mod residency;
mod seats;
pub(in crate::play) mod store;
mod streams;
mod task;
mod timeouts;
mod waking;

pub use command::{Action, Command, Moves, Outgoing, Reply, TableHandle, ViewOf};
pub use create::{check_clock, check_rated_by};
pub use help::Reached;
pub use manager::Tables;
pub use streams::Subscription;
pub(crate) use task::UPDATE_HEAD;

#[cfg(test)]
mod tests;
