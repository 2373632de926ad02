//! Work on the games of a run, on many threads.

use search::Stop;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Does the work on each of the numbers, on so many threads, of which each is given its own worker. Gives what came
/// out in their order: all of it, or if it was stopped, what was done before the first that was not.
pub(super) fn in_parallel<T: Send, W: FnMut(u64) -> T>(
    numbers: &Range<u64>,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(numbers.start);
    let work = || {
        let mut worker = worker();
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || stop.is_stopped() {
                return done;
            }
            done.push((number, worker(number)));
        }
    };
    let mut all: Vec<(u64, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().map(|w| w.join().expect("the work does not panic"));
        done.flatten().collect()
    });
    all.sort_unstable_by_key(|(number, _)| *number);
    let in_order = all.into_iter().zip(numbers.clone());
    in_order.take_while(|((number, _), expected)| number == expected).map(|((_, t), _)| t).collect()
}
