//! Storage: both databases, and games as they are stored.

pub mod db;
pub mod records;
