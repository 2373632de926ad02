//! The engine for the browser: the same rules, bots and reviews as in the program, compiled to
//! WebAssembly. `scripts/wasm` builds it; `web/src/engine` loads it in a worker (`docs/web.md`).
//!
//! A request (`request`) comes as JSON and is answered as JSON. Nothing is kept between two of them but the
//! nets that were handed in: a position is a record and a number of plies. What comes on the way (the
//! steps of a review, the first results of a search) is told as it comes. A search is ended by
//! ending the worker. There is no clock: nodes limit a search.
//!
//! [`answer`] is all that tests need; `exports` is how a browser calls it.

// No `unsafe` but the names of what is exported.
#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

mod analysis;
#[cfg(target_family = "wasm")]
mod exports;
mod layout;
mod request;
mod review;
mod view;

pub use request::{answer, take_net};
