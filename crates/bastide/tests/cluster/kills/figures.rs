//! What is counted while the games go on.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// The figures of all games.
#[derive(Default)]
pub(super) struct Figures(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    acknowledged: usize,
    /// Turns that were sent and had to be sent again, or were found in the game later, by why.
    unanswered: BTreeMap<String, usize>,
    /// Requests that were refused, and connections that were not made or broke, by kind.
    refused: BTreeMap<String, usize>,
    /// How long games stood still beyond what their people thought: every turn that waited for more than a second.
    waits: Vec<Duration>,
    longest: Duration,
}

impl Figures {
    /// A turn was acknowledged, after a time in which the game stood still.
    pub(super) fn acknowledged(&self, still: Duration) {
        self.0.lock().unwrap().acknowledged += 1;
        self.still(still);
    }

    /// A game stood still.
    pub(super) fn still(&self, still: Duration) {
        let mut counted = self.0.lock().unwrap();
        counted.longest = counted.longest.max(still);
        if still > Duration::from_secs(1) {
            counted.waits.push(still);
        }
    }

    pub(super) fn unanswered(&self, why: &str) {
        *self.0.lock().unwrap().unanswered.entry(why.to_owned()).or_default() += 1;
    }

    pub(super) fn refused(&self, what: &str) {
        *self.0.lock().unwrap().refused.entry(what.to_owned()).or_default() += 1;
    }

    /// How it goes.
    pub(super) fn line(&self, left: Duration) -> String {
        let counted = self.0.lock().unwrap();
        let (turns, longest) = (counted.acknowledged, counted.longest);
        format!("{turns} turns acknowledged, the longest wait {longest:.1?}; {left:.0?} are left")
    }

    /// All of them.
    pub(super) fn all(&self) -> String {
        let mut counted = self.0.lock().unwrap();
        counted.waits.sort_unstable();
        let above = |seconds| {
            let bound = Duration::from_secs(seconds);
            counted.waits.iter().filter(|wait| **wait > bound).count()
        };
        format!(
            "turns acknowledged: {}\ngames stood still at a turn for more than 1 s: {}, 5 s: {}, 10 s: {}; longest: {:.1?}\n\
             turns without an answer: {:?}\nrefused: {:?}",
            counted.acknowledged,
            above(1),
            above(5),
            above(10),
            counted.longest,
            counted.unanswered,
            counted.refused,
        )
    }
}
