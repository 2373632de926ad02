//! Those who come to watch, look once, and go.

use super::TableTask;
use super::tell::update_message;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::people::accounts::Requester;
use crate::people::moderation::reports::may_look_into;
use crate::play::table::command::{Outgoing, ViewOf};
use crate::play::table::residency::waiting_time;
use tokio::sync::mpsc;
use tokio::time::Instant;

impl<G: Hosted> TableTask<G> {
    /// Lets somebody watch, and welcomes them.
    pub(super) async fn watch(
        &mut self,
        who: Option<&Requester>,
        from: Option<u64>,
        quiet: bool,
        queue: mpsc::Sender<Outgoing>,
    ) -> Result<u64, Refusal> {
        self.must_look(who).await?;
        let seats = self.seats_of(who);
        let first = if !quiet {
            let hides = |speaker: &str| self.hides(who, speaker);
            let welcome = self.table.welcome(&seats, from, self.spectators(), hides);
            Some(Outgoing::Other(welcome.into()))
        } else if from.is_none_or(|from| from != self.table.game().version()) {
            let update = self.table.update_for(&self.table.update(from), &seats);
            Some(Outgoing::Update(update_message(&update).into()))
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
        let connection = self.audience.add(user, quiet, queue);
        self.note_presence();
        self.audience.gather(Instant::now());
        Ok(connection)
    }

    /// A connection ended.
    pub(super) fn unwatch(&mut self, connection: u64) {
        // One that was too slow is gone already; that its person left is noted all the same.
        if let Some(user) = self.audience.remove(connection) {
            self.note_attended(&user);
        }
        let (now, usual) = (Instant::now(), self.tables.settings().waiting);
        self.residency.left(now, waiting_time(self.table.clocks().rule(), usual));
        self.note_presence();
        self.audience.gather(now);
    }

    /// What somebody wants to see, as JSON.
    pub(super) async fn look(
        &self,
        who: Option<&Requester>,
        view: ViewOf,
    ) -> Result<String, Refusal> {
        self.must_look(who).await?;
        let hides = |speaker: &str| self.hides(who, speaker);
        self.table.view(&self.seats_of(who), view, self.spectators(), hides)
    }

    /// Refuses those who may not see a private game. Moderators may look into more than they may
    /// take part in.
    async fn must_look(&self, who: Option<&Requester>) -> Result<(), Refusal> {
        let Err(refusal) = self.table.must_see(who) else { return Ok(()) };
        let Some(who) = who else { return Err(refusal) };
        let (id, rated) = (self.table.id(), self.table.is_rated());
        match may_look_into(self.tables.db(), who, id, rated).await? {
            true => Ok(()),
            false => Err(refusal),
        }
    }

    fn seats_of(&self, who: Option<&Requester>) -> Vec<usize> {
        who.map_or_else(Vec::new, |who| self.table.seats().of(&who.user))
    }

    fn hides(&self, reader: Option<&Requester>, speaker: &str) -> bool {
        reader.is_some_and(|reader| self.tables.hides(&reader.user, speaker))
    }

    /// Somebody without a connection did something: they are not long gone.
    pub(super) fn note_seen(&mut self, user: &str) {
        self.note_attended(user);
        self.table.note_seen(user);
    }

    /// One of the players is there, or has just left.
    fn note_attended(&mut self, user: &str) {
        if self.table.seats().has(user) {
            self.residency.attend(self.tables.served_time());
        }
    }

    /// Notes for each seat whether its person is there.
    pub(super) fn note_presence(&mut self) {
        let (audience, streams) = (&self.audience, self.tables.streams());
        if self.table.note_presence(|user| audience.has(user) || streams.has(user)) {
            self.audience.gather(Instant::now());
        }
        self.plan_silence();
    }

    /// Settles when watchers are told next who has been silent for how long.
    pub(super) fn plan_silence(&mut self) {
        let wait = self.table.next_telling();
        self.audience.plan_silence(wait.map(|wait| Instant::now() + wait));
    }
}
