//! A piece of work, and how it is done. It can be sent to another machine.

use super::mining::{MinedText, MiningOrder};
use crate::engine::analysis::{self, Question};
use crate::engine::review_told::{depth_of, told_review, told_step};
use crate::error::Refusal;
use crate::games::{Hosted, WithGame, with_game};
use crate::ids::random_bits;
use crate::wire::{Analysis, Review, ReviewDepth, ReviewStep};
use bots::review::{ReviewError, Step};
use search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The lines in which work waits, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Line {
    /// A person waits for a bot.
    PersonsTurn,
    /// A person asks what the engine thinks.
    Analysis,
    /// Bots play among themselves.
    BotsTurn,
    /// A quick review of a game.
    QuickReview,
    /// A deep one.
    DeepReview,
    /// Puzzles that are looked for in a game.
    Mining,
}

impl Line {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 6] = [
        Self::PersonsTurn,
        Self::Analysis,
        Self::BotsTurn,
        Self::QuickReview,
        Self::DeepReview,
        Self::Mining,
    ];

    /// A name for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PersonsTurn => "persons_turn",
            Self::Analysis => "analysis",
            Self::BotsTurn => "bots_turn",
            Self::QuickReview => "quick_review",
            Self::DeepReview => "deep_review",
            Self::Mining => "mining",
        }
    }

    /// Whether it is for bots that play.
    #[must_use]
    pub const fn is_turn(self) -> bool {
        matches!(self, Self::PersonsTurn | Self::BotsTurn)
    }
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    /// A bot's turn.
    Turn(BotTurn),
    /// What the engine thinks of a position.
    Analysis(Question),
    /// What every turn of a game was worth.
    Review(GameReview),
    /// Puzzles in a game.
    Mining(MiningOrder),
}

/// A turn of a bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BotTurn {
    /// The game's type.
    pub game: String,
    /// Its record so far.
    pub record: String,
    /// The bot's name.
    pub bot: String,
    /// What it may spend.
    pub budget: Budget,
}

/// A review of a finished game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameReview {
    /// The game's type.
    pub game: String,
    /// Its record.
    pub record: String,
    /// How closely it is looked at.
    pub depth: ReviewDepth,
}

/// What a bot may spend on a turn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Budget {
    /// The nodes with which its rating was measured, however busy the server is.
    Measured(u64),
    /// So much time where nobody else waits, and less the more do.
    Shared(Duration),
}

/// Nodes in a second of a bot's time: about what one core of a small server searches. More would
/// only keep others waiting on a fast one.
const NODES_A_SECOND: f64 = 200_000.0;

impl Budget {
    fn limits(self, load: Load) -> Limits {
        match self {
            Self::Measured(nodes) => Limits::nodes(nodes),
            Self::Shared(time) => {
                let nodes = (time.as_secs_f64() * NODES_A_SECOND) as u64;
                // A search that gets next to nothing still values every turn once.
                Limits { nodes: Some(nodes), ..Limits::time(time) }.share(load.share())
            }
        }
    }
}

/// How busy the bots are when a turn begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Load {
    /// Turns that wait, beside the one that begins.
    pub waiting: usize,
    /// Threads that take them.
    pub threads: usize,
}

impl Load {
    /// The share of its usual time and nodes that a thought gets. With it those who wait now are
    /// all answered within the time of one usual thought.
    #[must_use]
    pub fn share(self) -> f64 {
        let threads = self.threads.max(1) as f64;
        threads / (threads + self.waiting as f64)
    }
}

/// A step of a review, as soon as it is known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewedStep {
    /// A draw or a decision.
    pub step: ReviewStep,
    /// Plies that are reviewed so far.
    pub done: usize,
    /// Plies of the game.
    pub plies: usize,
}

/// What came of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The moves of a bot, to the end of its turn.
    Turn(Vec<String>),
    /// What the engine thinks.
    Analysis(Analysis),
    /// The review.
    Review(Box<Review>),
    /// What was found in a game.
    Mined(MinedText),
}

/// What came of a task, or why nothing did.
pub type Answer = Result<Outcome, Refusal>;

/// What those are told who wait for a review that is stopped.
pub(crate) const STOPPED: &str = "the review was stopped";

impl Task {
    /// Does it, on this thread. Where it takes long, `each` is called now and then: with every step of a review as
    /// soon as it is known, and with nothing between two positions that are mined.
    ///
    /// # Errors
    /// If it cannot be done; says why.
    pub(super) fn run(
        &self,
        load: Load,
        stop: &Stop,
        each: &mut dyn FnMut(Option<ReviewedStep>),
    ) -> Answer {
        match self {
            Self::Turn(turn) => with_game(&turn.game, TakeTurn { turn, load, stop })?,
            Self::Analysis(question) => analysis::think(question, stop).map(Outcome::Analysis),
            Self::Review(review) => with_game(&review.game, MakeReview { review, stop, each })?,
            Self::Mining(order) => order.mine(stop, &mut || each(None)).map(Outcome::Mined),
        }
    }
}

struct TakeTurn<'a> {
    turn: &'a BotTurn,
    load: Load,
    stop: &'a Stop,
}

impl WithGame for TakeTurn<'_> {
    type Out = Answer;

    fn with<G: Hosted>(self) -> Answer {
        let record = G::read_record(&self.turn.record)?;
        let position = record.replay().map_err(|error| Refusal::IllegalMove(error.to_string()))?;
        let mut agent = G::bot(&self.turn.bot, &record.setup)?;
        agent.new_game(&position, random_bits());
        let report = agent.search(&position, &self.turn.budget.limits(self.load), self.stop);
        Ok(Outcome::Turn(report.turn.iter().map(ToString::to_string).collect()))
    }
}

struct MakeReview<'a> {
    review: &'a GameReview,
    stop: &'a Stop,
    each: &'a mut dyn FnMut(Option<ReviewedStep>),
}

impl WithGame for MakeReview<'_> {
    type Out = Answer;

    fn with<G: Hosted>(self) -> Answer {
        let record = G::read_record(&self.review.record)?;
        let mut each = |step: &Step, done: usize, plies: usize| {
            (self.each)(Some(ReviewedStep { step: told_step(step), done, plies }));
        };
        let made = G::review(&record, depth_of(self.review.depth), self.stop, &mut each);
        let none = || Refusal::Conflict(format!("games of {} are not reviewed", G::NAME));
        match made.ok_or_else(none)? {
            Ok(review) => Ok(Outcome::Review(Box::new(told_review(review)))),
            Err(ReviewError::Stopped) => Err(Refusal::Unavailable(STOPPED.to_owned())),
            Err(error) => Err(Refusal::Conflict(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(waiting: usize) -> Load {
        Load { waiting, threads: 1 }
    }

    #[test]
    fn the_more_wait_the_less_each_gets_and_all_are_answered_in_the_time_of_one() {
        let share = |waiting, threads| Load { waiting, threads }.share();
        assert_eq!((share(0, 1), share(0, 3)), (1.0, 1.0));
        assert_eq!((share(1, 1), share(3, 3)), (0.5, 0.5));
        for waiting in 0..300 {
            assert!(share(waiting + 1, 2) < share(waiting, 2));
            // Analysis of this length, one after the other on each thread.
            assert!(share(waiting, 2) * waiting as f64 / 2.0 < 1.0);
        }
    }

    #[test]
    fn bots_think_less_the_more_wait_and_the_usual_time_when_nobody_does() {
        let usual = Budget::Shared(Duration::from_secs(1));
        let limits = |waiting| usual.limits(load(waiting));
        let nodes = |waiting| limits(waiting).nodes.unwrap();
        assert_eq!(limits(0).time, Some(Duration::from_secs(1)));
        // The queue lengths of the table in docs/strength.md.
        assert_eq!([0, 5, 20, 50, 200].map(nodes), [200_000, 33_333, 9_523, 3_921, 995]);
        assert_eq!(limits(199).time, Some(Duration::from_millis(5)));
        assert!(limits(100_000).time.is_some_and(|time| time < Duration::from_millis(1)));
    }

    #[test]
    fn a_rated_game_has_the_nodes_of_the_rating_however_many_wait() {
        for waiting in [0, 1, 1000] {
            assert_eq!(Budget::Measured(5_000).limits(load(waiting)), Limits::nodes(5_000));
        }
    }
}
