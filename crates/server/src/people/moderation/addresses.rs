//! Addresses: where accounts were used from, under a label that tells nothing, and which addresses
//! are kept out.

use super::store;
use crate::address::ClientAddress;
use crate::bus::Exchange;
use crate::error::Refusal;
use crate::storage::db::{Db, Statement};
use crate::wire::AddressSeen;
use crate::{ids, time};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// What the running server knows of addresses; cheap to clone.
#[derive(Clone, Default)]
pub struct AccountAddresses(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// Until when which network is kept out.
    banned: Mutex<HashMap<String, Option<i64>>>,
    /// When a user was last noted at a network.
    noted: Mutex<HashMap<(String, String), i64>>,
    key: OnceCell<[u8; 32]>,
}

/// A use within so many milliseconds of the last one noted is not noted.
const NOTED_EVERY: i64 = 10 * 60 * 1000;

/// The most uses that are remembered; then all are noted again.
const REMEMBERED: usize = 100_000;

/// What nodes tell each other: networks are kept out, or no longer.
const BANS: &str = "bans";

impl AccountAddresses {
    /// All bans that are stored.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) async fn load(db: &Db) -> Result<Self, sqlx::Error> {
        let addresses = Self::default();
        addresses.read_bans(db).await?;
        Ok(addresses)
    }

    /// Reads anew which networks are kept out.
    async fn read_bans(&self, db: &Db) -> Result<(), sqlx::Error> {
        let mut banned: HashMap<String, Option<i64>> = HashMap::new();
        for (network, ends) in store::sanctions::banned_networks(db).await? {
            let until = banned.entry(network).or_insert(ends);
            // Of several bans the longest counts; one without an end is the longest.
            *until = until.zip(ends).map(|(one, other)| one.max(other));
        }
        *lock(&self.0.banned) = banned;
        Ok(())
    }

    /// Bans have changed: they count at once, on all nodes.
    pub(crate) async fn bans_changed(
        &self,
        db: &Db,
        exchange: &Exchange,
    ) -> Result<(), sqlx::Error> {
        exchange.publish(BANS, &());
        self.read_bans(db).await
    }

    /// Hears of bans on other nodes.
    pub(crate) fn listen(&self, db: &Db, exchange: &Exchange) {
        let (addresses, db) = (self.clone(), db.clone());
        exchange.on_news(BANS, move |_, (): ()| {
            let (addresses, db) = (addresses.clone(), db.clone());
            tokio::spawn(async move {
                if let Err(error) = addresses.read_bans(&db).await {
                    tracing::error!(%error, "bans of another node could not be read");
                }
            });
        });
    }

    /// Refuses an address that is kept out.
    ///
    /// # Errors
    /// If it is.
    pub fn refuse_banned(&self, address: ClientAddress) -> Result<(), Refusal> {
        let banned = lock(&self.0.banned);
        // Nearly always nobody is; then no text is made.
        if banned.is_empty() {
            return Ok(());
        }
        match banned.get(&address.limit_key()) {
            Some(until) if until.is_none_or(|until| until > time::now()) => {
                Err(Refusal::Forbidden("this address is banned".into()))
            }
            _ => Ok(()),
        }
    }

    /// What notes that an account is used from an address; nothing if that was noted a while ago.
    pub(crate) fn note(&self, user: &str, address: ClientAddress) -> Option<Statement> {
        let (network, now) = (address.limit_key(), time::now());
        let mut noted = lock(&self.0.noted);
        if noted.len() >= REMEMBERED {
            noted.clear();
        }
        let last = noted.entry((user.to_owned(), network.clone())).or_insert(0);
        if now - *last < NOTED_EVERY {
            return None;
        }
        *last = now;
        drop(noted);
        Some(store::addresses::note(user, &network, now))
    }

    /// What a network is called before moderators: the same for the same network, and nobody
    /// without the server's key can tell which it is.
    ///
    /// # Errors
    /// If the database fails.
    pub(super) async fn label(&self, db: &Db, network: &str) -> Result<String, Refusal> {
        let key = self.0.key.get_or_try_init(|| stored_key(db)).await?;
        Ok(blake3::keyed_hash(key, network.as_bytes()).to_hex()[..12].to_owned())
    }

    /// The networks that a user was seen at, the latest first.
    pub(super) async fn of_user(
        &self,
        db: &Db,
        user: &str,
        with_address: bool,
    ) -> Result<Vec<AddressSeen>, Refusal> {
        let mut seen = Vec::new();
        for (network, first, last) in store::addresses::of_user(db, user).await? {
            let banned = lock(&self.0.banned).contains_key(&network);
            seen.push(AddressSeen {
                label: self.label(db, &network).await?,
                first,
                last,
                banned,
                others: store::addresses::others_at(db, &network, user).await?,
                address: with_address.then_some(network),
            });
        }
        Ok(seen)
    }

    /// Forgets where accounts were used before a time.
    pub(crate) async fn forget_before(db: &Db, before: i64) -> Result<(), Refusal> {
        Ok(store::addresses::remove_before(db, before).await?)
    }

    /// Moderators and administrators who were seen at a network, by their ids.
    pub(crate) async fn staff_at(&self, db: &Db, network: &str) -> Result<Vec<String>, Refusal> {
        Ok(store::addresses::staff_at(db, network).await?)
    }

    /// The network of a user that has a label.
    pub(crate) async fn network_of(
        &self,
        db: &Db,
        user: &str,
        label: &str,
    ) -> Result<String, Refusal> {
        for network in store::addresses::networks_of(db, user).await? {
            if self.label(db, &network).await? == label {
                return Ok(network);
            }
        }
        Err(Refusal::NotFound("the user was not seen at such an address".into()))
    }
}

/// The server's key for labels, made when it is first needed.
async fn stored_key(db: &Db) -> Result<[u8; 32], Refusal> {
    let text = store::addresses::key(db, &ids::new_secret()).await?;
    Ok(*blake3::hash(text.as_bytes()).as_bytes())
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic happens under the lock.
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
