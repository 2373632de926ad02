//! One module a command.

pub(crate) mod admin;
pub(crate) mod analyse;
pub(crate) mod backup;
pub(crate) mod bench;
pub(crate) mod calibrate;
pub(crate) mod dataset;
pub(crate) mod engine;
#[cfg(feature = "grpc")]
pub(crate) mod grpc;
pub(crate) mod ladder;
mod log_options;
pub(crate) mod match_bots;
pub(crate) mod mine;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod serve;
mod settings;
pub(crate) mod statespace;
pub(crate) mod tiles;
pub(crate) mod tinytown;
pub(crate) mod train;
pub(crate) mod verify;
pub(crate) mod verify_deck;
#[cfg(feature = "nats")]
pub(crate) mod worker;

/// Whether writing failed because nobody reads any more, as in `bastide replay … | head`.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
