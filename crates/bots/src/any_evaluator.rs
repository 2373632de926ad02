//! The evaluations of Carcassonne as a search asks for them.

use crate::calibration::Calibration;
use crate::net::Prediction;
use crate::nets;
use crate::value::{Heuristic, Learned, MarginEvaluator, Projection};
use carcassonne::{Base, Edition, Move, MoveKind, PlacedTile, Position};
use game::{ByPlayer, Game, Player};
use search::math::logistic;
use search::{Evaluator, Value, Values};
use std::sync::Arc;

/// One of the evaluations of Carcassonne.
#[derive(Clone)]
pub enum AnyEvaluator<E: Edition = Base> {
    /// The projected score.
    Greedy(Projection),
    /// The hand-made evaluation.
    Heuristic(Box<Heuristic<E>>),
    /// The learned evaluation, its margins less what they are known to be off by.
    Learned(Box<Learned<E>>, Arc<Calibration>),
}

impl<E: Edition> AnyEvaluator<E> {
    /// The net that comes with the program for this setup, with margins that come true.
    #[must_use]
    pub fn of_setup(setup: &E::Setup) -> Self {
        let chosen = nets::for_setup(setup);
        Self::Learned(Box::new(Learned::new(chosen.net)), chosen.calibration)
    }

    fn predict(&mut self, game: &Position<E>, me: Player, again: bool) -> Prediction {
        let guess = |margin: f32| guess(game, margin);
        match (self, again) {
            (Self::Greedy(greedy), _) => guess(greedy.margin_of(game, me)),
            (Self::Heuristic(heuristic), false) => guess(heuristic.margin(game, me)),
            (Self::Heuristic(heuristic), true) => guess(heuristic.margin_again(game, me)),
            (Self::Learned(learned, _), false) => learned.predict(game, me),
            (Self::Learned(learned, _), true) => learned.predict_again(game, me),
        }
    }

    fn values(&mut self, game: &Position<E>, again: bool) -> Values {
        let mut values = for_all(game, again, |player, again| self.predict(game, player, again));
        if let Self::Learned(_, calibration) = self {
            calibration.correct(game, &mut values);
        }
        values
    }
}

/// What a margin says about winning, as long before the end as it is.
fn guess<E: Edition>(game: &Position<E>, margin: f32) -> Prediction {
    let sharpness = crate::net::sharpness(game.tiles_left() as u8);
    Prediction { margin, win: logistic(f64::from(margin * sharpness)) as f32 }
}

/// A prediction for every player; the one who just moved looks first, as in training. Two players:
/// what is good for one is bad for the other, so one look is enough.
fn for_all<E: Edition>(
    game: &Position<E>,
    again: bool,
    mut predict: impl FnMut(Player, bool) -> Prediction,
) -> Values {
    let players = game.players();
    let mut values = ByPlayer::new(players, Value::default());
    let last = game.last_player();
    values[last] = value(predict(last, again));
    if players == 2 {
        let Value { margin, win } = values[last];
        values[last.next(2)] = Value { margin: -margin, win: 1.0 - win };
        return values;
    }
    for seat in (0..players).map(Player::new).filter(|seat| *seat != last) {
        values[seat] = value(predict(seat, true));
    }
    values
}

/// Calls `look` with the ends of turns from one root, and whether the board is that of the end before.
fn for_each_board<E: Edition>(ends: &[Position<E>], mut look: impl FnMut(&Position<E>, bool)) {
    let mut before: Option<PlacedTile> = None;
    for end in ends {
        let last = end.last_placed();
        // From one root, the same last tile is the same board.
        let again = last.is_some() && last == before;
        before = last;
        look(end, again);
    }
}

const fn value(said: Prediction) -> Value {
    Value { margin: said.margin, win: said.win }
}

impl<E: Edition> Evaluator<Position<E>> for AnyEvaluator<E> {
    fn value(&mut self, position: &Position<E>) -> Values {
        self.values(position, false)
    }

    fn values(&mut self, _root: &Position<E>, ends: &[Position<E>], out: &mut Vec<Values>) {
        out.clear();
        for_each_board(ends, |end, again| out.push(self.values(end, again)));
    }

    fn values_to(
        &mut self,
        player: Player,
        root: &Position<E>,
        ends: &[Position<E>],
        out: &mut Vec<Values>,
    ) -> bool {
        if root.players() == 2 {
            Evaluator::values(self, root, ends, out);
            return true;
        }
        out.clear();
        for_each_board(ends, |end, again| {
            let mut values = ByPlayer::new(end.players(), Value::default());
            values[player] = value(self.predict(end, player, again));
            if let Self::Learned(_, calibration) = self {
                values[player].margin -= calibration.of(end, player);
            }
            out.push(values);
        });
        false
    }

    fn redundant(&mut self, position: &Position<E>, m: Move) -> bool {
        is_redundant(position, m)
    }
}

/// Whether a placement turns the tile so that it looks as in another placement.
pub(crate) fn is_redundant<E: Edition>(position: &Position<E>, m: Move) -> bool {
    let MoveKind::Place { rotation, .. } = m.kind() else { return false };
    position.tile_in_hand().is_some_and(|tile| rotation.quarters() >= tile.distinct_rotations())
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{AllSets, Options};
    use game::{Random, Turn, ignore};
    use search::{Turns, list_turns};

    /// What turns are worth to who takes them, asked alone and with what they are worth to all.
    fn own_values_are_those_of_all<E: Edition>(setup: &str)
    where
        E::Setup: std::str::FromStr<Err: std::fmt::Debug> + Options,
    {
        let mut game = Position::<E>::new(&setup.parse().unwrap());
        let mut evaluator = AnyEvaluator::of_setup(game.setup());
        let mut random = Random::new(3);
        let (mut turns, mut own, mut all) = (Turns::new(), Vec::new(), Vec::new());
        for _ in 0..60 {
            let Turn::Player(player) = game.turn() else {
                let Some(drawn) = game.sample_outcome(&mut random) else { return };
                game.play_unchecked(drawn, ignore);
                continue;
            };
            list_turns(&mut evaluator, &game, &mut turns);
            let given = evaluator.values_to(player, &game, turns.ends(), &mut own);
            assert_eq!(given, game.players() == 2);
            Evaluator::values(&mut evaluator, &game, turns.ends(), &mut all);
            for (own, all) in own.iter().zip(&all) {
                assert_eq!(own[player].margin, all[player].margin, "{setup}");
            }
            game.clone_from(turns.end(random.below(turns.len() as u32) as usize));
        }
    }

    #[test]
    fn a_player_alone_is_told_what_all_are_told() {
        for setup in ["players=2", "players=3", "players=6"] {
            own_values_are_those_of_all::<Base>(setup);
        }
        own_values_are_those_of_all::<AllSets>("players=4 sets=inns,traders");
    }
}
