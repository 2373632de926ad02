//! Two turns ahead with all draws, over the most promising turns; near-ties settled by playing on.
//!
//! 1. Every turn's end is valued; the best few are the candidates.
//! 2. For every candidate and every outcome of chance, the likeliest first, the next player's best reply is found by
//!    the same evaluation. All candidates see the same outcomes, so luck does not part them. Where two play with
//!    little time, the likelier ones must do.
//! 3. Candidates that are still close are played on for a few turns by the one-turn player, with
//!    the same draws for all, until the differences are clear or the time is over.

mod belief;
mod compare;
mod reply_table;
mod rollout;
mod rollouts;
mod settle;

pub use compare::{ComparedRounds, Comparison};
pub use rollouts::{Rollouts, RolloutsParams};

use crate::evaluator::{mover, value_of};
use crate::replies::Replies;
use crate::seeds::Seeds;
use crate::{Agent, Clock, Evaluator, Limits, Line, Objective, Report, Stop, Values, any_turn};
use belief::levels;
use game::{Game, Player};
use reply_table::ReplyTable;
use settle::Settling;

/// How [`Lookahead`] searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LookaheadParams {
    /// What it plays for.
    pub aim: Objective,
    /// The most candidates that are looked at two turns deep; 0: all turns.
    pub width: usize,
    /// A candidate is at most so many points below the best at one turn.
    pub window: f32,
    /// Of replies that a sibling candidate allows too, only its so many best are valued; 0: all.
    pub reply_width: usize,
    /// A candidate this many points behind, with a third of all outcomes seen, is given up.
    pub give_up: f32,
    /// Candidates within so many points of the best after two turns are played on.
    pub tie: f32,
    /// The most candidates that are played on.
    pub tied: usize,
    /// The most turns that are played on after the reply, fewer if there is little time; 0: none, the
    /// search ends with two turns.
    pub turns_on: u32,
    /// How far, in points, playing on for a turn moves a difference as a rule, and each level of turns
    /// behind it. Differences that are less certain than this count less.
    pub trust: f32,
    /// The most times that each candidate is played on.
    pub rounds: u32,
}

impl Default for LookaheadParams {
    fn default() -> Self {
        Self {
            aim: Objective::MARGIN,
            width: 12,
            window: 8.0,
            reply_width: 8,
            give_up: 4.0,
            tie: 5.0,
            tied: 8,
            turns_on: 15,
            trust: 0.55,
            rounds: 2_000,
        }
    }
}

/// Looks two turns ahead at the most promising turns, and further where they are close.
#[derive(Clone, Debug)]
pub struct Lookahead<E> {
    /// How it searches.
    pub params: LookaheadParams,
    /// One for each thread.
    evaluators: Vec<E>,
    seeds: Seeds,
}

impl<E> Lookahead<E> {
    /// A player with this evaluation, on one thread.
    pub fn new(params: LookaheadParams, evaluator: E) -> Self {
        Self { params, evaluators: vec![evaluator], seeds: Seeds::default() }
    }

    /// The same player on so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self
    where
        E: Clone,
    {
        self.evaluators = vec![self.evaluators.swap_remove(0); threads.max(1)];
        self
    }
}

/// A turn that is looked at more closely.
pub(crate) struct Candidate<G: Game> {
    pub(crate) moves: Vec<G::Move>,
    pub(crate) end: G,
    /// What its end is worth by itself.
    pub(crate) first: Values,
    /// What it is worth as far as is known.
    pub(crate) value: Values,
    pub(crate) visits: u64,
    /// How far the search of it came: only values of the same stage can be compared.
    pub(crate) stage: Stage,
}

/// How far the search of a candidate came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    GivenUp,
    Looked,
    PlayedOn,
}

/// What a stage of the search works with.
pub(crate) struct Work<'a, G: Game, E> {
    pub(crate) params: &'a LookaheadParams,
    pub(crate) evaluators: &'a mut [E],
    pub(crate) player: Player,
    /// One for each evaluator.
    pub(crate) clocks: &'a mut [Clock],
    /// Memory for turns that are looked at, likewise.
    pub(crate) replies: Vec<Replies<G>>,
}

impl<'a, G: Game, E> Work<'a, G, E> {
    pub(crate) fn new(
        params: &'a LookaheadParams,
        player: Player,
        evaluators: &'a mut [E],
        clocks: &'a mut [Clock],
    ) -> Self {
        let replies = clocks.iter().map(|_| Replies::new()).collect();
        Self { params, evaluators, player, clocks, replies }
    }

    pub(crate) fn is_done(&mut self) -> bool {
        self.clocks.iter_mut().any(Clock::is_done)
    }

    /// Whether there is more time for a choice that is close.
    pub(crate) fn take_more_time(&mut self) -> bool {
        self.clocks.iter_mut().all(Clock::take_more_time)
    }

    pub(crate) fn utility(&self, values: &Values) -> f32 {
        self.params.aim.utility(values, self.player)
    }
}

/// A thread more is started for so many nodes.
const FEWEST_NODES: u64 = 1_000;

impl<G: Game, E: Evaluator<G>> Agent<G> for Lookahead<E> {
    fn new_game(&mut self, _start: &G, seed: u64) {
        self.seeds.new_game(seed);
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        // A thread with fewer nodes would end in the middle of the first replies it looks at.
        let fed = limits.nodes.map_or(u64::MAX, |nodes| (nodes / FEWEST_NODES).max(1));
        let threads = self.evaluators.len().min(usize::try_from(fed).unwrap_or(usize::MAX));
        let mut clocks = vec![Clock::new(&limits.divided(threads), stop); threads];
        let seed = self.seeds.next().bits();
        let Some(player) = mover(position) else {
            return Report::empty(value_of(&mut self.evaluators[0], position));
        };
        let (params, evaluators) = (&self.params, &mut self.evaluators[..threads]);
        let mut work = Work::new(params, player, evaluators, &mut clocks);
        let mut candidates = candidates(position, &mut work);
        let mut depth = 1;
        let deepest = limits.depth.unwrap_or(u32::MAX);
        if deepest >= 2 && candidates.len() > 1 && !work.is_done() {
            let turns_on = params.turns_on.min(deepest - 2);
            let mut table = ReplyTable::new(&candidates);
            // Among more than two, the rounds of playing on are too noisy to stand in for replies.
            let looked = if turns_on > 0 && position.players() == 2 {
                table.fill_enough(&mut candidates, &mut work)
            } else {
                table.fill(&mut candidates, &mut work);
                table.is_full()
            };
            depth += u32::from(looked);
            if turns_on > 0 && looked && !work.is_done() {
                let levels = levels(turns_on, params.trust, position.players());
                let settling = Settling::new(&table, &candidates, &work, seed, levels);
                depth += settling.run(&mut candidates, &mut work);
            }
        }
        sort(&mut candidates, &work);
        report(position, candidates, &clocks, depth)
    }
}

/// All turns by their ends' values, the best first: those beyond the candidates only for a report.
fn candidates<G: Game, E: Evaluator<G>>(
    position: &G,
    work: &mut Work<'_, G, E>,
) -> Vec<Candidate<G>> {
    let (params, player, replies) = (work.params, work.player, &mut work.replies[0]);
    replies.look(&mut work.evaluators[0], position, params.aim, None);
    work.clocks[0].spend(replies.turns.len() as u64);
    let utility = |turn: &usize| replies.utility(*turn, params.aim, player);
    let top = replies.order.first().map_or(0.0, utility);
    let width = if params.width == 0 { usize::MAX } else { params.width };
    let near = replies.order.iter().take(width).filter(|t| utility(t) >= top - params.window);
    let evaluator = &mut work.evaluators[0];
    let candidate = |turn: &usize| {
        let value = replies.values(*turn, evaluator);
        Candidate {
            moves: replies.turns.moves(*turn).to_vec(),
            end: replies.turns.end(*turn).clone(),
            first: value,
            value,
            visits: 1,
            stage: Stage::Looked,
        }
    };
    near.map(candidate).collect()
}

/// Best first: those that the search went furthest with, then by value.
fn sort<G: Game, E>(candidates: &mut [Candidate<G>], work: &Work<'_, G, E>) {
    candidates.sort_by(|a, b| {
        let by_value = || work.utility(&b.value).total_cmp(&work.utility(&a.value));
        b.stage.cmp(&a.stage).then_with(by_value)
    });
}

fn report<G: Game>(
    position: &G,
    candidates: Vec<Candidate<G>>,
    clocks: &[Clock],
    depth: u32,
) -> Report<G::Move> {
    let values = candidates
        .first()
        .map_or_else(|| crate::even_values(position.players()), |best| best.value);
    let mine = |values: &Values| mover(position).map(|p| values[p]).unwrap_or_default();
    let line = |c: Candidate<G>| Line { value: mine(&c.value), moves: c.moves, visits: c.visits };
    let lines: Vec<_> = candidates.into_iter().map(line).collect();
    Report {
        turn: lines.first().map_or_else(|| any_turn(position), |line| line.moves.clone()),
        values,
        lines,
        nodes: clocks.iter().map(Clock::nodes).sum(),
        time: clocks[0].elapsed(),
        depth,
        exact: false,
    }
}
