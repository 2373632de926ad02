//! The running server, from its start to its graceful end, and what it does beside requests.

mod nodes;

use crate::app::{App, Shared};
#[cfg(feature = "nats")]
use crate::bus::NatsBus;
use crate::bus::{Arrived, Bus, BusError, Exchange, WorkBus};
use crate::config::{BusChoice, Config};
use crate::edge::{accept, http};
use crate::engine::threads::Analysts;
use crate::engine::work::{WorkQueue, WorkThreads, hand_to_workers};
use crate::limits::Limits;
use crate::limits::connections::Connections;
use crate::page::Page;
use crate::people::accounts::{self, Changes, Passwords};
use crate::people::moderation::{AccountAddresses, sanctions};
use crate::people::ratings;
use crate::people::statistics::SiteNumbers;
use crate::play::seekers::Seekers;
use crate::play::table::Tables;
use crate::puzzles::Puzzles;
use crate::reviews::Reviews;
use crate::staff::{moderate, orders};
use crate::storage::db::{
    Db, Fence, LeaseState, OpenError, Ownership, Probe, Sharing, exposure_warnings, private_folder,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::{Instant, timeout};

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder could not be made.
    #[error("the data folder {0} could not be made: {1}")]
    Folder(PathBuf, std::io::Error),
    /// The page could not be read.
    #[error("the page could not be read: {0}")]
    Page(std::io::Error),
    /// The database could not be opened.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The bus could not be reached.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// Nodes need a database that they can all reach.
    #[error("servers that share a database with --bus need PostgreSQL: --database postgres://…")]
    NodesOnAFile,
    /// It was built without what it would need.
    #[cfg(not(feature = "nats"))]
    #[error("this program was built without NATS; build it with the feature 'nats' for --bus")]
    NoNats,
    /// The games that are not over could not be read.
    #[error("the games that are not over could not be read: {0}")]
    Games(sqlx::Error),
}

/// What connects a server with others: what it hears of them, what arrives from now on, and where workers are. A
/// server that is alone hears nothing, and works by itself.
struct Joined {
    exchange: Exchange,
    messages: Option<mpsc::Receiver<Arrived>>,
    workers: Option<WorkBus>,
}

async fn join_nodes(bus: Option<&BusChoice>, fence: &Fence) -> Result<Joined, StartError> {
    let (bus, workers): (Arc<dyn Bus>, WorkBus) = match bus {
        None => {
            let exchange = Exchange::alone(fence.epoch());
            return Ok(Joined { exchange, messages: None, workers: None });
        }
        Some(BusChoice::Local(bus)) => (Arc::new(bus.clone()), bus.work()),
        #[cfg(feature = "nats")]
        Some(BusChoice::Nats(url)) => {
            let bus = NatsBus::connect(&url.0, fence.cluster()).await?;
            let workers = bus.work();
            (Arc::new(bus), workers)
        }
        #[cfg(not(feature = "nats"))]
        Some(BusChoice::Nats(_)) => return Err(StartError::NoNats),
    };
    let (exchange, messages) = Exchange::join(bus, fence.epoch()).await?;
    Ok(Joined { exchange, messages: Some(messages), workers: Some(workers) })
}

impl App {
    /// Opens the database and starts what runs beside requests.
    ///
    /// # Errors
    /// If the data folder or the database cannot be opened.
    pub async fn open(config: Config) -> Result<Self, StartError> {
        crate::metrics::recorder();
        let page = Page::load(config.page.as_deref()).map_err(StartError::Page)?;
        private_folder(&config.data)
            .map_err(|error| StartError::Folder(config.data.clone(), error))?;
        let url = config.database_url();
        let sharing = match &config.bus {
            None => Sharing::Alone,
            Some(BusChoice::Nats(_)) if url.starts_with("sqlite:") => {
                return Err(StartError::NodesOnAFile);
            }
            Some(_) => Sharing::Nodes,
        };
        for warning in exposure_warnings(&url) {
            tracing::warn!("{warning}");
        }
        let own = Ownership::take(&url, sharing).await?;
        let db = Db::open_for(&url, config.database_connections, sharing).await?;
        db.check_writable(&url).await?;
        ratings::hold_bots(&db).await.map_err(StartError::Games)?;
        let mut settings = config.tables;
        if !config.limits {
            settings.bot_games_per_user = usize::MAX;
            settings.bot_games_per_address = usize::MAX;
        }
        let fence = Fence::raise(&db, sharing).await.map_err(StartError::Games)?;
        let Joined { exchange, messages, workers } =
            join_nodes(config.bus.as_ref(), &fence).await?;
        let work = WorkQueue::start(WorkThreads {
            bots: config.bot_threads,
            analyses: config.analysis_threads,
            reviews: config.review_threads,
            mining: 0,
        });
        if let Some(workers) = workers {
            hand_to_workers(&work, workers).await?;
        }
        let (node, queue) = (exchange.clone(), work.clone());
        let tables = Tables::start(db.clone(), fence.clone(), node, queue, settings);
        let tables = tables.await.map_err(StartError::Games)?;
        let addresses = AccountAddresses::load(&db).await.map_err(StartError::Games)?;
        addresses.listen(&db, &exchange);
        let app = Self(Arc::new(Shared {
            addresses,
            limits: Limits::new(config.limits, &exchange),
            connections: Connections::over_nodes(
                if config.limits { config.connections_per_address } else { usize::MAX },
                &exchange,
            ),
            site_numbers: SiteNumbers::default(),
            passwords: Passwords::new(config.password_threads, config.password_cost),
            changes: Changes::new(&exchange),
            analysts: Analysts::new(config.analysis_threads),
            attempts: Analysts::new(config.analysis_threads),
            reviews: Reviews::new(db.clone(), work.clone(), &exchange),
            work,
            puzzles: Puzzles::new(db.clone(), config.shipped_puzzles),
            config,
            db,
            fence,
            tables,
            probe: Probe::new(&url),
            seekers: Seekers::default(),
            page,
            stopping: watch::Sender::new(false),
            own: Mutex::new(Some(own)),
            place: Mutex::new(None),
        }));
        if let Some(messages) = messages {
            tokio::spawn(exchange.deliver(messages));
            *app.place.lock().await = Some(tokio::spawn(nodes::keep_place(app.clone())));
        }
        http::seek::listen(&app);
        tokio::spawn(tidy_up(app.clone()));
        tokio::spawn(keep_ownership(app.clone()));
        tokio::spawn(end_bans(app.clone()));
        tokio::spawn(orders::carry_out(app.clone()));
        Ok(app)
    }

    /// Serves requests until the server is stopped and all that were begun are answered; then
    /// writes what is left and closes the database.
    ///
    /// # Errors
    /// If the system refuses to accept connections, or another server has taken the database.
    pub async fn serve(self, listener: TcpListener) -> std::io::Result<()> {
        tokio::select! {
            () = accept::serve(&self, listener) => {}
            // A client that never finishes its request does not keep the server alive.
            () = async { self.stopped().await; tokio::time::sleep(PATIENCE).await } => {}
        }
        self.close().await;
        match self.fence.lease_state() {
            LeaseState::Lost => Err(std::io::Error::other(
                "another server has taken the database; this one has stopped",
            )),
            LeaseState::Held | LeaseState::Seeking => Ok(()),
        }
    }

    async fn close(&self) {
        self.tables.stop().await;
        if let Some(place) = self.place.lock().await.take() {
            place.abort();
            nodes::leave(self).await;
        }
        // Best effort: a note that is missing makes the time without a server look longer.
        let _ = timeout(PATIENCE, self.fence.note_alive(&self.db)).await;
        self.db.pool.close().await;
        if let Some(own) = self.own.lock().await.take() {
            own.release().await;
        }
    }
}

/// How long requests that were begun may take once the server is stopping.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often what is old is removed.
const TIDY_EVERY: Duration = Duration::from_secs(600);

async fn tidy_up(app: App) {
    while !app.is_stopping() {
        app.limits.tidy();
        if let Err(error) = accounts::remove_old(&app.db, app.config.session_days).await {
            tracing::error!(%error, "old sessions could not be removed");
        }
        if let Err(refusal) = moderate::tidy(&app).await {
            tracing::error!(%refusal, "old reports could not be removed");
        }
        tokio::select! {
            () = tokio::time::sleep(TIDY_EVERY) => {}
            () = app.stopped() => {}
        }
    }
}

/// How often it is looked whether the database is still this server's own.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Notices when the database is no longer this server's own: a lock that ended is taken again, and
/// if another server has the database, this one stops.
async fn keep_ownership(app: App) {
    let mut noted = Instant::now();
    while !app.is_stopping() {
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = app.fence.lost() => return app.stop(),
            () = app.stopped() => return,
        }
        if let Some(own) = app.own.lock().await.as_mut() {
            own.look_after(&app.db, &app.fence).await;
        }
        if noted.elapsed() >= Fence::note_every() {
            noted = Instant::now();
            // The database may be away for a while.
            let _ = timeout(PATIENCE, app.fence.note_alive(&app.db)).await;
        }
    }
}

/// How often it is looked for bans that are over.
const BANS_EVERY: Duration = Duration::from_secs(5);

/// Lets people in again when their bans are over, until the server stops.
async fn end_bans(app: App) {
    while !app.is_stopping() {
        if let Err(refusal) = sanctions::end_bans(&app.db).await {
            tracing::error!(%refusal, "bans that are over could not be ended");
        }
        tokio::select! {
            () = tokio::time::sleep(BANS_EVERY) => {}
            () = app.stopped() => {}
        }
    }
}
