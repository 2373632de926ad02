//! Games to learn from: self-play of bots, or records, in shards of numbered moves (`docs/python.md`).
//!
//! [`Maker`] takes a [`Request`] and makes one shard after the other, each on all threads: `judge` says
//! what a bot thinks of every decision and draw, `game_rows` turns a game into numbers, `shard` puts
//! games together as arrays, `npz` writes them, `description` is `dataset.json`, by which a dataset that was
//! interrupted is known again, `shard_seed` what the games of a shard come from.

#![forbid(unsafe_code)]

mod description;
mod error;
mod game_rows;
mod judge;
mod maker;
mod npz;
mod shard;
mod shard_seed;

pub use error::DatasetError;
pub use maker::{Judging, Maker, Request, Source};
