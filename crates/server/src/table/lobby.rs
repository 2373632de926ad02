//! What is going on: a list of all games that are not over, kept by the tables themselves.

use super::help::Guarded;
use super::manager::Tables;
use super::state::Table;
use crate::games::Hosted;
use crate::wire::{GameSummary, Lobby, Sitter, Status, Visibility};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All games that are not over.
#[derive(Clone, Debug, Default)]
pub(super) struct Listings(Arc<Mutex<HashMap<String, Listing>>>);

/// A game that is not over.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    /// What lists show.
    pub(super) summary: Arc<GameSummary>,
    /// Where it stands, if the engine must not help there.
    pub(super) guarded: Option<Arc<Guarded>>,
}

/// How many games that are being played are listed.
const PLAYING: usize = 100;

impl Listings {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Listing>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<Listing> {
        self.lock().values().cloned().collect()
    }

    /// The ids of the games in which a user sits, or is wanted.
    pub(super) fn games_of(&self, user: &str) -> Vec<String> {
        let games = self.lock();
        let mine = games.values().filter(|listing| listing.concerns(user));
        mine.map(|listing| listing.summary.info.id.clone()).collect()
    }

    /// The ids of the games to which a user is invited.
    pub(super) fn inviting(&self, user: &str) -> Vec<String> {
        let games = self.lock();
        let inviting = games.values().filter(|listing| listing.invites(user));
        inviting.map(|listing| listing.summary.info.id.clone()).collect()
    }
}

impl Listing {
    fn concerns(&self, user: &str) -> bool {
        self.sits(user) || self.invites(user)
    }

    /// Whether a user sits there.
    pub(super) fn sits(&self, user: &str) -> bool {
        let is = |s: &Sitter| matches!(s, Sitter::User { user: sits, .. } if sits == user);
        self.summary.info.seats.iter().any(|seat| is(&seat.sitter))
    }

    fn invites(&self, user: &str) -> bool {
        let is = |s: &Sitter| matches!(s, Sitter::Invited { user: wanted, .. } if wanted == user);
        self.summary.info.seats.iter().any(|seat| is(&seat.sitter))
    }
}

impl Tables {
    /// What is going on, as far as somebody may see it.
    #[must_use]
    pub fn lobby(&self, user: Option<&str>) -> Lobby {
        let mut lobby = Lobby::default();
        let mut all = self.listings().all();
        all.sort_by_key(|listing| std::cmp::Reverse(listing.summary.info.created));
        for listing in all {
            let info = &listing.summary.info;
            let public = info.visibility == Visibility::Public;
            let open = info.seats.iter().any(|seat| seat.sitter == Sitter::Open);
            let summary = || (*listing.summary).clone();
            let mine = |user: &str| listing.sits(user) || info.host.id == user;
            if user.is_some_and(|user| listing.invites(user)) {
                lobby.invitations.push(summary());
            } else if user.is_some_and(mine) {
                lobby.mine.push(summary());
            } else if public && info.status == Status::Waiting && open {
                lobby.waiting.push(summary());
            }
            if info.status == Status::Playing {
                lobby.games += 1;
                if public && lobby.playing.len() < PLAYING {
                    lobby.playing.push(summary());
                }
            }
        }
        lobby
    }
}

impl<G: Hosted> Table<G> {
    /// Shows the table in the lists as it is now.
    pub(super) fn publish(&self) {
        let mut games = self.house.listings().lock();
        if self.status == Status::Over {
            games.remove(&self.facts.id);
            return;
        }
        let guarded = self.guarded().map(Arc::new);
        let listing = Listing { summary: Arc::new(self.summary()), guarded };
        games.insert(self.facts.id.clone(), listing);
    }
}
