//! What was done last, so that the same message sent twice is done once.
//!
//! What always holds: an action is the same only if its sender, its number and its content are; it
//! is remembered for a minute, and of all senders together the last 32.

use super::command::{Action, Reply};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use tokio::time::Instant;

/// How long an action is remembered.
const REMEMBERED: Duration = Duration::from_secs(60);

/// How many actions are remembered.
const MOST: usize = 32;

/// The actions that took effect last.
#[derive(Debug, Default)]
pub(super) struct Repeats(VecDeque<Done>);

/// An action as its sender numbered it; one without a number is never known again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sent {
    user: String,
    id: u64,
    content: u64,
}

#[derive(Debug)]
struct Done {
    sent: Sent,
    at: Instant,
    reply: Reply,
}

impl Sent {
    /// What a user sent, if they numbered it.
    pub(super) fn new(user: &str, id: Option<u64>, action: &Action) -> Option<Self> {
        let mut hasher = DefaultHasher::new();
        format!("{action:?}").hash(&mut hasher);
        Some(Self { user: user.to_owned(), id: id?, content: hasher.finish() })
    }
}

impl Repeats {
    /// What was answered to the same action, if it was done already.
    pub(super) fn answered(&mut self, sent: &Sent, now: Instant) -> Option<Reply> {
        self.0.retain(|done| now.duration_since(done.at) < REMEMBERED);
        self.0.iter().find(|done| done.sent == *sent).map(|done| done.reply.clone())
    }

    /// An action took effect.
    pub(super) fn remember(&mut self, sent: Sent, reply: Reply, at: Instant) {
        self.0.push_back(Done { sent, at, reply });
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_number_of_the_same_person_with_the_same_content_is_a_repeat() {
        let (mut repeats, now) = (Repeats::default(), Instant::now());
        let sent = |user, id, action: Action| Sent::new(user, id, &action);
        repeats.remember(sent("ada", Some(1), Action::Resign).unwrap(), Reply::default(), now);
        let mut is_known = |sent: Option<Sent>, at| repeats.answered(&sent.unwrap(), at).is_some();
        assert!(is_known(sent("ada", Some(1), Action::Resign), now));
        assert!(!is_known(sent("bob", Some(1), Action::Resign), now));
        assert!(!is_known(sent("ada", Some(2), Action::Resign), now));
        assert!(!is_known(sent("ada", Some(1), Action::Draw(true)), now));
        assert_eq!(sent("ada", None, Action::Resign), None);
        assert!(!is_known(sent("ada", Some(1), Action::Resign), now + REMEMBERED));
    }

    #[test]
    fn the_oldest_is_forgotten_first() {
        let (mut repeats, now) = (Repeats::default(), Instant::now());
        let sent = |id| Sent::new("ada", Some(id), &Action::Resign).unwrap();
        for id in 0..=MOST as u64 {
            repeats.remember(sent(id), Reply::default(), now);
        }
        assert!(repeats.answered(&sent(0), now).is_none());
        assert!(repeats.answered(&sent(1), now).is_some());
    }
}
