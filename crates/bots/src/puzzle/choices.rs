//! What can be done with a tile: turns that lead to the same position are one choice.

use crate::one_ply::OnePly;
use crate::value::MarginEvaluator;
use carcassonne::{Edition, FeatureId, Figure, Move, PlacedTile, Position};
use game::{ByPlayer, Game, Player};

/// The turns of a position by what they lead to, the best at one ply first.
pub(super) struct Choices {
    all: Vec<Choice>,
}

/// Turns that lead to the same position.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Choice {
    /// Never empty.
    turns: Vec<Vec<Move>>,
    /// What its end is worth by itself to the player who moves, in points.
    pub(super) value: f32,
}

impl Choice {
    /// The first of its turns.
    pub(super) fn turn(&self) -> &[Move] {
        &self.turns[0]
    }

    /// The others.
    pub(super) fn others(&self) -> &[Vec<Move>] {
        &self.turns[1..]
    }
}

/// What tells the positions apart in which two turns of one position end: where the tile lies, the points, and
/// on which features figures stand. On which tile of a feature one stands makes no difference.
type End = (Option<PlacedTile>, ByPlayer<i32>, Vec<(Player, Figure, FeatureId)>);

fn end_of<E: Edition>(end: &Position<E>) -> End {
    let mut figures: Vec<_> = end.meeples().map(|m| (m.player, m.figure(), m.feature)).collect();
    figures.sort_by_key(|(player, figure, feature)| (player.index(), *figure, *feature));
    (end.last_placed(), end.scores(), figures)
}

impl Choices {
    /// Lists the choices of a position in which a player is to move.
    pub(super) fn of<E: Edition>(
        position: &Position<E>,
        evaluation: &mut dyn MarginEvaluator<E>,
    ) -> Self {
        let mut one_ply = OnePly::default();
        one_ply.list(position, evaluation);
        let mut all: Vec<(End, Choice)> = Vec::new();
        for (turn, value) in one_ply.values().iter().enumerate() {
            let end = end_of(one_ply.end(turn));
            let moves = one_ply.moves(turn).to_vec();
            match all.iter_mut().find(|(other, _)| *other == end) {
                Some((_, choice)) => choice.turns.push(moves),
                None => all.push((end, Choice { turns: vec![moves], value: *value })),
            }
        }
        let mut all: Vec<Choice> = all.into_iter().map(|(_, choice)| choice).collect();
        all.sort_by(|a, b| b.value.total_cmp(&a.value));
        Self { all }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Choice] {
        &self.all
    }

    /// The choice of which a turn is.
    pub(super) fn index_of(&self, turn: &[Move]) -> Option<usize> {
        self.all.iter().position(|choice| choice.turns.iter().any(|moves| moves == turn))
    }
}
