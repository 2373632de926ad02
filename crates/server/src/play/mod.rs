//! Play: the tables and the one writer of their games, games that are imported, and who looks for
//! an opponent.

pub mod chat_filter;
pub mod import;
pub mod journal;
pub mod seekers;
pub mod table;
