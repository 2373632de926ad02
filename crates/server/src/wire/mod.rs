//! Everything that goes over the wire as JSON.
//!
//! The types are shared by HTTP and sockets. `cargo test` writes them as TypeScript and fails if
//! they differ from those in `web/src/wire/`, so the page and the server cannot disagree;
//! `BLESS=1 cargo test --workspace --lib export_bindings` brings those up to date.

mod account;
mod carcassonne;
mod fairplay;
mod game;
mod moderation;
#[cfg(test)]
mod page_types;
mod puzzle;
mod record;
mod request;
mod review;
#[cfg(test)]
mod schemas;
mod seek;
mod sets;
mod settings;
mod socket;
mod statistics;
mod study;
mod tinytown;

pub use account::*;
pub use carcassonne::*;
pub use fairplay::*;
pub use game::*;
pub use moderation::*;
pub use puzzle::*;
pub use record::*;
pub use request::*;
pub use review::*;
pub use seek::*;
pub use sets::*;
pub use settings::*;
pub use socket::*;
pub use statistics::*;
pub use study::*;
pub use tinytown::*;
pub use views::{
    BoardView, Breakdown, CarcassonneView, FeatureStanding, FeatureView, FigureName, GoodName,
    GoodsView, LegalMove, MeepleView, Pay, SetName, SetsView, TileView, events,
};
