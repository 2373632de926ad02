//! Who wants nothing to do with whom, known to all tables so that a block counts at once: no chat
//! either way, no invitations, no seats at one table, no rematch.

use super::manager::Tables;
use super::store::blocks as store;
use crate::bus::Exchange;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::UserCard;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All blocks, by who made them; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks(Arc<Mutex<HashMap<String, HashSet<String>>>>);

/// The most people that one user can block.
const MOST: i64 = 500;

/// What nodes tell each other: who, whom, and whether they are kept apart.
const BLOCKED: &str = "block";

impl Blocks {
    /// All that are stored.
    pub(super) async fn load(db: &Db) -> Result<Self, sqlx::Error> {
        let blocks = Self::default();
        for (by, whom) in store::all(db).await? {
            blocks.set(&by, whom, true);
        }
        Ok(blocks)
    }

    /// Whether one of two has blocked the other.
    pub(super) fn between(&self, one: &str, other: &str) -> bool {
        let all = self.lock();
        let blocks = |by: &str, whom: &str| all.get(by).is_some_and(|list| list.contains(whom));
        blocks(one, other) || blocks(other, one)
    }

    /// Refuses what two people would do together, if one of them has blocked the other.
    pub(super) fn refuse(&self, asker: &str, other: &str, name: &str) -> Result<(), Refusal> {
        if !self.between(asker, other) {
            return Ok(());
        }
        let own = self.lock().get(asker).is_some_and(|list| list.contains(other));
        Err(Refusal::Forbidden(match own {
            true => format!("you have blocked {name}"),
            false => format!("{name} does not play with you"),
        }))
    }

    /// Hears of who is blocked on other nodes.
    pub(super) fn listen(&self, exchange: &Exchange) {
        let blocks = self.clone();
        exchange.on_news(BLOCKED, move |_, (by, whom, blocked): (String, String, bool)| {
            blocks.set(&by, whom, blocked);
        });
    }

    fn set(&self, by: &str, whom: String, blocked: bool) {
        let mut all = self.lock();
        if blocked {
            all.entry(by.to_owned()).or_default().insert(whom);
        } else if let Some(list) = all.get_mut(by) {
            list.remove(&whom);
            if list.is_empty() {
                all.remove(by);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, HashSet<String>>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    /// Keeps two people apart, or no longer.
    ///
    /// # Errors
    /// If it is oneself, the list is full, or it cannot be stored.
    pub async fn block(&self, user: &str, other: &str, blocked: bool) -> Result<(), Refusal> {
        if user == other {
            return Err(Refusal::Bad("nobody blocks themselves".into()));
        }
        if blocked {
            if store::count(self.db(), user).await? >= MOST {
                return Err(Refusal::Conflict(format!("you block {MOST} people; free one first")));
            }
            store::add(self.db(), user, other).await?;
        } else {
            store::remove(self.db(), user, other).await?;
        }
        self.blocks().set(user, other.to_owned(), blocked);
        self.exchange().publish(BLOCKED, &(user, other, blocked));
        Ok(())
    }

    /// Whom a user has blocked, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn blocked_by(&self, user: &str) -> Result<Vec<UserCard>, Refusal> {
        Ok(store::of(self.db(), user).await?)
    }
}
