//! What nodes and workers say to each other.

use super::task::{Answer, Line, Load, ReviewedStep, Task};
use crate::bus::NodeId;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Topics: workers say that they are there, and how work goes; nodes that there is work, and that nobody wants
/// it any more.
pub(super) const HERE: &str = "worker.here";
pub(super) const NEWS: &str = "work.news";
pub(super) const BELL: &str = "work.bell";
pub(super) const STOP: &str = "work.stop";

/// An order as it waits for a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// Who wants it, and that node's number for it.
    pub(super) node: NodeId,
    pub(super) number: u64,
    pub(super) line: Line,
    pub(super) load: Load,
    pub(super) task: Task,
}

/// A worker is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Here {
    /// What the program is, nets included: only the same gets work.
    pub(super) build: String,
    /// The program's version, for people.
    pub(super) version: String,
    /// Threads that take work; none if it is about to end.
    pub(super) threads: usize,
}

/// How an order goes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct News {
    pub(super) number: u64,
    pub(super) build: String,
    pub(super) what: What,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum What {
    /// A thread has it; told again and again while it does.
    Works,
    Step(ReviewedStep),
    Done {
        answer: Answer,
        took: Duration,
    },
}
