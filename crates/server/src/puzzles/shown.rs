//! Where answers were shown to whoever asked without an account: nobody is rated there for knowing them.

use crate::time::DAY;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many are remembered, all places together, about 150 bytes each; then the oldest is forgotten.
const MOST: usize = 100_000;

/// Which answers were shown where within a day; clones share them. A place is an address as limits count it, or
/// a user.
#[derive(Clone, Default)]
pub(super) struct ShownAnswers(Arc<Mutex<Shown>>);

#[derive(Default)]
struct Shown {
    /// The number of the last showing of an answer at a place.
    last: HashMap<Box<str>, u64>,
    /// When that was, in the order of the showings.
    times: BTreeMap<u64, (i64, Box<str>)>,
    next: u64,
}

impl ShownAnswers {
    /// Remembers that the answer to a puzzle is shown at a place.
    pub(super) fn show(&self, place: &str, puzzle: &str, now: i64) {
        let key = key(place, puzzle);
        let mut shown = self.lock();
        let number = shown.next;
        shown.next += 1;
        if let Some(before) = shown.last.insert(key.clone(), number) {
            shown.times.remove(&before);
        }
        shown.times.insert(number, (now, key));
        shown.forget(now);
    }

    /// Whether the answer to a puzzle was shown at a place within a day.
    pub(super) fn was_shown(&self, place: &str, puzzle: &str, now: i64) -> bool {
        let shown = self.lock();
        let number = shown.last.get(&*key(place, puzzle));
        let time = number.and_then(|number| shown.times.get(number));
        time.is_some_and(|(at, _)| now - at < DAY)
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shown {
    fn forget(&mut self, now: i64) {
        while let Some(oldest) = self.times.first_entry() {
            if now - oldest.get().0 < DAY && self.last.len() <= MOST {
                break;
            }
            let (_, key) = oldest.remove();
            self.last.remove(&key);
        }
    }
}

fn key(place: &str, puzzle: &str) -> Box<str> {
    format!("{place} {puzzle}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_remembered_for_a_day_after_it_was_last_shown() {
        let shown = ShownAnswers::default();
        assert!(!shown.was_shown("192.0.2.1", "one", 0));
        shown.show("192.0.2.1", "one", 0);
        assert!(shown.clone().was_shown("192.0.2.1", "one", DAY - 1));
        assert!(!shown.was_shown("192.0.2.1", "two", 0));
        assert!(!shown.was_shown("192.0.2.11", "one", 0));
        shown.show("192.0.2.1", "one", DAY - 1);
        assert!(shown.was_shown("192.0.2.1", "one", DAY), "shown again");
        assert!(!shown.was_shown("192.0.2.1", "one", 2 * DAY));
        shown.show("192.0.2.1", "two", 2 * DAY);
        assert_eq!(shown.lock().last.len(), 1, "what is over is forgotten");
    }

    #[test]
    fn whoever_asks_for_many_fills_no_memory() {
        let shown = ShownAnswers::default();
        for number in 0..MOST + 10 {
            shown.show(&number.to_string(), "one", 7);
            shown.show("always", "one", 7);
        }
        let held = shown.lock();
        assert_eq!((held.last.len(), held.times.len()), (MOST, MOST));
        drop(held);
        assert!(!shown.was_shown("0", "one", 7) && shown.was_shown("always", "one", 7));
    }
}
