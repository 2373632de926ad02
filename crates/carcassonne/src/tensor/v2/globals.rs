//! What is no place on the board: phase, sets, tile, tiles left, scores, figures and goods in hand.

use crate::edition::Edition;
use crate::figure::Figure;
use crate::game::{Part, Position};
use crate::goods::Good;
use crate::sets::Sets;
use crate::setup::{Options, TinyCity};
use crate::tensor::choices::phase;
use crate::tile::ALL_KINDS;
use game::{Game, Player};

/// Numbers before the tile's kind: phase, whether the viewer is to move, the viewer's seat, tiles
/// left, tiles on the board, second part of a turn, river tiles left, the four sets, farmers, the
/// early rule of tiny cities.
pub const GLOBALS_HEAD: usize = 13;

/// Numbers of each seat: score, five kinds of figures in hand, three kinds of goods.
const OF_SEAT: usize = 1 + Figure::ALL.len() + Good::ALL.len();

/// How many numbers there are for so many players.
#[must_use]
pub const fn globals_len(players: usize) -> usize {
    GLOBALS_HEAD + 2 * ALL_KINDS + OF_SEAT * players
}

/// Writes the globals: the head, the kind being placed (a 1 among 83), tiles left by kind, then by
/// relative seat the scores, the figures of each kind in hand, the goods of each kind.
///
/// # Panics
/// If `out` is not [`globals_len`] long.
pub fn write_globals<E: Edition>(game: &Position<E>, viewer: Player, out: &mut [i16]) {
    let players = game.players();
    assert_eq!(out.len(), globals_len(players), "one length for so many players");
    let (head, rest) = out.split_at_mut(GLOBALS_HEAD);
    let (phase, shown) = phase(game.stage);
    let (rules, sets) = (game.setup.rules(), game.setup.sets());
    let set = |at: usize| i16::from(sets.contains(Sets::NAMED[at].0));
    head.copy_from_slice(&[
        phase,
        i16::from(shown && game.player == viewer),
        viewer.index() as i16,
        i16::from(game.bag_size),
        game.board.tiles().len() as i16,
        i16::from(game.part == Part::Second),
        i16::from(game.river_left),
        set(0),
        set(1),
        set(2),
        set(3),
        i16::from(rules.farmers),
        i16::from(rules.tiny_city == TinyCity::Two),
    ]);
    let (kind, rest) = rest.split_at_mut(ALL_KINDS);
    kind.fill(0);
    if shown {
        kind[game.drawn.index()] = 1;
    }
    let (bag, rest) = rest.split_at_mut(ALL_KINDS);
    bag.fill(0);
    for (out, left) in bag.iter_mut().zip(game.bag.as_ref()) {
        *out = i16::from(*left);
    }
    for relative in 0..players {
        let seat = Player::new((viewer.index() + relative) % players);
        let in_hand = |figure| match figure {
            Figure::Meeple => i16::from(game.meeples.supply(seat)),
            other => i16::from(game.meeples.has(seat, other)),
        };
        let goods = game.goods(seat);
        let of_seat = std::iter::once(game.scores[seat.index()])
            .chain(Figure::ALL.map(in_hand))
            .chain(Good::ALL.map(|good| i16::from(goods[good])));
        for (row, number) in of_seat.enumerate() {
            rest[row * players + relative] = number;
        }
    }
}
