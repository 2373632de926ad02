//! All tables: found by id, loaded when somebody asks, rebuilt at the start and after failures.

use super::blocks::Blocks;
use super::bot_games::BotPlaces;
use super::command::{Action, Answer, Command, Outgoing, Reply, TableHandle, ViewOf};
use super::lobby::Listings;
use super::mutes::Mutes;
use super::remote::{self, Proxies, Visitors, spawn_proxy};
use super::store::lists::GameFilter;
use super::store::{self, Saved};
use super::streams::Streams;
use super::task;
use super::timeouts::Timeouts;
use crate::bus::{Exchange, NodeId};
use crate::config::TableSettings;
use crate::engine::bot_pool::BotPool;
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use crate::people::accounts::Requester;
use crate::people::fairplay::SharedAddresses;
use crate::play::journal::{Annulment, Change, Journal};
use crate::storage::db::{Db, Fence, Holder, LeaseState, Sharing};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc, oneshot, watch};

/// All tables; cheap to clone.
#[derive(Clone)]
pub struct Tables(Arc<Inner>);

/// All tables, for those who must not keep them: what listens to other nodes is itself kept by them.
#[derive(Clone)]
pub(super) struct WeakTables(Weak<Inner>);

impl WeakTables {
    /// The tables, if the server still has them.
    pub(super) fn upgrade(&self) -> Option<Tables> {
        self.0.upgrade().map(Tables)
    }
}

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
    exchange: Exchange,
    proxies: Proxies,
    visitors: Visitors,
    /// Told when there may be games that no node holds.
    to_take: Notify,
    started: i64,
    stopping: AtomicBool,
}

/// Where a table is, or is being loaded by whoever holds the lock.
type Slot = Arc<AsyncMutex<Option<Place>>>;

/// Where a game's mailbox is.
#[derive(Debug)]
enum Place {
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

/// Invitations that are declined at once when their user goes.
const MOST_DECLINED: usize = 1000;

/// How often a table is looked for that ends while it is asked.
const ATTEMPTS: usize = 3;

/// What nodes tell each other: a user's id and new name.
const RENAMED: &str = "user.renamed";

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
    pub async fn start(
        db: Db,
        fence: Fence,
        exchange: Exchange,
        settings: TableSettings,
    ) -> Result<Self, sqlx::Error> {
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
            streams: Streams::new(&exchange),
            listings: Listings::default(),
            addresses: SharedAddresses::default(),
            exchange,
            proxies: Proxies::default(),
            visitors: Visitors::default(),
            to_take: Notify::new(),
            started: crate::time::now(),
            stopping: AtomicBool::new(false),
        }));
        tables.listen();
        let awake = store::games::awake(tables.db()).await?;
        tokio::spawn(tables.clone().keep_waking(awake));
        Ok(tables)
    }

    /// Hears from other nodes.
    fn listen(&self) {
        remote::listen(self);
        let (exchange, tables) = (self.exchange(), self.downgrade());
        self.mutes().listen(exchange);
        self.blocks().listen(exchange);
        self.timeouts().listen(exchange, self.db());
        self.listings().exchange(exchange);
        self.listen_to_streams();
        self.listen_to_help();
        exchange.on_news(RENAMED, move |_, (user, name): (String, String)| {
            let Some(tables) = tables.upgrade() else { return };
            tokio::spawn(async move { tables.renamed_here(&user, &name).await });
        });
    }

    pub(super) fn downgrade(&self) -> WeakTables {
        WeakTables(Arc::downgrade(&self.0))
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
        let found = match self.0.fence.claim(&self.0.db, id).await {
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
        if self.0.stopping.load(Ordering::Acquire) {
            return Err(Refusal::Unavailable("the server is stopping".to_owned()));
        }
        if self.0.fence.lease_state() == LeaseState::Lost {
            let why = "another server has taken the games; connect again";
            return Err(Refusal::Unavailable(why.to_owned()));
        }
        Ok(())
    }

    async fn load(&self, id: &str) -> Result<TableHandle, Refusal> {
        match store::load(&self.0.db, id).await? {
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
        match self.0.fence.sharing() {
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
            if let Err(error) = self.0.fence.free(&self.0.db, &id).await {
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
        let table = slot.lock().await.as_ref().and_then(Place::open).cloned();
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
        self.exchange().publish(RENAMED, &(user, name));
        self.renamed_here(user, name).await;
    }

    async fn renamed_here(&self, user: &str, name: &str) {
        let slots: Vec<Slot> = self.slots().values().cloned().collect();
        for slot in slots {
            let table = slot.lock().await.as_ref().and_then(Place::own).cloned();
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
            tables.extend(slot.lock().await.take().and_then(|place| place.open().cloned()));
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

    /// What is heard from other nodes, and where they are told.
    pub(crate) fn exchange(&self) -> &Exchange {
        &self.0.exchange
    }

    /// Hears which nodes share the database, whenever that changes.
    #[must_use]
    pub fn members(&self) -> watch::Receiver<Arc<[NodeId]>> {
        self.exchange().watch_members()
    }

    /// Lets this node look at once for games that no node holds.
    pub(crate) fn take_up_games(&self) {
        self.0.to_take.notify_one();
    }

    pub(super) fn games_to_take(&self) -> &Notify {
        &self.0.to_take
    }

    /// The mailboxes of games that other nodes hold.
    pub(super) fn proxies(&self) -> &Proxies {
        &self.0.proxies
    }

    /// Those on other nodes who watch tables of this one.
    pub(super) fn visitors(&self) -> &Visitors {
        &self.0.visitors
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
