//! One module a command.

pub mod tinytown;
