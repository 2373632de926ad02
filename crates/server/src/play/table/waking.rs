//! Who wakes tables that sleep: the time at which a game's row says that somebody must act.

use super::command::Command;
use super::manager::Tables;
use super::store::games;
use crate::error::Refusal;
use crate::ids::random_bits;
use crate::play::journal::Change;
use crate::storage::db::{Holder, LeaseState, Sharing};
use futures_util::{StreamExt, stream};
use game::Random;
use std::time::Duration;
use tokio::time::timeout;

/// How often it is looked for games that must be woken.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How many are taken at once. However many are due, no more are loaded for it at the same time.
const BATCH: i64 = 64;

/// How many are loaded at the same time.
const AT_ONCE: usize = 8;

/// How long before its time a game is woken: the table itself looks at its clocks.
const WAKE_AHEAD: Duration = Duration::from_secs(1);

impl Tables {
    /// Loads the games that were in memory when the server before ended, then wakes those whose time
    /// has come, until the server stops. Each goes back to sleep when there is nothing to do. A node
    /// also takes up games whose node is gone.
    pub(super) async fn keep_waking(self, awake: Vec<String>) {
        stream::iter(awake).for_each_concurrent(AT_ONCE, |id| self.wake(id)).await;
        while self.is_serving() {
            match self.wake_due().await {
                // There may be more.
                Ok(woken) if woken == BATCH as usize => {}
                Ok(_) => {
                    // Whoever knows of games that nobody has does not let them wait.
                    let _ = timeout(LOOK_EVERY, self.games_to_take().notified()).await;
                }
                Err(error) => {
                    tracing::error!(%error, "it is not known which games are due");
                    tokio::time::sleep(LOOK_EVERY * 4).await;
                }
            }
        }
    }

    fn is_serving(&self) -> bool {
        !self.is_stopping() && self.fence().lease_state() != LeaseState::Lost
    }

    async fn wake_due(&self) -> Result<usize, sqlx::Error> {
        let ahead = i64::try_from(WAKE_AHEAD.as_millis()).unwrap_or_default();
        let mut due = games::due(self.db(), self.served_time() + ahead, BATCH).await?;
        if self.fence().sharing() == Sharing::Nodes {
            due.extend(games::without_node(self.db(), BATCH).await?);
            // Other nodes look for the same games: each begins with others.
            Random::new(random_bits()).shuffle(&mut due);
            due.truncate(BATCH as usize);
        }
        let woken = due.len();
        stream::iter(due).for_each_concurrent(AT_ONCE, |id| self.wake(id)).await;
        Ok(woken)
    }

    /// Whether a game is this server's to wake. What the database does not answer is tried again.
    async fn takes(&self, id: &str) -> bool {
        matches!(self.fence().claim(self.db(), id).await, Ok(Holder::Me))
    }

    async fn wake(&self, id: String) {
        if !self.is_serving() || !self.takes(&id).await {
            return;
        }
        let Err(refusal) = self.ask(&id, |answer| Command::Wake { answer }).await else { return };
        if !self.is_serving() {
            // Whoever serves next wakes it.
            return;
        }
        tracing::error!(game = id, %refusal, "a game could not be woken");
        if refusal == Refusal::Internal {
            // It cannot be rebuilt: it is left aside instead of being tried for ever.
            let statements = vec![games::leave_aside(&id)];
            let change = Change { statements, ..Change::default() };
            // If this fails it is tried again.
            let _ = self.journal().write(change).await;
        }
    }
}
