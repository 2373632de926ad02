//! Where a match stands: which rounds count, and what they say.

use super::Plan;
use super::game_runner::Finished;
use search::arena::{Outcome, Sprt, Tally, Verdict};
use std::collections::BTreeMap;

/// Where a match stands.
///
/// The test that may end it looks at the rounds in their order, each once, and at no round after
/// the one that decided it: which games end first does not matter.
pub(crate) struct MatchProgress {
    seats: usize,
    wanted: u64,
    sprt: Option<Sprt>,
    /// The first round that is not complete.
    next: u64,
    /// The rounds before it.
    in_order: Tally,
    verdict: Verdict,
    /// Rounds from there on: a game for each seat of A.
    later: BTreeMap<u64, Vec<Option<Outcome>>>,
}

impl MatchProgress {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            seats: plan.seats(),
            wanted: plan.rounds,
            sprt: plan.sprt,
            next: 0,
            in_order: Tally::new(plan.seats()),
            verdict: Verdict::Open,
            later: BTreeMap::new(),
        }
    }

    /// Counts a game.
    pub(super) fn add(&mut self, game: &Finished) {
        if game.round >= self.wanted || self.is_decided() {
            return;
        }
        let seats = self.seats;
        let round = self.later.entry(game.round).or_insert_with(|| vec![None; seats]);
        round[game.seat] = Some(game.outcome());
        while !self.is_decided()
            && let Some(round) = self.later.get(&self.next).and_then(|round| complete(round))
        {
            self.in_order.add(&round);
            self.later.remove(&self.next);
            self.next += 1;
            if let Some(sprt) = self.sprt {
                self.verdict = sprt.verdict(&self.in_order);
            }
        }
    }

    /// Whether the test has ended the match.
    pub(crate) fn is_decided(&self) -> bool {
        self.verdict != Verdict::Open
    }

    /// What the test says.
    pub(super) const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Whether a round is complete and counts.
    pub(super) fn counts(&self, round: u64) -> bool {
        let later = || self.later.get(&round).is_some_and(|round| complete(round).is_some());
        round < self.next || (!self.is_decided() && later())
    }

    /// What stands beside the bar of a match: `+1.3 ± 0.4  61 %  `.
    pub(super) fn line(&self) -> String {
        let tally = self.tally();
        format!("{}  {:.0} %  ", tally.margin(), 100.0 * tally.score().mean)
    }

    /// What the rounds that count say.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = self.in_order.clone();
        if !self.is_decided() {
            let rounds = self.later.values().filter_map(|round| complete(round));
            rounds.for_each(|round| tally.add(&round));
        }
        tally
    }
}

fn complete(round: &[Option<Outcome>]) -> Option<Vec<Outcome>> {
    round.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Paces;
    use crate::arena::game_runner::Effort;
    use crate::external::ProgramOptions;

    fn plan(sprt: Option<Sprt>) -> Plan {
        let sides = ["random".to_owned(), "greedy".to_owned()];
        let (setup, paces) = (carcassonne::ExpandedSetup::default(), Paces::DEFAULT.0);
        let programs = ProgramOptions::default();
        Plan {
            setup,
            sides,
            paces,
            seed: 1,
            rounds: 1_000,
            sprt,
            programs,
            tried: Default::default(),
        }
    }

    /// A game that A won by `margin`.
    fn won(round: u64, seat: usize, margin: i32) -> Finished {
        let mut scores = vec![0, 0];
        scores[seat] = margin;
        let spent = [Effort::default(); 2];
        Finished { round, seat, scores, forfeit: None, spent, record: String::new() }
    }

    #[test]
    fn half_a_pair_does_not_count() {
        let mut progress = MatchProgress::new(&plan(None));
        progress.add(&won(1, 0, 4));
        progress.add(&won(1, 1, 2));
        progress.add(&won(0, 1, 9));
        assert!(progress.counts(1) && !progress.counts(0));
        assert_eq!((progress.tally().rounds(), progress.tally().margin().mean), (1, 3.0));
        progress.add(&won(0, 0, 9));
        assert_eq!((progress.tally().rounds(), progress.tally().margin().mean), (2, 6.0));
        progress.add(&won(1_000, 0, 9));
        progress.add(&won(1_000, 1, 9));
        assert!(!progress.counts(1_000));
    }

    #[test]
    fn the_test_ends_at_the_same_round_in_any_order() {
        let games: Vec<Finished> =
            (0..400).flat_map(|round| [won(round, 0, 5), won(round, 1, 3)]).collect();
        let mut forward = MatchProgress::new(&plan(Some(Sprt::new(0.0, 100.0))));
        games.iter().for_each(|game| forward.add(game));
        let mut backward = MatchProgress::new(&plan(Some(Sprt::new(0.0, 100.0))));
        games.iter().rev().for_each(|game| backward.add(game));
        assert_eq!(forward.verdict(), Verdict::Accepted);
        assert_eq!(forward.tally(), backward.tally());
        let end = forward.tally().rounds();
        assert!((2..100).contains(&end), "{end}");
        assert!(backward.counts(end - 1) && !backward.counts(end));
    }
}
