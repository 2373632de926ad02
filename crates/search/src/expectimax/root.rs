//! The turns at the root: searched one after the other, deeper and deeper.

use super::maxn::MaxN;
use super::star::Star;
use super::{ExpectimaxParams, Stopped, Worker, below};
use crate::evaluator::{list_turns, value_turns};
use crate::{Clock, Evaluator, Limits, Line, Objective, Report, Stop, Turns, Values};
use game::{Game, Player, Turn};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The search below the root, for two players or for any number.
pub(super) trait SubtreeSearch<G: Game> {
    /// What the end of a turn is worth to the player who took it, and to everybody, looking so
    /// many turns further. Worth no more than `bar`, it need only be known to be that.
    fn after(
        &mut self,
        end: &G,
        player: Player,
        depth: u32,
        bar: f64,
    ) -> Result<(f64, Values), Stopped>;

    /// Whether any value came from the evaluator and not from the end of the game.
    fn guessed(&self) -> bool;
}

/// What is known of a turn.
#[derive(Clone, Copy)]
struct Known {
    utility: f64,
    values: Values,
    turn: usize,
}

/// What the threads of a search share.
struct Race {
    /// The place of the next turn to search.
    next: AtomicUsize,
    done: Mutex<Vec<Known>>,
    /// Turns to look further than the root's.
    depth: u32,
    lines: usize,
}

impl Race {
    fn lock(&self) -> MutexGuard<'_, Vec<Known>> {
        self.done.lock().expect("no worker panics while it holds the list")
    }
}

/// The turns at the root and what is known of each.
pub(super) struct Root<'a, G: Game> {
    position: &'a G,
    player: Player,
    turns: Turns<G>,
    /// The turns that are searched, best first.
    order: Vec<Known>,
    narrowed: bool,
    depth: u32,
    exact: bool,
}

impl<'a, G: Game> Root<'a, G> {
    pub(super) fn new(
        position: &'a G,
        player: Player,
        aim: Objective,
        workers: &mut [Worker<G, impl Evaluator<G>>],
        limits: &Limits,
        stop: &Stop,
    ) -> Self {
        let clock = Clock::new(&limits.divided(workers.len()), stop);
        for worker in workers.iter_mut() {
            worker.table.clear();
            worker.clock = clock.clone();
        }
        let Worker { evaluator, clock, .. } = &mut workers[0];
        let mut turns = Turns::new();
        list_turns(evaluator, position, &mut turns);
        let mut values = Vec::new();
        value_turns(evaluator, position, &turns, &mut values);
        clock.spend(turns.len() as u64);
        let known = |(turn, values): (usize, &Values)| {
            let utility = f64::from(aim.utility(values, player));
            Known { utility, values: *values, turn }
        };
        let mut order: Vec<Known> = values.iter().enumerate().map(known).collect();
        sort(&mut order);
        let exact = turns.ends().iter().all(|end| end.turn() == Turn::Over);
        Self { position, player, turns, order, narrowed: false, depth: 1, exact }
    }

    /// Whether the values are those of the end of the game.
    pub(super) const fn is_exact(&self) -> bool {
        self.exact
    }

    /// Keeps only the best turns; all if `width` is 0.
    pub(super) fn keep(&mut self, width: usize) {
        if width > 0 && width < self.order.len() {
            self.order.truncate(width);
            self.narrowed = true;
        }
    }

    /// Searches all turns to a depth, on as many threads as there are workers.
    pub(super) fn search<E: Evaluator<G>>(
        &mut self,
        depth: u32,
        params: &ExpectimaxParams,
        workers: &mut [Worker<G, E>],
    ) -> Result<(), Stopped> {
        self.narrowed |= params.width > 0;
        let race = Race {
            next: AtomicUsize::new(0),
            done: Mutex::new(Vec::with_capacity(self.order.len())),
            depth: below(depth),
            lines: params.lines.max(1),
        };
        // The first turn alone: what it is worth spares most of the work on the others.
        let mut guessed = self.work(&race, params, &mut workers[0], 1);
        if guessed.is_ok() && workers.len() > 1 && !crate::ONE_THREAD {
            let found: Vec<_> = std::thread::scope(|scope| {
                let work = |worker| scope.spawn(|| self.work(&race, params, worker, usize::MAX));
                let workers: Vec<_> = workers.iter_mut().map(work).collect();
                workers
                    .into_iter()
                    .map(|worker| worker.join().expect("a worker only panics if the game does"))
                    .collect()
            });
            guessed = found.into_iter().chain([guessed]).try_fold(false, |a, b| Ok(a | b?));
        } else if let Ok(first) = guessed {
            guessed =
                self.work(&race, params, &mut workers[0], usize::MAX).map(|rest| first | rest);
        }
        let done = race.done.into_inner().expect("no worker panicked");
        self.take(done, depth, guessed)
    }

    /// Searches the next turns that nobody has taken; whether any value was guessed.
    fn work<E: Evaluator<G>>(
        &self,
        race: &Race,
        params: &ExpectimaxParams,
        worker: &mut Worker<G, E>,
        most: usize,
    ) -> Result<bool, Stopped> {
        if self.position.players() == 2 {
            self.work_with(race, &mut Star::new(params, worker), most)
        } else {
            self.work_with(race, &mut MaxN::new(params, worker), most)
        }
    }

    fn work_with(
        &self,
        race: &Race,
        below_root: &mut impl SubtreeSearch<G>,
        most: usize,
    ) -> Result<bool, Stopped> {
        for _ in 0..most {
            let next = race.next.fetch_add(1, Ordering::Relaxed);
            let Some(known) = self.order.get(next) else { break };
            let bar = nth_best(&mut race.lock(), race.lines);
            let end = self.turns.end(known.turn);
            let (utility, values) = below_root.after(end, self.player, race.depth, bar)?;
            race.lock().push(Known { utility, values, turn: known.turn });
        }
        Ok(below_root.guessed())
    }

    /// Takes over what was found. After a stop, the turns searched deeper come first: the best of
    /// the depth before is one of them, for it was searched before all others.
    fn take(
        &mut self,
        mut done: Vec<Known>,
        depth: u32,
        guessed: Result<bool, Stopped>,
    ) -> Result<(), Stopped> {
        // In the order they stood in, so that the first of equals does not depend on threads.
        let place = |known: &Known| self.order.iter().position(|k| k.turn == known.turn);
        done.sort_by_key(place);
        sort(&mut done);
        let searched = |known: &Known| done.iter().any(|k| k.turn == known.turn);
        let rest: Vec<Known> = self.order.iter().filter(|k| !searched(k)).copied().collect();
        self.order = done;
        self.order.extend(rest);
        let guessed = guessed?;
        self.depth = depth;
        self.exact = !self.narrowed && !guessed;
        Ok(())
    }

    pub(super) fn report<E>(self, workers: &[Worker<G, E>]) -> Report<G::Move> {
        let line = |known: &Known| Line {
            moves: self.turns.moves(known.turn).to_vec(),
            value: known.values[self.player],
            visits: 1,
        };
        let lines: Vec<_> = self.order.iter().map(line).collect();
        Report {
            turn: lines.first().map(|line| line.moves.clone()).unwrap_or_default(),
            values: self.order.first().map_or_else(
                || crate::evaluator::even_values(self.position.players()),
                |known| known.values,
            ),
            lines,
            nodes: workers.iter().map(|worker| worker.clock.nodes()).sum(),
            time: workers[0].clock.elapsed(),
            depth: self.depth,
            exact: self.exact,
        }
    }
}

/// Best first; equal turns keep their order.
fn sort(known: &mut [Known]) {
    known.sort_by(|a, b| b.utility.total_cmp(&a.utility));
}

/// What the n-th best is worth; sorts.
fn nth_best(done: &mut [Known], n: usize) -> f64 {
    sort(done);
    done.get(n - 1).map_or(f64::NEG_INFINITY, |known| known.utility)
}
