//! Chat at the table: players among themselves, spectators among themselves.

use super::command::Outgoing;
use super::render;
use super::state::Table;
use crate::accounts::Who;
use crate::db::journal::Statement;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::wire::{ChatLine, FromServer};
use crate::{chat_filter, time};

/// The longest line, in characters.
const LONGEST: usize = 300;

/// How many lines are kept for those who come later.
pub(super) const KEPT_LINES: usize = 100;

impl<G: Hosted> Table<G> {
    /// Says something to those on the same side of the table.
    pub(super) async fn say(&mut self, who: &Who, text: &str) -> Result<(), Refusal> {
        let text = text.trim();
        let length = text.chars().count();
        if length == 0 || length > LONGEST {
            return Err(Refusal::Bad(format!(
                "a line of chat has 1 to {LONGEST} characters, not {length}"
            )));
        }
        if text.chars().any(char::is_control) {
            return Err(Refusal::Bad("a line of chat has no control characters".to_owned()));
        }
        let line = ChatLine {
            number: self.chat_lines.unsigned_abs() + 1,
            at: time::now(),
            user: who.user.clone(),
            name: who.name.clone(),
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
        self.watchers.tell(|watcher| {
            let player = watcher.user.as_deref().is_some_and(seated);
            let reads =
                player == line.players && !watcher.quiet && !watcher.muted.contains(&line.user);
            reads.then(|| message.clone())
        });
        self.chat.push_back(line);
        if self.chat.len() > KEPT_LINES {
            self.chat.pop_front();
        }
        Ok(())
    }
}
