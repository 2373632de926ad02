//! Whose turn one of our bots is thinking about.
//!
//! What always holds:
//! - At most one thought is under way at a table; another position ends it ([`BotTurns::stop`]).
//! - An answer to a thought that was ended is known by its token and dropped.
//! - A thought that is dropped stops its search.
//! - A bot is charged no more than it was given, however late its answer comes.

use search::Stop;
use std::time::Duration;

/// The thought of a table's bot, if one is under way.
#[derive(Debug, Default)]
pub(super) struct BotTurns {
    thinking: Option<Thinking>,
    asked: u64,
}

/// Names a thought: the table's first is 1.
pub(super) type Token = u64;

#[derive(Debug)]
struct Thinking {
    token: Token,
    seat: usize,
    stop: Stop,
    /// The most that its clock is charged.
    allotted: Duration,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl BotTurns {
    /// Whether a bot thinks.
    pub(super) const fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// A bot begins to think; what stops it, too.
    pub(super) fn begin(&mut self, seat: usize, allotted: Duration) -> (Token, Stop) {
        self.asked += 1;
        let (token, stop) = (self.asked, Stop::new());
        self.thinking = Some(Thinking { token, seat, stop: stop.clone(), allotted });
        (token, stop)
    }

    /// The seat whose thought this is, unless it was ended.
    pub(super) fn seat_of(&self, token: Token) -> Option<usize> {
        self.thinking.as_ref().filter(|thinking| thinking.token == token).map(|one| one.seat)
    }

    /// A bot has answered: its seat, and what its clock is charged. Nothing if the thought was
    /// ended before.
    pub(super) fn end(&mut self, token: Token, took: Duration) -> Option<(usize, Duration)> {
        let thinking = self.thinking.take_if(|thinking| thinking.token == token)?;
        Some((thinking.seat, took.min(thinking.allotted)))
    }

    /// Forgets what is being thought: the position is another one.
    pub(super) fn stop(&mut self) {
        self.thinking = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_late_answer_is_dropped_and_its_search_stopped() {
        let mut bots = BotTurns::default();
        let (first, stop) = bots.begin(0, SECOND);
        assert_eq!(bots.seat_of(first), Some(0));
        bots.stop();
        assert!(stop.is_stopped() && !bots.is_thinking());
        let (second, _) = bots.begin(1, SECOND);
        assert_eq!((bots.seat_of(first), bots.end(first, SECOND)), (None, None));
        assert!(bots.is_thinking(), "the answer to the first does not end the second");
        assert_eq!(bots.seat_of(second), Some(1));
    }

    #[test]
    fn a_bot_is_charged_no_more_than_it_was_given() {
        let mut bots = BotTurns::default();
        for (took, charged) in [(SECOND / 2, SECOND / 2), (SECOND * 60, SECOND)] {
            let (token, _) = bots.begin(1, SECOND);
            assert_eq!(bots.end(token, took), Some((1, charged)));
            assert!(!bots.is_thinking());
        }
    }
}
