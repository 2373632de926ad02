//! The engine as a service: gRPC over every game that the server knows; `docs/grpc.md`, `proto/bastide/v1/engine.proto`.
//!
//! - [`proto`]: the messages, generated from the protocol and compared with it by a test.
//! - `position`: a position of any game, kept between requests; `views`, `told`: how it and what is thought about it
//!   become messages.
//! - `thinking`: searches and reviews on bounded threads, stopped when nobody waits for them any more; `deadline`.
//! - `gate`: who may ask what; [`Bounds`]: how much.
//! - `service`: the calls; `session`: the two-way stream.
//! - [`serve`]: connections, health, reflection, and the graceful end; [`run_alone`] without a server.

#![forbid(unsafe_code)]

mod bounds;
mod connections;
mod deadline;
mod gate;
mod position;
mod serve;
mod service;
mod session;
mod status;
mod thinking;
mod told;
mod views;

pub use bounds::Bounds;
pub use gate::Gate;
pub use serve::{AloneError, run_alone, serve, serve_beside};
pub use service::EngineService;

/// The messages and the service, as the protocol says.
#[allow(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    reason = "generated code"
)]
pub mod proto {
    include!("generated/bastide.v1.rs");

    /// The descriptors of the protocol, for reflection.
    pub const DESCRIPTORS: &[u8] = include_bytes!("generated/engine.bin");
}
