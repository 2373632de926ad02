//! Moderation: what people report, what moderators do about it, and the log of all they did.

mod addresses;
pub mod audit;
pub mod history;
mod people;
pub mod reports;
pub mod sanctions;
mod store;
mod visibility;
mod words;

pub use addresses::AccountAddresses;
pub use people::Person;
pub use visibility::visible_game;
