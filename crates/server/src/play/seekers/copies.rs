//! Copies of searches on other nodes. The node that keeps all searches tells how each stands: when that
//! changes, and now and then while it is asked about. When that node is gone, the next one goes on with a search
//! as soon as somebody asks about it.

use super::{SeekOptions, Seeker, Seekers, Stage};
use crate::people::accounts::Requester;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How often a search that does not change is told.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// How long a copy is good for: until it is told again, and the time in which a node is found to be gone.
const KEPT: Duration = Duration::from_secs(30);

/// How a search stands, as nodes tell each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeekCopy {
    who: Requester,
    wish: SeekOptions,
    waited_ms: u64,
    /// The game that was found.
    game: Option<String>,
}

/// A copy, and when it came.
#[derive(Debug)]
pub(super) struct Kept {
    copy: SeekCopy,
    at: Instant,
}

impl Seekers {
    /// What other nodes have to be told: searches that changed, and those that go on.
    pub fn untold(&self) -> Vec<SeekCopy> {
        let now = Instant::now();
        let mut untold = Vec::new();
        for seeker in self.lock(now).values_mut() {
            let due = seeker.told.is_none_or(|told| {
                now.duration_since(told) >= TOLD_EVERY && seeker.asked > told && seeker.looks()
            });
            if due {
                seeker.told = Some(now);
                untold.push(seeker.copied(now));
            }
        }
        untold
    }

    /// Keeps how a search on another node stands.
    pub fn keep_copy(&self, copy: SeekCopy) {
        self.copies().insert(copy.who.user.clone(), Kept { copy, at: Instant::now() });
    }

    /// A search ended on another node.
    pub fn drop_copy(&self, user: &str) {
        self.copies().remove(user);
    }

    /// Goes on with a search that another node kept, if none is here.
    pub fn take_over(&self, user: &str) {
        let Some(Kept { copy, at }) = self.copies().remove(user) else { return };
        let now = Instant::now();
        let waited = now.duration_since(at) + Duration::from_millis(copy.waited_ms);
        let stage = copy.game.map_or(Stage::Looking, |game| Stage::Found { game, at: now });
        self.lock(now).entry(user.to_owned()).or_insert_with(|| Seeker {
            who: copy.who,
            wish: copy.wish,
            since: now.checked_sub(waited).unwrap_or(now),
            asked: now,
            stage,
            refused: HashSet::new(),
            told: None,
        });
    }

    fn copies(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        // Nothing that can panic happens under the lock.
        let mut copies = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        copies.retain(|_, kept| now.duration_since(kept.at) < KEPT);
        copies
    }
}

impl Seeker {
    fn copied(&self, now: Instant) -> SeekCopy {
        let waited = now.duration_since(self.since).as_millis();
        SeekCopy {
            who: self.who.clone(),
            wish: self.wish.clone(),
            waited_ms: u64::try_from(waited).unwrap_or(u64::MAX),
            game: match &self.stage {
                Stage::Found { game, .. } => Some(game.clone()),
                Stage::Looking | Stage::Pairing(_) => None,
            },
        }
    }
}
