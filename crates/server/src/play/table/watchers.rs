//! Who watches a table, and how they are told: one text for all who may see the same.

use super::command::Outgoing;
use std::time::Duration;
use tokio::sync::mpsc;

/// What is believed of a lag: a client that answers slowly on purpose hides little of its time.
const MOST_LAG: Duration = Duration::from_secs(1);

/// Those who watch.
#[derive(Debug, Default)]
pub(super) struct Watchers {
    list: Vec<Watcher>,
    last: u64,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Watcher {
    /// Its number.
    pub(super) connection: u64,
    /// Whose it is, if that is known.
    pub(super) user: Option<String>,
    /// Whether it waits for the next update only.
    pub(super) quiet: bool,
    /// How long its messages take there and back, once that is known.
    lag: Option<Duration>,
    queue: mpsc::Sender<Outgoing>,
}

impl Watcher {
    /// Puts a message into the queue; false if it is full or nobody reads it.
    pub(super) fn send(&self, message: Outgoing) -> bool {
        self.queue.try_send(message).is_ok()
    }
}

impl Watchers {
    /// Adds a connection and gives its number.
    pub(super) fn add(
        &mut self,
        user: Option<String>,
        quiet: bool,
        queue: mpsc::Sender<Outgoing>,
    ) -> u64 {
        self.last += 1;
        self.list.push(Watcher { connection: self.last, user, quiet, lag: None, queue });
        self.last
    }

    /// Removes a connection, if it is there; gives its user, if that is known.
    pub(super) fn remove(&mut self, connection: u64) -> Option<String> {
        let place = self.list.iter().position(|watcher| watcher.connection == connection)?;
        self.list.remove(place).user
    }

    /// Notes how long messages of a connection take.
    pub(super) fn note_lag(&mut self, connection: u64, lag: Duration) {
        if let Some(watcher) = self.list.iter_mut().find(|one| one.connection == connection) {
            watcher.lag = Some(lag.min(MOST_LAG));
        }
    }

    /// How long a user's messages take at least, if that is known.
    pub(super) fn lag_of(&self, user: &str) -> Option<Duration> {
        let theirs = self.list.iter().filter(|one| one.user.as_deref() == Some(user));
        theirs.filter_map(|one| one.lag).min()
    }

    /// Sends each watcher its message, if there is one. Who does not keep up is dropped: the
    /// queue ends, the socket closes, and the client comes back for the latest state. Whether
    /// anybody was dropped.
    pub(super) fn tell(&mut self, mut message: impl FnMut(&Watcher) -> Option<Outgoing>) -> bool {
        let before = self.list.len();
        self.list.retain(|watcher| message(watcher).is_none_or(|message| watcher.send(message)));
        let dropped = before - self.list.len();
        metrics::counter!("bastide_watchers_dropped_total").increment(dropped as u64);
        dropped > 0
    }

    /// Whether a user is connected.
    pub(super) fn has(&self, user: &str) -> bool {
        self.list.iter().any(|watcher| watcher.user.as_deref() == Some(user))
    }

    /// How many watch beside those for whom this is true.
    pub(super) fn spectators(&self, is_player: impl Fn(&str) -> bool) -> usize {
        let player = |watcher: &&Watcher| !watcher.user.as_deref().is_some_and(&is_player);
        self.list.iter().filter(player).count()
    }

    /// Whether nobody watches.
    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_lag_of_a_user_counts_and_no_more_than_a_second() {
        let mut watchers = Watchers::default();
        let (queue, _messages) = mpsc::channel(1);
        let user = |name: &str| Some(name.to_owned());
        let first = watchers.add(user("ada"), false, queue.clone());
        let second = watchers.add(user("ada"), false, queue.clone());
        let other = watchers.add(user("bob"), false, queue);
        assert_eq!(watchers.lag_of("ada"), None);
        watchers.note_lag(first, Duration::from_millis(80));
        watchers.note_lag(second, Duration::from_millis(30));
        watchers.note_lag(other, Duration::from_secs(60));
        watchers.note_lag(99, Duration::ZERO);
        assert_eq!(watchers.lag_of("ada"), Some(Duration::from_millis(30)));
        assert_eq!(watchers.lag_of("bob"), Some(MOST_LAG));
    }
}
