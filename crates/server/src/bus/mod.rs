//! Messages between the servers that share a database: each of them is a node.
//!
//! A [`Bus`] carries bytes, in the process ([`LocalBus`]) or over NATS; nothing else knows which it
//! is. [`Exchange`] stands on it: it gives each message a topic, hands what arrives to whoever
//! listens to that topic, and knows which nodes there are. A server that is alone on its database
//! has an exchange too, on which nobody answers.
//!
//! Messages from one node to another arrive in order, or not at all; whoever needs to know asks for
//! an answer. After a gap in the connection every listener is told ([`Arrived::Interrupted`]).
//!
//! [`WorkBus`] is where nodes and workers meet: messages, and [`Orders`] that wait for whoever has time.

mod exchange;
mod local;
mod local_orders;
#[cfg(feature = "nats")]
mod nats;
#[cfg(feature = "nats")]
mod nats_orders;
#[cfg(feature = "nats")]
mod nats_url;
mod orders;

pub use exchange::{Exchange, NoAnswer};
pub use local::LocalBus;
#[cfg(feature = "nats")]
pub use nats::NatsBus;
#[cfg(feature = "nats")]
pub use nats_url::NatsUrl;
pub use orders::{Delivery, Lease, Orders};

use axum::body::Bytes;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The number of a node: the epoch that it raised when it joined.
pub type NodeId = i64;

/// To whom a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Recipient {
    /// To one node.
    Node(NodeId),
    /// To all nodes but the sender.
    Others,
}

/// What comes to a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arrived {
    /// A message.
    Message(Bytes),
    /// Messages may have been lost.
    Interrupted,
}

/// Why a message was not sent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BusError {
    /// More waits to be sent than is kept.
    #[error("too many messages wait to be sent")]
    Full,
    /// What is said to be its URL is none.
    #[error("the bus {0} cannot be used: {1}")]
    Url(String, String),
    /// The bus cannot be reached.
    #[error("the bus {0} cannot be reached: {1}")]
    Unreachable(String, String),
}

/// What carries messages between nodes.
pub trait Bus: Send + Sync + std::fmt::Debug + 'static {
    /// Sends a message, without waiting for its arrival.
    ///
    /// # Errors
    /// If too many wait to be sent.
    fn send(&self, from: NodeId, to: Recipient, message: Bytes) -> Result<(), BusError>;

    /// What is sent to a node from now on. It must be read: what finds no room is lost, and the
    /// node is told so.
    fn listen(&self, node: NodeId)
    -> BoxFuture<'static, Result<mpsc::Receiver<Arrived>, BusError>>;

    /// Whether it can be reached now, as far as is known.
    fn is_connected(&self) -> bool;
}

/// Where nodes and workers meet, whichever databases the nodes have.
#[derive(Clone, Debug)]
pub struct WorkBus {
    /// What they tell each other.
    pub messages: Arc<dyn Bus>,
    /// What is to be done.
    pub orders: Arc<dyn Orders>,
}

/// Messages that wait for a node to read them.
const WAITING: usize = 16 * 1024;
