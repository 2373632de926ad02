//! One module a command.
