//! Who watches a table, and what they have not been told yet.
//!
//! What always holds:
//! - Connections are numbered from 1 and no number is used twice.
//! - A watcher who does not keep up is dropped: the queue ends, the socket closes, and the client
//!   comes back for the latest state. Nobody waits for a slow one.
//! - Watchers on the same seats get the same text, which is written once.
//! - Changes of what the table shows of itself are gathered ([`Audience::note_change`],
//!   [`Audience::gather`]) and told once.

use super::command::Outgoing;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What is believed of a lag: a client that answers slowly on purpose hides little of its time.
const MOST_LAG: Duration = Duration::from_secs(1);

/// How long changes of who watches are gathered before they are told.
const GATHER: Duration = Duration::from_secs(1);

/// Those who watch a table.
#[derive(Debug, Default)]
pub(super) struct Audience {
    watchers: Vec<Watcher>,
    /// The number of the last connection.
    last: u64,
    /// Whether something beside the board changed that watchers were not told.
    untold: bool,
    /// When watchers are told how many they are.
    count_at: Option<Instant>,
    /// When watchers are told how long somebody has been silent.
    silence_at: Option<Instant>,
}

/// A connection.
#[derive(Debug)]
struct Watcher {
    connection: u64,
    /// Whose it is, if that is known.
    user: Option<String>,
    /// Whether it waits for the next update only.
    quiet: bool,
    /// How long its messages take there and back, once that is known.
    lag: Option<Duration>,
    queue: mpsc::Sender<Outgoing>,
}

impl Audience {
    /// Adds a connection and gives its number.
    pub(super) fn add(
        &mut self,
        user: Option<String>,
        quiet: bool,
        queue: mpsc::Sender<Outgoing>,
    ) -> u64 {
        self.last += 1;
        self.watchers.push(Watcher { connection: self.last, user, quiet, lag: None, queue });
        self.last
    }

    /// Removes a connection, if it is there; gives its user, if that is known.
    pub(super) fn remove(&mut self, connection: u64) -> Option<String> {
        let place = self.watchers.iter().position(|watcher| watcher.connection == connection)?;
        self.watchers.remove(place).user
    }

    /// Notes how long messages of a connection take.
    pub(super) fn note_lag(&mut self, connection: u64, lag: Duration) {
        if let Some(watcher) = self.watchers.iter_mut().find(|one| one.connection == connection) {
            watcher.lag = Some(lag.min(MOST_LAG));
        }
    }

    /// How long a user's messages take at least, if that is known.
    pub(super) fn lag_of(&self, user: &str) -> Option<Duration> {
        let theirs = self.watchers.iter().filter(|one| one.user.as_deref() == Some(user));
        theirs.filter_map(|one| one.lag).min()
    }

    /// Whether a user is connected.
    pub(super) fn has(&self, user: &str) -> bool {
        self.watchers.iter().any(|watcher| watcher.user.as_deref() == Some(user))
    }

    /// How many watch beside those for whom this is true.
    pub(super) fn spectators(&self, is_player: impl Fn(&str) -> bool) -> usize {
        let player = |watcher: &&Watcher| !watcher.user.as_deref().is_some_and(&is_player);
        self.watchers.iter().filter(player).count()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Sends an update to everybody: for each set of seats the text is written once.
    pub(super) fn tell_update(
        &mut self,
        seats_of: impl Fn(&str) -> Vec<usize>,
        write: impl Fn(&[usize]) -> String,
    ) {
        let dropped = self.tell_by_seats(|_| true, seats_of, write);
        self.untold |= dropped;
    }

    /// Sends everything to everybody, as if they had just come; to those who wait for the next
    /// update only it is none.
    pub(super) fn tell_everything(
        &mut self,
        seats_of: impl Fn(&str) -> Vec<usize>,
        write: impl Fn(&[usize]) -> String,
    ) {
        self.tell_by_seats(|watcher| !watcher.quiet, seats_of, write);
    }

    /// Sends what is no update to those who listen to it and for whom this is true.
    pub(super) fn tell(&mut self, text: String, hears: impl Fn(Option<&str>) -> bool) {
        let message = Outgoing::Other(text.into());
        self.send(|watcher| {
            let hears = !watcher.quiet && hears(watcher.user.as_deref());
            hears.then(|| message.clone())
        });
    }

    /// The server stops.
    pub(super) fn say_good_bye(&mut self) {
        self.send(|_| Some(Outgoing::GoodBye));
    }

    fn tell_by_seats(
        &mut self,
        hears: impl Fn(&Watcher) -> bool,
        seats_of: impl Fn(&str) -> Vec<usize>,
        write: impl Fn(&[usize]) -> String,
    ) -> bool {
        let mut texts: HashMap<Vec<usize>, Outgoing> = HashMap::new();
        self.send(|watcher| {
            if !hears(watcher) {
                return None;
            }
            let seats = watcher.user.as_deref().map_or_else(Vec::new, &seats_of);
            let text = texts
                .entry(seats)
                .or_insert_with_key(|seats| Outgoing::Update(write(seats).into()));
            Some(text.clone())
        })
    }

    /// Sends each watcher its message, if there is one; whether anybody was dropped.
    fn send(&mut self, mut message: impl FnMut(&Watcher) -> Option<Outgoing>) -> bool {
        let before = self.watchers.len();
        self.watchers.retain(|watcher| {
            message(watcher).is_none_or(|message| watcher.queue.try_send(message).is_ok())
        });
        let dropped = before - self.watchers.len();
        metrics::counter!("bastide_watchers_dropped_total").increment(dropped as u64);
        dropped > 0
    }

    /// Something beside the board changed, or did not.
    pub(super) fn note_change(&mut self, changed: bool) {
        self.untold |= changed;
    }

    /// Whether something is to be told; it is, from now on.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.untold)
    }

    /// Who watches changed. It is told a little later: many come and go at the same time.
    pub(super) fn gather(&mut self, now: Instant) {
        self.count_at.get_or_insert(now + GATHER);
    }

    /// Whether it is time to tell who watches; it is told then.
    pub(super) fn take_count(&mut self, now: Instant) -> bool {
        self.count_at.take_if(|at| *at <= now).is_some()
    }

    /// Settles when watchers are told next how long somebody has been silent.
    pub(super) fn plan_silence(&mut self, at: Option<Instant>) {
        self.silence_at = at.filter(|_| !self.is_empty());
    }

    /// Whether it is time to tell that; it is planned anew then.
    pub(super) fn silence_is_due(&self, now: Instant) -> bool {
        self.silence_at.is_some_and(|at| at <= now)
    }

    /// When something is to be told next.
    pub(super) fn next_telling(&self) -> Option<Instant> {
        self.count_at.into_iter().chain(self.silence_at).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    fn text(message: Outgoing) -> String {
        match message {
            Outgoing::Update(text) | Outgoing::Other(text) => text.to_string(),
            Outgoing::GoodBye => "good bye".to_owned(),
        }
    }

    #[test]
    fn the_shortest_lag_of_a_user_counts_and_no_more_than_a_second() {
        let mut audience = Audience::default();
        let (queue, _messages) = mpsc::channel(1);
        let first = audience.add(user("ada"), false, queue.clone());
        let second = audience.add(user("ada"), false, queue.clone());
        let other = audience.add(user("bob"), false, queue);
        assert_eq!(audience.lag_of("ada"), None);
        audience.note_lag(first, Duration::from_millis(80));
        audience.note_lag(second, Duration::from_millis(30));
        audience.note_lag(other, Duration::from_secs(60));
        audience.note_lag(99, Duration::ZERO);
        assert_eq!(audience.lag_of("ada"), Some(Duration::from_millis(30)));
        assert_eq!(audience.lag_of("bob"), Some(MOST_LAG));
    }

    #[test]
    fn an_update_is_written_once_for_each_set_of_seats() {
        let mut audience = Audience::default();
        let (queue, mut messages) = mpsc::channel(8);
        for name in [user("ada"), user("eve"), None, user("ada")] {
            audience.add(name, true, queue.clone());
        }
        let written = std::cell::Cell::new(0);
        let seats_of = |user: &str| if user == "ada" { vec![0] } else { Vec::new() };
        audience.tell_update(seats_of, |seats| {
            written.set(written.get() + 1);
            format!("{seats:?}")
        });
        let got: Vec<String> = (0..4).map(|_| text(messages.try_recv().unwrap())).collect();
        assert_eq!(got, ["[0]", "[]", "[]", "[0]"]);
        assert_eq!(written.get(), 2);
    }

    #[test]
    fn who_waits_for_the_next_update_hears_nothing_else() {
        let mut audience = Audience::default();
        let (quiet, mut quiet_messages) = mpsc::channel(8);
        let (queue, mut messages) = mpsc::channel(8);
        audience.add(user("ada"), true, quiet);
        audience.add(user("bob"), false, queue);
        audience.tell("chat".to_owned(), |user| user == Some("bob") || user == Some("ada"));
        audience.tell("hidden".to_owned(), |_| false);
        audience.tell_everything(|_| Vec::new(), |_| "all".to_owned());
        assert!(quiet_messages.try_recv().is_err());
        let got: Vec<String> = std::iter::from_fn(|| messages.try_recv().ok()).map(text).collect();
        assert_eq!(got, ["chat", "all"]);
    }

    #[test]
    fn who_does_not_keep_up_is_dropped_and_the_others_learn_of_it() {
        let mut audience = Audience::default();
        let (slow, _unread) = mpsc::channel(1);
        let (queue, _messages) = mpsc::channel(8);
        audience.add(user("slow"), false, slow);
        audience.add(None, false, queue);
        assert_eq!(audience.spectators(|user| user == "slow"), 1);
        audience.tell_update(|_| Vec::new(), |_| "one".to_owned());
        assert!(!audience.take_change() && audience.has("slow"));
        audience.tell_update(|_| Vec::new(), |_| "two".to_owned());
        assert!(audience.take_change() && !audience.has("slow"));
        assert!(!audience.take_change(), "it is told once");
    }

    #[test]
    fn comings_and_goings_are_told_together_and_silences_only_to_somebody() {
        let (mut audience, now) = (Audience::default(), Instant::now());
        audience.gather(now);
        audience.gather(now + GATHER / 2);
        assert_eq!(audience.next_telling(), Some(now + GATHER));
        assert!(!audience.take_count(now) && audience.take_count(now + GATHER));
        assert!(!audience.take_count(now + GATHER));
        audience.plan_silence(Some(now));
        assert!(!audience.silence_is_due(now), "nobody watches");
        let (queue, _messages) = mpsc::channel(1);
        let connection = audience.add(None, false, queue);
        audience.plan_silence(Some(now));
        assert!(audience.silence_is_due(now));
        assert_eq!((audience.remove(connection), audience.is_empty()), (None, true));
    }
}
