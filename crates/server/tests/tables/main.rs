//! Tables as clients see them: whole games over sockets and over plain HTTP, every way a game can
//! begin and end, and clients that do what they should not.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../common/mod.rs"]
mod common;

mod bot_queue;
mod bots;
mod endings;
mod fairplay;
mod handed_in;
mod help;
mod hostile;
mod http;
mod laid;
mod lobby;
mod nodes;
mod owners;
mod people;
mod positions;
mod previews;
mod quick_match;
mod rated;
mod reviews;
mod rights;
mod rivals;
mod seats;
mod secrecy;
mod sets;
mod silence;
mod sleep;
mod sockets;
mod support;
mod thinking;
mod workers;
