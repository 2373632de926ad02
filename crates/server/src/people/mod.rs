//! People: accounts, ratings and statistics, fair play, moderation.

pub mod accounts;
pub mod fairplay;
pub mod moderation;
pub mod ratings;
pub mod statistics;
