//! Near-ties: the candidates are played on, all with the same draws, and compared in pairs.
//!
//! What is measured is how much playing on changes the value that two turns gave, against the
//! same change for the leader. Both the draws and that value are common to a pair, so most of the
//! noise cancels. What follows is weighed level by level (`belief`): few turns at first, for these
//! say most for what they cost, and more turns the more time there is. A round is played by the
//! candidates that promise most, so that the time goes where it may change the choice.

use super::belief::{Belief, Level, Seen, believed, hope};
use super::reply_table::ReplyTable;
use super::rollout::{Draws, Rankings, Rollout, Start};
use super::{Candidate, Stage, Work};
use crate::{Evaluator, Values, add_weighted};
use game::{Game, Player};

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
    /// Whether it plays the next round.
    plays: bool,
}

impl Sums {
    const NONE: Self = Self { rounds: 0, change: None, difference: 0.0, squares: 0.0 };

    fn seen(&self) -> Seen {
        Seen { rounds: self.rounds, mean: self.difference / f64::from(self.rounds.max(1)) }
    }
}

impl Shown {
    fn seen(&self) -> Vec<Seen> {
        self.sums.iter().map(Sums::seen).collect()
    }

    /// By how much the rounds' differences vary more than is expected, as a ratio of variances. What
    /// hardly differs from the leader from round to round can hardly be better, either. What is
    /// expected counts like some rounds: a few equal ones must not look like certainty.
    fn scale(&self, levels: &[Level]) -> f64 {
        const ROUNDS_BEFORE: f64 = 3.0;
        let (mut ratio, mut count) = (ROUNDS_BEFORE, ROUNDS_BEFORE);
        for (sum, level) in self.sums.iter().zip(levels).filter(|(sum, _)| sum.rounds > 1) {
            let n = f64::from(sum.rounds);
            let squares = sum.squares - sum.difference * sum.difference / n;
            ratio += squares.max(0.0) / level.noise;
            count += n - 1.0;
        }
        ratio / count
    }

    /// What playing on is believed to change of the difference to the leader.
    fn believed(&self, levels: &[Level]) -> Belief {
        let Belief { mean, variance } = believed(levels, &self.seen());
        Belief { mean, variance: variance * self.scale(levels) }
    }

    /// How much of the uncertainty another round takes away that goes on for so many levels.
    fn worth_of_a_round(&self, levels: &[Level], goes_on: usize) -> f64 {
        let mut seen = self.seen();
        let now = believed(levels, &seen).variance;
        seen.iter_mut().take(goes_on).for_each(|level| level.rounds += 1);
        (now - believed(levels, &seen).variance) * self.scale(levels)
    }
}

impl<'a, G: Game> Settling<'a, G> {
    pub(super) fn new<E>(
        table: &'a ReplyTable<G>,
        candidates: &[Candidate<G>],
        work: &Work<'_, G, E>,
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
        work: &mut Work<'_, G, E>,
    ) -> Option<[Values; 2]> {
        let (evaluator, clock) = (&mut work.evaluators[0], &mut work.clocks[0]);
        let replies = &mut work.replies[0];
        let mut player = Rollout { params: work.params, evaluator, clock, replies };
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
        work: &mut Work<'_, G, E>,
    ) -> u32 {
        if self.close.len() < 2 || self.levels.is_empty() {
            return 0;
        }
        let nothing = Shown { sums: vec![Sums::NONE; self.levels.len()], plays: true };
        let mut shown = vec![nothing; self.close.len()];
        let (mut round, mut deepest) = (0, 0);
        while round < work.params.rounds {
            if work.is_done() && !(self.is_close(candidates, &shown, work) && work.take_more_time())
            {
                break;
            }
            if !self.choose_players(candidates, &mut shown, work) {
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
        }
        self.believe(candidates, &shown, work);
        deepest
    }

    /// One round on each thread: the changes of each candidate that plays, by level.
    fn rounds<E: Evaluator<G>>(
        &self,
        first: u32,
        levels: usize,
        shown: &[Shown],
        work: &mut Work<'_, G, E>,
    ) -> Vec<Option<Vec<Vec<Values>>>> {
        let params = work.params;
        let plays: Vec<bool> = shown.iter().map(|one| one.plays).collect();
        let tools = work.evaluators.iter_mut().zip(work.clocks.iter_mut()).zip(&mut work.replies);
        let mut players = tools.map(|((evaluator, clock), replies)| Rollout {
            params,
            evaluator,
            clock,
            replies,
        });
        if players.len() == 1 || crate::ONE_THREAD {
            let mut player = players.next().expect("there is an evaluator");
            return vec![self.round(first, levels, &plays, &mut player)];
        }
        std::thread::scope(|scope| {
            let plays = &plays;
            let workers: Vec<_> = players
                .zip(first..)
                .map(|(mut player, round)| {
                    scope.spawn(move || self.round(round, levels, plays, &mut player))
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("a worker only panics if the game does"))
                .collect()
        })
    }

    /// Plays candidates on with the draws of one round: those that are to play, as far as the time
    /// allows. One that was not played has no changes. `None` if there was not even time for the
    /// leader and another.
    fn round<E: Evaluator<G>>(
        &self,
        round: u32,
        levels: usize,
        plays: &[bool],
        player: &mut Rollout<'_, G, E>,
    ) -> Option<Vec<Vec<Values>>> {
        let point = self.draws.first(round) as f32;
        let mut rankings = Rankings::new();
        let mut changes = Vec::with_capacity(self.close.len());
        for (plays, candidate) in plays.iter().zip(&self.close) {
            let column = if *plays { self.column(*candidate, point) } else { None };
            let reply = column.and_then(|column| self.table.replies[*candidate][column].as_ref());
            let mut values = Vec::with_capacity(levels + 1);
            if let Some(reply) = reply {
                let draws = self.draws.of_round(round);
                let levels = &self.turns[..levels];
                let from = Start { position: &reply.end, values: reply.values, draws: 1 };
                let played = player.play_on(from, draws, levels, &mut rankings, &mut values);
                if played.is_none() {
                    let others = changes.iter().skip(1).any(|one: &Vec<_>| !one.is_empty());
                    changes.resize(self.close.len(), Vec::new());
                    return others.then_some(changes);
                }
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

    /// The outcome at a point of the candidate's outcomes that were looked at, laid end to end.
    fn column(&self, candidate: usize, mut point: f32) -> Option<usize> {
        let weights = self.table.seen_weights(candidate);
        if !self.table.is_full() {
            point *= weights.iter().sum::<f32>();
        }
        let found = weights.iter().position(|weight| {
            point -= weight;
            point < 0.0
        });
        found.or_else(|| weights.iter().rposition(|weight| *weight > 0.0))
    }

    fn count<E>(&self, changes: &[Vec<Values>], shown: &mut [Shown], work: &Work<'_, G, E>) {
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

    /// How many points each candidate promises to be better than the best that is known, if it is; for
    /// that one the most that another promises.
    fn hopes<E>(
        &self,
        candidates: &[Candidate<G>],
        shown: &[Shown],
        work: &Work<'_, G, E>,
    ) -> Vec<f64> {
        let mut beliefs: Vec<Belief> = shown.iter().map(|one| one.believed(&self.levels)).collect();
        // The leader is what the others are measured by.
        beliefs[0] = Belief::default();
        for (belief, index) in beliefs.iter_mut().zip(&self.close) {
            belief.mean += f64::from(work.utility(&candidates[*index].value));
        }
        let better = |a: usize, b: usize| if beliefs[b].mean > beliefs[a].mean { b } else { a };
        let best = (0..beliefs.len()).fold(0, better);
        let hope_of = |at: usize| {
            if at == best {
                return 0.0;
            }
            let variance = beliefs[at].variance + beliefs[best].variance;
            // Half of what is uncertain of each is the leader's, and common to two others.
            let variance = if at == 0 || best == 0 { variance } else { variance / 2.0 };
            hope(beliefs[at].mean - beliefs[best].mean, variance.sqrt())
        };
        let mut hopes: Vec<f64> = (0..beliefs.len()).map(hope_of).collect();
        hopes[best] = hopes.iter().copied().fold(0.0, f64::max);
        hopes
    }

    /// Whether another candidate may well be better than the best that is known.
    fn is_close<E>(
        &self,
        candidates: &[Candidate<G>],
        shown: &[Shown],
        work: &Work<'_, G, E>,
    ) -> bool {
        const MUCH: f64 = 0.1;
        self.hopes(candidates, shown, work).into_iter().any(|hope| hope > MUCH)
    }

    /// Chooses who plays the next round: who promises most, and the leader, whom all are measured by.
    /// Says whether anybody still promises anything.
    fn choose_players<E>(
        &self,
        candidates: &[Candidate<G>],
        shown: &mut [Shown],
        work: &Work<'_, G, E>,
    ) -> bool {
        /// Rounds that all play, so that each is known a little.
        const ALL_PLAY: u32 = 3;
        /// Points that are worth no round.
        const NOTHING: f64 = 0.01;
        /// A candidate plays if it promises as much of what the first of them does.
        const SHARE: f64 = 0.25;
        let hopes = self.hopes(candidates, shown, work);
        let most = hopes.iter().copied().fold(0.0, f64::max);
        let all = shown[0].sums[0].rounds < ALL_PLAY;
        for (one, hope) in shown.iter_mut().zip(hopes) {
            one.plays = all || hope >= SHARE * most;
        }
        shown[0].plays = true;
        all || most > NOTHING
    }

    /// Moves the candidates' values by what is believed of the changes.
    fn believe<E>(&self, candidates: &mut [Candidate<G>], shown: &[Shown], work: &Work<'_, G, E>) {
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
            let difference = match *index == self.close[0] {
                true => 0.0,
                false => one.believed(&self.levels).mean,
            };
            let off = common + difference as f32 - work.utility(&change);
            add_weighted(&mut candidate.value, &change, 1.0);
            shift(&mut candidate.value, self.player, aim.margin, off);
            candidate.visits += u64::from(one.sums[0].rounds);
            candidate.stage = Stage::PlayedOn;
        }
    }
}

/// On how many levels a round takes away most uncertainty for what it costs.
fn levels_worth_most(levels: &[Level], shown: &[Shown]) -> usize {
    let mut best = (0.0, 1);
    for (at, level) in levels.iter().enumerate() {
        let play = shown.iter().skip(1).filter(|one| one.plays);
        let worth: f64 = play.map(|one| one.worth_of_a_round(levels, at + 1)).sum();
        let a_turn = worth / f64::from(level.turns);
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
    use super::super::belief::levels;
    use super::*;

    /// So many rounds on each level, with differences that vary as is expected of them, times a factor.
    fn played(levels: &[Level], rounds: &[u32], mean: f64, varying: f64) -> Shown {
        let sums = rounds.iter().zip(levels).map(|(rounds, level)| {
            let n = f64::from(*rounds);
            let squares = n * mean * mean + (n - 1.0).max(0.0) * level.noise * varying;
            Sums { rounds: *rounds, change: None, difference: n * mean, squares }
        });
        Shown { sums: sums.collect(), plays: true }
    }

    #[test]
    fn the_more_is_played_the_further_a_round_goes() {
        let levels = levels(7, 0.55, 2);
        let leader = played(&levels, &[0; 3], 0.0, 1.0);
        let mut before = 0;
        for (rounds, goes_on) in [([0; 3], 1), ([20, 0, 0], 2), ([90, 70, 0], 3)] {
            let other = played(&levels, &rounds, 0.3, 1.0);
            let found = levels_worth_most(&levels, &[leader.clone(), other]);
            assert_eq!(found, goes_on, "{rounds:?}");
            assert!(found > before);
            before = found;
        }
    }

    #[test]
    fn what_hardly_differs_is_hardly_uncertain() {
        let levels = levels(7, 0.55, 2);
        let believed =
            |rounds: [u32; 3], varying| played(&levels, &rounds, 0.1, varying).believed(&levels);
        let (alike, unlike) = (believed([40, 0, 0], 0.0), believed([40, 0, 0], 1.0));
        assert!(alike.variance < unlike.variance / 8.0, "{alike:?}, {unlike:?}");
        assert!(
            (alike.mean - unlike.mean).abs() < 1e-9,
            "the noise does not settle what is believed"
        );
        let few = believed([2, 0, 0], 0.0);
        assert!(few.variance > unlike.variance / 2.0, "two equal rounds are no certainty: {few:?}");
    }
}
