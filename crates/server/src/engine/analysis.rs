//! Letting the engine think for people: on a bounded number of threads, apart from the bots that
//! play.

use crate::error::Refusal;
use crate::games::{Hosted, WithGame, game_types, with_game};
use crate::wire::{Analysis, AnalysisLine, SeatValue};
use game::Turn;
use search::{Limits, Report, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What is to be thought about.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game's id.
    pub game: String,
    /// A record, in any form the game reads.
    pub record: String,
    /// Only so many moves of it.
    pub ply: Option<usize>,
    /// Which bot thinks; the best if absent.
    pub bot: Option<String>,
    /// How long.
    pub time: Duration,
    /// How many positions or playouts.
    pub nodes: Option<u64>,
    /// How many turns to list.
    pub top: usize,
}

/// The longest time one question may take.
pub const LONGEST: Duration = Duration::from_secs(5);

/// The time a question takes that names none.
pub const USUAL: Duration = Duration::from_secs(1);

/// The most turns that are listed.
pub const MOST_LINES: usize = 50;

/// Where people's questions are thought about; clones share the threads.
#[derive(Clone, Debug)]
pub struct Analysts {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

/// Questions that may wait; whoever comes then is asked to try again.
const MOST_WAITING: usize = 32;

/// How long beyond its limits a search may take on a busy machine.
const GRACE: Duration = Duration::from_secs(30);

impl Analysts {
    /// So many think at the same time.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self::with_queue(threads, MOST_WAITING)
    }

    /// So many think at the same time, and so many questions may be there in all.
    #[must_use]
    pub fn with_queue(threads: usize, most_waiting: usize) -> Self {
        let permits = Arc::new(Semaphore::new(threads.max(1)));
        Self { permits, waiting: Arc::default(), most_waiting }
    }

    /// Thinks about a question; a client that goes away stops it.
    ///
    /// # Errors
    /// If the record cannot be read, nobody is to move, or too many wait.
    pub async fn think(&self, question: Question) -> Result<Analysis, Refusal> {
        let (stop, game) = (Stop::new(), question.game.clone());
        let think = Think(question, stop.clone());
        self.run(stop, move || with_game(&game, think)?).await
    }

    /// Waits for a thread of those who think for people; it is given back when it is dropped.
    ///
    /// # Errors
    /// If too many wait.
    pub async fn enter(&self) -> Result<ThinkingThread, QueueFull> {
        let place = Place::take(&self.waiting, self.most_waiting)?;
        // Nobody closes it.
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| QueueFull)?;
        Ok(ThinkingThread { _place: place, _permit: permit })
    }

    /// Does something on a thread of those who think for people; a client that goes away stops it.
    ///
    /// # Errors
    /// Those of the work; or if too many wait, or it takes too long.
    pub async fn run<T: Send + 'static>(
        &self,
        stop: Stop,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let thread = self.enter().await?;
        let _guard = StopOnDrop::new(stop);
        let thinking = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            work()
        });
        match tokio::time::timeout(LONGEST + GRACE, thinking).await {
            Ok(Ok(thoughts)) => thoughts,
            Ok(Err(error)) => {
                tracing::error!(%error, "an analysis failed");
                Err(Refusal::Internal)
            }
            Err(_) => Err(Refusal::Unavailable("the engine did not answer in time".to_owned())),
        }
    }
}

/// The right to think on a thread.
#[derive(Debug)]
pub struct ThinkingThread {
    _place: Place,
    _permit: OwnedSemaphorePermit,
}

/// So many wait already that nobody else may.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many questions to the engine at once; try again in a moment")]
pub struct QueueFull;

impl From<QueueFull> for Refusal {
    fn from(full: QueueFull) -> Self {
        Self::Unavailable(full.to_string())
    }
}

/// A place in the queue, given back when it is dropped.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(waiting: &Arc<AtomicUsize>, most: usize) -> Result<Self, QueueFull> {
        let place = Self(Arc::clone(waiting));
        if waiting.fetch_add(1, Ordering::AcqRel) >= most {
            return Err(QueueFull);
        }
        Ok(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Stops a search when whoever asked is gone.
#[derive(Debug)]
pub struct StopOnDrop(Stop);

impl StopOnDrop {
    /// Stops what this stops.
    #[must_use]
    pub const fn new(stop: Stop) -> Self {
        Self(stop)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct Think(Question, Stop);

impl WithGame for Think {
    type Out = Result<Analysis, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let Self(question, stop) = self;
        let record = G::read_record(&question.record)?;
        let last = record.moves.len();
        let ply = question.ply.unwrap_or(last);
        if ply > last {
            return Err(Refusal::Bad(format!("ply {ply}: the record has {last} plies")));
        }
        let position = record
            .replay_to(ply, |_, _| {})
            .map_err(|error| Refusal::IllegalMove(error.to_string()))?;
        let player = match position.turn() {
            Turn::Player(player) => player,
            Turn::Chance => {
                return Err(Refusal::Conflict(format!(
                    "after ply {ply} a tile is drawn: add the draw to the record, or choose \
                     another ply"
                )));
            }
            Turn::Over => {
                return Err(Refusal::Conflict(format!("the game is over after ply {ply}")));
            }
        };
        let described = game_types().iter().find(|game| game.id == G::NAME);
        let strongest = described.map_or("random", |game| game.strongest.as_str());
        let name = question.bot.as_deref().unwrap_or(strongest);
        let mut bot = G::bot(name, &record.setup)?;
        bot.new_game(&position, 1);
        let limits =
            Limits { time: Some(question.time), nodes: question.nodes, ..Limits::default() };
        let report = bot.search(&position, &limits, &stop);
        Ok(told::<G>(report, player.index(), question.top))
    }
}

fn told<G: Hosted>(mut report: Report<G::Move>, seat: usize, top: usize) -> Analysis {
    let texts = |moves: &[G::Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let worth = |value: &search::Value| SeatValue {
        margin: f64::from(value.margin),
        win: f64::from(value.win),
    };
    // Among turns it values alike a bot chooses by chance: the chosen one is shown first.
    report.lines.sort_by_key(|line| line.moves != report.turn);
    let lines = report.lines.iter().take(top);
    Analysis {
        best: texts(&report.turn),
        seat: Some(seat),
        values: report.values.as_slice().iter().map(worth).collect(),
        lines: lines
            .map(|line| AnalysisLine { moves: texts(&line.moves), worth: worth(&line.value) })
            .collect(),
        nodes: report.nodes,
        time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        exact: report.exact,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(record: &str) -> Question {
        Question {
            game: "carcassonne".to_owned(),
            record: record.to_owned(),
            ply: None,
            bot: Some("greedy".to_owned()),
            time: USUAL,
            nodes: Some(500),
            top: 3,
        }
    }

    #[tokio::test]
    async fn a_position_gives_a_turn_and_the_best_lines() {
        let analysts = Analysts::new(1);
        let thoughts = analysts.think(question("carcassonne\nU")).await.unwrap();
        assert_eq!((thoughts.best.len(), thoughts.seat), (2, Some(0)));
        assert_eq!(thoughts.lines.len(), 3);
        assert_eq!(thoughts.lines[0].moves, thoughts.best);
        let best = Question { bot: None, ..question("carcassonne\nU; 1,0 r0; pass; V") };
        assert_eq!(analysts.think(best).await.unwrap().seat, Some(1));
        let town = Question {
            game: "tinytown".to_owned(),
            bot: None,
            ..question("tinytown 3x3\nbrick 0,0; end")
        };
        assert!(analysts.think(town).await.unwrap().exact);
    }

    #[tokio::test]
    async fn what_cannot_be_thought_about_is_refused_with_the_reason() {
        let analysts = Analysts::new(1);
        for (asked, word) in [
            (question("carcassonne"), "a tile is drawn"),
            (question("carcassonne\nU; 9,9 r0"), "ply 2"),
            (question("chess"), "expected a record of 'carcassonne'"),
            (Question { ply: Some(7), ..question("carcassonne\nU") }, "has 1 plies"),
            (Question { bot: Some("hal".into()), ..question("carcassonne\nU") }, "no bot"),
            (Question { game: "go".into(), ..question("carcassonne\nU") }, "no game"),
        ] {
            let refusal = analysts.think(asked).await.unwrap_err().to_string();
            assert!(refusal.contains(word), "{refusal}");
        }
        assert_eq!(analysts.waiting.load(Ordering::Acquire), 0, "every place is given back");
    }

    #[tokio::test]
    async fn too_many_questions_are_turned_away() {
        let analysts = Analysts::new(1);
        analysts.waiting.store(MOST_WAITING, Ordering::Release);
        let refused = analysts.think(question("carcassonne\nU")).await.unwrap_err();
        assert!(matches!(refused, Refusal::Unavailable(_)));
        analysts.waiting.store(0, Ordering::Release);
        analysts.think(question("carcassonne\nU")).await.unwrap();
    }
}
