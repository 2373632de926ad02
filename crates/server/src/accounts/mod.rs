//! People: guests, accounts, sessions, tokens, recovery.

mod who;

pub use who::Who;
