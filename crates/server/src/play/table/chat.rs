//! Chat at the table: players among themselves, spectators among themselves.

use super::command::Outgoing;
use super::render;
use super::state::Table;
use crate::error::Refusal;
use crate::people::accounts::Who;
use crate::play::chat_filter;
use crate::play::games::Hosted;
use crate::storage::db::journal::Statement;
use crate::text::{is_blank, misleads};
use crate::time;
use crate::wire::{ChatLine, FromServer};

/// The longest line, in characters.
const LONGEST: usize = 300;

/// How many lines are kept for those who come later.
pub(super) const KEPT_LINES: usize = 100;

impl<G: Hosted> Table<G> {
    /// Says something to those on the same side of the table.
    pub(super) async fn say(&mut self, who: &Who, text: &str) -> Result<(), Refusal> {
        self.tables.timeouts().refuse(&who.user)?;
        let text = text.trim();
        let length = text.chars().count();
        if is_blank(text) || length > LONGEST {
            return Err(Refusal::Bad(format!(
                "a line of chat has 1 to {LONGEST} characters to be seen; this one has {length} in all"
            )));
        }
        if text.chars().any(misleads) {
            return Err(Refusal::Bad(
                "a line of chat has no control characters, marks of direction or letters that \
                 nobody sees"
                    .to_owned(),
            ));
        }
        let line = ChatLine {
            number: self.chat_lines.unsigned_abs() + 1,
            at: time::now(),
            user: who.user.clone(),
            name: self.name_of(who),
            players: !self.seats_of(&who.user).is_empty(),
            text: chat_filter::clean(text),
        };
        self.write(vec![Statement::new(
            "INSERT INTO chat (game_id, number, user_id, name, players, text, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            vec![
                self.facts.id.as_str().into(),
                (self.chat_lines + 1).into(),
                line.user.as_str().into(),
                line.name.as_str().into(),
                line.players.into(),
                line.text.as_str().into(),
                line.at.into(),
            ],
        )])
        .await?;
        self.chat_lines += 1;
        let text = render::write(&FromServer::Chat { line: line.clone() });
        let message = Outgoing::Other(text.into());
        let seated = |user: &str| self.seats.iter().any(|seat| seat.user() == Some(user));
        let (mutes, blocks) = (self.tables.mutes(), self.tables.blocks());
        self.watchers.tell(|watcher| {
            let user = watcher.user.as_deref();
            let muted = user.is_some_and(|user| {
                mutes.hides(user, &line.user) || blocks.between(user, &line.user)
            });
            let reads = user.is_some_and(seated) == line.players && !watcher.quiet && !muted;
            reads.then(|| message.clone())
        });
        self.chat.push_back(line);
        if self.chat.len() > KEPT_LINES {
            self.chat.pop_front();
        }
        Ok(())
    }

    /// The name of a speaker: who sits here is called as their seat says, which is never old.
    fn name_of(&self, who: &Who) -> String {
        let seat = self.seats.iter().find(|seat| seat.user() == Some(&who.user));
        seat.map_or_else(|| who.name.clone(), |seat| seat.name().to_owned())
    }

    /// Somebody has another name: wherever it stands at this table.
    pub(super) fn rename(&mut self, user: &str, name: &str) {
        for seat in &mut self.seats {
            self.info_changed |= seat.rename(user, name);
        }
        if self.facts.host.id == user {
            name.clone_into(&mut self.facts.host.name);
            self.info_changed = true;
        }
        for line in self.chat.iter_mut().filter(|line| line.user == user) {
            name.clone_into(&mut line.name);
        }
    }
}
