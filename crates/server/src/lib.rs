//! The server: accounts, tables, sockets, storage, ratings.
//!
//! One process owns its tables: each is a task that holds one game, takes commands from its
//! mailbox, writes every change to the log before it tells anybody, and is rebuilt from that log
//! after any end. `docs/api.md` describes what clients see.

#![forbid(unsafe_code)]

pub mod app;
pub mod config;
pub mod edge;
pub mod engine;
pub mod error;
pub mod ids;
pub mod logs;
pub mod metrics;
pub mod people;
pub mod play;
pub mod run;
pub mod staff;
mod start;
pub mod storage;
pub mod text;
pub mod time;
pub mod wire;

pub use app::App;
pub use config::Config;
pub use start::StartError;
