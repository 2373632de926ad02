//! Wall time and the CPU time of this thread.

use std::time::Instant;

/// A clock that was started.
pub(super) struct Clock {
    wall: Instant,
    cpu: Option<u64>,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { cpu: cpu_nanoseconds(), wall: Instant::now() }
    }

    pub(super) fn wall_seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// Seconds that this thread was on a processor; `None` where the system does not report it.
    pub(super) fn cpu_seconds(&self) -> Option<f64> {
        let spent = cpu_nanoseconds()?.checked_sub(self.cpu?)?;
        (spent > 0).then_some(spent as f64 / 1e9)
    }
}

/// Linux has it in `schedstat`: the first number is the time spent on a processor.
fn cpu_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
