//! News about people for those that outlive a request: sockets and streams look again who they
//! serve when a name, a session, a token or a ban has changed.

use crate::bus::Exchange;
use std::sync::Arc;
use tokio::sync::broadcast::{self, error::RecvError};

/// Tells of changes, on all nodes; cheap to clone.
#[derive(Clone, Debug)]
pub struct Changes {
    here: broadcast::Sender<Arc<str>>,
    exchange: Exchange,
}

/// What nodes tell each other: the user about whom something has changed.
const CHANGED: &str = "user.changed";

/// Hears of changes.
#[derive(Debug)]
pub struct ChangeListener(broadcast::Receiver<Arc<str>>);

/// Changes that may wait for a listener; one that is further behind looks again in any case.
const WAITING: usize = 64;

impl Changes {
    /// What changes here is told to other nodes, and what changes there is told here.
    #[must_use]
    pub fn new(exchange: &Exchange) -> Self {
        let here = broadcast::channel::<Arc<str>>(WAITING).0;
        let told = here.clone();
        exchange.on_news(CHANGED, move |_, user: String| drop(told.send(user.into())));
        Self { here, exchange: exchange.clone() }
    }

    /// Something about a user has changed.
    pub fn tell(&self, user: &str) {
        // Where nobody listens, nobody needs to know.
        let _ = self.here.send(user.into());
        self.exchange.publish(CHANGED, &user);
    }

    /// Something has changed that may concern everybody.
    pub fn tell_everybody(&self) {
        self.tell("");
    }

    /// What changes from now on.
    #[must_use]
    pub fn listen(&self) -> ChangeListener {
        ChangeListener(self.here.subscribe())
    }
}

impl ChangeListener {
    /// Returns when something may have changed about a user.
    pub async fn about(&mut self, user: &str) {
        loop {
            match self.0.recv().await {
                Ok(changed) if *changed != *user && !changed.is_empty() => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                // The server is gone, and with it everything that could change.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}
