//! One module a command.

pub(crate) mod bench;
pub(crate) mod train;
pub(crate) mod verify;
pub(crate) mod tinytown;
