//! The rows of accounts: one file for each kind. A function says what it means; what follows from it
//! is decided by those who call it.

pub(super) mod credentials;
pub(super) mod names;
pub(super) mod sessions;
pub(super) mod settings;
pub(super) mod tokens;
pub(super) mod users;
