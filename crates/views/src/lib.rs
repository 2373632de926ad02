//! What players see of a game of Carcassonne, as JSON: the board ([`view`]), the turns open to who is to
//! move ([`legal_turns`]) and what happened ([`events`]). The server sends it to pages, and the engine in
//! the page makes the same of its own positions.
//!
//! [`AnyCarcassonne`] is a game of either edition, with sets or without.

mod any_edition;
mod board;
pub mod events;
mod legal;
#[cfg(feature = "schema")]
pub mod schemas;
pub mod sets;
mod tally;
mod view;

pub use any_edition::{AnyCarcassonne, WithPlacers};
pub use board::{
    BoardView, Breakdown, CarcassonneView, FeatureView, MeepleView, TileView, is_false,
};
pub use legal::{FeatureStanding, LegalMove, Pay, legal_turns};
pub use sets::{FigureName, GoodName, GoodsView, SetName, SetsView};
pub use tally::{Tally, count};
pub use view::{board, open_edges, texts, view};
