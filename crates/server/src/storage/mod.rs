//! Storage: both databases, the journal of games, backups, and records of games that are over.

pub mod db;
pub mod records;
