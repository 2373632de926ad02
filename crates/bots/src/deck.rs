//! Decks of Carcassonne: all tiles of a setup in an order, and the deck of a match's round.

use carcassonne::{Carcassonne, Move, Setup, Tile};
use game::{Game, Random};

/// The draws of all tiles of a game, kind by kind.
#[must_use]
pub fn ordered(setup: &Setup) -> Vec<Move> {
    let fresh = Carcassonne::new(setup);
    Tile::all()
        .flat_map(|tile| std::iter::repeat_n(Move::draw(tile), fresh.bag()[tile.index()].into()))
        .collect()
}

/// The draws of all tiles of a game in random order.
#[must_use]
pub fn shuffled(setup: &Setup, random: &mut Random) -> Vec<Move> {
    let mut deck = ordered(setup);
    random.shuffle(&mut deck);
    deck
}

/// The deck of a round of a match, and the seeds of its games, one for each seat of the first
/// side. They depend on the setup, the match's seed and the round's number only.
#[must_use]
pub fn of_round(setup: &Setup, seed: u64, round: u64) -> (Vec<Move>, Vec<u64>) {
    let base = Random::new(seed).bits();
    let mut random = Random::new(base ^ round.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mut chance = Random::new(random.bits());
    let deck = shuffled(setup, &mut chance);
    (deck, (0..setup.players()).map(|_| random.bits()).collect())
}
