//! The clocks of a table: how much time each seat has left, and whose clock runs.
//!
//! What always holds:
//! - There is one clock for each seat, or none at all where the rule is [`ClockRule::None`].
//! - At most one clock runs. None is ever below zero.
//! - Only the end of a turn adds time, and what the rule gives is given once.
//! - The allowance for lag is given once a turn, however many moves the turn has.
//! - A seat of one of our bots is charged what the bot thought and never loses on time.
//!
//! Nothing here asks what time it is: callers say. A table that is rebuilt charges nobody for the
//! time between, unless it says so with [`Timekeeper::resume`].

use crate::wire::{ClockRule, Clocks};
use std::time::Duration;
use tokio::time::Instant;

/// What each turn may take without being charged: the way of a message there and back.
const LAG: Duration = Duration::from_millis(200);

/// What a bot gets to think about a turn however little its clock has left.
const LEAST_THOUGHT: Duration = Duration::from_millis(5);

/// The clocks of a table.
#[derive(Clone, Debug)]
pub(super) struct Timekeeper {
    rule: ClockRule,
    left: Vec<Duration>,
    running: Option<Running>,
}

/// Who has the turn after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextTurn {
    pub(super) seat: usize,
    /// Whether the clock runs at once; that of one of our bots waits until a thread takes the turn.
    pub(super) runs: bool,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    seat: usize,
    since: Instant,
    /// What of the allowance for lag is not used up in this turn.
    free: Duration,
    /// Whether the seat loses when it is at zero; our bots never do.
    flags: bool,
}

impl Timekeeper {
    /// Clocks at the start.
    pub(super) fn new(rule: ClockRule, seats: usize) -> Self {
        let full = match rule {
            ClockRule::None => return Self { rule, left: Vec::new(), running: None },
            ClockRule::Game { initial_ms, .. } => initial_ms,
            ClockRule::Move { per_move_ms } => per_move_ms,
        };
        Self { rule, left: vec![Duration::from_millis(full); seats], running: None }
    }

    /// The clocks as the log has them.
    pub(super) fn set(&mut self, left_ms: &[u64]) {
        if left_ms.len() == self.left.len() {
            self.left = left_ms.iter().map(|ms| Duration::from_millis(*ms)).collect();
        }
    }

    pub(super) const fn rule(&self) -> ClockRule {
        self.rule
    }

    /// What a seat has left at a moment; `None` without clocks.
    fn left(&self, seat: usize, now: Instant) -> Option<Duration> {
        let left = *self.left.get(seat)?;
        match self.running {
            Some(running) if running.seat == seat => {
                Some(left.saturating_sub(running.charged(now).0))
            }
            _ => Some(left),
        }
    }

    /// Moves the clocks on after a change of the game: `before` had the turn, and has `ended` it or
    /// not; `next` has it now, if the game goes on.
    pub(super) fn pass(
        &mut self,
        before: Option<usize>,
        ended: bool,
        next: Option<NextTurn>,
        now: Instant,
    ) {
        if let Some(seat) = before.filter(|_| ended) {
            self.end_turn(seat, now);
        }
        let Some(next) = next else { return self.stop(now) };
        if before == Some(next.seat) {
            self.charge(now);
        } else {
            self.stop(now);
        }
        if next.runs {
            self.start_turn(next.seat, now);
        }
    }

    /// How long one of our bots may think at most: less than usual when its clock says so.
    pub(super) fn time_to_think(&self, seat: usize, usual: Duration, now: Instant) -> Duration {
        let left = self.left(seat, now).unwrap_or(Duration::MAX);
        let by_clock = match self.rule {
            ClockRule::None => usual,
            ClockRule::Game { increment_ms, .. } => {
                left / 40 + Duration::from_millis(increment_ms) * 3 / 4
            }
            ClockRule::Move { .. } => left / 3,
        };
        usual.min(by_clock).max(LEAST_THOUGHT)
    }

    /// Charges the running clock up to now; it goes on running.
    fn charge(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            let (charged, free) = running.charged(now);
            let left = &mut self.left[running.seat];
            *left = left.saturating_sub(charged);
            *running = Running { since: now, free, ..*running };
        }
    }

    /// Stops all clocks, and gives the seat that ends its turn what the rule gives.
    fn end_turn(&mut self, seat: usize, now: Instant) {
        self.charge(now);
        self.running = None;
        let Some(left) = self.left.get_mut(seat) else { return };
        match self.rule {
            ClockRule::None => {}
            ClockRule::Game { increment_ms, .. } => *left += Duration::from_millis(increment_ms),
            ClockRule::Move { per_move_ms } => *left = Duration::from_millis(per_move_ms),
        }
    }

    /// Lets a seat's clock run, if there are clocks and it does not run already.
    pub(super) fn start_turn(&mut self, seat: usize, now: Instant) {
        self.start(Running { seat, since: now, free: LAG, flags: true });
    }

    /// Lets the clock of one of our bots run, from the moment at which a thread took its turn.
    /// However long that lasts, the bot does not lose by it: if a thread is slow, the fault is ours.
    pub(super) fn start_thinking(&mut self, seat: usize, begun: Instant) {
        self.start(Running { seat, since: begun, free: Duration::ZERO, flags: false });
    }

    fn start(&mut self, running: Running) {
        let runs = self.running.is_some_and(|now| now.seat == running.seat);
        if !self.left.is_empty() && !runs {
            match self.rule {
                ClockRule::None | ClockRule::Game { .. } => {}
                ClockRule::Move { per_move_ms } => {
                    self.left[running.seat] = Duration::from_millis(per_move_ms);
                }
            }
            self.running = Some(running);
        }
    }

    /// Charges one of our bots what it thought, and nothing of what came before or after.
    pub(super) fn end_thinking(&mut self, seat: usize, thought: Duration) {
        self.running = self.running.filter(|running| running.seat != seat);
        if let Some(left) = self.left.get_mut(seat) {
            *left = left.saturating_sub(thought);
        }
    }

    /// Lets a seat's clock run on in a game that slept: it expires after `remaining`. What that is
    /// more than the seat has left is the unused part of the allowance for lag.
    pub(super) fn resume(&mut self, seat: usize, remaining: Duration, now: Instant) {
        if let Some(left) = self.left.get_mut(seat) {
            let free = remaining.saturating_sub(*left);
            *left = remaining.min(*left);
            self.running = Some(Running { seat, since: now, free, flags: true });
        }
    }

    /// Stops all clocks.
    pub(super) fn stop(&mut self, now: Instant) {
        self.charge(now);
        self.running = None;
    }

    /// When the running clock is at zero, and its seat loses by that.
    pub(super) fn expires(&self) -> Option<Instant> {
        let running = self.running.filter(|running| running.flags)?;
        running.since.checked_add(running.free + self.left[running.seat])
    }

    /// The clocks as clients see them.
    pub(super) fn show(&self, now: Instant) -> Clocks {
        let left_ms = (0..self.left.len())
            .map(|seat| {
                let left = self.left(seat, now).unwrap_or_default();
                u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
            })
            .collect();
        Clocks { left_ms, running: self.running.map(|running| running.seat) }
    }

    /// The clocks as the log keeps them.
    pub(super) fn logged(&self, now: Instant) -> String {
        serde_json::to_string(&self.show(now).left_ms).expect("numbers are JSON")
    }
}

impl Running {
    /// What is charged by now, and what is left of the allowance.
    fn charged(&self, now: Instant) -> (Duration, Duration) {
        let elapsed = now.saturating_duration_since(self.since);
        (elapsed.saturating_sub(self.free), self.free.saturating_sub(elapsed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_game_clock_is_charged_beyond_the_lag_and_gets_its_increment() {
        let rule = ClockRule::Game { initial_ms: 10_000, increment_ms: 2_000 };
        let start = Instant::now();
        let mut clocks = Timekeeper::new(rule, 2);
        clocks.start_turn(0, start);
        assert_eq!(clocks.expires(), Some(start + ms(10_200)));
        assert_eq!(clocks.left(0, start + ms(150)), Some(ms(10_000)));
        assert_eq!(clocks.left(0, start + ms(1_200)), Some(ms(9_000)));
        // A lone tile move is charged in between; the allowance is not given twice.
        clocks.charge(start + ms(1_200));
        clocks.start_turn(0, start + ms(1_200));
        clocks.end_turn(0, start + ms(2_200));
        clocks.start_turn(1, start + ms(2_200));
        let shown = clocks.show(start + ms(2_200));
        assert_eq!(shown, Clocks { left_ms: vec![10_000, 10_000], running: Some(1) });
        assert_eq!(clocks.left(1, start + ms(60_000)), Some(Duration::ZERO));
    }

    #[test]
    fn a_clock_per_move_is_full_again_at_each_turn() {
        let start = Instant::now();
        let mut clocks = Timekeeper::new(ClockRule::Move { per_move_ms: 5_000 }, 2);
        clocks.start_turn(0, start);
        clocks.charge(start + ms(3_200));
        assert_eq!(clocks.left(0, start + ms(3_200)), Some(ms(2_000)));
        clocks.end_turn(0, start + ms(4_000));
        assert_eq!(clocks.logged(start + ms(4_000)), "[5000,5000]");
    }

    #[test]
    fn a_bot_is_charged_what_it_thought_and_never_flagged() {
        let rule = ClockRule::Game { initial_ms: 10_000, increment_ms: 2_000 };
        let start = Instant::now();
        let mut clocks = Timekeeper::new(rule, 2);
        clocks.start_thinking(1, start);
        assert_eq!(clocks.expires(), None);
        assert_eq!(clocks.left(1, start + ms(3_000)), Some(ms(7_000)), "it is seen to run");
        clocks.end_thinking(1, ms(400));
        clocks.end_turn(1, start + ms(60_000));
        assert_eq!(clocks.logged(start + ms(60_000)), "[10000,11600]");
    }

    #[test]
    fn a_clock_that_slept_expires_when_it_would_have_and_gains_nothing() {
        let rule = ClockRule::Game { initial_ms: 10_000, increment_ms: 0 };
        let start = Instant::now();
        for slept in [50, 5_000] {
            let mut clocks = Timekeeper::new(rule, 2);
            clocks.start_turn(0, start);
            let (expires, left) = (clocks.expires().unwrap(), clocks.left(0, start + ms(slept)));
            clocks.resume(0, expires - (start + ms(slept)), start + ms(slept));
            assert_eq!(clocks.left(0, start + ms(slept)), left);
            assert_eq!(clocks.expires(), Some(expires));
        }
    }

    #[test]
    fn a_move_within_a_turn_gives_no_second_allowance_and_no_increment() {
        let rule = ClockRule::Game { initial_ms: 10_000, increment_ms: 2_000 };
        let start = Instant::now();
        let mut clocks = Timekeeper::new(rule, 2);
        let next = |seat| Some(NextTurn { seat, runs: true });
        clocks.pass(None, false, next(0), start);
        clocks.pass(Some(0), false, next(0), start + ms(1_200));
        assert_eq!(clocks.logged(start + ms(1_200)), "[9000,10000]");
        clocks.pass(Some(0), true, next(1), start + ms(2_200));
        assert_eq!(clocks.logged(start + ms(2_200)), "[10000,10000]");
        assert_eq!(clocks.show(start + ms(2_200)).running, Some(1));
    }

    #[test]
    fn a_turn_that_is_dropped_or_taken_back_gives_nothing_and_the_end_stops_all() {
        let rule = ClockRule::Game { initial_ms: 10_000, increment_ms: 2_000 };
        let start = Instant::now();
        let mut clocks = Timekeeper::new(rule, 2);
        clocks.pass(None, false, Some(NextTurn { seat: 0, runs: true }), start);
        // One of our bots is next: its clock waits for a thread.
        clocks.pass(Some(0), false, Some(NextTurn { seat: 1, runs: false }), start + ms(1_200));
        let shown = clocks.show(start + ms(60_000));
        assert_eq!(shown, Clocks { left_ms: vec![9_000, 10_000], running: None });
        clocks.pass(Some(1), false, None, start + ms(2_000));
        assert_eq!(clocks.expires(), None);
    }

    #[test]
    fn a_bot_takes_a_part_of_what_its_clock_has() {
        let (usual, now) = (ms(1_000), Instant::now());
        let time = |rule| Timekeeper::new(rule, 2).time_to_think(1, usual, now);
        assert_eq!(time(ClockRule::None), usual);
        assert_eq!(time(ClockRule::Game { initial_ms: 8_000, increment_ms: 400 }), ms(500));
        assert_eq!(time(ClockRule::Move { per_move_ms: 1_500 }), ms(500));
        assert_eq!(time(ClockRule::Move { per_move_ms: 1 }), LEAST_THOUGHT);
        assert_eq!(time(ClockRule::Move { per_move_ms: 60_000 }), usual);
    }

    #[test]
    fn without_clocks_nothing_runs() {
        let mut clocks = Timekeeper::new(ClockRule::None, 3);
        clocks.start_turn(0, Instant::now());
        clocks.start_thinking(1, Instant::now());
        clocks.end_thinking(1, ms(5));
        assert_eq!(clocks.expires(), None);
        assert_eq!(clocks.logged(Instant::now()), "[]");
    }
}
