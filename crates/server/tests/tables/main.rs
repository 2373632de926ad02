//! Tables as clients see them: whole games over sockets and over plain HTTP, every way a game can
//! begin and end, and clients that do what they should not.

#[path = "../common/mod.rs"]
mod common;

mod bots;
mod endings;
mod hostile;
mod http;
mod kill;
mod rated;
mod rivals;
mod seats;
mod secrecy;
mod sockets;
mod support;
