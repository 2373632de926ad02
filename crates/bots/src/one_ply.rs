//! One ply: every way to play the drawn tile, each valued once.

use crate::value::Evaluation;
use carcassonne::{Carcassonne, Move, MoveKind};
use game::{Game, Random, Turn};

/// A way to play the drawn tile, and what comes of it.
#[derive(Clone)]
pub struct Afterstate {
    /// The placement and the meeple move.
    pub moves: [Move; 2],
    /// The position when the turn is done.
    pub game: Carcassonne,
    /// What it is worth to the player who moved.
    pub value: f32,
}

/// Lists and values the afterstates of a position in which a tile is to be placed.
#[derive(Default)]
pub struct OnePly {
    placements: Vec<Move>,
    meeples: Vec<Move>,
    /// The afterstates listed last.
    pub afterstates: Vec<Afterstate>,
}

impl OnePly {
    /// Lists every different way to play the drawn tile with its value. Rotations that look
    /// alike are listed once.
    pub fn list(&mut self, game: &Carcassonne, evaluation: &mut dyn Evaluation) -> &[Afterstate] {
        self.afterstates.clear();
        let Turn::Player(me) = game.turn() else { return &self.afterstates };
        let distinct = game.tile_in_hand().map_or(4, carcassonne::Tile::distinct_rotations);
        game.moves(&mut self.placements);
        for &place in &self.placements {
            if let MoveKind::Place { rotation, .. } = place.kind()
                && rotation.quarters() >= distinct
            {
                continue;
            }
            let mut placed = game.clone();
            placed.play_unchecked(place, |_| {});
            placed.moves(&mut self.meeples);
            for (at, &meeple) in self.meeples.iter().enumerate() {
                self.afterstates.push(Afterstate {
                    moves: [place, meeple],
                    game: placed.clone(),
                    value: 0.0,
                });
                let after = self.afterstates.last_mut().expect("one was just pushed");
                after.game.play_unchecked(meeple, |_| {});
                after.value = match at {
                    0 => evaluation.margin(&after.game, me),
                    _ => evaluation.margin_again(&after.game, me),
                };
            }
        }
        &self.afterstates
    }

    /// The place of the best afterstate listed last; equals are settled by chance.
    pub fn best(&self, random: &mut Random) -> usize {
        let (mut best, mut equals) = (0, 0);
        for (at, afterstate) in self.afterstates.iter().enumerate() {
            let top = self.afterstates[best].value;
            if at == 0 || afterstate.value > top {
                (best, equals) = (at, 1);
            } else if afterstate.value == top {
                equals += 1;
                if random.below(equals) == 0 {
                    best = at;
                }
            }
        }
        best
    }
}

/// Plays a whole game, one ply a turn (the evaluation is told who moves); gives the final scores.
///
/// `deck` is drawn from its end; when it runs out, draws are random.
pub fn play_out(
    mut game: Carcassonne,
    evaluation: &mut dyn Evaluation,
    deck: &mut Vec<Move>,
    random: &mut Random,
) -> game::ByPlayer<i32> {
    let mut one_ply = OnePly::default();
    loop {
        match game.turn() {
            Turn::Over => return game.scores(),
            Turn::Chance => {
                let draw = deck.pop().or_else(|| game.sample_outcome(random));
                game.play_unchecked(draw.expect("chance has an outcome"), |_| {});
            }
            Turn::Player(_) => {
                one_ply.list(&game, evaluation);
                game = one_ply.afterstates[one_ply.best(random)].game.clone();
            }
        }
    }
}
