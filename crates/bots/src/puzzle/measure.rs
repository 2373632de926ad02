//! How a turn is found to be the best, and by how much: searches and playing on. Every number that decides
//! whether a position becomes a puzzle stands here.

use super::Gap;
use super::choices::Choices;
use crate::any_evaluator::AnyEvaluator;
use crate::nets;
use crate::review::Depth;
use crate::review::judge::{Judge, Stopped};
use crate::value::Learned;
use carcassonne::{Edition, Move, Position};
use game::{Game, Turn};
use search::lookahead::ComparedRounds;
use search::{Agent, Limits, Lookahead, LookaheadParams, Stop};

/// A puzzle has at least so many choices.
const LEAST_CHOICES: usize = 4;
/// The best choice at one ply is so many points ahead: where two are alike, one is seldom much better in truth.
const GAP_AT_ONE_PLY: f32 = 0.3;
/// The nodes of the first search.
const NODES: u64 = 6_000;
/// The second search has so many times the nodes.
const DEEPER: u64 = 10;
/// Both see the answer at least so many points ahead.
const GAP_IN_SEARCH: f32 = 2.2;
/// Those other choices are played on that are at most so many points behind in the second search, the nearest
/// of them.
const REACH: f32 = 4.0;
const MOST_RIVALS: usize = 4;
/// Measured by playing on, the answer is at least so many points ahead of each, when so many standard errors are
/// taken off.
const LEAST_GAP: f64 = 2.0;
const ERRORS_TAKEN_OFF: f64 = 2.0;
/// How often two choices are played on: a few times to refuse most, then often where it is not clear yet.
const FEW_ROUNDS: u32 = 16;
const MANY_ROUNDS: u32 = 96;
/// With few rounds, their error is itself uncertain: so many are taken off.
const ERRORS_OF_FEW: f64 = 4.0;
/// For how many turns after the reply.
const TURNS_ON: u32 = 4;
/// The search of the check has so many times the nodes of the first.
const DEEPEST: u64 = 50;
/// The check plays on to the end in so many rounds, and again so many until the difference is more than so many standard
/// errors or the most parts are played.
const ROUNDS_TO_THE_END: u32 = 40;
const MOST_PARTS_TO_THE_END: u32 = 8;
const CLEAR: f64 = 3.0;
/// It does so with the nearest of the other choices.
const RIVALS_TO_THE_END: usize = 2;

/// What finds and measures in the games of a setup.
pub(super) struct Measure<E: Edition> {
    learned: Learned<E>,
    finder: Lookahead<AnyEvaluator<E>>,
    /// As the finder, over more turns and further.
    deep_finder: Lookahead<AnyEvaluator<E>>,
    comparer: Lookahead<AnyEvaluator<E>>,
    /// Plays on to the end.
    far_comparer: Lookahead<AnyEvaluator<E>>,
    /// Solves endings.
    judge: Judge<E>,
    stop: Stop,
}

/// One clear best choice.
pub(super) struct Best {
    pub(super) choices: Choices,
    pub(super) answer: usize,
    /// The best of the others.
    pub(super) rival: usize,
    pub(super) gap: Gap,
}

/// What a search thinks of the choices.
struct Seen {
    best: usize,
    /// Of those that it looked at, the best first, in points.
    values: Vec<(usize, f32)>,
}

impl Seen {
    /// How many points the best is ahead of the second.
    fn gap(&self) -> f32 {
        match self.values[..] {
            [(_, best), (_, second), ..] => best - second,
            // The others are so far behind that they were not looked at.
            _ => f32::INFINITY,
        }
    }

    /// The choices that come nearest to the best.
    fn rivals(&self) -> Vec<usize> {
        let Some((_, best)) = self.values.first() else { return Vec::new() };
        let near = |(index, (_, value)): &(usize, &(usize, f32))| {
            // The nearest is measured however far behind it is.
            *index == 1 || (*index > 1 && best - value <= REACH)
        };
        let rivals = self.values.iter().enumerate().filter(near);
        rivals.map(|(_, (choice, _))| *choice).take(MOST_RIVALS).collect()
    }
}

impl<E: Edition> Measure<E> {
    pub(super) fn new(setup: &E::Setup, stop: &Stop) -> Self {
        let look = |params| Lookahead::new(params, AnyEvaluator::<E>::of_setup(setup));
        let find = LookaheadParams::default();
        let deep = LookaheadParams {
            width: 40,
            window: 12.0,
            reply_width: 20,
            give_up: 8.0,
            tied: 10,
            tie: 7.0,
            turns_on: TURNS_ON,
            rounds: 100_000,
            ..find
        };
        Self {
            learned: Learned::new(nets::for_setup(setup).net),
            finder: look(find),
            deep_finder: look(deep),
            comparer: look(LookaheadParams { turns_on: TURNS_ON, ..find }),
            far_comparer: look(LookaheadParams { turns_on: u32::MAX, ..find }),
            judge: Judge::new(setup, Depth::Quick, stop),
            stop: stop.clone(),
        }
    }

    pub(super) fn choices(&mut self, position: &Position<E>) -> Choices {
        Choices::of(position, &mut self.learned)
    }

    pub(super) fn learned(&mut self) -> &mut Learned<E> {
        &mut self.learned
    }

    /// The one clear best choice of a position; `None` if there is none.
    pub(super) fn best(
        &mut self,
        position: &Position<E>,
        seed: u64,
    ) -> Result<Option<Best>, Stopped> {
        let choices = self.choices(position);
        if choices.all().len() < LEAST_CHOICES {
            return Ok(None);
        }
        if self.judge.is_exact(position) {
            return self.exact_best(position, choices);
        }
        let [first, second] = [0, 1].map(|index| choices.all()[index].value);
        if first - second < GAP_AT_ONE_PLY {
            return Ok(None);
        }
        let seen = self.search(position, &choices, 1, seed)?;
        if seen.gap() < GAP_IN_SEARCH {
            return Ok(None);
        }
        let deep = self.search(position, &choices, DEEPER, seed)?;
        if deep.best != seen.best || deep.gap() < GAP_IN_SEARCH {
            return Ok(None);
        }
        let measured = self.least_gap(position, &choices, &deep, seed)?;
        let answer = deep.best;
        Ok(measured.map(|(rival, gap)| Best { choices, answer, rival, gap }))
    }

    /// What a search with so many times the first nodes thinks of the choices.
    fn search(
        &mut self,
        position: &Position<E>,
        choices: &Choices,
        times: u64,
        seed: u64,
    ) -> Result<Seen, Stopped> {
        let finder = if times == 1 { &mut self.finder } else { &mut self.deep_finder };
        // Searches of different lengths see different draws.
        finder.new_game(position, seed ^ times);
        let report = finder.search(position, &Limits::nodes(NODES * times), &self.stop);
        if self.stop.is_stopped() {
            return Err(Stopped);
        }
        let mut values: Vec<(usize, f32)> = Vec::new();
        for line in &report.lines {
            if let Some(choice) = choices.index_of(&line.moves)
                && !values.iter().any(|(other, _)| *other == choice)
            {
                values.push((choice, line.value.margin));
            }
        }
        let best = values.first().map_or(0, |(choice, _)| *choice);
        Ok(Seen { best, values })
    }

    /// The rival that comes nearest to the answer, and by how much it is worse; `None` if one is not clearly
    /// worse.
    fn least_gap(
        &mut self,
        position: &Position<E>,
        choices: &Choices,
        seen: &Seen,
        seed: u64,
    ) -> Result<Option<(usize, Gap)>, Stopped> {
        let mut least: Option<(usize, Gap)> = None;
        for rival in seen.rivals() {
            let turns = [seen.best, rival].map(|index| choices.all()[index].turn());
            let mut gap = self.played_on(position, turns, FEW_ROUNDS, seed)?;
            if gap.points + gap.error < LEAST_GAP {
                return Ok(None);
            }
            if gap.points - ERRORS_OF_FEW * gap.error <= LEAST_GAP {
                gap = self.played_on(position, turns, MANY_ROUNDS, !seed)?;
            }
            if gap.points - ERRORS_TAKEN_OFF * gap.error <= LEAST_GAP {
                return Ok(None);
            }
            if least.is_none_or(|(_, least)| gap.points < least.points) {
                least = Some((rival, gap));
            }
        }
        Ok(least)
    }

    fn played_on(
        &mut self,
        position: &Position<E>,
        turns: [&[Move]; 2],
        rounds: u32,
        seed: u64,
    ) -> Result<Gap, Stopped> {
        compare(&mut self.comparer, position, turns, rounds, seed, &self.stop)
    }

    /// As [`best`](Self::best), where every choice can be solved.
    fn exact_best(
        &mut self,
        position: &Position<E>,
        choices: Choices,
    ) -> Result<Option<Best>, Stopped> {
        let Turn::Player(player) = position.turn() else { return Ok(None) };
        let report = self.judge.best(position, 0)?;
        let Some(answer) = choices.index_of(&report.turn) else { return Ok(None) };
        let mut least: Option<(usize, f64)> = None;
        for rival in (0..choices.all().len()).filter(|index| *index != answer) {
            let [best, other] = [answer, rival].map(|index| choices.all()[index].turn());
            let compared = self.judge.compare(position, best, other, 0)?;
            let points = f64::from(compared.difference[player].margin);
            if points <= LEAST_GAP {
                return Ok(None);
            }
            if least.is_none_or(|(_, least)| points < least) {
                least = Some((rival, points));
            }
        }
        Ok(least.map(|(rival, points)| {
            let gap = Gap { points, error: 0.0 };
            Best { choices, answer, rival, gap }
        }))
    }

    /// Whether the answer of a puzzle is found by a search with 50 times the nodes, and whether it is the best when
    /// games are played on to their end.
    pub(super) fn check(
        &mut self,
        position: &Position<E>,
        answer: &[Move],
        seed: u64,
    ) -> Result<[bool; 2], Stopped> {
        let choices = self.choices(position);
        let Some(answer) = choices.index_of(answer) else { return Ok([false; 2]) };
        if self.judge.is_exact(position) {
            let best = self.exact_best(position, choices)?;
            return Ok([best.is_some_and(|best| best.answer == answer); 2]);
        }
        let seen = self.search(position, &choices, DEEPEST, seed)?;
        let mut holds = true;
        let nearest = if seen.best == answer { seen.rivals() } else { vec![seen.best] };
        for rival in nearest.into_iter().take(RIVALS_TO_THE_END) {
            let turns = [answer, rival].map(|index| choices.all()[index].turn());
            holds = holds && self.played_to_the_end(position, turns, seed)?.points > 0.0;
        }
        Ok([seen.best == answer, holds])
    }

    /// The difference when both are played on to the end, in so many rounds that it is clear.
    fn played_to_the_end(
        &mut self,
        position: &Position<E>,
        turns: [&[Move]; 2],
        seed: u64,
    ) -> Result<Gap, Stopped> {
        let (mut sum, mut squared_errors) = (0.0, 0.0);
        let mut gap = Gap { points: 0.0, error: 0.0 };
        for part in 1..=MOST_PARTS_TO_THE_END {
            let (far, seed) = (&mut self.far_comparer, seed.wrapping_add(part.into()));
            let more = compare(far, position, turns, ROUNDS_TO_THE_END, seed, &self.stop)?;
            sum += more.points;
            squared_errors += more.error * more.error;
            let parts = f64::from(part);
            gap = Gap { points: sum / parts, error: squared_errors.sqrt() / parts };
            if gap.points.abs() > CLEAR * gap.error {
                break;
            }
        }
        Ok(gap)
    }
}

/// What the first turn is worth more than the second, with draws that no search has seen.
fn compare<E: Edition>(
    comparer: &mut Lookahead<AnyEvaluator<E>>,
    position: &Position<E>,
    turns: [&[Move]; 2],
    rounds: u32,
    seed: u64,
    stop: &Stop,
) -> Result<Gap, Stopped> {
    let Turn::Player(player) = position.turn() else { return Err(Stopped) };
    let rounds = ComparedRounds { choose: 0, measure: rounds };
    let compared = comparer.compare(position, turns, rounds, seed, stop).ok_or(Stopped)?;
    let points = f64::from(compared.difference[player].margin);
    Ok(Gap { points, error: f64::from(compared.error.margin) })
}
