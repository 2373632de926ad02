//! How many sockets, streams and waiting polls one address may keep open, at all nodes together:
//! everything else ends by itself.
//!
//! A node tells the others how many an address has here once that is a considerable part of what it
//! may have. What is not told is at most half of it over all nodes: an address has at most half as
//! many again as it may, beside those that are opened in the time of a message, and a household with
//! a few open pages costs no message at all.

use crate::address::ClientAddress;
use crate::bus::{Exchange, NodeId};
use crate::error::Refusal;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The open connections by address; cheap to clone.
#[derive(Clone, Debug)]
pub struct Connections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    counts: Mutex<Counts>,
    most: usize,
    /// Where other nodes are told, if they count too.
    exchange: Option<Exchange>,
}

/// How many each address has.
type ByAddress = HashMap<String, usize>;

#[derive(Debug, Default)]
struct Counts {
    here: ByAddress,
    /// What other nodes told of theirs.
    elsewhere: HashMap<NodeId, ByAddress>,
}

/// One open connection; given back when it is dropped.
#[derive(Debug)]
pub struct Open {
    connections: Connections,
    key: String,
}

/// What nodes tell each other: how many one address has at the sender.
const CHANGED: &str = "connections.changed";

/// The same of all addresses, where others may not know it, and whether the sender wants to hear it too.
const ALL: &str = "connections.all";

impl Connections {
    /// So many for each address, at this server alone.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shared { counts: Mutex::default(), most, exchange: None }))
    }

    /// So many for each address, at all nodes together.
    #[must_use]
    pub fn over_nodes(most: usize, exchange: &Exchange) -> Self {
        let exchange = exchange.clone();
        let all =
            Self(Arc::new(Shared { counts: Mutex::default(), most, exchange: Some(exchange) }));
        all.listen();
        all
    }

    fn listen(&self) {
        let Some(exchange) = &self.0.exchange else { return };
        // What listens is held by the exchange, which is held here.
        let weak = Arc::downgrade(&self.0);
        let this = move || weak.upgrade().map(Self);
        let heard = this.clone();
        exchange.on_news(CHANGED, move |node, (key, count): (String, usize)| {
            let Some(this) = heard() else { return };
            let mut counts = this.lock();
            let there = counts.elsewhere.entry(node).or_default();
            match count {
                0 => there.remove(&key),
                count => there.insert(key, count),
            };
        });
        let heard = this.clone();
        exchange.on_news(ALL, move |node, (there, asks): (ByAddress, bool)| {
            let Some(this) = heard() else { return };
            this.lock().elsewhere.insert(node, there);
            if asks {
                this.tell_all(false);
            }
        });
        let missed = this.clone();
        exchange.on_interruption(move || {
            if let Some(this) = missed() {
                this.tell_all(true);
            }
        });
        let mut members = exchange.watch_members();
        tokio::spawn(async move {
            while members.changed().await.is_ok() {
                let Some(this) = this() else { return };
                let present = members.borrow_and_update().clone();
                this.lock().elsewhere.retain(|node, _| present.contains(node));
                // One that is new knows nothing, and with their number changes what is told.
                this.tell_all(false);
            }
        });
    }

    /// Opens one more.
    ///
    /// # Errors
    /// If the address has as many as it may.
    pub fn open(&self, address: ClientAddress) -> Result<Open, Refusal> {
        let key = address.limit_key();
        let mut counts = self.lock();
        let elsewhere = counts.elsewhere.values().filter_map(|there| there.get(&key));
        let elsewhere: usize = elsewhere.sum();
        let here = counts.here.get(&key).copied().unwrap_or(0);
        if here + elsewhere >= self.0.most {
            return Err(Refusal::TooMany { what: "open connections".into(), seconds: 60 });
        }
        self.set(&mut counts, &key, here + 1);
        drop(counts);
        Ok(Open { connections: self.clone(), key })
    }

    /// How many are open in all, at this server.
    #[must_use]
    pub fn held(&self) -> usize {
        self.lock().here.values().sum()
    }

    /// Notes how many an address has here, and tells others of it while nothing else changes: what
    /// they hear last must be what is true.
    fn set(&self, counts: &mut Counts, key: &str, count: usize) {
        let before = match count {
            0 => counts.here.remove(key),
            count => counts.here.insert(key.to_owned(), count),
        };
        let Some((exchange, from)) = self.told_from() else { return };
        if before.unwrap_or(0).max(count) >= from {
            exchange.publish(CHANGED, &(key, if count >= from { count } else { 0 }));
        }
    }

    fn tell_all(&self, ask: bool) {
        let Some((exchange, from)) = self.told_from() else { return };
        let counts = self.lock();
        let told = counts.here.iter().filter(|(_, count)| **count >= from);
        exchange.publish(ALL, &(told.collect::<HashMap<_, _>>(), ask));
    }

    /// From how many on others are told: fewer than that at each node are half of all at most.
    fn told_from(&self) -> Option<(&Exchange, usize)> {
        let exchange = self.0.exchange.as_ref()?;
        Some((exchange, (self.0.most / (2 * exchange.members().len())).max(1)))
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // Nothing that can panic happens under the lock.
        self.0.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut counts = self.connections.lock();
        let here = counts.here.get(&self.key).copied().unwrap_or(0);
        self.connections.set(&mut counts, &self.key, here.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Bus, LocalBus};
    use tokio::task::yield_now;

    fn address(n: u8) -> ClientAddress {
        ClientAddress([192, 0, 2, n].into())
    }

    #[test]
    fn an_address_keeps_so_many_open_and_no_more() {
        let connections = Connections::new(2);
        let first = connections.open(address(1)).unwrap();
        let _second = connections.open(address(1)).unwrap();
        assert!(matches!(connections.open(address(1)), Err(Refusal::TooMany { .. })));
        let other = connections.open(address(2)).unwrap();
        drop(first);
        connections.open(address(1)).unwrap();
        drop(other);
        assert_eq!(connections.lock().here.len(), 1, "who has none is forgotten");
    }

    /// What nodes on one bus count.
    async fn nodes(count: i64, most: usize) -> Vec<(Exchange, Connections)> {
        let bus: Arc<dyn Bus> = Arc::new(LocalBus::default());
        let mut all = Vec::new();
        for node in 1..=count {
            let (exchange, messages) = Exchange::join(bus.clone(), node).await.unwrap();
            let connections = Connections::over_nodes(most, &exchange);
            tokio::spawn(exchange.clone().deliver(messages));
            all.push((exchange, connections));
        }
        for (exchange, _) in &all {
            exchange.set_members((1..=count).collect());
        }
        settled().await;
        all
    }

    /// Lets everything be heard that was said: the tests run on one thread.
    async fn settled() {
        for _ in 0..100 {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn an_address_is_counted_at_all_nodes_together() {
        let nodes = nodes(3, 60).await;
        let mut open = Vec::new();
        for number in 0..600 {
            open.extend(nodes[number % 3].1.open(address(1)));
            settled().await;
        }
        assert!((60..=90).contains(&open.len()), "{} are open", open.len());
        for (_, connections) in &nodes {
            connections.open(address(2)).unwrap();
        }
        // Those at one node alone: no more than it may have.
        open.clear();
        settled().await;
        open.extend((0..100).filter_map(|_| nodes[0].1.open(address(1)).ok()));
        settled().await;
        assert_eq!(open.len(), 60);
        assert!(nodes[1].1.open(address(1)).is_err() && nodes[2].1.open(address(1)).is_err());
        open.truncate(1);
        settled().await;
        assert!(nodes[1].1.lock().elsewhere.values().all(HashMap::is_empty), "few are not told");
    }

    #[tokio::test]
    async fn what_was_lost_is_told_again_and_who_is_gone_does_not_count() {
        let nodes = nodes(2, 60).await;
        let open: Vec<Open> = (0..60).map(|_| nodes[0].1.open(address(1)).unwrap()).collect();
        settled().await;
        nodes[1].1.lock().elsewhere.clear();
        nodes[1].1.tell_all(true);
        settled().await;
        assert!(nodes[1].1.open(address(1)).is_err(), "it has heard again");
        nodes[1].0.set_members(vec![2]);
        settled().await;
        nodes[1].1.open(address(1)).unwrap();
        drop(open);
    }
}
