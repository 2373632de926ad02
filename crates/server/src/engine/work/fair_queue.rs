//! Who is next: one of each user in turn, however many each of them has waiting.

use std::collections::{HashMap, VecDeque};

/// A queue that is served round robin by user; within a user, first come, first served.
#[derive(Debug)]
pub(crate) struct FairQueue<T> {
    /// Users who wait, the next one first. Each is here once.
    order: VecDeque<String>,
    waiting: HashMap<String, VecDeque<T>>,
    len: usize,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { order: VecDeque::new(), waiting: HashMap::new(), len: 0 }
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn push(&mut self, user: &str, item: T) {
        if let Some(own) = self.waiting.get_mut(user) {
            own.push_back(item);
        } else {
            self.order.push_back(user.to_owned());
            self.waiting.insert(user.to_owned(), VecDeque::from([item]));
        }
        self.len += 1;
    }

    /// Puts back what was taken: it is served next.
    pub(crate) fn put_back(&mut self, user: &str, item: T) {
        self.order.retain(|waiting| waiting != user);
        self.order.push_front(user.to_owned());
        self.waiting.entry(user.to_owned()).or_default().push_front(item);
        self.len += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        let user = self.order.pop_front()?;
        let own = self.waiting.get_mut(&user)?;
        let item = own.pop_front();
        if own.is_empty() {
            self.waiting.remove(&user);
        } else {
            self.order.push_back(user);
        }
        self.len -= usize::from(item.is_some());
        item
    }

    /// How many are served before the first that is wanted, if nobody comes meanwhile.
    pub(crate) fn ahead_of(&self, wanted: impl Fn(&T) -> bool) -> Option<usize> {
        let mut lines: VecDeque<_> = self
            .order
            .iter()
            .filter_map(|user| self.waiting.get(user))
            .map(VecDeque::iter)
            .collect();
        let mut ahead = 0;
        while let Some(mut line) = lines.pop_front() {
            if let Some(item) = line.next() {
                if wanted(item) {
                    return Some(ahead);
                }
                ahead += 1;
                lines.push_back(line);
            }
        }
        None
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// What each user has waited for longest.
    pub(crate) fn fronts(&self) -> impl Iterator<Item = &T> {
        self.waiting.values().filter_map(VecDeque::front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_served_in_turn_however_many_each_has_waiting() {
        let mut queue = FairQueue::default();
        for item in ["a1", "a2", "a3", "a4", "b1", "c1", "c2"] {
            queue.push(&item[..1], item);
        }
        assert_eq!((queue.len(), queue.fronts().count()), (7, 3));
        let ahead = |wanted: &str| queue.ahead_of(|item| *item == wanted);
        assert_eq!(
            (ahead("a1"), ahead("b1"), ahead("a2"), ahead("c2")),
            (Some(0), Some(1), Some(3), Some(4))
        );
        assert_eq!((ahead("a4"), ahead("d1")), (Some(6), None));
        let mut served = Vec::new();
        for _ in 0..4 {
            served.extend(queue.pop());
        }
        // Who comes now waits for one turn of each of the others, not for all that they asked.
        queue.push("d", "d1");
        served.extend(std::iter::from_fn(|| queue.pop()));
        assert_eq!(served, ["a1", "b1", "c1", "a2", "c2", "a3", "d1", "a4"]);
        assert_eq!((queue.len(), queue.fronts().count()), (0, 0), "nobody is remembered");
    }

    #[test]
    fn what_is_put_back_is_served_next() {
        let mut queue = FairQueue::default();
        for item in ["a1", "a2", "b1", "b2"] {
            queue.push(&item[..1], item);
        }
        let taken = [queue.pop(), queue.pop()];
        assert_eq!(taken, [Some("a1"), Some("b1")]);
        queue.put_back("b", "b1");
        queue.put_back("a", "a1");
        assert_eq!(queue.len(), 4);
        let served: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(served, ["a1", "b1", "a2", "b2"]);
        queue.put_back("c", "c1");
        assert_eq!((queue.pop(), queue.len()), (Some("c1"), 0));
    }
}
