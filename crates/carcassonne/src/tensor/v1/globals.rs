//! What is no place on the board: phase, tile, tiles left, scores, meeples in hand.

use crate::game::Carcassonne;
use crate::tensor::choices::phase;
use crate::tile::BASE_KINDS;
use game::{Game, Player};

/// Numbers before the tile's kind: phase, whether the viewer is to move, the viewer's seat, tiles
/// left, tiles on the board.
pub const GLOBALS_HEAD: usize = 5;

/// How many numbers there are for so many players.
#[must_use]
pub const fn globals_len(players: usize) -> usize {
    GLOBALS_HEAD + 2 * BASE_KINDS + 2 * players
}

/// Writes the globals: the head, the kind being placed (a 1 among 24), tiles left by kind, then by
/// relative seat the scores and the meeples in hand.
///
/// # Panics
/// If `out` is not [`globals_len`] long.
#[inline]
pub fn write_globals(game: &Carcassonne, viewer: Player, out: &mut [i16]) {
    let players = game.players();
    assert_eq!(out.len(), globals_len(players), "one length for so many players");
    let (head, rest) = out.split_at_mut(GLOBALS_HEAD);
    let (phase, shown) = phase(game.stage);
    let moves = shown && game.player == viewer;
    head[0] = phase;
    head[1] = i16::from(moves);
    head[2] = viewer.index() as i16;
    head[3] = i16::from(game.bag_size);
    head[4] = game.board.tiles().len() as i16;
    let (kind, rest) = rest.split_at_mut(BASE_KINDS);
    kind.fill(0);
    if shown {
        kind[game.drawn.index()] = 1;
    }
    let (bag, rest) = rest.split_at_mut(BASE_KINDS);
    for (out, left) in bag.iter_mut().zip(game.bag) {
        *out = i16::from(left);
    }
    let (scores, supply) = rest.split_at_mut(players);
    for relative in 0..players {
        let seat = (viewer.index() + relative) % players;
        scores[relative] = game.scores[seat];
        supply[relative] = i16::from(game.meeples.supply(Player::new(seat)));
    }
}
