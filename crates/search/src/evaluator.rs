//! The evaluation of positions, as a search asks for it.

use crate::{Turns, Value, Values, value::final_values};
use game::{ByPlayer, Game, Player, Turn};

/// Values positions. One instance a thread: it may keep caches, as long as what it answers
/// depends only on the position.
pub trait Evaluator<G: Game>: Send {
    /// What the position is worth to each player.
    ///
    /// Asked mostly at the end of a turn, that is when chance moves next; never when the game is
    /// over, where the scores are the value.
    fn value(&mut self, position: &G) -> Values;

    /// Replaces `out` by the values of all the `ends` to which one player's turn at `root` may
    /// lead, so that work they share is done once.
    ///
    /// Some of them may be over: their values are not used.
    fn values(&mut self, root: &G, ends: &[G], out: &mut Vec<Values>) {
        let _ = root;
        out.clear();
        for end in ends {
            out.push(if end.turn() == Turn::Over {
                final_values(&end.scores())
            } else {
                self.value(end)
            });
        }
    }

    /// The same where only one player's values are asked for: those of the others may be anything.
    /// Whether all were given.
    fn values_to(&mut self, player: Player, root: &G, ends: &[G], out: &mut Vec<Values>) -> bool {
        let _ = player;
        self.values(root, ends, out);
        true
    }

    /// Between what the first player's final margin lies, however the game goes on; also all
    /// values given to positions that can follow. The tighter, the more expectimax can leave out.
    fn bounds(&mut self, position: &G) -> Bounds {
        let _ = position;
        Bounds::NONE
    }

    /// Whether a legal move need not be looked at, since another one that is listed too leads to
    /// a position of the same value: a rotation of a tile that looks the same. At least one of
    /// the moves of any position must not be redundant.
    fn redundant(&mut self, position: &G, m: G::Move) -> bool {
        let _ = (position, m);
        false
    }

    /// A number that is the same only for positions of the same value to everybody, whoever and
    /// whatever comes next included; `None` if there is none. With it, turns that lead to the same
    /// position are merged, and positions are remembered.
    fn key(&mut self, position: &G) -> Option<u64> {
        let _ = position;
        None
    }
}

/// Between what a margin lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// The lowest it can be.
    pub low: f32,
    /// The highest it can be.
    pub high: f32,
}

impl Bounds {
    /// Nothing is known.
    pub const NONE: Self = Self { low: f32::NEG_INFINITY, high: f32::INFINITY };
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn value(&mut self, position: &G) -> Values {
        (**self).value(position)
    }

    fn values(&mut self, root: &G, ends: &[G], out: &mut Vec<Values>) {
        (**self).values(root, ends, out);
    }

    fn values_to(&mut self, player: Player, root: &G, ends: &[G], out: &mut Vec<Values>) -> bool {
        (**self).values_to(player, root, ends, out)
    }

    fn bounds(&mut self, position: &G) -> Bounds {
        (**self).bounds(position)
    }

    fn redundant(&mut self, position: &G, m: G::Move) -> bool {
        (**self).redundant(position, m)
    }

    fn key(&mut self, position: &G) -> Option<u64> {
        (**self).key(position)
    }
}

/// The plainest evaluation: the points now, as if the game ended here.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurrentScore;

impl<G: Game> Evaluator<G> for CurrentScore {
    fn value(&mut self, position: &G) -> Values {
        final_values(&position.scores())
    }
}

/// What any position is worth: the scores when it is over, the evaluator's opinion before.
pub fn value_of<G: Game>(evaluator: &mut impl Evaluator<G>, position: &G) -> Values {
    match position.turn() {
        Turn::Over => final_values(&position.scores()),
        _ => evaluator.value(position),
    }
}

/// Replaces the list by the turns from a position, each position reached once as far as the
/// evaluator can tell.
pub fn list_turns<G: Game>(evaluator: &mut impl Evaluator<G>, position: &G, turns: &mut Turns<G>) {
    turns.list_where(position, |at, turn| leads_on(evaluator, at, turn));
    turns.merge(|end| evaluator.key(end));
}

/// Whether the last move of a turn, made at this position, leads where no other move does.
pub(crate) fn leads_on<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    at: &G,
    turn: &[G::Move],
) -> bool {
    turn.last().is_none_or(|m| !evaluator.redundant(at, *m))
}

/// Replaces `out` by what each listed turn's end is worth.
pub fn value_turns<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    root: &G,
    turns: &Turns<G>,
    out: &mut Vec<Values>,
) {
    evaluator.values(root, turns.ends(), out);
    value_ends_of_games(turns, out);
}

/// The same as far as it concerns the player who takes the turns; whether the values of all were given.
pub(crate) fn value_turns_to<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    player: Player,
    root: &G,
    turns: &Turns<G>,
    out: &mut Vec<Values>,
) -> bool {
    let all = evaluator.values_to(player, root, turns.ends(), out);
    value_ends_of_games(turns, out);
    all
}

fn value_ends_of_games<G: Game>(turns: &Turns<G>, values: &mut [Values]) {
    for (end, value) in turns.ends().iter().zip(values) {
        if end.turn() == Turn::Over {
            *value = final_values(&end.scores());
        }
    }
}

/// Values that favour nobody.
#[must_use]
pub fn even_values(players: usize) -> Values {
    ByPlayer::new(players, Value { margin: 0.0, win: 1.0 / players.max(1) as f32 })
}

/// The player to move, if one is.
pub(crate) fn mover<G: Game>(position: &G) -> Option<Player> {
    match position.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}
