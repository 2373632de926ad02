//! The stream of events for programs that play: one line of JSON for each thing that concerns
//! them, over all their games.

use super::command::Command;
use super::decide::write;
use super::lobby::Listings;
use super::manager::Tables;
use super::store::lists::{Cursor, GameFilter};
use crate::bus::{Exchange, NodeId};
use crate::error::Refusal;
use crate::wire::StreamEvent;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// Events that wait for a program; one that does not read them is dropped, and may come back.
const WAITING: usize = 256;

/// How many games of a kind a stream begins with: each may take two lines.
const GREETED: usize = 50;

/// Where a stream's lines go.
type Lines = mpsc::Sender<Arc<str>>;

/// The open streams by user, and on which other nodes users have some.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    here: Arc<Mutex<HashMap<String, Vec<Stream>>>>,
    elsewhere: Arc<Mutex<HashMap<String, BTreeSet<NodeId>>>>,
    exchange: Exchange,
}

/// What nodes tell each other: users who have streams there (or no longer), and a line for one's.
const OPENED: &str = "stream.opened";
const CLOSED: &str = "stream.closed";
const LINE: &str = "stream.line";

/// An open stream.
#[derive(Debug)]
struct Stream {
    lines: Lines,
    /// Games that have not told it yet where they stand; what happens there until then is part of
    /// that.
    expected: HashSet<String>,
}

/// An open stream; its end is noted when it is dropped.
#[derive(Debug)]
pub struct Subscription {
    /// The events.
    pub events: mpsc::Receiver<Arc<str>>,
    user: String,
    tables: Tables,
}

impl Streams {
    /// No streams so far.
    pub(super) fn new(exchange: &Exchange) -> Self {
        let exchange = exchange.clone();
        Self { here: Arc::default(), elsewhere: Arc::default(), exchange }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Stream>>> {
        // Nothing that can panic happens under the lock.
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elsewhere(&self) -> MutexGuard<'_, HashMap<String, BTreeSet<NodeId>>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a user's program listens.
    pub(super) fn has(&self, user: &str) -> bool {
        let listens = |streams: &Vec<Stream>| streams.iter().any(|s| !s.lines.is_closed());
        self.lock().get(user).is_some_and(listens) || self.elsewhere().contains_key(user)
    }

    /// Tells a user's programs what happened in a game.
    pub(super) fn tell(&self, user: &str, game: &str, event: &StreamEvent) {
        let line: Arc<str> = write(event).into();
        for node in self.elsewhere().get(user).into_iter().flatten() {
            let letter = serde_json::to_vec(&(user, game, &*line)).expect("plain data is JSON");
            // A program that missed a line hears where the game stands with the next.
            let _ = self.exchange.send(*node, LINE, &letter);
        }
        self.tell_here(user, game, &line);
    }

    fn tell_here(&self, user: &str, game: &str, line: &Arc<str>) {
        let mut streams = self.lock();
        if let Some(list) = streams.get_mut(user) {
            let unheard = |stream: &Stream| stream.expected.contains(game);
            list.retain(|s| unheard(s) || s.lines.try_send(line.clone()).is_ok());
        }
    }

    /// Opens a stream; gives the games that have to tell it where they stand: those in memory, and
    /// those that may be asleep.
    fn open(
        &self,
        user: &str,
        listings: &Listings,
        asleep: Vec<String>,
    ) -> (Lines, mpsc::Receiver<Arc<str>>, Vec<String>) {
        let (lines, receiver) = mpsc::channel(WAITING);
        let mut streams = self.lock();
        // Under the lock: a game is listed before it tells anybody anything, so that what is not
        // listed now tells this stream everything.
        let games: BTreeSet<String> =
            listings.open_games_of(user).into_iter().chain(asleep).collect();
        let expected = games.iter().cloned().collect();
        let stream = Stream { lines: lines.clone(), expected };
        streams.entry(user.to_owned()).or_default().push(stream);
        drop(streams);
        self.exchange.publish(OPENED, &[user]);
        (lines, receiver, games.into_iter().collect())
    }

    /// From now on a stream hears what happens in a game.
    pub(super) fn listen(&self, user: &str, game: &str, lines: &Lines) {
        let mut streams = self.lock();
        let all = streams.get_mut(user).into_iter().flatten();
        for stream in all.filter(|stream| stream.lines.same_channel(lines)) {
            stream.expected.remove(game);
        }
    }

    fn tidy(&self, user: &str) {
        let mut streams = self.lock();
        if let Some(list) = streams.get_mut(user) {
            list.retain(|stream| !stream.lines.is_closed());
            if list.is_empty() {
                streams.remove(user);
                drop(streams);
                self.exchange.publish(CLOSED, &user);
            }
        }
    }

    /// Users have streams on a node, or no longer.
    fn note_elsewhere(&self, node: NodeId, users: &[String], open: bool) {
        let mut elsewhere = self.elsewhere();
        for user in users {
            if open {
                elsewhere.entry(user.clone()).or_default().insert(node);
            } else if let Some(nodes) = elsewhere.get_mut(user) {
                nodes.remove(&node);
                if nodes.is_empty() {
                    elsewhere.remove(user);
                }
            }
        }
    }

    /// A node is gone; gives the users who had streams there and have none any more.
    fn forget_node(&self, node: NodeId) -> Vec<String> {
        let mut lost = Vec::new();
        self.elsewhere().retain(|user, nodes| {
            if nodes.remove(&node) && nodes.is_empty() {
                lost.push(user.clone());
            }
            !nodes.is_empty()
        });
        lost
    }

    /// Tells a new node who has streams here.
    fn introduce(&self) {
        let users: Vec<String> = self.lock().keys().cloned().collect();
        if !users.is_empty() {
            self.exchange.publish(OPENED, &users);
        }
    }
}

impl Tables {
    /// Hears of streams on other nodes.
    pub(super) fn listen_to_streams(&self) {
        let exchange = self.exchange();
        for (topic, open) in [(OPENED, true), (CLOSED, false)] {
            let tables = self.downgrade();
            let noted = move |node, users: Vec<String>| {
                let Some(tables) = tables.upgrade() else { return };
                tables.streams().note_elsewhere(node, &users, open);
                for user in users {
                    tables.clone().note_presence_of(user);
                }
            };
            if open {
                exchange.on_news(topic, noted);
            } else {
                exchange.on_news(topic, move |node, user: String| noted(node, vec![user]));
            }
        }
        let tables = self.downgrade();
        exchange.on_news(LINE, move |_, (user, game, line): (String, String, String)| {
            let Some(tables) = tables.upgrade() else { return };
            tables.streams().tell_here(&user, &game, &line.into());
        });
        let (tables, mut members) = (self.downgrade(), exchange.watch_members());
        tokio::spawn(async move {
            let mut before = members.borrow().clone();
            while members.changed().await.is_ok() {
                let now = members.borrow_and_update().clone();
                let Some(tables) = tables.upgrade() else { return };
                for gone in before.iter().filter(|node| !now.contains(node)) {
                    for user in tables.streams().forget_node(*gone) {
                        tables.clone().note_presence_of(user);
                    }
                }
                if now.iter().any(|node| !before.contains(node)) {
                    tables.streams().introduce();
                }
                before = now;
            }
        });
    }

    /// Lets the tables in memory look again whether a user is there.
    fn note_presence_of(self, user: String) {
        tokio::spawn(async move {
            for game in self.listings().open_games_of(&user) {
                self.tell_if_open(&game, Command::Presence { greet: None }).await;
            }
        });
    }
}

impl Tables {
    /// Opens a stream of a user's events. First come the games that are going on: those in memory,
    /// and of those that sleep the newest to which the user is invited and that they play.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn subscribe(&self, user: &str) -> Result<Subscription, Refusal> {
        let mut asleep = GameFilter::Inviting(user.to_owned()).first(self.db(), GREETED).await?;
        asleep.extend(
            GameFilter::Of(user.to_owned(), Cursor::top()).first(self.db(), GREETED).await?,
        );
        let (lines, events, games) = self.streams().open(user, self.listings(), asleep);
        let subscription = Subscription { events, user: user.to_owned(), tables: self.clone() };
        for game in games {
            let greet = Some((user.to_owned(), lines.clone()));
            if self.tell_table(&game, Command::Presence { greet }).await.is_err() {
                // A table that cannot say where it stands says what happens later.
                self.streams().listen(user, &game, &lines);
            }
        }
        Ok(subscription)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.events.close();
        self.tables.streams().tidy(&self.user);
        let (tables, user) = (self.tables.clone(), std::mem::take(&mut self.user));
        if tokio::runtime::Handle::try_current().is_ok() {
            tables.note_presence_of(user);
        }
    }
}
