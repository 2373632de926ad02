//! Where the tables are: found by id, loaded when somebody asks, rebuilt after failures, given back to other nodes
//! when they leave memory.

use super::command::{Command, TableHandle};
use super::manager::Tables;
use super::remote::spawn_proxy;
use super::store::{self, Saved};
use super::task;
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use crate::storage::db::{Holder, LeaseState, Sharing};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex as AsyncMutex;

/// Where a table is, or is being loaded by whoever holds the lock.
pub(super) type Slot = Arc<AsyncMutex<Option<Place>>>;

/// Where a game's mailbox is.
#[derive(Debug)]
pub(super) enum Place {
    /// Its table is on this node.
    Own(TableHandle),
    /// Another node holds it.
    Elsewhere(TableHandle),
}

impl Place {
    /// The mailbox, unless it has ended.
    fn open(&self) -> Option<&TableHandle> {
        let (Self::Own(table) | Self::Elsewhere(table)) = self;
        Some(table).filter(|table| !table.is_gone())
    }

    /// The mailbox of a table on this node, unless it has ended.
    fn own(&self) -> Option<&TableHandle> {
        self.open().filter(|_| matches!(self, Self::Own(_)))
    }
}

/// How long a table that failed waits before it is rebuilt.
const REBUILD_AFTER: Duration = Duration::from_secs(1);

/// How long it waits at most before it is tried again.
const REBUILD_AT_LEAST_EVERY: Duration = Duration::from_secs(60);

impl Tables {
    /// The mailbox of a game, wherever its table is; it is loaded if it must be.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be rebuilt.
    pub async fn table(&self, id: &str) -> Result<TableHandle, Refusal> {
        self.must_serve()?;
        if id.is_empty() || id.len() > 32 || !id.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(Refusal::no_game(id));
        }
        let slot = self.slots().entry(id.to_owned()).or_default().clone();
        let mut place = slot.lock().await;
        if let Some(table) = place.as_ref().and_then(Place::open) {
            return Ok(table.clone());
        }
        let found = match self.fence().claim(self.db(), id).await {
            Ok(Holder::Me) => self.load(id).await.map(Place::Own),
            Ok(Holder::Other(node)) => Ok(Place::Elsewhere(spawn_proxy(self, id, node))),
            Ok(Holder::Nobody) => Err(Refusal::no_game(id)),
            Err(error) => Err(error.into()),
        };
        match found {
            Ok(found) => {
                let (Place::Own(table) | Place::Elsewhere(table)) = &found;
                let table = table.clone();
                *place = Some(found);
                Ok(table)
            }
            Err(refusal) => {
                drop(place);
                self.forget(id, slot);
                Err(refusal)
            }
        }
    }

    fn must_serve(&self) -> Result<(), Refusal> {
        if self.is_stopping() {
            return Err(Refusal::Unavailable("the server is stopping".to_owned()));
        }
        if self.fence().lease_state() == LeaseState::Lost {
            let why = "another server has taken the games; connect again";
            return Err(Refusal::Unavailable(why.to_owned()));
        }
        Ok(())
    }

    async fn load(&self, id: &str) -> Result<TableHandle, Refusal> {
        match store::load(self.db(), id).await? {
            Some(saved) => self.spawn(saved, false).await,
            None => Err(Refusal::no_game(id)),
        }
    }

    /// A table that is on this node and in memory now.
    pub(super) fn open_table(&self, id: &str) -> Option<TableHandle> {
        let slot = self.slots().get(id).cloned()?;
        let place = slot.try_lock().ok()?;
        place.as_ref()?.own().cloned()
    }

    /// The table of a game if this node holds it or may; it is loaded if it must be.
    ///
    /// # Errors
    /// If it cannot be rebuilt.
    pub(super) async fn own_table(&self, id: &str) -> Result<Option<TableHandle>, Refusal> {
        let table = self.table(id).await?;
        let slot = self.slots().get(id).cloned();
        let Some(slot) = slot else { return Ok(None) };
        let place = slot.lock().await;
        Ok(place.as_ref().and_then(Place::own).filter(|own| own.0.same_channel(&table.0)).cloned())
    }

    /// Opens the table of a game that was just made.
    pub(super) async fn adopt(&self, saved: Saved) -> Result<(), Refusal> {
        let slot = self.slots().entry(saved.id.clone()).or_default().clone();
        let mut place = slot.lock().await;
        if place.is_none() {
            *place = Some(Place::Own(self.spawn(saved, true).await?));
        }
        Ok(())
    }

    async fn spawn(&self, saved: Saved, new: bool) -> Result<TableHandle, Refusal> {
        struct Spawn(Tables, Saved, bool);
        impl WithGame for Spawn {
            type Out = tokio::task::JoinHandle<Result<TableHandle, Refusal>>;
            fn with<G: Hosted>(self) -> Self::Out {
                tokio::spawn(task::spawn_table::<G>(self.0, self.1, self.2))
            }
        }
        let game = saved.game.clone();
        let spawning = with_game(&game, Spawn(self.clone(), saved, new))?;
        spawning.await.map_err(|_| Refusal::Internal)?
    }

    /// A table's task has ended. One that failed is rebuilt if its game goes on; otherwise another
    /// node may have the game from now on.
    pub(super) fn ended(&self, id: &str, failed: bool) {
        metrics::counter!("bastide_tables_ended_total", "failed" => failed.to_string())
            .increment(1);
        if failed {
            tokio::spawn(self.clone().rebuild(id.to_owned()));
            return;
        }
        let slot = self.slots().get(id).cloned();
        let Some(slot) = slot else { return };
        match self.fence().sharing() {
            Sharing::Alone => self.forget(id, slot),
            Sharing::Nodes => {
                tokio::spawn(self.clone().give_back(id.to_owned(), slot));
            }
        }
    }

    /// Lets other nodes have a game whose table has ended here.
    async fn give_back(self, id: String, slot: Slot) {
        let mut place = slot.lock().await;
        // Somebody may have asked for it meanwhile; whoever does now waits for the lock.
        if place.as_ref().is_some_and(|place| place.open().is_none()) {
            if let Err(error) = self.fence().free(self.db(), &id).await {
                tracing::warn!(game = id, %error, "a game could not be given back; it stays here");
            }
            *place = None;
        }
        drop(place);
        self.forget(&id, slot);
    }

    /// Forgets where a table was that has ended, unless somebody is looking for it.
    fn forget(&self, id: &str, slot: Slot) {
        let mut slots = self.slots();
        let is_gone =
            slot.try_lock().is_ok_and(|place| place.as_ref().is_none_or(|p| p.open().is_none()));
        // Those who look for it have a clone, which they took under this lock.
        if is_gone && Arc::strong_count(&slot) == 2 {
            slots.remove(id);
        }
    }

    /// Rebuilds a table that failed. The database may be away for a while: as long as the game is
    /// not known to be over, it is tried again.
    async fn rebuild(self, id: String) {
        let mut wait = REBUILD_AFTER;
        loop {
            tokio::time::sleep(wait).await;
            if self.is_stopping() {
                return;
            }
            let Err(refusal) = self.table(&id).await else { return };
            tracing::error!(game = id, %refusal, "a game could not be rebuilt");
            if store::games::is_over(self.db(), &id).await == Some(true) {
                return;
            }
            wait = (wait * 2).min(REBUILD_AT_LEAST_EVERY);
        }
    }

    /// Tells a table something if it is in memory; one that is not reads it when it comes back.
    pub(super) async fn tell_if_open(&self, id: &str, command: Command) {
        let slot = self.slots().get(id).cloned();
        let Some(slot) = slot else { return };
        let table = slot.lock().await.as_ref().and_then(Place::open).cloned();
        if let Some(table) = table {
            // One that has just ended reads it too.
            let _ = table.send(command).await;
        }
    }

    /// Whether a table is in memory, or is being loaded.
    pub(super) fn is_open(&self, id: &str) -> bool {
        self.slots().contains_key(id)
    }

    /// How many tables are in memory.
    #[must_use]
    pub fn open_tables(&self) -> usize {
        self.slots().len()
    }

    /// The tables on this node.
    pub(super) async fn own_tables(&self) -> Vec<TableHandle> {
        let slots: Vec<Slot> = self.slots().values().cloned().collect();
        let mut tables = Vec::new();
        for slot in slots {
            tables.extend(slot.lock().await.as_ref().and_then(Place::own).cloned());
        }
        tables
    }

    /// All mailboxes, which nobody finds any more.
    pub(super) async fn take_all_tables(&self) -> Vec<TableHandle> {
        let slots: Vec<Slot> = self.slots().values().cloned().collect();
        let mut tables = Vec::new();
        for slot in slots {
            tables.extend(slot.lock().await.take().and_then(|place| place.open().cloned()));
        }
        tables
    }
}
