//! Who is there: presence counts connections, so a second tab changes nothing.

use super::command::Outgoing;
use super::state::Table;
use super::times::waiting_time;
use crate::error::Refusal;
use crate::people::accounts::Who;
use crate::play::games::Hosted;
use crate::wire::Status;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long changes of who watches are gathered before they are told.
const GATHER: Duration = Duration::from_secs(1);

impl<G: Hosted> Table<G> {
    /// Lets somebody watch, and welcomes them.
    pub(super) async fn watch(
        &mut self,
        who: Option<&Who>,
        from: Option<u64>,
        quiet: bool,
        queue: mpsc::Sender<Outgoing>,
    ) -> Result<u64, Refusal> {
        self.must_look(who).await?;
        let seats = who.map_or_else(Vec::new, |who| self.seats_of(&who.user));
        let first = if !quiet {
            Some(Outgoing::Other(self.welcome(who, from).into()))
        } else if from.is_none_or(|from| from != self.version()) {
            Some(Outgoing::Update(self.update_message(&seats, from).into()))
        } else {
            None
        };
        if first.is_some_and(|first| queue.try_send(first).is_err()) {
            return Err(Refusal::Unavailable("nobody reads what is sent".to_owned()));
        }
        let user = who.map(|who| who.user.clone());
        if let Some(user) = &user {
            self.note_attended(user);
        }
        let connection = self.watchers.add(user, quiet, queue);
        self.note_presence();
        self.gather();
        Ok(connection)
    }

    /// A connection ended.
    pub(super) fn unwatch(&mut self, connection: u64) {
        // One that was too slow is gone already; that its person left is noted all the same.
        if let Some(user) = self.watchers.remove(connection) {
            self.note_attended(&user);
        }
        self.alone_since = Instant::now();
        self.closes_at =
            self.alone_since + waiting_time(self.clocks.rule(), self.tables.settings().waiting);
        self.note_presence();
        self.gather();
    }

    /// Somebody without a connection did something: they are not long gone.
    pub(super) fn note_seen(&mut self, user: &str) {
        self.note_attended(user);
        let now = Instant::now();
        for seat in self.seats.iter_mut().filter(|seat| seat.away_since.is_some()) {
            if seat.user() == Some(user) {
                seat.away_since = Some(now);
            }
        }
    }

    /// Notes for each seat whether its person is there.
    pub(super) fn note_presence(&mut self) {
        let now = Instant::now();
        for seat in 0..self.seats.len() {
            let away = self.seats[seat]
                .user()
                .is_some_and(|user| !self.watchers.has(user) && !self.tables.streams().has(user));
            let since = &mut self.seats[seat].away_since;
            if away != since.is_some() {
                *since = away.then_some(now);
                self.gather();
            }
        }
        self.plan_silence();
    }

    /// How long until the timeout rule plays for a seat whose person left; nobody waits, nobody
    /// is hurried. By correspondence everybody leaves between turns: there the clock alone counts.
    pub(super) fn leaves_in(&self, number: usize) -> Option<Duration> {
        let seat = &self.seats[number];
        let waits = |other: usize| {
            let other = &self.seats[other];
            other.is_playing_person() && other.away_since.is_none() && other.user() != seat.user()
        };
        // Where a turn may take days, nobody is hurried for closing the page.
        let slow = self.clocks.rule().is_correspondence();
        if self.status != Status::Playing || seat.out.is_some() || slow {
            return None;
        }
        let since = seat.away_since?;
        (0..self.seats.len()).any(waits).then(|| {
            let gone = Instant::now().saturating_duration_since(since);
            self.tables.settings().away.saturating_sub(gone)
        })
    }

    /// How many watch beside those who sit here.
    pub(super) fn spectators(&self) -> usize {
        self.watchers.spectators(|user| self.seats.iter().any(|seat| seat.user() == Some(user)))
    }

    /// Tells who is there a little later: many come and go at the same time.
    pub(super) fn gather(&mut self) {
        self.tell_count_at.get_or_insert_with(|| Instant::now() + GATHER);
    }
}
