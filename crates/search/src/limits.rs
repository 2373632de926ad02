//! How long a search may take, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a search may take: it ends at the first limit it meets, or when it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Positions valued, or playouts played. A search may pass it by less than one turn's moves.
    pub nodes: Option<u64>,
    /// Turns looked ahead, the one to play included.
    pub depth: Option<u32>,
}

impl Limits {
    /// No limit: the search goes on until it is stopped, or until it knows everything.
    pub const NONE: Self = Self { time: None, nodes: None, depth: None };

    /// So much time.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::NONE }
    }

    /// So many nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::NONE }
    }

    /// So many turns.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::NONE }
    }

    /// The limits of one of several threads that work at the same time: nodes are divided, time
    /// and depth are not.
    #[must_use]
    pub fn divided(self, threads: usize) -> Self {
        Self { nodes: self.nodes.map(|n| n.div_ceil(threads.max(1) as u64)), ..self }
    }

    /// The same limits with only a share of the time and nodes.
    #[must_use]
    pub fn share(self, share: f64) -> Self {
        Self {
            time: self.time.map(|t| t.mul_f64(share)),
            nodes: self.nodes.map(|n| (n as f64 * share) as u64),
            depth: self.depth,
        }
    }
}

/// A handle that stops a search from any thread; its clones stop the same searches.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A handle that has not been used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the searches that hold this handle: each answers at once with the best it has.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A search's own count of what it has spent of its [`Limits`].
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    time: Option<Duration>,
    limit: Option<u64>,
    nodes: u64,
    next_look: u64,
    stop: Stop,
    done: bool,
}

impl Clock {
    /// Reading the time costs as much as a cheap node, so it is read once in so many.
    const NODES_A_LOOK: u64 = 16;

    /// A clock that starts now.
    #[must_use]
    pub fn new(limits: &Limits, stop: &Stop) -> Self {
        let Limits { time, nodes, .. } = *limits;
        let (start, stop) = (Instant::now(), stop.clone());
        Self { start, time, limit: nodes, nodes: 0, next_look: 0, stop, done: false }
    }

    /// Counts nodes; true if the search must end now.
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.limit.is_some_and(|limit| self.nodes >= limit) || self.stop.is_stopped() {
            self.done = true;
        } else if self.nodes >= self.next_look {
            self.next_look = self.nodes + Self::NODES_A_LOOK;
            self.done |= self.time.is_some_and(|time| self.start.elapsed() >= time);
        }
        self.done
    }

    /// Whether the search must end; stays true.
    pub fn is_done(&mut self) -> bool {
        self.done || self.spend(0)
    }

    /// Nodes counted so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The share of the limits that is spent, from 0 to 1; `None` without a limit.
    ///
    /// Time is only asked for where time is a limit, so that a search by nodes is deterministic.
    #[must_use]
    pub fn progress(&self) -> Option<f64> {
        let by_nodes = self.limit.map(|limit| self.nodes as f64 / limit.max(1) as f64);
        let by_time =
            self.time.map(|t| self.start.elapsed().as_secs_f64() / t.as_secs_f64().max(1e-9));
        let most = by_nodes.into_iter().chain(by_time).fold(None, |most: Option<f64>, share| {
            Some(most.map_or(share, |most| most.max(share)))
        });
        most.map(|share| share.min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_ends_at_any_limit_and_stays_ended() {
        let mut clock = Clock::new(&Limits::nodes(10), &Stop::new());
        assert!(!clock.spend(9));
        assert!((clock.progress().unwrap() - 0.9).abs() < 1e-9);
        assert!(clock.spend(1) && clock.is_done());

        let stop = Stop::new();
        let mut clock = Clock::new(&Limits::NONE, &stop);
        assert!(!clock.spend(1_000_000) && clock.progress().is_none());
        stop.clone().stop();
        assert!(clock.is_done());

        let mut clock = Clock::new(&Limits::time(Duration::ZERO), &Stop::new());
        assert!(clock.is_done());
    }

    #[test]
    fn threads_divide_nodes_but_not_time() {
        let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::nodes(10) };
        assert_eq!(limits.divided(3).nodes, Some(4));
        assert_eq!(limits.divided(3).time, limits.time);
        assert_eq!(limits.share(0.5).time, Some(Duration::from_secs(1)));
    }
}
