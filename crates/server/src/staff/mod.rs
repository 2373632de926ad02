//! What staff do to a running server: moderators by their page, the operator by the command line.

pub mod admin;
pub mod desk;
pub(crate) mod orders;
mod store;
