//! The best turn at a position, by one look at each end — or only at those worth a look.
//!
//! After two ways to play one turn, the next player with the same tile in hand has mostly the
//! same turns, and mostly the same ones are good. So all of them are valued once, and next to a
//! sibling only the best of those and the turns that are new. This makes looking at many siblings
//! several times cheaper.

use crate::evaluator::{leads_on, list_turns, mover, value_of, value_turns_to};
use crate::{Evaluator, Objective, Turns, Values};
use game::{Game, Player};
use std::collections::HashMap;

/// How good turns were at a sibling position: the best has rank 0.
#[derive(Clone, Debug)]
pub(crate) struct Ranking<G: Game> {
    turns: HashMap<Box<[G::Move]>, usize>,
    /// The best rank of the turns that begin with a move.
    firsts: HashMap<G::Move, usize>,
}

impl<G: Game> Ranking<G> {
    fn new(turns: &Turns<G>, order: &[usize]) -> Self {
        let mut ranking = Self { turns: HashMap::new(), firsts: HashMap::new() };
        for (rank, turn) in order.iter().enumerate() {
            let moves = turns.moves(*turn);
            ranking.turns.insert(moves.into(), rank);
            ranking.firsts.entry(moves[0]).or_insert(rank);
        }
        ranking
    }

    /// Whether a turn, or some that begins so, is among the best so many or unknown.
    fn wants(&self, turn: &[G::Move], width: usize) -> bool {
        let rank = match turn {
            [first] => self.firsts.get(first),
            _ => self.turns.get(turn),
        };
        rank.is_none_or(|rank| *rank < width)
    }
}

/// The turns at a position with their values, the best first.
pub(crate) struct Replies<G: Game> {
    pub(crate) turns: Turns<G>,
    values: Vec<Values>,
    /// Whether they are those of all players, and not of the one to move alone.
    of_all: bool,
    /// Indices into the two, best first for the player to move; the first of equals first.
    pub(crate) order: Vec<usize>,
}

impl<G: Game> Replies<G> {
    pub(crate) const fn new() -> Self {
        Self { turns: Turns::new(), values: Vec::new(), of_all: true, order: Vec::new() }
    }

    /// Values the turns at a position: all, or those that a sibling's ranking has among its best
    /// `width` or does not know. Returns the player to move; `None` if there is none.
    pub(crate) fn look(
        &mut self,
        evaluator: &mut impl Evaluator<G>,
        position: &G,
        aim: Objective,
        ranking: Option<(&Ranking<G>, usize)>,
    ) -> Option<Player> {
        let Some(player) = mover(position) else {
            self.turns.clear();
            self.order.clear();
            return None;
        };
        match ranking {
            None => list_turns(evaluator, position, &mut self.turns),
            Some((ranking, width)) => {
                self.turns.list_where(position, |at, turn| {
                    ranking.wants(turn, width) && leads_on(evaluator, at, turn)
                });
                if self.turns.is_empty() {
                    list_turns(evaluator, position, &mut self.turns);
                }
                self.turns.merge(|end| evaluator.key(end));
            }
        }
        self.of_all = value_turns_to(evaluator, player, position, &self.turns, &mut self.values);
        self.order.clear();
        self.order.extend(0..self.turns.len());
        let utility = |turn: &usize| aim.utility(&self.values[*turn], player);
        self.order.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
        Some(player)
    }

    /// The ranking of the turns just looked at.
    pub(crate) fn ranking(&self) -> Ranking<G> {
        Ranking::new(&self.turns, &self.order)
    }

    /// What a turn is worth to the player who takes it.
    pub(crate) fn utility(&self, turn: usize, aim: Objective, player: Player) -> f32 {
        aim.utility(&self.values[turn], player)
    }

    /// What a turn is worth to everybody.
    pub(crate) fn values(&self, turn: usize, evaluator: &mut impl Evaluator<G>) -> Values {
        match self.of_all {
            true => self.values[turn],
            false => value_of(evaluator, self.turns.end(turn)),
        }
    }

    /// The end and the values of the best turn.
    pub(crate) fn best(&self, evaluator: &mut impl Evaluator<G>) -> Option<(&G, Values)> {
        let best = *self.order.first()?;
        Some((self.turns.end(best), self.values(best, evaluator)))
    }
}
