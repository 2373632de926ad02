//! The edge: connections, addresses and limits, the routes of the API, sockets, the page.

pub(crate) mod accept;
pub mod address;
pub mod connections;
mod extract;
pub mod http;
pub mod limits;
pub mod page;
pub mod preview;
pub mod socket;
