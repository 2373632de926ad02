//! What staff do to a running server: moderators by their page, the operator by the command line;
//! and the backups that the operator makes.

pub mod admin;
pub mod backup;
pub mod moderate;
pub(crate) mod orders;
mod store;
