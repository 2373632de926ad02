//! Moderation: what people report, what moderators do about it, and the log of all they did.

pub mod audit;
