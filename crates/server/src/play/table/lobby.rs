//! What is going on. Rows tell which games there are; of those that are in memory, their tables
//! tell how they stand.

use super::help::Guarded;
use super::manager::Tables;
use super::store::lists::{Cursor, GameFilter};
use crate::bus::{Exchange, NodeId};
use crate::error::Refusal;
use crate::time;
use crate::wire::{GameInfo, GameSummary, Lobby, MyGames, Occupant, SeatInfo, Status, Visibility};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;

/// The games that are in memory and not over, and the public list of those that wait as it was last
/// read.
#[derive(Clone, Debug, Default)]
pub(super) struct Listings(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    open: Mutex<HashMap<String, Listing>>,
    /// Raised when a list may have other games, or a game sleeps.
    changes: AtomicU64,
    /// Held by whoever reads the lists anew; others wait for what they get.
    public: AsyncMutex<Option<Arc<Public>>>,
    /// What other nodes show of their games.
    elsewhere: Mutex<HashMap<NodeId, Showcase>>,
}

/// What a node shows of its games to others: those that lists have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Showcase {
    waiting: Vec<GameSummary>,
    playing: Vec<GameSummary>,
    /// How many are being played, of which the newest are shown.
    games: usize,
}

/// What nodes tell each other: their games as lists show them.
const SHOWCASE: &str = "lobby";

/// How often a node tells others what it shows, if that has changed.
const SHOW_EVERY: Duration = Duration::from_secs(1);

/// What everybody sees, as it was read.
#[derive(Debug)]
struct Public {
    waiting: Vec<GameSummary>,
    host_ratings: BTreeMap<String, i32>,
    /// The changes that it knows of.
    changes: u64,
    at: Instant,
}

/// A game in memory that is not over.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    /// What lists show.
    pub(super) summary: Arc<GameSummary>,
    /// Where it stands, if the engine must not help there.
    pub(super) guarded: Option<Arc<Guarded>>,
    /// When it began or a turn was last played, Unix milliseconds.
    pub(super) moved: i64,
}

/// How many games a public list has.
const LISTED: usize = 100;

/// How many games of one's own a page has, and how many invitations are listed.
const MINE: usize = 50;

/// The least time from one reading of the public lists to the next: many who ask share one.
const READ_AGAIN: Duration = Duration::from_millis(100);

/// The lists are read anew after so long even if nothing is known to have changed.
const OLDEST: Duration = Duration::from_secs(5);

/// How long a game that everybody has left still counts as being played.
const LIVELY: i64 = 5 * 60 * 1000;

impl Listings {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Listing>> {
        // Nothing that can panic happens under the lock.
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are in memory.
    pub(super) fn all(&self) -> Vec<Listing> {
        self.lock().values().cloned().collect()
    }

    /// The ids of the games in memory in which a user sits, or is wanted.
    pub(super) fn open_games_of(&self, user: &str) -> Vec<String> {
        let games = self.lock();
        let mine = games.values().filter(|listing| listing.sits(user) || listing.invites(user));
        mine.map(|listing| listing.summary.info.id.clone()).collect()
    }

    /// Shows a game that is not over as it is now.
    pub(super) fn publish(&self, summary: GameSummary, guarded: Option<Guarded>) {
        let (summary, guarded) = (Arc::new(summary), guarded.map(Arc::new));
        let info = &summary.info;
        let moved = match self.lock().get(&info.id) {
            Some(before) if before.stands_as(&summary) => before.moved,
            Some(_) => time::now(),
            // Read from the database: when it was played last is not known, when it began is.
            None => info.started.unwrap_or(info.created),
        };
        self.show(&info.id.clone(), Listing { summary, guarded, moved });
    }

    fn show(&self, id: &str, listing: Listing) {
        let who = |listing: &Listing| -> (Status, Vec<Occupant>) {
            let info = &listing.summary.info;
            (info.status, info.seats.iter().map(|seat| seat.sitter.clone()).collect())
        };
        let now = who(&listing);
        let before = self.lock().insert(id.to_owned(), listing);
        if before.is_none_or(|before| who(&before) != now) {
            self.note_change();
        }
    }

    /// A game is over, or sleeps.
    pub(super) fn forget(&self, id: &str) {
        if self.lock().remove(id).is_some() {
            self.note_change();
        }
    }

    fn note_change(&self) {
        self.0.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Games as their tables show them now, where they are in memory.
    fn as_now(&self, games: &[GameSummary]) -> Vec<GameSummary> {
        let (open, elsewhere) = (self.lock(), self.elsewhere());
        let shown = |id: &str| {
            let waiting = elsewhere.values().flat_map(|node| &node.waiting);
            waiting.clone().find(|game| game.info.id == id)
        };
        let now = |game: &GameSummary| match open.get(&game.info.id) {
            Some(listing) => (*listing.summary).clone(),
            None => shown(&game.info.id).unwrap_or(game).clone(),
        };
        games.iter().map(now).collect()
    }

    /// The newest public games that are being played, on all nodes, and how many there are.
    fn lively(&self) -> (Vec<GameSummary>, usize) {
        let (mut playing, mut games) = self.lively_here();
        let elsewhere = self.elsewhere();
        if !elsewhere.is_empty() {
            playing.extend(elsewhere.values().flat_map(|node| &node.playing).cloned());
            games += elsewhere.values().map(|node| node.games).sum::<usize>();
            playing.sort_by_cached_key(|game| Reverse((game.info.created, game.info.id.clone())));
            playing.truncate(LISTED);
        }
        (playing, games)
    }

    /// What other nodes are told of the games of this one.
    fn showcase(&self) -> Showcase {
        let (playing, games) = self.lively_here();
        let waits = |listing: &&Listing| {
            let info = &listing.summary.info;
            info.status == Status::Waiting && info.visibility == Visibility::Public
        };
        let open = self.lock();
        let waiting = open.values().filter(waits).map(|listing| (*listing.summary).clone());
        Showcase { waiting: waiting.take(LISTED).collect(), playing, games }
    }

    /// Tells other nodes what is shown here, and hears what they show.
    pub(super) fn exchange(&self, exchange: &Exchange) {
        let listings = Arc::downgrade(&self.0);
        exchange.on_news(SHOWCASE, move |node, shown: Showcase| {
            let Some(listings) = listings.upgrade().map(Self) else { return };
            listings.elsewhere().insert(node, shown);
            listings.note_change();
        });
        tokio::spawn(self.clone().keep_showing(exchange.clone()));
    }

    async fn keep_showing(self, exchange: Exchange) {
        let (mut told, mut members) = (String::new(), exchange.members());
        loop {
            tokio::time::sleep(SHOW_EVERY).await;
            let now = exchange.members();
            self.elsewhere().retain(|node, _| now.contains(node));
            if exchange.is_alone() {
                continue;
            }
            let showcase = self.showcase();
            let text = serde_json::to_string(&showcase).expect("plain data is JSON");
            // Whoever is new has heard nothing yet.
            if text != told || now != members {
                exchange.publish(SHOWCASE, &showcase);
                (told, members) = (text, now);
            }
        }
    }

    fn elsewhere(&self) -> MutexGuard<'_, HashMap<NodeId, Showcase>> {
        self.0.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest public games that are being played here, as they are now, and how many there are.
    fn lively_here(&self) -> (Vec<GameSummary>, usize) {
        let now = time::now();
        let is_public = |listing: &&Listing| {
            let info = &listing.summary.info;
            info.status == Status::Playing && info.visibility == Visibility::Public
        };
        let open = self.lock();
        let lively = open.values().filter(is_public).filter(|listing| listing.is_lively(now));
        let mut lively: Vec<Arc<GameSummary>> =
            lively.map(|listing| listing.summary.clone()).collect();
        drop(open);
        let all = lively.len();
        let age = |game: &Arc<GameSummary>| (game.info.created, game.info.id.clone());
        lively.sort_by_cached_key(|game| Reverse(age(game)));
        (lively.iter().take(LISTED).map(|game| (**game).clone()).collect(), all)
    }
}

impl Listing {
    /// Whether a user sits there.
    pub(super) fn sits(&self, user: &str) -> bool {
        let is = |s: &Occupant| matches!(s, Occupant::User { user: sits, .. } if sits == user);
        self.summary.info.seats.iter().any(|seat| is(&seat.sitter))
    }

    /// Whether nothing was played since.
    fn stands_as(&self, now: &GameSummary) -> bool {
        let before = &self.summary;
        (before.info.status, before.turns) == (now.info.status, now.turns)
    }

    /// Whether somebody is there, or has just moved. A game that was left is not being played.
    fn is_lively(&self, now: i64) -> bool {
        let info = &self.summary.info;
        let is_here = |seat: &SeatInfo| seat.online && matches!(seat.sitter, Occupant::User { .. });
        info.spectators > 0 || info.seats.iter().any(is_here) || now - self.moved < LIVELY
    }

    fn invites(&self, user: &str) -> bool {
        let is =
            |s: &Occupant| matches!(s, Occupant::Invited { user: wanted, .. } if wanted == user);
        self.summary.info.seats.iter().any(|seat| is(&seat.sitter))
    }
}

impl Tables {
    /// What lists show of a game that is not over, in memory or asleep.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn listed(&self, id: &str) -> Result<Option<GameSummary>, Refusal> {
        let open = self.listings().lock().get(id).map(|listing| (*listing.summary).clone());
        match open {
            Some(summary) => Ok(Some(summary)),
            None => Ok(GameFilter::One(id.to_owned()).read(self.db(), 1).await?.pop()),
        }
    }

    /// What is going on, as far as somebody may see it.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn lobby(&self, user: Option<&str>) -> Result<Lobby, Refusal> {
        let public = self.public_lists().await?;
        let listings = self.listings();
        // Whatever is being played is in memory.
        let (playing, games) = listings.lively();
        let waiting = listings.as_now(&public.waiting);
        let host_ratings = public.host_ratings.clone();
        let mut lobby = Lobby { waiting, playing, games, host_ratings, ..Lobby::default() };
        if let Some(user) = user {
            let inviting = GameFilter::Inviting(user.to_owned()).read(self.db(), MINE).await?;
            lobby.invitations = listings.as_now(&inviting);
            let MyGames { games, next } = self.games_of(user, None).await?;
            (lobby.mine, lobby.mine_next) = (games, next);
            let own = lobby.mine.iter().chain(&lobby.invitations).map(|game| &game.info.id);
            let own: Vec<&String> = own.collect();
            lobby.waiting.retain(|game| !own.contains(&&game.info.id));
            // Who keeps away from somebody is offered nothing of theirs; an invitation from before
            // cannot be taken.
            lobby.waiting.retain(|game| !self.keeps_apart(user, &game.info));
            lobby.invitations.retain(|game| !self.keeps_apart(user, &game.info));
        }
        Ok(lobby)
    }

    /// A page of the games that somebody made or plays and that are not over, the newest first.
    ///
    /// # Errors
    /// If `before` is not what a page told, or the database does not answer.
    pub async fn games_of(&self, user: &str, before: Option<&str>) -> Result<MyGames, Refusal> {
        let place = before.map_or_else(|| Ok(Cursor::top()), Cursor::read)?;
        let which = GameFilter::Of(user.to_owned(), place);
        let mut games = which.read(self.db(), MINE + 1).await?;
        let more = games.len() > MINE;
        games.truncate(MINE);
        let next = games.last().filter(|_| more).map(|last| Cursor::of(last).text());
        Ok(MyGames { games: self.listings().as_now(&games), next })
    }

    /// The public lists: what happened before this was asked is in them.
    async fn public_lists(&self) -> Result<Arc<Public>, Refusal> {
        let Inner { changes, public, .. } = &*self.listings().0;
        let mut public = public.lock().await;
        if let Some(read) = public.as_ref() {
            let old = read.at.elapsed();
            if read.changes == changes.load(Ordering::Acquire) && old < OLDEST {
                return Ok(read.clone());
            }
            tokio::time::sleep(READ_AGAIN.saturating_sub(old)).await;
        }
        let changes = changes.load(Ordering::Acquire);
        let read = Arc::new(Public {
            waiting: GameFilter::Waiting.read(self.db(), LISTED).await?,
            host_ratings: GameFilter::Waiting.host_ratings(self.db(), LISTED).await?,
            changes,
            at: Instant::now(),
        });
        *public = Some(read.clone());
        Ok(read)
    }
}

impl Tables {
    /// Whether somebody and one who made or sits at a table have blocked each other.
    fn keeps_apart(&self, user: &str, info: &GameInfo) -> bool {
        let seated = info.seats.iter().filter_map(|seat| match &seat.sitter {
            Occupant::User { user, .. } => Some(user.as_str()),
            Occupant::Open | Occupant::Invited { .. } | Occupant::Bot { .. } => None,
        });
        let mut others = seated.chain([info.host.id.as_str()]);
        others.any(|other| self.blocks().between(user, other))
    }
}
