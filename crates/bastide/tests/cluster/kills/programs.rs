//! The nodes, the workers and NATS: killed, and started again.

use crate::live::{Live, Place};
use crate::load::Nodes;
use crate::nats::Nats;
use crate::start;
use game::Random;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

/// All that can be killed.
pub(super) struct Programs {
    pub(super) place: Place,
    nats: Nats,
    running: Vec<Live>,
    workers: Vec<Live>,
    /// Where clients look for nodes; a killed one is there until it has been started again.
    pub(super) nodes: Nodes,
    pub(super) kills: BTreeMap<&'static str, usize>,
    /// Those that nobody killed: nodes which stood still for so long that others took their games.
    pub(super) ended_by_themselves: usize,
}

impl Programs {
    /// Three nodes and two workers.
    pub(super) fn start(place: Place, nats: Nats) -> Self {
        let running = Vec::from([(); 3].map(|()| start(&place, &nats.url())));
        let workers = Vec::from([(); 2].map(|()| Live::start_worker(&nats.url())));
        let nodes = Nodes::of(&running.iter().collect::<Vec<_>>());
        let (kills, ended_by_themselves) = (BTreeMap::new(), 0);
        Self { place, nats, running, workers, nodes, kills, ended_by_themselves }
    }

    /// Kills a node (half of the time), a worker or NATS, and starts it again one to five seconds later.
    pub(super) async fn kill_one(&mut self, random: &mut Random) {
        let after = Duration::from_secs_f64(1.0 + 4.0 * random.unit());
        match random.below(6) {
            0 => {
                self.count("NATS", after);
                block_in_place(|| self.nats.stop());
                tokio::time::sleep(after).await;
                block_in_place(|| self.nats.start_again());
            }
            1 | 2 => {
                let index = random.below(2) as usize;
                self.count("worker", after);
                self.workers[index].signal("KILL");
                tokio::time::sleep(after).await;
                block_in_place(|| self.workers[index] = Live::start_worker(&self.nats.url()));
            }
            _ => {
                let index = random.below(3) as usize;
                self.count("node", after);
                self.running[index].signal("KILL");
                tokio::time::sleep(after).await;
                self.start_node(index);
            }
        }
    }

    fn count(&mut self, kind: &'static str, after: Duration) {
        println!("a {kind} is killed for {after:.1?}");
        *self.kills.entry(kind).or_default() += 1;
    }

    /// Starts again what ends by itself, until a moment.
    pub(super) async fn mend_until(&mut self, moment: Instant) {
        while Instant::now() < moment {
            for index in 0..self.running.len() {
                if self.running[index].has_ended() {
                    println!("a node has ended by itself");
                    self.ended_by_themselves += 1;
                    self.start_node(index);
                }
            }
            let next = moment.min(Instant::now() + Duration::from_millis(500));
            tokio::time::sleep_until(next.into()).await;
        }
    }

    fn start_node(&mut self, index: usize) {
        let live = block_in_place(|| start(&self.place, &self.nats.url()));
        self.nodes.replace(index, &live);
        let before = std::mem::replace(&mut self.running[index], live);
        let (status, log, _) = block_in_place(|| before.wait());
        if !log.is_empty() {
            println!("it had ended with {status}, and said:\n{log}");
        }
    }

    /// Ends everything in order.
    pub(super) fn end(self) {
        for live in self.running.into_iter().chain(self.workers) {
            let (status, log, _) = block_in_place(|| live.stop("TERM"));
            assert!(status.success(), "{log}");
        }
    }
}
