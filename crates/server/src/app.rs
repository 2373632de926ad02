//! What all requests share. It is made in `start`, and knows nothing of those who serve.

use crate::config::Config;
use crate::engine::threads::Analysts;
use crate::engine::work::WorkQueue;
use crate::limits::Limits;
use crate::limits::connections::Connections;
use crate::page::Page;
use crate::people::accounts::{Changes, Passwords};
use crate::people::moderation::AccountAddresses;
use crate::people::statistics::SiteNumbers;
use crate::play::seekers::Seekers;
use crate::play::table::Tables;
use crate::puzzles::Puzzles;
use crate::reviews::Reviews;
use crate::storage::db::{Db, Fence, Ownership, Probe};
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

/// What all requests share; cheap to clone.
#[derive(Clone)]
pub struct App(pub(crate) Arc<Shared>);

/// The parts of the running server.
pub struct Shared {
    /// What is configured.
    pub config: Config,
    /// The database.
    pub db: Db,
    /// The right to change the games of the database.
    pub fence: Fence,
    /// Who has used how much of what is limited.
    pub limits: Limits,
    /// Where people come from, and from where nobody may.
    pub addresses: AccountAddresses,
    /// Who keeps how many connections open.
    pub connections: Connections,
    /// The numbers of the whole site.
    pub site_numbers: SiteNumbers,
    /// Where passwords are hashed.
    pub passwords: Passwords,
    /// News about people.
    pub changes: Changes,
    /// What the engine does for people.
    pub work: WorkQueue,
    /// Where the engine thinks for programs that keep their own position.
    pub analysts: Analysts,
    /// Where turns of reviewed games are tried: a moment each, never behind a long thought.
    pub attempts: Analysts,
    /// Where games are reviewed.
    pub reviews: Reviews,
    /// The puzzles.
    pub puzzles: Puzzles,
    /// The tables.
    pub tables: Tables,
    /// Whether the database takes what is written.
    pub probe: Probe,
    /// Who looks for an opponent.
    pub seekers: Seekers,
    /// What browsers show.
    pub page: Page,
    pub(crate) stopping: watch::Sender<bool>,
    pub(crate) own: Mutex<Option<Ownership>>,
    /// Keeps this server's place among the nodes, if there are others.
    pub(crate) place: Mutex<Option<JoinHandle<()>>>,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// Tells everything to come to an end: sockets say good-bye, long polls answer.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Whether the server is coming to an end.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Returns when the server is coming to an end.
    pub async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender lives in `self`, so waiting cannot fail.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}
