//! Telling: those who watch, programs, and the lists.

use super::TableTask;
use crate::games::Hosted;
use crate::play::table::decide::write;
use crate::play::table::game::Begins;
use crate::wire::{ChatLine, FromServer, Status};
use std::sync::Arc;
use tokio::sync::mpsc;

/// An update over the socket is this, the update and a brace: HTTP sends what is between.
pub(crate) const UPDATE_HEAD: &str = r#"{"type":"update","update":"#;

impl<G: Hosted> TableTask<G> {
    /// Sends everybody the game as it is now, with what happened since a version.
    pub(super) fn tell_update(&mut self, since: u64) {
        if self.audience.is_empty() {
            return;
        }
        let (table, common) = (&self.table, self.table.update(Some(since)));
        let write = |seats: &[usize]| update_message(&table.update_for(&common, seats));
        self.audience.tell_update(|user| table.seats().of(user), write);
    }

    /// Sends everybody everything, as if they had just come.
    pub(super) fn tell_everything(&mut self) {
        if self.audience.is_empty() {
            return;
        }
        let (table, common) = (&self.table, self.table.update(None));
        let write = |seats: &[usize]| update_message(&table.update_for(&common, seats));
        self.audience.tell_everything(|user| table.seats().of(user), write);
    }

    /// Sends everybody what the table tells about itself.
    pub(super) fn tell_info(&mut self) {
        self.audience.take_change();
        if !self.audience.is_empty() {
            let text = write(&FromServer::Info { info: self.table.info(self.spectators()) });
            self.audience.tell(text, |_| true);
        }
    }

    /// Sends a line of chat to those on the speaker's side who want to read them.
    pub(super) fn tell_line(&mut self, line: &ChatLine) {
        let text = write(&FromServer::Chat { line: line.clone() });
        let (seats, tables) = (self.table.seats(), &self.tables);
        self.audience.tell(text, |user| {
            let is_player = user.is_some_and(|user| seats.has(user));
            let hides = user.is_some_and(|user| tables.hides(user, &line.user));
            is_player == line.players && !hides
        });
    }

    /// Tells the programs at the table what concerns them now.
    pub(super) fn tell_streams(&self, begins: Begins) {
        let mut told: Vec<&str> = Vec::new();
        for seat in self.table.seats().iter() {
            let Some(user) = seat.user().or_else(|| seat.invited()) else { continue };
            if told.contains(&user) || !self.tables.streams().has(user) {
                continue;
            }
            told.push(user);
            for event in self.table.stream_events(user, begins, self.spectators()) {
                self.tables.streams().tell(user, self.table.id(), &event);
            }
        }
    }

    /// Tells a program that has just connected.
    pub(super) fn greet(&self, user: &str, stream: &mpsc::Sender<Arc<str>>) {
        for event in self.table.stream_events(user, Begins::Game, self.spectators()) {
            // A full queue so early means that nobody reads.
            let _ = stream.try_send(write(&event).into());
        }
        self.tables.streams().listen(user, self.table.id(), stream);
    }

    /// Shows the table in the lists as it is now.
    pub(super) fn publish(&self) {
        let listings = self.tables.listings();
        if self.table.status() == Status::Over {
            listings.forget(self.table.id());
        } else {
            listings.publish(self.table.summary(self.spectators()), self.table.guarded());
        }
    }

    /// How many watch beside those who sit here.
    pub(super) fn spectators(&self) -> usize {
        self.audience.spectators(|user| self.table.seats().has(user))
    }
}

/// An update as the socket sends it.
pub(super) fn update_message(update: &str) -> String {
    format!("{UPDATE_HEAD}{update}}}")
}
