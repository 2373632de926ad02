//! Searching again with more until all limits are used, so that there is something to tell on the way.

use crate::{Agent, Limits, Report, Stop};
use game::Game;
use std::time::Duration;

/// Searches with a part of the limits, then with more, the last time with the longest; `each` hears every result but
/// the last, which is returned.
pub fn deepen<G: Game>(
    agent: &mut dyn Agent<G>,
    position: &G,
    limits: &Limits,
    stop: &Stop,
    mut each: impl FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mut best: Option<Report<G::Move>> = None;
    let steps = steps(limits);
    let last = steps.len() - 1;
    for (index, step) in steps.iter().enumerate() {
        let report = agent.search(position, step, stop);
        let over = index == last || stop.is_stopped() || report.exact || ended_early(&report, step);
        // A search that was cut short may have seen less than the one before.
        let better = best.as_ref().is_none_or(|b| report.nodes >= b.nodes || !stop.is_stopped());
        if better {
            best = Some(report);
        }
        if over {
            break;
        }
        if let Some(report) = &best {
            each(report);
        }
    }
    best.unwrap_or_default()
}

/// The limits of one search after the other, the last one the longest.
fn steps(limits: &Limits) -> Vec<Limits> {
    const SHORT: Duration = Duration::from_millis(500);
    const FEW: u64 = 2_000;
    match *limits {
        Limits { time: Some(time), .. } if time > SHORT => {
            [time / 8, time / 4, time - time / 8 - time / 4]
                .map(|time| Limits { time: Some(time), ..*limits })
                .to_vec()
        }
        Limits { time: None, nodes: Some(nodes), .. } if nodes > FEW => {
            [nodes / 16, nodes / 4, nodes]
                .map(|nodes| Limits { nodes: Some(nodes), ..*limits })
                .to_vec()
        }
        Limits { time: None, nodes: None, .. } => (0..16)
            .map(|step| Limits { time: Some(SHORT * (1 << step)), ..*limits })
            .chain([*limits])
            .collect(),
        _ => vec![*limits],
    }
}

/// Whether a search knew everything it can before its limits.
fn ended_early<M>(report: &Report<M>, limits: &Limits) -> bool {
    let in_time = limits.time.is_none_or(|time| report.time < time.mul_f64(0.8));
    let in_nodes = limits.nodes.is_none_or(|nodes| report.nodes < nodes / 2);
    in_time && in_nodes
}
