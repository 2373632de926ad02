//! The bus over NATS.

use super::nats_orders::NatsOrders;
use super::{Arrived, Bus, BusError, NatsUrl, NodeId, Recipient, WAITING, WorkBus};
use async_nats::{Client, Event, Subscriber};
use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// The bus over a NATS server; clones share a connection.
#[derive(Clone, Debug)]
pub struct NatsBus {
    client: Client,
    /// What all subjects begin with: databases that share a NATS server stay apart.
    prefix: String,
    outgoing: mpsc::Sender<(String, Bytes)>,
    /// Those who are told of gaps.
    listeners: Listeners,
}

type Listeners = Arc<Mutex<Vec<mpsc::Sender<Arrived>>>>;

/// Messages that wait to be sent; more are refused.
const OUTGOING: usize = 8 * 1024;

/// How long the first connection may take.
const CONNECTING: Duration = Duration::from_secs(10);

/// The longest wait between two attempts to connect again.
const AGAIN: Duration = Duration::from_millis(500);

/// How often the server is asked whether it is there.
const PING: Duration = Duration::from_secs(2);

impl NatsBus {
    /// Connects. `cluster` names the database whose nodes talk here.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub async fn connect(url: &str, cluster: &str) -> Result<Self, BusError> {
        let listeners = Listeners::default();
        let told = listeners.clone();
        let server = NatsUrl::read(url)?;
        let connected = server.connect(|options| {
            options
                .ping_interval(PING)
                .connection_timeout(CONNECTING)
                .subscription_capacity(WAITING)
                .client_capacity(OUTGOING)
                .reconnect_delay_callback(|attempts| {
                    Duration::from_millis(50 * attempts as u64).min(AGAIN)
                })
                .event_callback(move |event| {
                    let told = told.clone();
                    async move { on_event(&event, &told) }
                })
        });
        let client = connected.await?;
        let (outgoing, queue) = mpsc::channel(OUTGOING);
        tokio::spawn(send_all(client.clone(), queue));
        Ok(Self { client, prefix: format!("bastide.{cluster}"), outgoing, listeners })
    }

    /// Where nodes meet workers: the same for all databases, as a worker knows none.
    #[must_use]
    pub fn work(&self) -> WorkBus {
        let messages = Self { prefix: "bastide.work".to_owned(), ..self.clone() };
        let orders = NatsOrders::new(self.client.clone());
        WorkBus { messages: Arc::new(messages), orders: Arc::new(orders) }
    }

    fn as_receiver(&self, node: NodeId) -> String {
        format!("{}.node.{node}", self.prefix)
    }

    /// The sender is part of the subject, so that it need not read its own words.
    fn as_sender(&self, node: NodeId) -> String {
        format!("{}.all.{node}", self.prefix)
    }
}

fn on_event(event: &Event, listeners: &Listeners) {
    match event {
        Event::Connected => {
            tracing::info!("connected to the bus");
            tell_of_a_gap(listeners);
        }
        Event::Disconnected => tracing::warn!("the connection to the bus is lost"),
        Event::SlowConsumer(_) => tell_of_a_gap(listeners),
        event => tracing::warn!(%event, "the bus"),
    }
}

fn tell_of_a_gap(listeners: &Listeners) {
    let mut all = listeners.lock().unwrap_or_else(PoisonError::into_inner);
    // Where there is no room, more than this was lost, and the one that drops it says so.
    all.retain(|one| !one.is_closed() && one.try_send(Arrived::Interrupted).is_ok());
}

async fn send_all(client: Client, mut queue: mpsc::Receiver<(String, Bytes)>) {
    while let Some((subject, message)) = queue.recv().await {
        if let Err(error) = client.publish(subject, message).await {
            tracing::warn!(%error, "a message could not be sent");
        }
    }
}

impl Bus for NatsBus {
    fn send(&self, from: NodeId, to: Recipient, message: Bytes) -> Result<(), BusError> {
        let subject = match to {
            Recipient::Node(node) => self.as_receiver(node),
            Recipient::Others => self.as_sender(from),
        };
        self.outgoing.try_send((subject, message)).map_err(|_| BusError::Full)
    }

    fn listen(
        &self,
        node: NodeId,
    ) -> BoxFuture<'static, Result<mpsc::Receiver<Arrived>, BusError>> {
        let (bus, own) = (self.clone(), self.as_sender(node));
        Box::pin(async move {
            let failed = |error: &dyn std::error::Error| {
                BusError::Unreachable("subscription".to_owned(), error.to_string())
            };
            let mine = bus.client.subscribe(bus.as_receiver(node)).await.map_err(|e| failed(&e))?;
            let all = bus.client.subscribe(format!("{}.all.*", bus.prefix)).await;
            let all = all.map_err(|e| failed(&e))?;
            // What is sent after this returns must arrive.
            bus.client.flush().await.map_err(|e| failed(&e))?;
            let (messages, receiver) = mpsc::channel(WAITING);
            let mut listeners = bus.listeners.lock().unwrap_or_else(PoisonError::into_inner);
            listeners.push(messages.clone());
            drop(listeners);
            tokio::spawn(receive(mine, all, own, messages));
            Ok(receiver)
        })
    }

    fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }
}

async fn receive(
    mut mine: Subscriber,
    mut all: Subscriber,
    own: String,
    messages: mpsc::Sender<Arrived>,
) {
    let mut lost = false;
    loop {
        let message = tokio::select! {
            message = mine.next() => message,
            message = all.next() => match message {
                Some(message) if *message.subject == *own => continue,
                message => message,
            },
            () = messages.closed() => return,
        };
        let Some(message) = message else { return };
        if lost && messages.try_send(Arrived::Interrupted).is_ok() {
            lost = false;
        }
        lost |= messages.try_send(Arrived::Message(message.payload)).is_err();
    }
}
