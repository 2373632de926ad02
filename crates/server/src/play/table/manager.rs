//! All tables, and what is done at them.

use super::blocks::Blocks;
use super::bot_games::BotPlaces;
use super::command::{Action, Answer, Command, Outgoing, Reply, TableHandle, ViewOf};
use super::lobby::Listings;
use super::mutes::Mutes;
use super::places::Slot;
use super::remote::{self, Proxies, Visitors};
use super::store::{self, lists::GameFilter};
use super::streams::Streams;
use super::timeouts::Timeouts;
use crate::bus::{Exchange, NodeId};
use crate::config::TableSettings;
use crate::engine::work::WorkQueue;
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::people::fairplay::SharedAddresses;
use crate::play::journal::{Annulment, Change, Journal};
use crate::storage::db::{Db, Fence};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use tokio::sync::{Notify, mpsc, oneshot, watch};

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
    work: WorkQueue,
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
    /// Starts the writer. Games that were in memory when the last server ended are
    /// loaded beside what is asked for; those that sleep are woken when their time has come.
    ///
    /// # Errors
    /// If the database does not answer. A game that cannot be rebuilt is left aside, with a line
    /// in the log.
    pub async fn start(
        db: Db,
        fence: Fence,
        exchange: Exchange,
        work: WorkQueue,
        settings: TableSettings,
    ) -> Result<Self, sqlx::Error> {
        let tables = Self(Arc::new(Inner {
            journal: Journal::start(db.clone(), fence.clone()),
            fence,
            work,
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
        for table in self.own_tables().await {
            let (user, name) = (user.to_owned(), name.to_owned());
            // One that has ended reads the name when it comes back.
            let _ = table.send(Command::Renamed { user, name }).await;
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
        let tables = self.take_all_tables().await;
        for table in &tables {
            // One that is gone needs no word.
            let _ = table.send(Command::Stop).await;
        }
        for table in &tables {
            table.0.closed().await;
        }
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

    pub(crate) fn work(&self) -> &WorkQueue {
        &self.0.work
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

    pub(super) fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        // Nothing that can panic happens under the lock.
        self.0.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
