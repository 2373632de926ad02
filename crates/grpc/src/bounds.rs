//! How much strangers can have of the service.

use std::time::Duration;

/// How much there is of what. Whatever is beyond is refused and changes nothing.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Sessions that may be open.
    pub sessions: usize,
    /// Sessions that one address may have open.
    pub sessions_per_address: usize,
    /// How long a session may be silent.
    pub idle: Duration,
    /// How long a client may leave an answer unread.
    pub stalled: Duration,
    /// How long a search may take.
    pub longest_search: Duration,
    /// How long a review may take.
    pub longest_review: Duration,
    /// The largest message of a client, in bytes: a record and what is around it.
    pub message: usize,
    /// Connections that may be open.
    pub connections: usize,
    /// Connections that one address may have open; a trusted proxy may have all.
    pub connections_per_address: usize,
    /// Calls that one connection may have open.
    pub calls_per_connection: u32,
    /// How long a new connection may be silent.
    pub opening: Duration,
    /// Short calls that may wait for a thread.
    pub waiting: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            sessions: 1024,
            sessions_per_address: 256,
            idle: Duration::from_secs(600),
            stalled: Duration::from_secs(60),
            longest_search: Duration::from_secs(60),
            longest_review: Duration::from_secs(1800),
            message: 300 * 1024,
            connections: 512,
            connections_per_address: 64,
            calls_per_connection: 256,
            opening: Duration::from_secs(10),
            waiting: 1024,
        }
    }
}
