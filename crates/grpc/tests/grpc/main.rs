//! The service as clients use it: real connections to a real port.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod accounts;
mod calls;
mod hostile;
mod live;
mod metrics;
mod sessions;
