//! Which node makes which review. The node where a review is first asked for makes it; the oldest decides who that
//! is, and tells all. Whoever asks elsewhere is answered from there.

use super::queue::{Reviews, Watching};
use crate::bus::{Exchange, NodeId};
use crate::error::Refusal;
use crate::storage::records::Stored;
use crate::wire::{ReviewDepth, ReviewJob, ReviewLine, ReviewState};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A game and a depth.
pub(super) type Key = (String, ReviewDepth);

/// Who makes what, as far as this node knows.
#[derive(Debug)]
pub(super) struct Makers {
    exchange: Exchange,
    known: Mutex<HashMap<Key, NodeId>>,
}

/// What the oldest node is asked: who makes this review; the asker, if nobody does.
const CLAIM: &str = "review_claim";

/// What all are told: who makes a review from now on, or that nobody does any more.
const MAKER: &str = "review_maker";

/// What the node that makes a review is asked.
const REVIEW: &str = "review";

#[derive(Debug, Serialize, Deserialize)]
struct Question {
    key: Key,
    asked: Asked,
}

#[derive(Debug, Serialize, Deserialize)]
enum Asked {
    /// Somebody wants it too.
    Make { user: String },
    /// Where it stands.
    Look,
    /// Somebody does not want it any more.
    Cancel { user: String },
    /// What follows the part that was told.
    Lines(Told),
}

/// What was told of a review to somebody who watches.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) lines: usize,
    pub(super) standing: Option<(ReviewState, usize)>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Job(ReviewJob),
    Done,
    Lines { lines: Vec<String>, told: Told, last: bool },
}

impl Makers {
    pub(super) fn new(exchange: &Exchange) -> Self {
        Self { exchange: exchange.clone(), known: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, NodeId>> {
        // Nothing that can panic happens under the lock.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The other node that makes a review.
    pub(super) fn elsewhere(&self, key: &Key) -> Option<NodeId> {
        let maker = self.lock().get(key).copied().filter(|maker| *maker != self.exchange.me())?;
        self.exchange.members().contains(&maker).then_some(maker)
    }

    /// Who makes a review that was asked for here; nothing if it is this node.
    pub(super) async fn claim(&self, key: &Key) -> Result<Option<NodeId>, Refusal> {
        if self.exchange.is_alone() {
            return Ok(None);
        }
        let (first, me) = (self.exchange.members()[0], self.exchange.me());
        let maker = match first == me {
            true => self.decide(key, me),
            false => self.exchange.ask(first, CLAIM, key).await.map_err(unavailable)?,
        };
        Ok(Some(maker).filter(|maker| *maker != me))
    }

    /// Who makes a review: who does already, or the asker from now on.
    fn decide(&self, key: &Key, asker: NodeId) -> NodeId {
        let members = self.exchange.members();
        let mut known = self.lock();
        if let Some(maker) = known.get(key).filter(|maker| members.contains(maker)) {
            return *maker;
        }
        known.insert(key.clone(), asker);
        self.exchange.publish(MAKER, &(key, Some(asker)));
        asker
    }

    /// This node does not make a review any more.
    pub(super) fn release(&self, key: &Key) {
        self.lock().remove(key);
        self.exchange.publish(MAKER, &(key, None::<NodeId>));
    }

    fn on_news(&self, key: Key, maker: Option<NodeId>) {
        match maker {
            Some(maker) => self.lock().insert(key, maker),
            None => self.lock().remove(&key),
        };
    }

    async fn ask(&self, maker: NodeId, key: &Key, asked: Asked) -> Result<Answer, Refusal> {
        let question = Question { key: key.clone(), asked };
        let answer = self.exchange.ask::<Result<Answer, Refusal>>(maker, REVIEW, &question).await;
        answer.map_err(unavailable)?
    }

    pub(super) async fn make(
        &self,
        maker: NodeId,
        key: &Key,
        user: &str,
    ) -> Result<ReviewJob, Refusal> {
        job(self.ask(maker, key, Asked::Make { user: user.to_owned() }).await?)
    }

    pub(super) async fn look(&self, maker: NodeId, key: &Key) -> Result<ReviewJob, Refusal> {
        job(self.ask(maker, key, Asked::Look).await?)
    }

    pub(super) async fn cancel(&self, maker: NodeId, key: &Key, user: &str) -> Result<(), Refusal> {
        self.ask(maker, key, Asked::Cancel { user: user.to_owned() }).await.map(|_| ())
    }
}

fn unavailable(silent: impl ToString) -> Refusal {
    Refusal::Unavailable(silent.to_string())
}

fn job(answer: Answer) -> Result<ReviewJob, Refusal> {
    match answer {
        Answer::Job(job) => Ok(job),
        Answer::Done | Answer::Lines { .. } => Err(Refusal::Internal),
    }
}

/// Answers other nodes about the reviews that are made here.
pub(super) fn listen(reviews: &Reviews) {
    let exchange = &reviews.makers().exchange;
    let weak = reviews.downgrade();
    exchange.on_news(MAKER, move |_, (key, maker)| {
        if let Some(reviews) = weak.upgrade() {
            reviews.makers().on_news(key, maker);
        }
    });
    let weak = reviews.downgrade();
    exchange.answer(CLAIM, move |asker, key: Key| {
        let maker = weak.upgrade().map_or(asker, |reviews| reviews.makers().decide(&key, asker));
        std::future::ready(maker)
    });
    let weak = reviews.downgrade();
    exchange.answer(REVIEW, move |_, question: Question| {
        let reviews = weak.upgrade();
        async move {
            match reviews {
                Some(reviews) => answer(&reviews, question).await,
                None => Err(Refusal::Unavailable("the server is stopping".to_owned())),
            }
        }
    });
}

async fn answer(reviews: &Reviews, Question { key, asked }: Question) -> Result<Answer, Refusal> {
    if let Asked::Cancel { user } = &asked {
        reviews.cancel_here(user, &key);
        return Ok(Answer::Done);
    }
    let stored = Stored::find(reviews.db(), &key.0).await?;
    let stored = stored.ok_or_else(|| Refusal::no_game(&key.0))?;
    match asked {
        Asked::Make { user } => reviews.ask_here(&user, &stored, key.1).await.map(Answer::Job),
        Asked::Look | Asked::Cancel { .. } => {
            reviews.look_here(&stored, key.1).await.map(Answer::Job)
        }
        Asked::Lines(told) => {
            let watching = reviews.watch_here(&stored, key.1, told).await?;
            Ok(lines(watching, told).await)
        }
    }
}

/// How long a question about lines waits for the first, and how many are answered at once.
const WAIT: Duration = Duration::from_secs(2);
const MOST_LINES: usize = 200;

async fn lines(mut watching: Watching, mut told: Told) -> Answer {
    let (mut lines, mut last) = (Vec::new(), false);
    while lines.len() < MOST_LINES {
        let wait = if lines.is_empty() { WAIT } else { Duration::ZERO };
        match tokio::time::timeout(wait, watching.line()).await {
            Ok(Some(line)) => lines.push(line.to_string()),
            Ok(None) => {
                last = true;
                break;
            }
            Err(_) => break,
        }
    }
    if let Some(now) = watching.told() {
        told = now;
    }
    Answer::Lines { lines, told, last }
}

/// Somebody who watches a review that another node makes.
pub struct Far {
    reviews: Reviews,
    maker: NodeId,
    key: Key,
    told: Told,
    lines: VecDeque<Arc<str>>,
    last: bool,
    /// Questions without an answer, one after the other.
    silent: u32,
}

/// So many questions in a row may stay without an answer while the node is there: it, or the bus, may be busy.
const MOST_SILENT: u32 = 3;

impl Far {
    pub(super) fn new(reviews: &Reviews, maker: NodeId, key: Key) -> Self {
        let (told, lines, last, silent) = (Told::default(), VecDeque::new(), false, 0);
        Self { reviews: reviews.clone(), maker, key, told, lines, last, silent }
    }

    fn may_wait(&self) -> bool {
        let members = self.reviews.makers().exchange.members();
        self.silent < MOST_SILENT && members.contains(&self.maker)
    }

    /// The next line; `None` after the last.
    pub(super) async fn line(&mut self) -> Option<Arc<str>> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Some(line);
            }
            if self.last {
                return None;
            }
            let asked = Asked::Lines(self.told);
            match self.reviews.makers().ask(self.maker, &self.key, asked).await {
                Ok(Answer::Lines { lines, told, last }) => {
                    (self.told, self.last, self.silent) = (told, last, 0);
                    self.lines.extend(lines.into_iter().map(Arc::from));
                }
                Err(Refusal::Unavailable(_)) if self.may_wait() => self.silent += 1,
                Ok(_) | Err(_) => {
                    self.last = true;
                    let error = "the node that made it does not answer; ask again".to_owned();
                    let line = serde_json::to_string(&ReviewLine::Failed { error });
                    self.lines.push_back(line.expect("plain data is JSON").into());
                }
            }
        }
    }
}
