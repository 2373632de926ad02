//! The bus of nodes in one process.

use super::local_orders::LocalOrders;
use super::{Arrived, Bus, BusError, NodeId, Recipient, WAITING, WorkBus};
use axum::body::Bytes;
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// The bus of nodes in one process; clones are the same bus.
#[derive(Clone, Debug, Default)]
pub struct LocalBus {
    nodes: Mailboxes,
    workers: Mailboxes,
    orders: LocalOrders,
}

type Mailboxes = Arc<Mutex<HashMap<NodeId, Mailbox>>>;

#[derive(Debug)]
struct Mailbox {
    messages: mpsc::Sender<Arrived>,
    /// Whether something was lost of which the node was not told.
    lost: bool,
}

impl Mailbox {
    /// Whether anybody still reads it.
    fn put(&mut self, message: &Bytes) -> bool {
        if self.lost && self.messages.try_send(Arrived::Interrupted).is_ok() {
            self.lost = false;
        }
        match self.messages.try_send(Arrived::Message(message.clone())) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.lost = true;
                true
            }
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        }
    }
}

impl LocalBus {
    /// Where its nodes meet workers.
    #[must_use]
    pub fn work(&self) -> WorkBus {
        let messages = Self { nodes: self.workers.clone(), ..Self::default() };
        WorkBus { messages: Arc::new(messages), orders: Arc::new(self.orders.clone()) }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<NodeId, Mailbox>> {
        // Nothing that can panic happens under the lock.
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bus for LocalBus {
    fn send(&self, from: NodeId, to: Recipient, message: Bytes) -> Result<(), BusError> {
        let mut all = self.lock();
        all.retain(|node, mailbox| {
            let concerned = match to {
                Recipient::Node(to) => *node == to,
                Recipient::Others => *node != from,
            };
            !concerned || mailbox.put(&message)
        });
        Ok(())
    }

    fn listen(
        &self,
        node: NodeId,
    ) -> BoxFuture<'static, Result<mpsc::Receiver<Arrived>, BusError>> {
        let (messages, receiver) = mpsc::channel(WAITING);
        self.lock().insert(node, Mailbox { messages, lost: false });
        Box::pin(async move { Ok(receiver) })
    }

    fn is_connected(&self) -> bool {
        true
    }
}
