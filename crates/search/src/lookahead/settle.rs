//! Near-ties: the candidates are played on, all with the same draws, and compared in pairs.
//!
//! What is measured is how much playing on changes the value that two turns gave, against the
//! same change for the leader. Both the draws and that value are common to a pair, so most of the
//! noise cancels. Playing on is looked at level by level: what the first turns change, what the next
//! ones change beyond that, and so on. Each level is believed as far as it is certain, and the next
//! round goes on for as many turns as teach most for what they cost: few at first, and more the more
//! time there is.

use super::reply_table::ReplyTable;
use super::rollout::{Draws, Rankings, Rollout};
use super::{Candidate, Stage, Work};
use crate::{Evaluator, Values, add_weighted};
use game::{Game, Player};

/// Turns that are played on, and what is known of them beforehand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Level {
    /// After how many turns it ends.
    pub(super) turns: u32,
    /// How far, in points, it moves a difference between two candidates, as a rule.
    pub(super) trust: f64,
}

/// The candidates that are close, and how much playing on changed each.
pub(super) struct Settling<'a, G: Game> {
    table: &'a ReplyTable<G>,
    /// Indices of the candidates, the leader after two turns first.
    close: Vec<usize>,
    player: Player,
    draws: Draws,
    levels: Vec<Level>,
    /// The turns of the levels.
    turns: Vec<u32>,
}

/// Sums over the rounds of one candidate on one level.
#[derive(Clone)]
struct Sums {
    rounds: u32,
    /// Of the change to everybody.
    change: Option<Values>,
    /// Of the change to the mover against the leader's, and its square.
    difference: f64,
    squares: f64,
}

/// What a candidate's rounds showed.
#[derive(Clone)]
struct Shown {
    /// By level.
    sums: Vec<Sums>,
    open: bool,
}

impl Sums {
    const NONE: Self = Self { rounds: 0, change: None, difference: 0.0, squares: 0.0 };

    /// The variance of a round's difference: what is known beforehand counts like two rounds, for a few
    /// equal ones must not look like certainty.
    fn variance(&self, before: f64) -> f64 {
        const ROUNDS_BEFORE: f64 = 2.0;
        let n = f64::from(self.rounds);
        let mean = self.difference / n.max(1.0);
        let seen = (self.squares - n * mean * mean).max(0.0);
        (seen + ROUNDS_BEFORE * before) / ((n - 1.0).max(0.0) + ROUNDS_BEFORE)
    }

    /// The mean difference, shrunk by its uncertainty, and the variance that is left.
    fn believed(&self, level: &Level) -> (f64, f64) {
        let n = f64::from(self.rounds);
        let trusted = level.trust * level.trust;
        if self.rounds == 0 {
            return (0.0, trusted);
        }
        let error = self.variance(level.spread()) / n;
        let weight = trusted / (trusted + error);
        (weight * self.difference / n, weight * error)
    }

    /// How much of the uncertainty another round takes away.
    fn worth_of_a_round(&self, level: &Level) -> f64 {
        let (trusted, spread) = (level.trust * level.trust, self.variance(level.spread()));
        let left = trusted / (f64::from(self.rounds) * trusted + spread);
        left * left * spread
    }
}

impl Level {
    /// The variance of one round's difference before any was played: it grows with the turns.
    fn spread(&self) -> f64 {
        const A_TURN: f64 = 2.5;
        A_TURN * f64::from(self.turns.max(1))
    }
}

impl<'a, G: Game> Settling<'a, G> {
    pub(super) fn new<E>(
        table: &'a ReplyTable<G>,
        candidates: &[Candidate<G>],
        work: &Work<'_, E>,
        seed: u64,
        levels: Vec<Level>,
    ) -> Self {
        let utility = |index: &usize| work.utility(&candidates[*index].value);
        let mut close: Vec<usize> = (0..candidates.len()).filter(|i| table.alive[*i]).collect();
        close.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
        let top = close.first().map_or(0.0, utility);
        close.retain(|index| utility(index) >= top - work.params.tie);
        close.truncate(work.params.tied.max(1));
        let draws = Draws { seed, spread: true };
        Self::of(table, close, work.player, draws, levels)
    }

    /// Plays these candidates on, in this order.
    pub(super) fn of(
        table: &'a ReplyTable<G>,
        close: Vec<usize>,
        player: Player,
        draws: Draws,
        levels: Vec<Level>,
    ) -> Self {
        let turns = levels.iter().map(|level| level.turns).collect();
        Self { table, close, player, draws, levels, turns }
    }

    /// How much one round of playing on changes two candidates on the one level there is, in their order;
    /// `None` if the time is over.
    pub(super) fn changes<E: Evaluator<G>>(
        &self,
        round: u32,
        work: &mut Work<'_, E>,
    ) -> Option<[Values; 2]> {
        let (evaluator, clock) = (&mut work.evaluators[0], &mut work.clocks[0]);
        let mut player = Rollout { params: work.params, evaluator, clock };
        let changes = self.round(round, 1, &[true; 2], &mut player)?;
        match &changes[..] {
            [first, second] => Some([*first.last()?, *second.last()?]),
            _ => None,
        }
    }

    /// Plays rounds until all is settled or the time is over; gives the most turns that were played on,
    /// 0 if there was nothing to settle.
    pub(super) fn run<E: Evaluator<G>>(
        &self,
        candidates: &mut [Candidate<G>],
        work: &mut Work<'_, E>,
    ) -> u32 {
        if self.close.len() < 2 || self.levels.is_empty() {
            return 0;
        }
        let nothing = Shown { sums: vec![Sums::NONE; self.levels.len()], open: true };
        let mut shown = vec![nothing; self.close.len()];
        let (mut round, mut deepest) = (0, 0);
        let mut pace = Pace::new(work);
        while round < work.params.rounds {
            if work.is_done() && !(self.is_close(candidates, &shown, work) && work.take_more_time())
            {
                break;
            }
            let levels = levels_worth_most(&self.levels, &shown);
            for changes in self.rounds(round, levels, &shown, work) {
                if let Some(changes) = changes {
                    self.count(&changes, &mut shown, work);
                    deepest = deepest.max(self.turns[levels - 1]);
                }
                round += 1;
            }
            pace.turns += self.turns[levels - 1];
            let reach = pace.reach(&self.levels, work);
            self.close_decided(candidates, &mut shown, reach, work);
            if shown.iter().filter(|one| one.open).count() < 2 {
                break;
            }
        }
        self.believe(candidates, &shown, work);
        deepest
    }

    /// One round on each thread: the changes of each candidate that is still open, by level.
    fn rounds<E: Evaluator<G>>(
        &self,
        first: u32,
        levels: usize,
        shown: &[Shown],
        work: &mut Work<'_, E>,
    ) -> Vec<Option<Vec<Vec<Values>>>> {
        let params = work.params;
        let open: Vec<bool> = shown.iter().map(|one| one.open).collect();
        let tools = work.evaluators.iter_mut().zip(work.clocks.iter_mut());
        let mut players = tools.map(|(evaluator, clock)| Rollout { params, evaluator, clock });
        if players.len() == 1 || crate::ONE_THREAD {
            let mut player = players.next().expect("there is an evaluator");
            return vec![self.round(first, levels, &open, &mut player)];
        }
        std::thread::scope(|scope| {
            let open = &open;
            let workers: Vec<_> = players
                .zip(first..)
                .map(|(mut player, round)| {
                    scope.spawn(move || self.round(round, levels, open, &mut player))
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("a worker only panics if the game does"))
                .collect()
        })
    }

    /// Plays each open candidate on with the draws of one round; `None` if the time is over. A candidate
    /// that was not played has no changes.
    fn round<E: Evaluator<G>>(
        &self,
        round: u32,
        levels: usize,
        open: &[bool],
        player: &mut Rollout<'_, E>,
    ) -> Option<Vec<Vec<Values>>> {
        let point = self.draws.first(round) as f32;
        let mut rankings = Rankings::new();
        let mut changes = Vec::with_capacity(self.close.len());
        for (open, candidate) in open.iter().zip(&self.close) {
            let column = if *open { self.column(*candidate, point) } else { None };
            let reply = column.and_then(|column| self.table.replies[*candidate][column].as_ref());
            let mut values = Vec::with_capacity(levels + 1);
            if let Some(reply) = reply {
                let draws = self.draws.of_round(round);
                let levels = &self.turns[..levels];
                player.play_on(reply, draws, levels, &mut rankings, &mut values)?;
                let mut before = reply.values;
                for value in &mut values {
                    let after = *value;
                    add_weighted(value, &before, -1.0);
                    before = after;
                }
            }
            changes.push(values);
        }
        Some(changes)
    }

    /// The outcome at a point of the candidate's outcomes laid end to end.
    fn column(&self, candidate: usize, mut point: f32) -> Option<usize> {
        let weights = &self.table.weights[candidate];
        let found = weights.iter().position(|weight| {
            point -= weight;
            point < 0.0
        });
        found.or_else(|| weights.iter().rposition(|weight| *weight > 0.0))
    }

    fn count<E>(&self, changes: &[Vec<Values>], shown: &mut [Shown], work: &Work<'_, E>) {
        let leader = &changes[0];
        for (one, changes) in shown.iter_mut().zip(changes) {
            for ((sum, change), leader) in one.sums.iter_mut().zip(changes).zip(leader) {
                let difference = f64::from(work.utility(change) - work.utility(leader));
                sum.rounds += 1;
                sum.difference += difference;
                sum.squares += difference * difference;
                match &mut sum.change {
                    Some(total) => add_weighted(total, change, 1.0),
                    None => sum.change = Some(*change),
                }
            }
        }
    }

    /// What is believed of each candidate's worth, and how uncertain that is: on the levels that were
    /// played.
    fn beliefs<E>(
        &self,
        candidates: &[Candidate<G>],
        shown: &[Shown],
        work: &Work<'_, E>,
    ) -> Vec<(f64, f64)> {
        let belief = |(index, one): (&usize, &Shown)| {
            let (difference, error) = self.believed(one);
            (f64::from(work.utility(&candidates[*index].value)) + difference, error)
        };
        self.close.iter().zip(shown).map(belief).collect()
    }

    /// The difference to the leader that playing on is believed to make, and how uncertain it is.
    fn believed(&self, one: &Shown) -> (f64, f64) {
        let played = one.sums.iter().zip(&self.levels).filter(|(sum, _)| sum.rounds > 0);
        let (difference, variance) = played
            .map(|(sum, level)| sum.believed(level))
            .fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        (difference, variance.sqrt())
    }

    /// Whether the second of the candidates may well be the best.
    fn is_close<E>(
        &self,
        candidates: &[Candidate<G>],
        shown: &[Shown],
        work: &Work<'_, E>,
    ) -> bool {
        let mut beliefs = self.beliefs(candidates, shown, work);
        beliefs.sort_by(|a, b| b.0.total_cmp(&a.0));
        beliefs[0].0 - beliefs[1].0 <= beliefs[0].1.max(beliefs[1].1)
    }

    /// Closes the candidates that are clearly not the best. The leader stays: all are measured
    /// against it.
    fn close_decided<E>(
        &self,
        candidates: &[Candidate<G>],
        shown: &mut [Shown],
        reach: usize,
        work: &Work<'_, E>,
    ) {
        const SURE: f64 = 2.5;
        const FEW: u32 = 4;
        let mut believed = self.beliefs(candidates, shown, work);
        for ((_, error), one) in believed.iter_mut().zip(&*shown) {
            // What there is time to find out may still turn the difference round.
            let to_come = one.sums.iter().zip(&self.levels).take(reach);
            let to_come = to_come.filter(|(sum, _)| sum.rounds == 0);
            let more: f64 = to_come.map(|(_, level)| level.trust * level.trust).sum();
            *error = (*error * *error + more).sqrt();
        }
        let best = believed
            .iter()
            .copied()
            .fold((f64::NEG_INFINITY, 0.0), |best, one| if one.0 > best.0 { one } else { best });
        for (index, one) in shown.iter_mut().enumerate().skip(1) {
            let (value, error) = believed[index];
            one.open &= best.0 - value <= SURE * error.max(best.1) || one.sums[0].rounds < FEW;
        }
        // The leader, too, may be beaten by the only other one that is left.
        let others_behind = shown[1..].iter().filter(|one| one.open).count();
        let beaten = best.0 - believed[0].0 > SURE * best.1 && shown[0].sums[0].rounds >= FEW;
        if others_behind == 1 && beaten {
            shown[0].open = false;
        }
    }

    /// Moves the candidates' values by what is believed of the changes.
    fn believe<E>(&self, candidates: &mut [Candidate<G>], shown: &[Shown], work: &Work<'_, E>) {
        let mean_change = |one: &Shown| {
            let mut mean: Option<Values> = None;
            for sum in &one.sums {
                let Some(change) = &sum.change else { continue };
                let mean = mean.get_or_insert_with(|| change.map(|_| crate::Value::default()));
                add_weighted(mean, change, 1.0 / sum.rounds as f32);
            }
            mean
        };
        let Some(leader) = mean_change(&shown[0]) else { return };
        let common = work.utility(&leader);
        let aim = work.params.aim;
        for (index, one) in self.close.iter().zip(shown) {
            let candidate = &mut candidates[*index];
            let Some(change) = mean_change(one) else { continue };
            // What concerns all alike shifts every value; only the difference must be believed.
            let (difference, _) = self.believed(one);
            let off = common + difference as f32 - work.utility(&change);
            add_weighted(&mut candidate.value, &change, 1.0);
            shift(&mut candidate.value, self.player, aim.margin, off);
            candidate.visits += u64::from(one.sums[0].rounds);
            candidate.stage = Stage::PlayedOn;
        }
    }
}

/// What a turn of all candidates costs of the limits.
struct Pace {
    /// The share of the limits that was spent before.
    before: Option<f64>,
    turns: u32,
}

impl Pace {
    fn new<E>(work: &Work<'_, E>) -> Self {
        Self { before: work.clocks[0].progress(), turns: 0 }
    }

    /// On how many levels the rest of the limits is enough for many rounds.
    fn reach<E>(&self, levels: &[Level], work: &Work<'_, E>) -> usize {
        const ROUNDS: f64 = 30.0;
        let (Some(before), Some(now)) = (self.before, work.clocks[0].progress()) else {
            return levels.len();
        };
        let a_turn = (now - before) / f64::from(self.turns.max(1));
        let enough = |level: &&Level| ROUNDS * f64::from(level.turns) * a_turn <= 1.0 - now;
        levels.iter().take_while(enough).count()
    }
}

/// On how many levels a round is worth most for what it costs.
fn levels_worth_most(levels: &[Level], shown: &[Shown]) -> usize {
    let mut worth = 0.0;
    let mut best = (0.0, 1);
    for (at, level) in levels.iter().enumerate() {
        let open = shown.iter().skip(1).filter(|one| one.open);
        worth += open.map(|one| one.sums[at].worth_of_a_round(level)).sum::<f64>();
        let a_turn = worth / f64::from(level.turns.max(1));
        if a_turn > best.0 {
            best = (a_turn, at + 1);
        }
    }
    best.1
}

/// Moves a player's utility by changing the margin (the probability of a win gives the rest).
fn shift(values: &mut Values, player: Player, worth: f32, by: f32) {
    if worth <= 0.0 {
        return;
    }
    let by = by / worth;
    let players = values.len();
    for (seat, value) in values.as_mut_slice().iter_mut().enumerate() {
        if seat == player.index() {
            value.margin += by;
        } else if players == 2 {
            value.margin -= by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [Level; 3] = [
        Level { turns: 1, trust: 0.7 },
        Level { turns: 3, trust: 0.7 },
        Level { turns: 7, trust: 0.7 },
    ];

    /// So many rounds on each level, with differences whose variance is what is expected of them.
    fn played(rounds: [u32; 3], mean: f64) -> Shown {
        let sums = rounds.iter().zip(&LEVELS).map(|(rounds, level)| {
            let n = f64::from(*rounds);
            let squares = n * mean * mean + (n - 1.0).max(0.0) * level.spread();
            Sums { rounds: *rounds, change: None, difference: n * mean, squares }
        });
        Shown { sums: sums.collect(), open: true }
    }

    #[test]
    fn the_more_is_played_the_further_a_round_goes() {
        let leader = played([0; 3], 0.0);
        let mut before = 0;
        for (rounds, goes_on) in [([0; 3], 1), ([12, 0, 0], 2), ([60, 40, 0], 3)] {
            let levels = levels_worth_most(&LEVELS, &[leader.clone(), played(rounds, 0.3)]);
            assert_eq!(levels, goes_on, "{rounds:?}");
            assert!(levels > before);
            before = levels;
        }
    }

    #[test]
    fn a_difference_is_believed_as_far_as_it_is_certain() {
        let believed = |rounds| played([rounds, 0, 0], 1.0).sums[0].believed(&LEVELS[0]);
        let (nothing, all_open) = believed(0);
        assert_eq!(nothing, 0.0);
        assert!((all_open - 0.49).abs() < 1e-9, "what was trusted: {all_open}");
        let (few, unsure) = believed(4);
        let (many, sure) = believed(400);
        assert!(0.2 < few && few < 0.6 && 0.95 < many && many < 1.0, "{few}, {many}");
        assert!(sure < unsure && unsure < all_open);
    }

    #[test]
    fn a_few_equal_rounds_are_not_certain() {
        let mut sums = Sums { rounds: 3, change: None, difference: 3.0, squares: 3.0 };
        let (mean, _) = sums.believed(&LEVELS[0]);
        assert!(mean < 0.6, "three rounds of one point each are believed as {mean}");
        sums = Sums { rounds: 300, change: None, difference: 300.0, squares: 300.0 };
        assert!(sums.believed(&LEVELS[0]).0 > 0.99);
    }
}
