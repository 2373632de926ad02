//! Messages by topic, and the nodes that there are.

use super::{Arrived, Bus, BusError, LocalBus, NodeId, Recipient};
use axum::body::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

/// Where a node sends and receives; cheap to clone.
#[derive(Clone, Debug)]
pub struct Exchange(Arc<Inner>);

struct Inner {
    bus: Arc<dyn Bus>,
    me: NodeId,
    listeners: Mutex<HashMap<&'static str, Listener>>,
    interrupted: Mutex<Vec<Box<dyn Fn() + Send + Sync>>>,
    /// Questions without an answer so far.
    asked: Mutex<HashMap<u64, oneshot::Sender<Vec<u8>>>>,
    last: AtomicU64,
    /// All nodes, this one among them, in ascending order.
    members: watch::Sender<Arc<[NodeId]>>,
}

/// The topic of answers.
const ANSWER: &str = "answer";

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// A node did not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("another node does not answer; try again")]
pub struct NoAnswer;

/// What is done with the messages of a topic: the sender, and what it says. It is called in the
/// order in which messages come, and must not wait.
type Listener = Arc<dyn Fn(NodeId, &[u8]) + Send + Sync>;

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exchange").field("me", &self.me).field("bus", &self.bus).finish()
    }
}

impl Exchange {
    /// The exchange of a server that shares its database with nobody.
    #[must_use]
    pub fn alone(me: NodeId) -> Self {
        Self::new(Arc::new(LocalBus::default()), me)
    }

    fn new(bus: Arc<dyn Bus>, me: NodeId) -> Self {
        Self(Arc::new(Inner {
            bus,
            me,
            listeners: Mutex::default(),
            interrupted: Mutex::default(),
            asked: Mutex::default(),
            last: AtomicU64::new(0),
            members: watch::Sender::new(Arc::new([me])),
        }))
    }

    /// Joins the nodes on a bus. Messages wait until [`Exchange::deliver`] hands them on.
    ///
    /// # Errors
    /// If the bus cannot be reached.
    pub async fn join(
        bus: Arc<dyn Bus>,
        me: NodeId,
    ) -> Result<(Self, mpsc::Receiver<Arrived>), BusError> {
        let messages = bus.listen(me).await?;
        Ok((Self::new(bus, me), messages))
    }

    /// Hands on what arrives, as long as something may.
    pub async fn deliver(self, mut messages: mpsc::Receiver<Arrived>) {
        while let Some(arrived) = messages.recv().await {
            match arrived {
                Arrived::Message(message) => self.take(&message),
                Arrived::Interrupted => {
                    tracing::warn!("messages of other nodes may have been lost");
                    metrics::counter!("bastide_bus_interruptions_total").increment(1);
                    for told in self.lock(&self.0.interrupted).iter() {
                        told();
                    }
                }
            }
        }
    }

    fn take(&self, message: &Bytes) {
        let Some((topic, from, body)) = unpack(message) else {
            tracing::warn!(bytes = message.len(), "a message on the bus is none of ours");
            return;
        };
        if topic == ANSWER {
            if let Some((number, body)) = numbered(body)
                && let Some(asker) = self.lock(&self.0.asked).remove(&number)
            {
                // Who does not wait any more has been told so.
                let _ = asker.send(body.to_vec());
            }
            return;
        }
        let listener = self.lock(&self.0.listeners).get(topic).cloned();
        // A topic that is not known belongs to another version.
        if let Some(listener) = listener {
            listener(from, body);
        }
    }

    /// Hands the messages of a topic to a function, which must not wait.
    pub fn on(
        &self,
        topic: &'static str,
        listener: impl Fn(NodeId, &[u8]) + Send + Sync + 'static,
    ) {
        self.lock(&self.0.listeners).insert(topic, Arc::new(listener));
    }

    /// Hands what others publish about a topic to a function, which must not wait. What cannot be
    /// read is of another version, and is left.
    pub fn on_news<T: DeserializeOwned>(
        &self,
        topic: &'static str,
        listener: impl Fn(NodeId, T) + Send + Sync + 'static,
    ) {
        self.on(topic, move |from, body| match serde_json::from_slice(body) {
            Ok(news) => listener(from, news),
            Err(error) => tracing::warn!(topic, %error, "a message cannot be read"),
        });
    }

    /// Answers the questions about a topic.
    pub fn answer<Q, A, F>(
        &self,
        topic: &'static str,
        answer: impl Fn(NodeId, Q) -> F + Send + Sync + 'static,
    ) where
        Q: DeserializeOwned + Send + 'static,
        A: Serialize + Send,
        F: Future<Output = A> + Send + 'static,
    {
        let exchange = Arc::downgrade(&self.0);
        self.on(topic, move |from, body| {
            let Some((number, question)) = numbered(body) else { return };
            let Ok(question) = serde_json::from_slice(question) else {
                tracing::warn!(topic, "a question cannot be read");
                return;
            };
            let (exchange, answer) = (exchange.clone(), answer(from, question));
            tokio::spawn(async move {
                let body = serde_json::to_vec(&answer.await).expect("plain data is JSON");
                if let Some(exchange) = exchange.upgrade().map(Self) {
                    // Who gets no answer is told so in time.
                    let _ = exchange.send(from, ANSWER, &[&number.to_be_bytes(), &*body].concat());
                }
            });
        });
    }

    /// Asks a node something.
    ///
    /// # Errors
    /// If no answer came in time.
    pub async fn ask<A: DeserializeOwned>(
        &self,
        node: NodeId,
        topic: &'static str,
        question: &impl Serialize,
    ) -> Result<A, NoAnswer> {
        let number = self.0.last.fetch_add(1, Ordering::Relaxed);
        let (asker, answered) = oneshot::channel();
        self.lock(&self.0.asked).insert(number, asker);
        let body = serde_json::to_vec(question).expect("plain data is JSON");
        let sent = self.send(node, topic, &[&number.to_be_bytes(), &*body].concat());
        let answer = match sent {
            Ok(()) => timeout(PATIENCE, answered).await.ok().and_then(Result::ok),
            Err(_) => None,
        };
        self.lock(&self.0.asked).remove(&number);
        serde_json::from_slice(&answer.ok_or(NoAnswer)?).map_err(|_| NoAnswer)
    }

    /// Calls a function after messages may have been lost.
    pub fn on_interruption(&self, told: impl Fn() + Send + Sync + 'static) {
        self.lock(&self.0.interrupted).push(Box::new(told));
    }

    /// Sends a message to one node.
    ///
    /// # Errors
    /// If too many wait to be sent.
    pub fn send(&self, to: NodeId, topic: &'static str, body: &[u8]) -> Result<(), BusError> {
        metrics::counter!("bastide_bus_messages_total", "topic" => topic).increment(1);
        self.0.bus.send(self.0.me, Recipient::Node(to), pack(topic, self.0.me, body))
    }

    /// Tells all other nodes. Where there are none nothing is written. What cannot be sent is
    /// lost, as what others miss.
    pub fn publish(&self, topic: &'static str, news: &impl Serialize) {
        if !self.is_alone() {
            self.tell_all(topic, news);
        }
    }

    /// Tells everybody, whether anybody is known or not.
    pub fn tell_all(&self, topic: &'static str, news: &impl Serialize) {
        metrics::counter!("bastide_bus_messages_total", "topic" => topic).increment(1);
        let body = serde_json::to_vec(news).expect("plain data is JSON");
        let message = pack(topic, self.0.me, &body);
        if let Err(error) = self.0.bus.send(self.0.me, Recipient::Others, message) {
            tracing::warn!(topic, %error, "other nodes could not be told");
        }
    }

    /// This node.
    #[must_use]
    pub fn me(&self) -> NodeId {
        self.0.me
    }

    /// Whether there is no other node.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.0.members.borrow().len() < 2
    }

    /// All nodes, this one among them, in ascending order.
    #[must_use]
    pub fn members(&self) -> Arc<[NodeId]> {
        self.0.members.borrow().clone()
    }

    /// Hears which nodes there are, whenever that changes.
    #[must_use]
    pub fn watch_members(&self) -> watch::Receiver<Arc<[NodeId]>> {
        self.0.members.subscribe()
    }

    /// Notes which nodes there are.
    pub fn set_members(&self, mut members: Vec<NodeId>) {
        members.push(self.0.me);
        members.sort_unstable();
        members.dedup();
        self.0.members.send_if_modified(|before| {
            let changed = **before != *members;
            if changed {
                tracing::info!(nodes = ?members, "the nodes of this database");
                *before = members.into();
            }
            changed
        });
    }

    /// Whether messages can be sent now, as far as is known.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.0.bus.is_connected()
    }

    fn lock<'a, T>(&self, mutex: &'a Mutex<T>) -> MutexGuard<'a, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One byte for the length of the topic, the topic, eight bytes for the sender, and the rest.
fn pack(topic: &str, from: NodeId, body: &[u8]) -> Bytes {
    let length = u8::try_from(topic.len()).expect("topics are short");
    let mut message = Vec::with_capacity(9 + topic.len() + body.len());
    message.push(length);
    message.extend_from_slice(topic.as_bytes());
    message.extend_from_slice(&from.to_be_bytes());
    message.extend_from_slice(body);
    message.into()
}

/// The number of a question, and the rest.
fn numbered(body: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = body.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*number), rest))
}

fn unpack(message: &[u8]) -> Option<(&str, NodeId, &[u8])> {
    let (length, rest) = message.split_first()?;
    let (topic, rest) = rest.split_at_checked(usize::from(*length))?;
    let (from, body) = rest.split_first_chunk::<8>()?;
    Some((std::str::from_utf8(topic).ok()?, NodeId::from_be_bytes(*from), body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_out_as_it_went_in_and_others_are_refused() {
        let message = pack("topic", 77, b"body");
        assert_eq!(unpack(&message), Some(("topic", 77, &b"body"[..])));
        for cut in 0..14 {
            assert_eq!(unpack(&message[..cut]), None, "{cut}");
        }
        assert_eq!(unpack(&[2, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 1]), None);
    }
}
