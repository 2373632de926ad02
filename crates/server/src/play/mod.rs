//! Play: the tables, the games they hold, their secret decks, and who looks for an opponent.

pub mod chat_filter;
pub mod deck;
pub mod games;
pub mod seekers;
pub mod table;
