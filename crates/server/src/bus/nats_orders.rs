//! Orders on a NATS server: a JetStream stream from which each message is taken once.

use super::BusError;
use super::orders::{Delivery, Lease, MOST_GIVEN, Orders, SILENCE};
use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::stream::{
    Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType,
};
use async_nats::jetstream::{self, AckKind, Context};
use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// The stream's name on the NATS server.
const STREAM: &str = "BASTIDE_WORK";

/// What its subjects begin with.
const PREFIX: &str = "bastide.orders";

/// Bytes that may wait; more are refused.
const MOST_BYTES: i64 = 64 << 20;

/// After this nobody wants an order any more.
const OLDEST: Duration = Duration::from_secs(600);

/// After this without anybody who takes from it, what is known of a line is removed.
const UNUSED: Duration = Duration::from_secs(24 * 60 * 60);

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Orders on a NATS server; clones share a connection.
#[derive(Clone, Debug)]
pub(super) struct NatsOrders {
    context: Context,
    lines: Arc<Mutex<HashMap<String, Consumer<pull::Config>>>>,
}

impl NatsOrders {
    pub(super) fn new(client: Client) -> Self {
        let mut context = jetstream::new(client);
        context.set_timeout(PATIENCE);
        Self { context, lines: Arc::default() }
    }

    async fn make_stream(&self) -> Result<jetstream::stream::Stream, BusError> {
        let wanted = StreamConfig {
            name: STREAM.to_owned(),
            description: Some("Bot turns, analyses and reviews for workers".to_owned()),
            subjects: vec![format!("{PREFIX}.>")],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            storage: StorageType::File,
            max_bytes: MOST_BYTES,
            max_age: OLDEST,
            ..StreamConfig::default()
        };
        self.context.get_or_create_stream(wanted).await.map_err(|error| {
            unreachable(&format!(
                "{error}; workers need a NATS server with JetStream (nats-server -js)"
            ))
        })
    }

    /// What takes orders from a line; made anew if the server has forgotten it.
    async fn line(&self, line: &str) -> Result<Consumer<pull::Config>, BusError> {
        let mut lines = self.lines.lock().await;
        if let Some(consumer) = lines.get(line) {
            return Ok(consumer.clone());
        }
        let wanted = pull::Config {
            durable_name: Some(line.to_owned()),
            filter_subject: subject(line),
            ack_policy: AckPolicy::Explicit,
            ack_wait: SILENCE,
            max_deliver: MOST_GIVEN as i64,
            max_ack_pending: -1,
            inactive_threshold: UNUSED,
            ..pull::Config::default()
        };
        let stream = self.make_stream().await?;
        let consumer = stream.get_or_create_consumer(line, wanted).await;
        let consumer = consumer.map_err(|error| unreachable(&error.to_string()))?;
        lines.insert(line.to_owned(), consumer.clone());
        Ok(consumer)
    }

    async fn next(&self, line: &str) -> Result<Option<Delivery>, BusError> {
        let consumer = self.line(line).await?;
        let failed = |error: &dyn std::fmt::Display| unreachable(&error.to_string());
        let asked = consumer.fetch().max_messages(1).messages().await;
        let mut messages = asked.map_err(|error| failed(&error))?;
        let next = tokio::time::timeout(PATIENCE, messages.next()).await;
        match next.map_err(|error| failed(&error))? {
            None => Ok(None),
            Some(Ok(message)) => {
                let (message, acker) = message.split();
                let lease = Arc::new(NatsLease(acker));
                Ok(Some(Delivery { order: message.payload, lease }))
            }
            Some(Err(error)) => Err(failed(&error)),
        }
    }
}

fn subject(line: &str) -> String {
    format!("{PREFIX}.{line}")
}

fn unreachable(error: &str) -> BusError {
    BusError::Unreachable("for orders".to_owned(), error.to_owned())
}

impl Orders for NatsOrders {
    fn prepare(&self) -> BoxFuture<'static, Result<(), BusError>> {
        let orders = self.clone();
        Box::pin(async move { orders.make_stream().await.map(|_| ()) })
    }

    fn put(&self, line: &str, order: Bytes) -> BoxFuture<'static, Result<(), BusError>> {
        let (orders, subject) = (self.clone(), subject(line));
        Box::pin(async move {
            let failed = |error: &dyn std::fmt::Display| unreachable(&error.to_string());
            let sent = orders.context.publish(subject, order).await.map_err(|e| failed(&e))?;
            // The server's word that it has it.
            sent.await.map(|_| ()).map_err(|error| failed(&error))
        })
    }

    fn take(&self, line: &str) -> BoxFuture<'static, Result<Option<Delivery>, BusError>> {
        let (orders, line) = (self.clone(), line.to_owned());
        Box::pin(async move {
            let taken = orders.next(&line).await;
            if taken.is_err() {
                // The server may have lost it; the next look makes it again.
                orders.lines.lock().await.remove(&line);
            }
            taken
        })
    }
}

struct NatsLease(jetstream::message::Acker);

impl std::fmt::Debug for NatsLease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NatsLease").finish_non_exhaustive()
    }
}

impl NatsLease {
    async fn tell(&self, kind: AckKind) {
        if let Err(error) = self.0.ack_with(kind).await {
            tracing::warn!(%error, "the bus could not be told of an order");
        }
    }
}

impl Lease for NatsLease {
    fn keep(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.tell(AckKind::Progress))
    }

    fn done(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.tell(AckKind::Ack))
    }

    fn give_back(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.tell(AckKind::Nak(None)))
    }
}
