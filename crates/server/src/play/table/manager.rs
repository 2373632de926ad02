//! All tables: found by id, loaded when somebody asks, rebuilt at the start and after failures.

use super::blocks::Blocks;
use super::bot_games::BotPlaces;
use super::command::{Action, Answer, Command, Outgoing, Reply, TableHandle, ViewOf};
use super::lobby::Listings;
use super::mutes::Mutes;
use super::store::lists::GameFilter;
use super::store::{self, Saved};
use super::streams::Streams;
use super::task;
use super::timeouts::Timeouts;
use crate::config::TableSettings;
use crate::engine::bot_pool::BotPool;
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use crate::people::accounts::Requester;
use crate::people::fairplay::SharedAddresses;
use crate::play::journal::{Annulment, Change, Journal};
use crate::storage::db::{Db, Fence, LeaseState};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};

/// All tables; cheap to clone.
#[derive(Clone)]
pub struct Tables(Arc<Inner>);

struct Inner {
    db: Db,
    journal: Journal,
    fence: Fence,
    bots: BotPool,
    bot_places: BotPlaces,
    settings: TableSettings,
    slots: Mutex<HashMap<String, Slot>>,
    streams: Streams,
    mutes: Mutes,
    blocks: Blocks,
    timeouts: Timeouts,
    listings: Listings,
    addresses: SharedAddresses,
    started: i64,
    stopping: AtomicBool,
}

/// Where a table is, or is being loaded by whoever holds the lock.
type Slot = Arc<AsyncMutex<Option<TableHandle>>>;

/// How long a table that failed waits before it is rebuilt.
const REBUILD_AFTER: Duration = Duration::from_secs(1);

/// How long it waits at most before it is tried again.
const REBUILD_AT_LEAST_EVERY: Duration = Duration::from_secs(60);

/// Invitations that are declined at once when their user goes.
const MOST_DECLINED: usize = 1000;

/// How often a table is looked for that ends while it is asked.
const ATTEMPTS: usize = 3;

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("open", &self.slots().len()).finish_non_exhaustive()
    }
}

impl Tables {
    /// Starts the writer and the bots. Games that were in memory when the last server ended are
    /// loaded beside what is asked for; those that sleep are woken when their time has come.
    ///
    /// # Errors
    /// If the database does not answer. A game that cannot be rebuilt is left aside, with a line
    /// in the log.
    pub async fn start(db: Db, fence: Fence, settings: TableSettings) -> Result<Self, sqlx::Error> {
        let tables = Self(Arc::new(Inner {
            journal: Journal::start(db.clone(), fence.clone()),
            fence,
            bots: BotPool::start(settings.bot_threads),
            bot_places: BotPlaces::default(),
            mutes: Mutes::load(&db).await?,
            blocks: Blocks::load(&db).await?,
            timeouts: Timeouts::load(&db).await?,
            db,
            settings,
            slots: Mutex::default(),
            streams: Streams::default(),
            listings: Listings::default(),
            addresses: SharedAddresses::default(),
            started: crate::time::now(),
            stopping: AtomicBool::new(false),
        }));
        let awake = store::games::awake(tables.db()).await?;
        tokio::spawn(tables.clone().keep_waking(awake));
        Ok(tables)
    }

    /// Does something at a table for somebody.
    ///
    /// # Errors
    /// If it is not allowed; nothing was changed.
    pub async fn act(
        &self,
        game: &str,
        who: &Requester,
        id: Option<u64>,
        action: Action,
    ) -> Result<Reply, Refusal> {
        let begun = Instant::now();
        let done = self.ask(game, |answer| {
            let (who, action) = (who.clone(), action.clone());
            Command::Act { who, id, action, answer }
        });
        let reply = done.await?;
        // The table answers when the move is stored and every watcher's queue has the update.
        if reply.played.is_some() {
            metrics::histogram!("bastide_move_seconds").record(begun.elapsed().as_secs_f64());
        }
        Ok(reply)
    }

    /// Lets somebody watch a table; gives the table and the number of the connection.
    ///
    /// # Errors
    /// If there is no such game, or they may not see it.
    pub async fn watch(
        &self,
        game: &str,
        who: Option<&Requester>,
        from: Option<u64>,
        quiet: bool,
        queue: &mpsc::Sender<Outgoing>,
    ) -> Result<(TableHandle, u64), Refusal> {
        let connection = self
            .ask(game, |answer| Command::Watch {
                who: who.cloned(),
                from,
                quiet,
                queue: queue.clone(),
                answer,
            })
            .await?;
        Ok((self.table(game).await?, connection))
    }

    /// What somebody sees of a game, as JSON.
    ///
    /// # Errors
    /// If there is no such game, or they may not see it.
    pub async fn look(
        &self,
        game: &str,
        who: Option<&Requester>,
        view: ViewOf,
    ) -> Result<String, Refusal> {
        self.ask(game, |answer| Command::Look { who: who.cloned(), view, answer }).await
    }

    /// Calls a game off, whoever plays it and however far it is.
    ///
    /// # Errors
    /// If there is no such game, it is over, or it cannot be rebuilt.
    pub async fn call_off(&self, game: &str) -> Result<(), Refusal> {
        self.ask(game, |answer| Command::CallOff { answer }).await
    }

    /// Takes the rating of a game back, by the one task that settles ratings, and lets its table
    /// show it.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) async fn annul(&self, game: &str, annulment: Annulment) -> Result<(), Refusal> {
        let change = Change { annul: Some(annulment), ..Change::default() };
        let written = self.journal().write(change).await;
        written.map_err(|_| Refusal::Unavailable("it could not be stored; try again".into()))?;
        // A table that cannot be reached reads the ratings when it is loaded.
        let _ = self.tell_table(game, Command::RatingsChanged).await;
        Ok(())
    }

    /// The table of a game, loaded if it must be.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be rebuilt.
    pub async fn table(&self, id: &str) -> Result<TableHandle, Refusal> {
        if self.0.stopping.load(Ordering::Acquire) {
            return Err(Refusal::Unavailable("the server is stopping".to_owned()));
        }
        if self.0.fence.lease_state() == LeaseState::Lost {
            let why = "another server has taken the games; connect again";
            return Err(Refusal::Unavailable(why.to_owned()));
        }
        let missing = || Refusal::no_game(id);
        if id.is_empty() || id.len() > 32 || !id.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(missing());
        }
        let slot = self.slots().entry(id.to_owned()).or_default().clone();
        let mut place = slot.lock().await;
        if let Some(table) = place.as_ref().filter(|table| !table.is_gone()) {
            return Ok(table.clone());
        }
        let loaded = match store::load(&self.0.db, id).await {
            Ok(Some(saved)) => self.spawn(saved, false).await,
            Ok(None) => Err(missing()),
            Err(refusal) => Err(refusal),
        };
        match loaded {
            Ok(table) => {
                *place = Some(table.clone());
                Ok(table)
            }
            Err(refusal) => {
                self.slots().remove(id);
                Err(refusal)
            }
        }
    }

    /// Opens the table of a game that was just made.
    pub(super) async fn adopt(&self, saved: Saved) -> Result<(), Refusal> {
        let slot = self.slots().entry(saved.id.clone()).or_default().clone();
        let mut place = slot.lock().await;
        if place.is_none() {
            *place = Some(self.spawn(saved, true).await?);
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

    /// A table's task has ended. One that failed is rebuilt if its game goes on.
    pub(super) fn ended(&self, id: &str, failed: bool) {
        metrics::counter!("bastide_tables_ended_total", "failed" => failed.to_string())
            .increment(1);
        if failed {
            tokio::spawn(self.clone().rebuild(id.to_owned()));
            return;
        }
        let mut slots = self.slots();
        let is_gone = |slot: &Slot| {
            slot.try_lock().is_ok_and(|place| place.as_ref().is_none_or(TableHandle::is_gone))
        };
        if slots.get(id).is_some_and(is_gone) {
            slots.remove(id);
        }
    }

    /// Rebuilds a table that failed. The database may be away for a while: as long as the game is
    /// not known to be over, it is tried again.
    async fn rebuild(self, id: String) {
        let mut wait = REBUILD_AFTER;
        loop {
            tokio::time::sleep(wait).await;
            if self.0.stopping.load(Ordering::Acquire) {
                return;
            }
            let Err(refusal) = self.table(&id).await else { return };
            tracing::error!(game = id, %refusal, "a game could not be rebuilt");
            if store::games::is_over(&self.0.db, &id).await == Some(true) {
                return;
            }
            wait = (wait * 2).min(REBUILD_AT_LEAST_EVERY);
        }
    }

    /// Tells a table something if it is in memory; one that is not reads it when it comes back.
    pub(super) async fn tell_if_open(&self, id: &str, command: Command) {
        let slot = self.slots().get(id).cloned();
        let Some(slot) = slot else { return };
        let table = slot.lock().await.clone();
        if let Some(table) = table {
            // One that has just ended reads it too.
            let _ = table.send(command).await;
        }
    }

    /// Tells a table something that needs no answer.
    pub(super) async fn tell_table(&self, id: &str, command: Command) -> Result<(), Refusal> {
        let gone = Refusal::Unavailable("the table has ended".to_owned());
        self.table(id).await?.send(command).await.map_err(|_| gone)
    }

    pub(super) async fn ask<T>(
        &self,
        game: &str,
        command: impl Fn(Answer<T>) -> Command,
    ) -> Result<T, Refusal> {
        for _ in 0..ATTEMPTS {
            let table = self.table(game).await?;
            let (answer, answered) = oneshot::channel();
            if table.send(command(answer)).await.is_ok() {
                return answered.await.unwrap_or_else(|_| {
                    Err(Refusal::Unavailable(
                        "the table was interrupted; look where the game stands".to_owned(),
                    ))
                });
            }
        }
        Err(Refusal::Unavailable("the table cannot be reached; try again".to_owned()))
    }

    /// A user has another name: every table that shows it is told.
    pub async fn renamed(&self, user: &str, name: &str) {
        let slots: Vec<Slot> = self.slots().values().cloned().collect();
        for slot in slots {
            let table = slot.lock().await.clone();
            if let Some(table) = table {
                let (user, name) = (user.to_owned(), name.to_owned());
                // One that has ended reads the name when it comes back.
                let _ = table.send(Command::Renamed { user, name }).await;
            }
        }
    }

    /// Declines what a user is invited to.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub async fn decline_all(&self, who: &Requester) -> Result<(), Refusal> {
        let inviting = GameFilter::Inviting(who.user.clone());
        for game in inviting.first(self.db(), MOST_DECLINED).await? {
            match self.act(&game, who, None, Action::Leave).await {
                // The game has begun or ended meanwhile.
                Ok(_) | Err(Refusal::Conflict(_) | Refusal::Forbidden(_)) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(())
    }

    /// Ends all tables: watchers are told, what is being written is finished.
    pub async fn stop(&self) {
        self.0.stopping.store(true, Ordering::Release);
        let slots: Vec<Slot> = self.slots().values().cloned().collect();
        let mut tables = Vec::new();
        for slot in slots {
            tables.extend(slot.lock().await.take());
        }
        for table in &tables {
            // One that is gone needs no word.
            let _ = table.send(Command::Stop).await;
        }
        for table in &tables {
            table.0.closed().await;
        }
    }

    /// How many tables are in memory.
    #[must_use]
    pub fn open_tables(&self) -> usize {
        self.slots().len()
    }

    /// How many changes of games wait to be written.
    #[must_use]
    pub fn changes_waiting(&self) -> usize {
        self.0.journal.waiting()
    }

    /// The time now without that in which no server ran, in milliseconds.
    pub(super) fn served_time(&self) -> i64 {
        self.0.fence.served_time()
    }

    pub(super) fn fence(&self) -> &Fence {
        &self.0.fence
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Acquire)
    }

    pub(super) fn db(&self) -> &Db {
        &self.0.db
    }

    /// Where changes of games are written.
    pub(crate) fn journal(&self) -> &Journal {
        &self.0.journal
    }

    /// Whether a table is in memory, or is being loaded.
    pub(super) fn is_open(&self, id: &str) -> bool {
        self.slots().contains_key(id)
    }

    pub(crate) fn bot_pool(&self) -> &BotPool {
        &self.0.bots
    }

    pub(super) fn bot_places(&self) -> &BotPlaces {
        &self.0.bot_places
    }

    pub(super) fn settings(&self) -> &TableSettings {
        &self.0.settings
    }

    pub(super) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    pub(super) fn mutes(&self) -> &Mutes {
        &self.0.mutes
    }

    pub(super) fn blocks(&self) -> &Blocks {
        &self.0.blocks
    }

    /// Whether a reader does not see what a speaker says: they muted them, or one has blocked the
    /// other.
    pub(super) fn hides(&self, reader: &str, speaker: &str) -> bool {
        self.mutes().hides(reader, speaker) || self.blocks().between(reader, speaker)
    }

    pub(super) fn timeouts(&self) -> &Timeouts {
        &self.0.timeouts
    }

    pub(super) fn listings(&self) -> &Listings {
        &self.0.listings
    }

    /// Where people were seen last.
    #[must_use]
    pub fn addresses(&self) -> &SharedAddresses {
        &self.0.addresses
    }

    /// When the server was started, in Unix milliseconds.
    pub(super) fn started(&self) -> i64 {
        self.0.started
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        // Nothing that can panic happens under the lock.
        self.0.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
