//! Who comes from the same address: known while the process lives, and as keyed hashes only.

use crate::address::ClientAddress;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long an address is remembered.
const REMEMBERED: Duration = Duration::from_hours(24);

/// People after whom those who were not seen for long are forgotten.
const TIDY_ABOVE: usize = 10_000;

/// Where people were seen last. The key of the hashes is made at the start and never leaves the
/// process, so nobody can tell from a hash which address it was.
#[derive(Debug)]
pub struct SharedAddresses {
    key: [u8; 32],
    seen: Mutex<HashMap<String, (blake3::Hash, Instant)>>,
}

impl Default for SharedAddresses {
    fn default() -> Self {
        let mut key = [0; 32];
        getrandom::fill(&mut key).expect("the system has random bytes");
        Self { key, seen: Mutex::default() }
    }
}

impl SharedAddresses {
    /// Notes where somebody is. This machine itself says nothing about people: a proxy whose word
    /// is not trusted stands there.
    pub fn note(&self, user: &str, address: ClientAddress) {
        if is_this_machine(address.0) {
            return;
        }
        let hash = blake3::keyed_hash(&self.key, address.limit_key().as_bytes());
        let now = Instant::now();
        let mut seen = self.lock();
        if seen.len() >= TIDY_ABOVE {
            seen.retain(|_, (_, at)| now.duration_since(*at) < REMEMBERED);
        }
        seen.insert(user.to_owned(), (hash, now));
    }

    /// Whether two of these people were last seen at one address.
    #[must_use]
    pub fn share_one(&self, users: &[&str]) -> bool {
        let seen = self.lock();
        let known: Vec<(&str, blake3::Hash)> = users
            .iter()
            .filter_map(|user| seen.get(*user).map(|(hash, _)| (*user, *hash)))
            .collect();
        known.iter().enumerate().any(|(index, (one, hash))| {
            known[index + 1..].iter().any(|(other, theirs)| one != other && hash == theirs)
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (blake3::Hash, Instant)>> {
        // Nothing that can panic happens under the lock.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_this_machine(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_share_an_address_or_do_not() {
        let addresses = SharedAddresses::default();
        let at = |text: &str| ClientAddress(text.parse().unwrap());
        addresses.note("ada", at("192.0.2.1"));
        addresses.note("bob", at("192.0.2.1"));
        addresses.note("eve", at("192.0.2.2"));
        assert!(addresses.share_one(&["ada", "eve", "bob"]));
        assert!(!addresses.share_one(&["ada", "eve", "nobody"]));
        assert!(!addresses.share_one(&["ada", "ada"]), "one person is not two");
        addresses.note("bob", at("192.0.2.3"));
        assert!(!addresses.share_one(&["ada", "bob"]), "they have moved");
        addresses.note("ada", at("127.0.0.1"));
        addresses.note("bob", at("::1"));
        assert!(!addresses.share_one(&["ada", "bob"]), "an untrusted proxy tells nothing");
    }
}
