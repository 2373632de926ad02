//! Chance between two players: the mean of its outcomes, cut off by Star1 and by probes.
//!
//! Each outcome's score lies between a low and a high. When the mean must leave the window even
//! if the outcomes not yet searched were as good (or as bad) as they can be, they need no search.
//! A probe narrows those bounds first: one turn of the player to move says that the outcome is at
//! least as good for that player. (Ballard, "The *-minimax search procedure", 1983.)

use super::star::{At, Star, Window};
use super::transpositions::Score;
use super::{Pruning, Stopped};
use crate::Evaluator;
use game::{Game, Player, Turn, ignore};

/// An outcome of chance: its probability, and between what its score lies.
struct Outcome<M> {
    drawn: M,
    weight: f64,
    low: f64,
    high: f64,
}

impl<G: Game, E: Evaluator<G>> Star<'_, G, E> {
    /// The mean score over the outcomes of chance.
    pub(super) fn chance(
        &mut self,
        position: &G,
        at: At<G::Move>,
        window: Window,
    ) -> Result<Score, Stopped> {
        let mut outcomes = self.outcomes(position);
        if self.params.pruning == Pruning::Off {
            return self.plain(position, at, &outcomes);
        }
        if self.params.pruning.probes() > 0
            && let Some(bound) = self.probe_all(position, at, window, &mut outcomes)?
        {
            return Ok(bound);
        }
        self.star1(position, at, window, &outcomes)
    }

    /// The outcomes, the likeliest first.
    fn outcomes(&mut self, position: &G) -> Vec<Outcome<G::Move>> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let total: f64 = moves.iter().map(|m| f64::from(position.odds(*m))).sum();
        let bounds = self.evaluator.bounds(position);
        let aim = self.params.aim;
        let low = f64::from(aim.margin * bounds.low - aim.win * 0.5);
        let high = f64::from(aim.margin * bounds.high + aim.win * 0.5);
        let outcome = |drawn: &G::Move| {
            let weight = f64::from(position.odds(*drawn)) / total;
            Outcome { drawn: *drawn, weight, low, high }
        };
        let mut outcomes: Vec<_> = moves.iter().map(outcome).collect();
        outcomes.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        outcomes
    }

    fn plain(
        &mut self,
        position: &G,
        at: At<G::Move>,
        outcomes: &[Outcome<G::Move>],
    ) -> Result<Score, Stopped> {
        let mut mean = Score::ZERO;
        for outcome in outcomes {
            let at = At { drawn: Some(outcome.drawn), ..at };
            let mut next = position.clone();
            next.play_unchecked(outcome.drawn, ignore);
            mean = mean.plus(self.position(&next, at, Window::FULL)?, outcome.weight);
        }
        Ok(mean)
    }

    fn star1(
        &mut self,
        position: &G,
        at: At<G::Move>,
        window: Window,
        outcomes: &[Outcome<G::Move>],
    ) -> Result<Score, Stopped> {
        let rest_low = rest(outcomes, |o| o.low);
        let rest_high = rest(outcomes, |o| o.high);
        let mut mean = Score::ZERO;
        for (index, outcome) in outcomes.iter().enumerate() {
            let (low, high) = (rest_low[index + 1], rest_high[index + 1]);
            // What this outcome must be worth for the mean to stay inside the window.
            let needed = Window {
                alpha: (window.alpha - mean.utility - high) / outcome.weight,
                beta: (window.beta - mean.utility - low) / outcome.weight,
            };
            let at = At { drawn: Some(outcome.drawn), ..at };
            let mut next = position.clone();
            next.play_unchecked(outcome.drawn, ignore);
            let score = self.position(&next, at, needed)?;
            mean = mean.plus(score, outcome.weight);
            // Clamped, for a rounding error must not carry a bound back into the window.
            if score.utility <= needed.alpha {
                return Ok(Score::bound((mean.utility + high).min(window.alpha)));
            }
            if score.utility >= needed.beta {
                return Ok(Score::bound((mean.utility + low).max(window.beta)));
            }
        }
        Ok(mean)
    }

    /// Narrows the outcomes' bounds by probes; a bound for the mean if that is enough.
    fn probe_all(
        &mut self,
        position: &G,
        at: At<G::Move>,
        window: Window,
        outcomes: &mut [Outcome<G::Move>],
    ) -> Result<Option<Score>, Stopped> {
        for index in 0..outcomes.len() {
            let drawn = outcomes[index].drawn;
            let at = At { drawn: Some(drawn), ..at };
            let mut next = position.clone();
            next.play_unchecked(drawn, ignore);
            let Turn::Player(player) = next.turn() else { continue };
            let weight = outcomes[index].weight;
            if player == Player::new(0) {
                let others = mean_without(outcomes, index, |o| o.low);
                let beta = (window.beta - others) / weight;
                let window = Window { alpha: outcomes[index].low, beta };
                if let Some(score) = self.probe(&next, player, at, window)? {
                    let outcome = &mut outcomes[index];
                    outcome.low = outcome.low.max(score.utility);
                }
            } else {
                let others = mean_without(outcomes, index, |o| o.high);
                let alpha = (window.alpha - others) / weight;
                let window = Window { alpha, beta: outcomes[index].high };
                if let Some(score) = self.probe(&next, player, at, window)? {
                    let outcome = &mut outcomes[index];
                    outcome.high = outcome.high.min(score.utility);
                }
            }
            let low = rest(outcomes, |o| o.low)[0];
            if low >= window.beta {
                return Ok(Some(Score::bound(low)));
            }
            let high = rest(outcomes, |o| o.high)[0];
            if high <= window.alpha {
                return Ok(Some(Score::bound(high)));
            }
        }
        Ok(None)
    }
}

/// The weighted sum of a bound over the outcomes from each one on, and 0 after the last.
fn rest<M>(outcomes: &[Outcome<M>], bound: impl Fn(&Outcome<M>) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0; outcomes.len() + 1];
    for (index, outcome) in outcomes.iter().enumerate().rev() {
        sums[index] = sums[index + 1] + outcome.weight * bound(outcome);
    }
    sums
}

/// The weighted sum of a bound over all outcomes but one.
fn mean_without<M>(
    outcomes: &[Outcome<M>],
    without: usize,
    bound: impl Fn(&Outcome<M>) -> f64,
) -> f64 {
    let others = outcomes.iter().enumerate().filter(|(index, _)| *index != without);
    others.map(|(_, outcome)| outcome.weight * bound(outcome)).sum()
}
