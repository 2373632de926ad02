//! Games in which every turn is the one whose end a [`MarginEvaluator`] likes best: self-play, trials,
//! calibration. As an agent the same is [`search::Greedy`]; both list turns by [`search::Turns`].

use crate::any_evaluator::is_redundant;
use crate::value::MarginEvaluator;
use carcassonne::{Base, Edition, Position};
use game::{Game, Random, Turn, ignore};
use search::Turns;

/// The turns of a position, each with what its end is worth to the player who moves.
pub struct OnePly<E: Edition = Base> {
    turns: Turns<Position<E>>,
    values: Vec<f32>,
}

impl<E: Edition> Default for OnePly<E> {
    fn default() -> Self {
        Self { turns: Turns::default(), values: Vec::new() }
    }
}

impl<E: Edition> OnePly<E> {
    /// Lists every different way to play the drawn tile with its value. Rotations that look
    /// alike are listed once.
    pub fn list(&mut self, game: &Position<E>, evaluation: &mut dyn MarginEvaluator<E>) {
        self.turns.list_where(game, |position, turn| {
            turn.last().is_none_or(|m| !is_redundant(position, *m))
        });
        self.values.clear();
        let Turn::Player(me) = game.turn() else { return };
        let mut before = None;
        for end in self.turns.ends() {
            // From one root, the same last tile is the same board.
            let last = end.last_placed();
            self.values.push(match last.is_some() && last == before {
                true => evaluation.margin_again(end, me),
                false => evaluation.margin(end, me),
            });
            before = last;
        }
    }

    /// What each turn is worth, in the order of the list.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The moves of a turn.
    #[must_use]
    pub fn moves(&self, turn: usize) -> &[carcassonne::Move] {
        self.turns.moves(turn)
    }

    /// The position in which a turn ends.
    #[must_use]
    pub fn end(&self, turn: usize) -> &Position<E> {
        self.turns.end(turn)
    }

    /// The best of the listed turns; equals are settled by chance.
    pub fn best(&self, random: &mut Random) -> usize {
        let (mut best, mut equals) = (0, 0);
        for (turn, value) in self.values.iter().enumerate() {
            let top = self.values[best];
            if turn == 0 || *value > top {
                (best, equals) = (turn, 1);
            } else if *value == top {
                equals += 1;
                if random.below(equals) == 0 {
                    best = turn;
                }
            }
        }
        best
    }

    /// Plays the best turn.
    pub fn play(
        &mut self,
        game: &mut Position<E>,
        evaluation: &mut dyn MarginEvaluator<E>,
        random: &mut Random,
    ) {
        self.list(game, evaluation);
        let best = self.best(random);
        game.clone_from(self.turns.end(best));
    }
}

/// Plays a whole game, one ply a turn (the evaluation is given who moves); gives the final scores.
///
/// `deck` is drawn from its end; when it runs out, draws are random.
pub fn play_out<E: Edition>(
    mut game: Position<E>,
    evaluation: &mut dyn MarginEvaluator<E>,
    deck: &mut Vec<carcassonne::Move>,
    random: &mut Random,
) -> game::ByPlayer<i32> {
    let mut one_ply = OnePly::default();
    loop {
        match game.turn() {
            Turn::Over => return game.scores(),
            Turn::Chance => {
                let draw = deck.pop().or_else(|| game.sample_outcome(random));
                game.play_unchecked(draw.expect("chance has an outcome"), ignore);
            }
            Turn::Player(_) => one_ply.play(&mut game, evaluation, random),
        }
    }
}
