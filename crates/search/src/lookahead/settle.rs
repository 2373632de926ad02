//! Near-ties: the candidates are played on, all with the same draws, and compared in pairs.
//!
//! What is measured is how much playing on changes the value that two turns gave, against the
//! same change for the leader. Both the draws and that value are common to a pair, so most of the
//! noise cancels. What is left is weighed against the belief that such changes are small.

use super::reply_table::{Reply, ReplyTable};
use super::{Candidate, Stage, Work};
use crate::replies::Replies;
use crate::seeds::stream;
use crate::{Clock, Evaluator, LookaheadParams, Values, add_weighted, final_values};
use game::{Game, Player, Random, Turn, ignore};

/// The candidates that are close, and how much playing on changed each.
pub(super) struct Settling<'a, G: Game> {
    table: &'a ReplyTable<G>,
    /// Indices of the candidates, the leader after two turns first.
    close: Vec<usize>,
    player: Player,
    seed: u64,
    /// Turns that are played on.
    turns_on: u32,
}

/// Sums over the rounds of one candidate.
#[derive(Clone)]
struct Sums {
    rounds: u32,
    /// Of the change to everybody.
    change: Option<Values>,
    /// Of the change to the mover against the leader's, and its square.
    difference: f64,
    squares: f64,
    open: bool,
}

impl Sums {
    const NONE: Self = Self { rounds: 0, change: None, difference: 0.0, squares: 0.0, open: true };

    /// The mean difference, shrunk by its uncertainty, and what uncertainty is left.
    fn believed(&self, trust: f64) -> (f64, f64) {
        let n = f64::from(self.rounds);
        if self.rounds < 2 {
            return (0.0, trust);
        }
        let mean = self.difference / n;
        // A few lucky equal rounds must not look like certainty.
        let spread = (self.squares - n * mean * mean).max(0.0) + 1.0;
        let error = spread / (n - 1.0) / n;
        let weight = trust * trust / (trust * trust + error);
        (mean * weight, (weight * error).sqrt())
    }
}

impl<'a, G: Game> Settling<'a, G> {
    pub(super) fn new<E>(
        table: &'a ReplyTable<G>,
        candidates: &[Candidate<G>],
        work: &Work<'_, E>,
        seed: u64,
    ) -> Self {
        let utility = |index: &usize| work.utility(&candidates[*index].value);
        let mut close: Vec<usize> = (0..candidates.len()).filter(|i| table.alive[*i]).collect();
        close.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
        let top = close.first().map_or(0.0, utility);
        close.retain(|index| utility(index) >= top - work.params.tie);
        close.truncate(work.params.tied.max(1));
        let turns_on = work.turns_on();
        Self::of(table, close, work.player, seed, turns_on)
    }

    /// Plays these candidates on, in this order.
    pub(super) fn of(
        table: &'a ReplyTable<G>,
        close: Vec<usize>,
        player: Player,
        seed: u64,
        turns_on: u32,
    ) -> Self {
        Self { table, close, player, seed, turns_on }
    }

    /// How much one round of playing on changes two candidates, in their order; `None` if the time is
    /// over.
    pub(super) fn changes<E: Evaluator<G>>(
        &self,
        round: u32,
        work: &mut Work<'_, E>,
    ) -> Option<[Values; 2]> {
        let (evaluator, clock) = (&mut work.evaluators[0], &mut work.clocks[0]);
        let changes = self.round(round, &[Sums::NONE; 2], work.params, evaluator, clock)?;
        match changes[..] {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        }
    }

    /// Plays rounds until all is settled or the time is over; gives the turns that were played on,
    /// 0 if there was nothing to settle.
    pub(super) fn run<E: Evaluator<G>>(
        &self,
        candidates: &mut [Candidate<G>],
        work: &mut Work<'_, E>,
    ) -> u32 {
        if self.close.len() < 2 {
            return 0;
        }
        let mut sums = vec![Sums::NONE; self.close.len()];
        let mut round = 0;
        while round < work.params.rounds {
            if work.is_done() && !(self.is_close(candidates, &sums, work) && work.take_more_time())
            {
                break;
            }
            for changes in self.rounds(round, &sums, work) {
                if let Some(changes) = changes {
                    self.count(&changes, &mut sums, work);
                }
                round += 1;
            }
            self.close_decided(candidates, &mut sums, work);
            if sums.iter().filter(|s| s.open).count() < 2 {
                break;
            }
        }
        self.believe(candidates, &sums, work);
        self.turns_on
    }

    /// One round on each thread: the change of each candidate that is still open.
    fn rounds<E: Evaluator<G>>(
        &self,
        first: u32,
        sums: &[Sums],
        work: &mut Work<'_, E>,
    ) -> Vec<Option<Vec<Option<Values>>>> {
        let params = work.params;
        if work.evaluators.len() == 1 || crate::ONE_THREAD {
            let (evaluator, clock) = (&mut work.evaluators[0], &mut work.clocks[0]);
            return vec![self.round(first, sums, params, evaluator, clock)];
        }
        std::thread::scope(|scope| {
            let tools = work.evaluators.iter_mut().zip(work.clocks.iter_mut());
            let spawn = |(index, (evaluator, clock)): (usize, (_, _))| {
                let round = first + index as u32;
                scope.spawn(move || self.round(round, sums, params, evaluator, clock))
            };
            let workers: Vec<_> = tools.enumerate().map(spawn).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("a worker only panics if the game does"))
                .collect()
        })
    }

    /// Plays each open candidate on with the draws of one round; `None` if the time is over.
    fn round<E: Evaluator<G>>(
        &self,
        round: u32,
        sums: &[Sums],
        params: &LookaheadParams,
        evaluator: &mut E,
        clock: &mut Clock,
    ) -> Option<Vec<Option<Values>>> {
        // Spread evenly over the outcomes, so that a few rounds see a fair sample of them.
        let start = stream(self.seed, 0).unit();
        let spread = (start + f64::from(round) * 0.618_033_988_749_894_9) % 1.0;
        let mut rankings = Vec::new();
        let mut changes = Vec::with_capacity(self.close.len());
        for (sum, candidate) in sums.iter().zip(&self.close) {
            if !sum.open {
                changes.push(None);
                continue;
            }
            let column = self.column(*candidate, spread as f32);
            let reply = column.and_then(|column| self.table.replies[*candidate][column].as_ref());
            let Some(reply) = reply else {
                changes.push(None);
                continue;
            };
            let mut random = stream(self.seed, u64::from(round) + 1);
            let turns_on = self.turns_on;
            let mut player =
                Rollout { params, turns_on, evaluator, clock, rankings: &mut rankings };
            let mut change = player.play_on(reply, &mut random)?;
            add_weighted(&mut change, &reply.values, -1.0);
            changes.push(Some(change));
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

    fn count<E>(&self, changes: &[Option<Values>], sums: &mut [Sums], work: &Work<'_, E>) {
        let Some(Some(leader)) = changes.first() else { return };
        let leader = f64::from(work.utility(leader));
        for (sum, change) in sums.iter_mut().zip(changes) {
            let Some(change) = change else { continue };
            let difference = f64::from(work.utility(change)) - leader;
            sum.rounds += 1;
            sum.difference += difference;
            sum.squares += difference * difference;
            match &mut sum.change {
                Some(total) => add_weighted(total, change, 1.0),
                None => sum.change = Some(*change),
            }
        }
    }

    /// What is believed of each candidate's worth, and how uncertain that is.
    fn beliefs<E>(
        &self,
        candidates: &[Candidate<G>],
        sums: &[Sums],
        work: &Work<'_, E>,
    ) -> Vec<(f64, f64)> {
        let trust = f64::from(work.params.trust);
        let belief = |(index, sum): (&usize, &Sums)| {
            let (change, error) = sum.believed(trust);
            (f64::from(work.utility(&candidates[*index].value)) + change, error)
        };
        self.close.iter().zip(sums).map(belief).collect()
    }

    /// Whether the second of the candidates may well be the best.
    fn is_close<E>(&self, candidates: &[Candidate<G>], sums: &[Sums], work: &Work<'_, E>) -> bool {
        let mut beliefs = self.beliefs(candidates, sums, work);
        beliefs.sort_by(|a, b| b.0.total_cmp(&a.0));
        beliefs[0].0 - beliefs[1].0 <= beliefs[0].1.max(beliefs[1].1)
    }

    /// Closes the candidates that are clearly not the best. The leader stays: all are measured
    /// against it.
    fn close_decided<E>(&self, candidates: &[Candidate<G>], sums: &mut [Sums], work: &Work<'_, E>) {
        const SURE: f64 = 2.5;
        let believed = self.beliefs(candidates, sums, work);
        let best = believed
            .iter()
            .copied()
            .fold((f64::NEG_INFINITY, 0.0), |best, one| if one.0 > best.0 { one } else { best });
        for (index, sum) in sums.iter_mut().enumerate().skip(1) {
            let (value, error) = believed[index];
            sum.open &= best.0 - value <= SURE * error.max(best.1) || sum.rounds < 4;
        }
        // The leader, too, may be beaten by the only other one that is left.
        let others_behind = believed[1..].iter().zip(&sums[1..]).filter(|(_, s)| s.open).count();
        let beaten = best.0 - believed[0].0 > SURE * best.1 && sums[0].rounds >= 4;
        if others_behind == 1 && beaten {
            sums[0].open = false;
        }
    }

    /// Moves the candidates' values by what is believed of the changes.
    fn believe<E>(&self, candidates: &mut [Candidate<G>], sums: &[Sums], work: &Work<'_, E>) {
        let trust = f64::from(work.params.trust);
        let Some(leader) = sums[0].change else { return };
        let common = f64::from(work.utility(&leader)) / f64::from(sums[0].rounds.max(1));
        let aim = work.params.aim;
        for (index, sum) in self.close.iter().zip(sums) {
            let candidate = &mut candidates[*index];
            let Some(change) = &sum.change else { continue };
            // What concerns all alike shifts every value; only the difference must be believed.
            let (difference, _) = sum.believed(trust);
            let shown = (common + difference) as f32;
            let measured = work.utility(change) / sum.rounds as f32;
            add_weighted(&mut candidate.value, change, 1.0 / sum.rounds as f32);
            let off = shown - measured;
            shift(&mut candidate.value, self.player, aim.margin, off);
            candidate.visits += u64::from(sum.rounds);
            candidate.stage = Stage::PlayedOn;
        }
    }
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

/// Plays on by one-turn play, all candidates of a round with the same draws.
struct Rollout<'a, G: Game, E> {
    params: &'a LookaheadParams,
    turns_on: u32,
    evaluator: &'a mut E,
    clock: &'a mut Clock,
    /// The first candidate's rankings, turn by turn, with the outcomes they are for.
    rankings: &'a mut Vec<(Option<G::Move>, crate::replies::Ranking<G>)>,
}

impl<G: Game, E: Evaluator<G>> Rollout<'_, G, E> {
    /// What a reply is worth after so many more turns; `None` if the time is over.
    fn play_on(&mut self, reply: &Reply<G>, random: &mut Random) -> Option<Values> {
        let mut position = reply.end.clone();
        let mut drawn = None;
        let mut value = reply.values;
        let mut turns = 0;
        let mut replies = Replies::new();
        while turns < self.turns_on {
            match position.turn() {
                Turn::Over => return Some(final_values(&position.scores())),
                Turn::Chance => {
                    drawn = position.sample_outcome(random);
                    position.play_unchecked(drawn?, ignore);
                }
                Turn::Player(_) => {
                    let index = turns as usize;
                    let known = self.rankings.get(index).filter(|(d, _)| *d == drawn);
                    let width = self.params.reply_width;
                    let near = known.map(|(_, ranking)| (ranking, width)).filter(|_| width > 0);
                    replies.look(self.evaluator, &position, self.params.aim, near);
                    if index == self.rankings.len() && width > 0 {
                        self.rankings.push((drawn, replies.ranking()));
                    }
                    let (_, end, values) = replies.best()?;
                    value = *values;
                    position = end.clone();
                    turns += 1;
                    if self.clock.spend(replies.turns.len() as u64) {
                        return None;
                    }
                }
            }
        }
        Some(value)
    }
}
