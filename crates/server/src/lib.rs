//! The server: accounts, tables, sockets, storage, ratings.
//!
//! One process owns its tables: each is a task that holds one game, takes commands from its
//! mailbox, writes every change to the log before it tells anybody, and is rebuilt from that log
//! after any end. `docs/api.md` describes what clients see.

#![forbid(unsafe_code)]

mod accept;
pub mod accounts;
pub mod address;
pub mod admin;
pub mod analysis;
pub mod app;
pub mod bot_pool;
pub mod chat_filter;
pub mod config;
pub mod connections;
pub mod db;
pub mod deck;
pub mod error;
pub mod fairplay;
pub mod games;
pub mod http;
pub mod ids;
pub mod limits;
pub mod logs;
pub mod metrics;
pub mod moderation;
mod orders;
pub mod page;
pub mod preview;
pub mod ratings;
pub mod records;
pub mod run;
pub mod seekers;
pub mod socket;
pub mod statistics;
pub mod table;
pub mod text;
pub mod time;
pub mod wire;

pub use app::App;
pub use config::Config;
