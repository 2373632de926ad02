//! One module a command.

pub(crate) mod bench;
pub(crate) mod ladder;
pub(crate) mod match_bots;
pub(crate) mod train;
pub(crate) mod verify;
