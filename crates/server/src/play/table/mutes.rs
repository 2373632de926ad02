//! Who does not want to read whom: known to all tables, so that a mute counts at once everywhere.

use super::manager::Tables;
use crate::error::Refusal;
use crate::storage::db::Db;
use sqlx::Row;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All mutes by reader; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Mutes(Arc<Mutex<HashMap<String, HashSet<String>>>>);

impl Mutes {
    /// All that are stored.
    pub(super) async fn load(db: &Db) -> Result<Self, sqlx::Error> {
        let mutes = Self::default();
        let rows = sqlx::query("SELECT user_id, muted FROM mutes").fetch_all(&db.pool).await?;
        for row in rows {
            mutes.set(&row.try_get::<String, _>("user_id")?, row.try_get("muted")?, true);
        }
        Ok(mutes)
    }

    /// Whether a reader does not want to read a speaker.
    pub(super) fn hides(&self, reader: &str, speaker: &str) -> bool {
        self.lock().get(reader).is_some_and(|muted| muted.contains(speaker))
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
        let sql = if muted {
            "INSERT INTO mutes (user_id, muted) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM mutes WHERE user_id = $1 AND muted = $2"
        };
        sqlx::query(sql).bind(reader).bind(speaker).execute(&self.db().pool).await?;
        self.mutes().set(reader, speaker.to_owned(), muted);
        Ok(())
    }
}
