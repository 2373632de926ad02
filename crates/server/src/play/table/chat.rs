//! What was said at a table: players among themselves, spectators among themselves.
//!
//! What always holds:
//! - Lines are numbered from 1 without a gap, also those that are no longer kept here.
//! - The last [`KEPT_LINES`] are kept, the oldest first; the database has all of them.
//! - A line has 1 to 300 characters, none of which is_misleading the reader, and was filtered.
//! - Each line belongs to one side, and only that side reads it.

use crate::error::Refusal;
use crate::play::chat_filter;
use crate::text::{is_blank, is_misleading};
use crate::wire::ChatLine;
use std::collections::VecDeque;

/// The longest line, in characters.
const LONGEST: usize = 300;

/// How many lines are kept for those who come later.
pub(super) const KEPT_LINES: usize = 100;

/// The chat of a table.
#[derive(Debug, Default)]
pub(super) struct ChatLog {
    lines: VecDeque<ChatLine>,
    last: u64,
}

/// Who says something.
#[derive(Clone, Debug)]
pub(super) struct Speaker {
    pub(super) user: String,
    pub(super) name: String,
    /// Whether they play here, or only watch.
    pub(super) plays: bool,
}

impl ChatLog {
    /// The last lines as the database has them, the oldest first.
    pub(super) fn new(lines: VecDeque<ChatLine>) -> Self {
        let last = lines.back().map_or(0, |line| line.number);
        Self { lines, last }
    }

    /// The line that would come next, not said yet.
    pub(super) fn compose(
        &self,
        speaker: Speaker,
        text: &str,
        at: i64,
    ) -> Result<ChatLine, Refusal> {
        let text = text.trim();
        let length = text.chars().count();
        if is_blank(text) || length > LONGEST {
            return Err(Refusal::Bad(format!(
                "a line of chat has 1 to {LONGEST} characters to be seen; this one has {length} in all"
            )));
        }
        if text.chars().any(is_misleading) {
            return Err(Refusal::Bad(
                "a line of chat has no control characters, marks of direction or letters that \
                 nobody sees"
                    .to_owned(),
            ));
        }
        Ok(ChatLine {
            number: self.last + 1,
            at,
            user: speaker.user,
            name: speaker.name,
            players: speaker.plays,
            text: chat_filter::clean(text),
        })
    }

    /// A line was said: it is stored.
    pub(super) fn append(&mut self, line: ChatLine) {
        self.last = line.number;
        self.lines.push_back(line);
        if self.lines.len() > KEPT_LINES {
            self.lines.pop_front();
        }
    }

    /// What a side of the table reads.
    pub(super) fn lines_of(&self, players: bool) -> impl Iterator<Item = &ChatLine> {
        self.lines.iter().filter(move |line| line.players == players)
    }

    /// Somebody has another name: in all lines that are kept.
    pub(super) fn rename(&mut self, user: &str, name: &str) {
        for line in self.lines.iter_mut().filter(|line| line.user == user) {
            name.clone_into(&mut line.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speaker(user: &str, plays: bool) -> Speaker {
        Speaker { user: user.to_owned(), name: user.to_uppercase(), plays }
    }

    fn say(chat: &mut ChatLog, user: &str, plays: bool, text: &str) {
        let line = chat.compose(speaker(user, plays), text, 7).unwrap();
        chat.append(line);
    }

    #[test]
    fn each_side_reads_its_own_lines() {
        let mut chat = ChatLog::default();
        say(&mut chat, "ada", true, " good luck ");
        say(&mut chat, "eve", false, "who wins?");
        let texts = |players| -> Vec<&str> {
            chat.lines_of(players).map(|line| line.text.as_str()).collect()
        };
        assert_eq!((texts(true), texts(false)), (vec!["good luck"], vec!["who wins?"]));
    }

    #[test]
    fn what_cannot_be_read_is_refused_and_takes_no_number() {
        let mut chat = ChatLog::default();
        for text in ["", " \n", "\u{200b}", "a\u{202e}b", "a\u{7}b", &"é".repeat(LONGEST + 1)] {
            let refused = chat.compose(speaker("ada", true), text, 7);
            assert!(matches!(refused, Err(Refusal::Bad(_))), "{text:?}");
        }
        say(&mut chat, "ada", true, &"é".repeat(LONGEST));
        assert_eq!(chat.lines_of(true).map(|line| line.number).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn numbers_go_on_after_the_oldest_line_is_dropped_and_after_a_restart() {
        let mut chat = ChatLog::default();
        for _ in 0..=KEPT_LINES {
            say(&mut chat, "ada", true, "again");
        }
        let first = chat.lines_of(true).next().unwrap().number;
        assert_eq!((first, chat.lines.len()), (2, KEPT_LINES));
        let mut chat = ChatLog::new(chat.lines);
        say(&mut chat, "ada", true, "back");
        assert_eq!(chat.lines_of(true).last().unwrap().number, KEPT_LINES as u64 + 2);
    }

    #[test]
    fn a_new_name_stands_at_old_lines_of_that_user_only() {
        let mut chat = ChatLog::default();
        say(&mut chat, "ada", true, "one");
        say(&mut chat, "bob", true, "two");
        chat.rename("ada", "Countess");
        let names: Vec<&str> = chat.lines_of(true).map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["Countess", "BOB"]);
    }
}
