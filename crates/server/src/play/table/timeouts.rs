//! Who may say nothing in chats for a time, known to all tables so that it counts at once.

use super::manager::Tables;
use super::store::timeouts as store;
use crate::bus::Exchange;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::time;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Until when who is silent; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeouts(Arc<Mutex<HashMap<String, Option<i64>>>>);

/// What nodes tell each other: the user whose timeouts have changed.
const TIMEOUT: &str = "timeout";

impl Timeouts {
    /// All that hold.
    pub(super) async fn load(db: &Db) -> Result<Self, sqlx::Error> {
        let timeouts = Self::default();
        timeouts.read(db, "").await?;
        Ok(timeouts)
    }

    /// Reads anew what holds of one user, or of all.
    async fn read(&self, db: &Db, user: &str) -> Result<(), sqlx::Error> {
        let active = store::active(db, user).await?;
        let mut all = self.lock();
        all.remove(user);
        for (user, ends) in active {
            let until = all.entry(user).or_insert(ends);
            // Of several the longest counts; one without an end is the longest.
            *until = until.zip(ends).map(|(one, other)| one.max(other));
        }
        Ok(())
    }

    /// Hears of those who are silenced on other nodes, or no longer.
    pub(super) fn listen(&self, exchange: &Exchange, db: &Db) {
        let (timeouts, db) = (self.clone(), db.clone());
        exchange.on_news(TIMEOUT, move |_, user: String| {
            let (timeouts, db) = (timeouts.clone(), db.clone());
            tokio::spawn(async move {
                if let Err(error) = timeouts.read(&db, &user).await {
                    tracing::error!(%error, "a chat timeout of another node could not be read");
                }
            });
        });
    }

    /// Refuses who may say nothing now.
    pub(super) fn refuse(&self, user: &str) -> Result<(), Refusal> {
        let mut all = self.lock();
        let Some(until) = all.get(user).copied() else { return Ok(()) };
        if until.is_some_and(|until| until <= time::now()) {
            all.remove(user);
            return Ok(());
        }
        let left = time::left_in_words(until);
        Err(Refusal::Forbidden(format!("a moderator has silenced you in chats{left}")))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Option<i64>>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    /// Lets a change of a user's chat timeouts take effect.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read_timeout(&self, user: &str) -> Result<(), Refusal> {
        self.timeouts().read(self.db(), user).await?;
        self.exchange().publish(TIMEOUT, &user);
        Ok(())
    }
}
