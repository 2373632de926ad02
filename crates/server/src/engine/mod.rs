//! The engine: threads on which bots think, and on which positions are analysed for people.

pub mod analysis;
pub mod bot_pool;
pub(crate) mod fair_queue;
