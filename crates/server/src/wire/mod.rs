//! Everything that goes over the wire as JSON: the only modules that know it.
//!
//! The types are shared by HTTP and sockets. `cargo test` writes them as TypeScript to
//! `web/src/wire/` and fails on a difference, so the page and the server cannot disagree.

mod account;
mod carcassonne;
pub mod events;
mod fairplay;
mod game;
mod moderation;
mod record;
mod request;
#[cfg(test)]
mod schemas;
mod seek;
mod sets;
mod settings;
mod socket;
mod statistics;
mod tinytown;

pub use account::*;
pub use carcassonne::*;
pub use fairplay::*;
pub use game::*;
pub use moderation::*;
pub use record::*;
pub use request::*;
pub use seek::*;
pub use sets::*;
pub use settings::*;
pub use socket::*;
pub use statistics::*;
pub use tinytown::*;
