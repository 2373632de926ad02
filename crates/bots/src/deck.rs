//! Decks of Carcassonne: all tiles of a setup in an order, and the deck of a match's round.

use carcassonne::{Base, Edition, Move, MoveKind, Options, Position, Sets, Setup, Tile};
use game::{Game, Random};

/// The draws of all tiles of a game, kind by kind.
#[must_use]
pub fn ordered(setup: &Setup) -> Vec<Move> {
    ordered_of::<Base>(setup)
}

/// The deck of a round of a match, and the seeds of its games, one for each seat of the first
/// side. They depend on the setup, the match's seed and the round's number only.
#[must_use]
pub fn of_round(setup: &Setup, seed: u64, round: u64) -> (Vec<Move>, Vec<u64>) {
    of_round_in::<Base>(setup, seed, round)
}

/// As [`of_round`], for any edition.
#[must_use]
pub fn of_round_in<E: Edition>(setup: &E::Setup, seed: u64, round: u64) -> (Vec<Move>, Vec<u64>) {
    let base = Random::new(seed).bits();
    let mut random = Random::new(base ^ round.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mut chance = Random::new(random.bits());
    let deck = shuffled_of::<E>(setup, &mut chance);
    (deck, (0..setup.rules().players()).map(|_| random.bits()).collect())
}

fn ordered_of<E: Edition>(setup: &E::Setup) -> Vec<Move> {
    let fresh = Position::<E>::new(setup);
    let left = |tile: Tile| fresh.bag().as_ref()[tile.index()];
    Position::<E>::kinds()
        .flat_map(|tile| std::iter::repeat_n(Move::draw(tile), left(tile).into()))
        .collect()
}

pub(crate) fn shuffled_of<E: Edition>(setup: &E::Setup, random: &mut Random) -> Vec<Move> {
    let mut deck = ordered_of::<E>(setup);
    random.shuffle(&mut deck);
    if setup.sets().contains(Sets::RIVER) {
        // The river is drawn first, its lake last.
        deck.sort_by_key(|m| match m.kind() {
            MoveKind::Draw(tile) if tile == Tile::LAKE => 1,
            MoveKind::Draw(tile) if tile.set().contains(Sets::RIVER) => 0,
            _ => 2,
        });
    }
    deck
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{AllSets, Expanded};

    #[test]
    fn a_deck_with_the_river_can_be_drawn_in_its_order() {
        let setup = "sets=river,inns".parse().unwrap();
        let (deck, seeds) = of_round_in::<AllSets>(&setup, 1, 2);
        assert_eq!((deck.len(), seeds.len()), (72 + 18 + 11, 2));
        let mut game = Expanded::new(&setup);
        for draw in deck {
            assert!(game.is_legal(draw), "{draw}");
            game.play_unchecked(draw, |_| {});
            while matches!(game.turn(), game::Turn::Player(_)) {
                let mut moves = Vec::new();
                game.moves(&mut moves);
                game.play_unchecked(moves[moves.len() - 1], |_| {});
            }
        }
        assert_eq!(game.turn(), game::Turn::Over);
    }
}
