//! What whoever waits for a piece of work holds.

use super::queue::{Crew, WorkQueue};
use super::task::{Answer, Line, ReviewedStep};
use crate::error::Refusal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Where who holds the ticket hears of a piece of work.
#[derive(Clone)]
pub(super) struct Teller {
    events: mpsc::UnboundedSender<Event>,
    state: Arc<AtomicU8>,
}

/// A ticket for a piece of work, and where its holder hears of it.
pub(super) fn ticket(number: u64, line: Line, queue: WorkQueue) -> (Teller, Ticket) {
    let (sender, events) = mpsc::unbounded_channel();
    let state = Arc::new(AtomicU8::new(OPEN));
    let teller = Teller { events: sender, state: state.clone() };
    (teller, Ticket { number, line, events, state, queue })
}

/// Where a piece of work is: it waits or is elsewhere, a thread of this server has it, or nobody needs it any
/// more.
const OPEN: u8 = 0;
const HERE: u8 = 1;
const ENDED: u8 = 2;

/// What happens to a piece of work.
#[derive(Debug)]
pub enum Event {
    /// A thread has it; once more if another worker has to begin again.
    Begun(Instant),
    /// A step of a review is known.
    Step(Box<ReviewedStep>),
    /// It is done: the last event.
    Done {
        /// What came of it.
        answer: Answer,
        /// From the moment at which a thread took it.
        took: Duration,
    },
}

/// For whoever waits for a piece of work.
pub struct Ticket {
    number: u64,
    line: Line,
    events: mpsc::UnboundedReceiver<Event>,
    state: Arc<AtomicU8>,
    queue: WorkQueue,
}

impl Teller {
    /// Whether nobody listens any more.
    pub(super) fn is_unheard(&self) -> bool {
        self.events.is_closed()
    }

    /// Who does not listen any more needs to hear nothing.
    pub(super) fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// A thread of this server has it.
    pub(super) fn begin_here(&self) {
        self.state.store(HERE, Ordering::Release);
    }

    /// The thread has done it. Says whether nobody took the thread's place meanwhile.
    pub(super) fn end_here(&self) -> bool {
        self.state.swap(ENDED, Ordering::AcqRel) == HERE
    }
}

impl Ticket {
    /// When the work began, once it has; `None` if it never will.
    pub async fn begun(&mut self) -> Option<Instant> {
        match self.event().await? {
            Event::Begun(at) => Some(at),
            Event::Step(_) | Event::Done { .. } => None,
        }
    }

    /// What happens next; `None` if nothing will, as nobody wants it any more.
    pub async fn event(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// What came of it, and how long it took.
    pub async fn answer(&mut self) -> (Answer, Duration) {
        loop {
            match self.event().await {
                Some(Event::Done { answer, took }) => return (answer, took),
                Some(Event::Begun(_) | Event::Step(_)) => {}
                None => {
                    let nobody = Refusal::Unavailable("nobody thinks".to_owned());
                    return (Err(nobody), Duration::ZERO);
                }
            }
        }
    }

    /// Its number in the queue.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// It takes too long: where a thread of this server has it, another takes that one's place.
    pub fn give_up(self) {
        if self.state.swap(ENDED, Ordering::AcqRel) == HERE {
            self.queue.shared().start_thread(Crew::of(self.line));
        }
    }
}
