//! The edge: connections, who is asking, the routes of the API, sockets, the page.

pub(crate) mod accept;
pub mod extract;
pub mod http;
mod page;
pub mod preview;
pub mod socket;
