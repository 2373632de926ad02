//! The stream of events for programs that play: one line of JSON for each thing that concerns
//! them, over all their games.

use super::command::Command;
use super::decide::write;
use super::lobby::Listings;
use super::manager::Tables;
use super::store::lists::{Cursor, GameFilter};
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

/// The open streams by user.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams(Arc<Mutex<HashMap<String, Vec<Stream>>>>);

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
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Stream>>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a user's program listens.
    pub(super) fn has(&self, user: &str) -> bool {
        self.lock().get(user).is_some_and(|streams| streams.iter().any(|s| !s.lines.is_closed()))
    }

    /// Tells a user's programs what happened in a game.
    pub(super) fn tell(&self, user: &str, game: &str, event: &StreamEvent) {
        let mut streams = self.lock();
        if let Some(list) = streams.get_mut(user) {
            let line: Arc<str> = write(event).into();
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
            }
        }
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
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                for game in tables.listings().open_games_of(&user) {
                    tables.tell_if_open(&game, Command::Presence { greet: None }).await;
                }
            });
        }
    }
}
