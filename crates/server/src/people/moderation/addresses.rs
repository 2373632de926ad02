//! Addresses: where accounts were used from, under a label that tells nothing, and which addresses
//! are kept out.

use super::people::card;
use crate::edge::address::ClientAddress;
use crate::error::Refusal;
use crate::storage::db::Db;
use crate::wire::{AddressSeen, UserCard};
use crate::{ids, time};
use sqlx::Row;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// What the running server knows of addresses; cheap to clone.
#[derive(Clone, Default)]
pub struct Addresses(Arc<Inner>);

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

impl Addresses {
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
    pub(crate) async fn read_bans(&self, db: &Db) -> Result<(), sqlx::Error> {
        let sql = "SELECT network, ends FROM sanctions WHERE kind = 'address_ban' \
                   AND lifted IS NULL AND network IS NOT NULL AND (ends IS NULL OR ends > $1)";
        let mut banned: HashMap<String, Option<i64>> = HashMap::new();
        for row in sqlx::query(sql).bind(time::now()).fetch_all(&db.pool).await? {
            let (network, ends): (String, Option<i64>) =
                (row.try_get("network")?, row.try_get("ends")?);
            let until = banned.entry(network).or_insert(ends);
            // Of several bans the longest counts; one without an end is the longest.
            *until = until.zip(ends).map(|(one, other)| one.max(other));
        }
        *lock(&self.0.banned) = banned;
        Ok(())
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

    /// Notes that an account is used from an address. Where it cannot be written (a disk may be
    /// full), the request goes on.
    pub(crate) async fn note(&self, db: &Db, user: &str, address: ClientAddress) {
        let (network, now) = (address.limit_key(), time::now());
        {
            let mut noted = lock(&self.0.noted);
            if noted.len() >= REMEMBERED {
                noted.clear();
            }
            let last = noted.entry((user.to_owned(), network.clone())).or_insert(0);
            if now - *last < NOTED_EVERY {
                return;
            }
            *last = now;
        }
        let sql = "INSERT INTO addresses (user_id, network, first, last) VALUES ($1, $2, $3, $3) \
                   ON CONFLICT (user_id, network) DO UPDATE SET last = excluded.last";
        let insert = sqlx::query(sql).bind(user).bind(network).bind(now);
        if let Err(error) = insert.execute(&db.pool).await {
            tracing::warn!(%error, "where an account is used from could not be noted");
        }
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
        let sql = "SELECT network, first, last FROM addresses WHERE user_id = $1 \
                   ORDER BY last DESC, network LIMIT 20";
        let mut seen = Vec::new();
        for row in sqlx::query(sql).bind(user).fetch_all(&db.pool).await? {
            let network: String = row.try_get("network")?;
            let banned = lock(&self.0.banned).contains_key(&network);
            seen.push(AddressSeen {
                label: self.label(db, &network).await?,
                first: row.try_get("first")?,
                last: row.try_get("last")?,
                banned,
                others: others_at(db, &network, user).await?,
                address: with_address.then_some(network),
            });
        }
        Ok(seen)
    }

    /// The network of a user that has a label.
    pub(crate) async fn network_of(
        &self,
        db: &Db,
        user: &str,
        label: &str,
    ) -> Result<String, Refusal> {
        let sql = "SELECT network FROM addresses WHERE user_id = $1";
        let networks: Vec<String> = sqlx::query_scalar(sql).bind(user).fetch_all(&db.pool).await?;
        for network in networks {
            if self.label(db, &network).await? == label {
                return Ok(network);
            }
        }
        Err(Refusal::NotFound("the user was not seen at such an address".into()))
    }
}

async fn others_at(db: &Db, network: &str, user: &str) -> Result<Vec<UserCard>, Refusal> {
    let sql = "SELECT u.id, u.name, u.guest FROM addresses a JOIN users u ON u.id = a.user_id \
               WHERE a.network = $1 AND a.user_id <> $2 AND u.deleted = 0 \
               ORDER BY a.last DESC, u.id LIMIT 20";
    let rows = sqlx::query(sql).bind(network).bind(user).fetch_all(&db.pool).await?;
    Ok(rows.iter().map(|row| card(row, "id", "name", "guest")).collect::<Result<_, _>>()?)
}

/// The server's key for labels, made when it is first needed.
async fn stored_key(db: &Db) -> Result<[u8; 32], Refusal> {
    let sql = "INSERT INTO server_keys (name, value) VALUES ('addresses', $1) \
               ON CONFLICT DO NOTHING";
    sqlx::query(sql).bind(ids::new_secret()).execute(&db.pool).await?;
    let sql = "SELECT value FROM server_keys WHERE name = 'addresses'";
    let text: String = sqlx::query_scalar(sql).fetch_one(&db.pool).await?;
    Ok(*blake3::hash(text.as_bytes()).as_bytes())
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic happens under the lock.
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
