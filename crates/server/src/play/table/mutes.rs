//! Who does not want to read whom: known to all tables, so that a mute counts at once everywhere.

use super::manager::Tables;
use super::store::mutes as store;
use crate::bus::Exchange;
use crate::error::Refusal;
use crate::storage::db::Db;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All mutes by reader; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Mutes(Arc<Mutex<HashMap<String, HashSet<String>>>>);

/// What nodes tell each other: a reader, a speaker, and whether the one is muted for the other.
const MUTED: &str = "mute";

impl Mutes {
    /// All that are stored.
    pub(super) async fn load(db: &Db) -> Result<Self, sqlx::Error> {
        let mutes = Self::default();
        for (reader, speaker) in store::all(db).await? {
            mutes.set(&reader, speaker, true);
        }
        Ok(mutes)
    }

    /// Whether a reader does not want to read a speaker.
    pub(super) fn hides(&self, reader: &str, speaker: &str) -> bool {
        self.lock().get(reader).is_some_and(|muted| muted.contains(speaker))
    }

    /// Hears of what is muted on other nodes.
    pub(super) fn listen(&self, exchange: &Exchange) {
        let mutes = self.clone();
        exchange.on_news(MUTED, move |_, (reader, speaker, muted): (String, String, bool)| {
            mutes.set(&reader, speaker, muted);
        });
    }

    fn set(&self, reader: &str, speaker: String, muted: bool) {
        let mut all = self.lock();
        if muted {
            all.entry(reader.to_owned()).or_default().insert(speaker);
        } else if let Some(of_reader) = all.get_mut(reader) {
            of_reader.remove(&speaker);
            if of_reader.is_empty() {
                all.remove(reader);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, HashSet<String>>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    /// Hides from a reader what a speaker says, or shows it again.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub async fn mute(&self, reader: &str, speaker: &str, muted: bool) -> Result<(), Refusal> {
        store::set(self.db(), reader, speaker, muted).await?;
        self.mutes().set(reader, speaker.to_owned(), muted);
        self.exchange().publish(MUTED, &(reader, speaker, muted));
        Ok(())
    }
}
