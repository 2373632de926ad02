//! How long a search may take, and how it is stopped.

use crate::GameClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a search may take: it ends at the first limit it meets, or when it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// How much time.
    pub time: Option<Duration>,
    /// What time that is.
    pub by: ClockKind,
    /// Positions valued, or playouts played. A search may pass it by less than one turn's moves.
    pub nodes: Option<u64>,
    /// Turns looked ahead, the one to play included.
    pub depth: Option<u32>,
    /// The clock that `time` comes from: a search ends after its share of it, but for a choice that is
    /// close, which may take all of `time`.
    pub clock: Option<GameClock>,
}

/// What time is taken by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClockKind {
    /// The clock on the wall.
    #[default]
    Wall,
    /// The processor time of the thread that searches: what else the machine does takes nothing
    /// of it. Only for searches on one thread; several threads go by the clock on the wall.
    ThreadCpu,
}

impl ClockKind {
    /// The time now, since a moment that only this thread knows. WebAssembly has no clock: there no
    /// time passes, and a search ends by its nodes or its depth.
    #[must_use]
    pub fn now(self) -> Moment {
        match self {
            Self::Wall if !cfg!(target_family = "wasm") => Moment::Wall(Instant::now()),
            _ => Moment::ThreadCpu(thread_time()),
        }
    }
}

/// Processor time that this thread has used.
#[cfg(not(target_family = "wasm"))]
fn thread_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

#[cfg(target_family = "wasm")]
const fn thread_time() -> Duration {
    Duration::ZERO
}

/// A moment by the clock on the wall, or in the life of a thread.
#[derive(Clone, Copy, Debug)]
pub enum Moment {
    /// By the clock on the wall.
    Wall(Instant),
    /// Processor time that the thread had used.
    ThreadCpu(Duration),
}

impl Moment {
    /// The time since then; for a thread's processor time, asked by the same thread.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::ThreadCpu(start) => thread_time().saturating_sub(start),
        }
    }
}

impl Limits {
    /// No limit: the search goes on until it is stopped, or until it knows everything.
    pub const NONE: Self =
        Self { time: None, by: ClockKind::Wall, nodes: None, depth: None, clock: None };

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

    /// So much processor time of the thread that searches.
    #[must_use]
    pub const fn cpu_time(time: Duration) -> Self {
        Self { by: ClockKind::ThreadCpu, ..Self::time(time) }
    }

    /// A turn's time of what is left on a clock.
    #[must_use]
    pub fn game_clock(clock: GameClock) -> Self {
        Self { clock: Some(clock), ..Self::time(clock.most()) }
    }

    /// The limits of one of several threads that work at the same time: nodes are divided, time
    /// and depth are not.
    #[must_use]
    pub fn divided(self, threads: usize) -> Self {
        let nodes = self.nodes.map(|n| n.div_ceil(threads.max(1) as u64));
        let by = if threads > 1 { ClockKind::Wall } else { self.by };
        Self { nodes, by, ..self }
    }

    /// The same limits with only a share of the time and nodes.
    #[must_use]
    pub fn share(self, share: f64) -> Self {
        Self {
            time: self.time.map(|t| t.mul_f64(share)),
            nodes: self.nodes.map(|n| (n as f64 * share) as u64),
            ..self
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
    start: Moment,
    time: Option<Duration>,
    /// What it may become where the choice is close.
    most: Option<Duration>,
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
        let Limits { time: most, by, nodes, clock, .. } = *limits;
        let time = most.map(|most| clock.map_or(most, |clock| most.min(clock.share())));
        let (start, stop) = (by.now(), stop.clone());
        Self { start, time, most, limit: nodes, nodes: 0, next_look: 0, stop, done: false }
    }

    /// Goes on beyond a share of the time, because the choice is close; false if there is no more.
    pub fn take_more_time(&mut self) -> bool {
        let by_nodes = self.limit.is_some_and(|limit| self.nodes >= limit);
        if self.time >= self.most || by_nodes || self.stop.is_stopped() {
            return false;
        }
        (self.time, self.next_look, self.done) = (self.most, self.nodes, false);
        !self.is_done()
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
    fn processor_time_passes_only_while_the_thread_works() {
        let asleep = Clock::new(&Limits::cpu_time(Duration::from_secs(3600)), &Stop::new());
        let wall = Instant::now();
        std::thread::sleep(Duration::from_millis(50));
        assert!(asleep.elapsed() < wall.elapsed(), "{:?}", asleep.elapsed());
        let mut busy = Clock::new(&Limits::cpu_time(Duration::from_millis(2)), &Stop::new());
        let mut steps = 0u64;
        while !busy.spend(1) {
            steps += 1;
        }
        assert!(steps > 0 && busy.elapsed() >= Duration::from_millis(2));
        assert_eq!(Limits::cpu_time(Duration::ZERO).divided(2).by, ClockKind::Wall);
    }

    #[test]
    fn a_close_choice_takes_more_than_its_share_of_the_clock() {
        let (left, increment) = (Duration::from_secs(3600), Duration::ZERO);
        let limits = Limits::game_clock(GameClock { left, increment, turns: 3_600_000 });
        let mut clock = Clock::new(&limits, &Stop::new());
        std::thread::sleep(Duration::from_millis(4));
        assert!(clock.is_done(), "its share is a millisecond");
        assert!(!clock.take_more_time(), "three are over too");
        let limits = Limits::game_clock(GameClock { left, increment, turns: 3_600 });
        let stop = Stop::new();
        let mut clock = Clock::new(&Limits { nodes: Some(9), ..limits }, &stop);
        assert!(clock.take_more_time() && !clock.take_more_time(), "once");
        assert!(clock.spend(9) && !clock.take_more_time(), "nodes are a limit of their own");
        let mut clock = Clock::new(&limits, &stop);
        stop.stop();
        assert!(!clock.take_more_time());
        assert!(!Clock::new(&Limits::time(left), &Stop::new()).take_more_time());
    }

    #[test]
    fn threads_divide_nodes_but_not_time() {
        let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::nodes(10) };
        assert_eq!(limits.divided(3).nodes, Some(4));
        assert_eq!(limits.divided(3).time, limits.time);
        assert_eq!(limits.share(0.5).time, Some(Duration::from_secs(1)));
    }
}
