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
    let value = |said: Prediction| Value { margin: said.margin, win: said.win };
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

impl<E: Edition> Evaluator<Position<E>> for AnyEvaluator<E> {
    fn value(&mut self, position: &Position<E>) -> Values {
        self.values(position, false)
    }

    fn values(&mut self, _root: &Position<E>, ends: &[Position<E>], out: &mut Vec<Values>) {
        out.clear();
        let mut before: Option<PlacedTile> = None;
        for end in ends {
            let last = end.last_placed();
            // From one root, the same last tile is the same board.
            let again = last.is_some() && last == before;
            before = last;
            out.push(self.values(end, again));
        }
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
