//! A worker's thread: takes what is most urgent, does it, tells how it goes.

use super::task::{Answer, Line, Load, ReviewedStep, Task};
use crate::error::Refusal;
use search::Stop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Where work comes from.
pub trait Source {
    /// The next piece of work of these lines, the first line first; waits for one. `None` once there will
    /// be none.
    fn take(&self, lines: &[Line]) -> Option<Given>;

    /// The next piece of work of these lines, if there is one now.
    fn take_now(&self, lines: &[Line]) -> Option<Given>;

    /// Whether people wait for other threads of this machine, so that a review should stand still for a moment.
    fn is_behind(&self) -> bool;
}

/// A piece of work that was given to a thread.
pub struct Given {
    /// What is to be done.
    pub task: Task,
    /// The line that it comes from.
    pub line: Line,
    /// How busy the bots are.
    pub load: Load,
    /// Whether anybody still wants it.
    pub stop: Stop,
    /// Who is told how it goes.
    pub report: Box<dyn Report>,
}

/// Who is told how a piece of work goes.
pub trait Report {
    /// A thread has it.
    fn begun(&self, at: Instant);

    /// A step of a review is known.
    fn step(&self, step: ReviewedStep);

    /// It is done, and took so long. Says whether the thread is still needed.
    fn done(self: Box<Self>, answer: Answer, took: Duration) -> bool;
}

/// How long a review stands still after a step while people wait for bots.
const STEP_ASIDE: Duration = Duration::from_millis(250);

/// Carries out what comes from a source, until it has no more or the thread is no longer needed.
pub(super) fn serve(source: &dyn Source, lines: &[Line]) {
    give_way();
    while let Some(given) = source.take(lines) {
        if !carry_out(source, lines, given) {
            return;
        }
    }
}

/// Does one piece of work; between two steps of what takes long, what is more urgent passes. Says whether the thread is
/// still needed.
fn carry_out(source: &dyn Source, lines: &[Line], given: Given) -> bool {
    let Given { task, line, load, stop, report } = given;
    let urgent = &lines[..lines.iter().position(|other| *other == line).unwrap_or_default()];
    let mut needed = true;
    let begun = Instant::now();
    report.begun(begun);
    let done = catch_unwind(AssertUnwindSafe(|| {
        task.run(load, &stop, &mut |step| {
            if let Some(step) = step {
                report.step(step);
            }
            if source.is_behind() {
                std::thread::sleep(STEP_ASIDE);
            }
            while !stop.is_stopped()
                && let Some(first) = source.take_now(urgent)
            {
                needed &= carry_out(source, urgent, first);
            }
        })
    }));
    let answer = done.unwrap_or_else(|_| {
        tracing::error!(line = line.name(), "the engine panicked");
        Err(Refusal::Internal)
    });
    report.done(answer, begun.elapsed()) && needed
}

/// Lets the threads that serve people go first where cores are few: a search takes what is left.
/// A low priority is not enough for that: a thread that wakes would still wait for the search's
/// time slice, and would not be given the core on which only a search runs.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
            set_thread_priority_and_policy, thread_native_id,
        };
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let done = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
        if let Err(error) = done {
            tracing::warn!(%error, "bots think with the priority of everything else");
        }
    }
}
