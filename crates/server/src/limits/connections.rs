//! How many sockets, streams and waiting polls one address may keep open: everything else ends by
//! itself.

use crate::address::ClientAddress;
use crate::error::Refusal;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The open connections by address; cheap to clone.
#[derive(Clone, Debug)]
pub struct Connections {
    open: Arc<Mutex<HashMap<String, usize>>>,
    most: usize,
}

/// One open connection; given back when it is dropped.
#[derive(Debug)]
pub struct Open {
    connections: Connections,
    key: String,
}

impl Connections {
    /// So many for each address.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { open: Arc::default(), most }
    }

    /// Opens one more.
    ///
    /// # Errors
    /// If the address has as many as it may.
    pub fn open(&self, address: ClientAddress) -> Result<Open, Refusal> {
        let key = address.limit_key();
        let mut open = self.lock();
        let count = open.entry(key.clone()).or_default();
        if *count >= self.most {
            return Err(Refusal::TooMany { what: "open connections".into(), seconds: 60 });
        }
        *count += 1;
        drop(open);
        Ok(Open { connections: self.clone(), key })
    }

    /// How many are open in all.
    #[must_use]
    pub fn held(&self) -> usize {
        self.lock().values().sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        // Nothing that can panic happens under the lock.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        if let Some(count) = open.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_so_many_open_and_no_more() {
        let connections = Connections::new(2);
        let address = |n: u8| ClientAddress([192, 0, 2, n].into());
        let first = connections.open(address(1)).unwrap();
        let _second = connections.open(address(1)).unwrap();
        assert!(matches!(connections.open(address(1)), Err(Refusal::TooMany { .. })));
        let other = connections.open(address(2)).unwrap();
        drop(first);
        connections.open(address(1)).unwrap();
        drop(other);
        assert_eq!(connections.lock().len(), 1, "who has none is forgotten");
    }
}
