//! Whether two boards are the same game: by what lies where, in whatever order it was played, by
//! whom, and from whichever tile the cells are counted.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A piece on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoardPiece {
    /// Cells to the east.
    pub x: i16,
    /// Cells to the north.
    pub y: i16,
    /// What it is.
    pub kind: u8,
    /// How it lies, in clockwise quarters.
    pub turn: u8,
    /// After how many quarters it looks the same.
    pub turns: u8,
}

impl BoardPiece {
    /// The same piece when the whole board is turned clockwise.
    const fn turned(self, quarters: u8) -> Self {
        let Self { x, y, .. } = self;
        let (x, y) = match quarters % 4 {
            0 => (x, y),
            1 => (y, -x),
            2 => (-x, -y),
            _ => (-y, x),
        };
        let turns = if self.turns == 0 { 1 } else { self.turns };
        Self { x, y, turn: (self.turn + quarters) % turns, turns, ..self }
    }

    const fn looks(self) -> (u8, u8) {
        (self.kind, self.turn)
    }
}

/// Boards with fewer pieces are alike by chance; only when they are equal are they the same.
const FEW: usize = 4;

/// Of ten pieces of the larger board, so many lie on both if they are the same game, a little
/// changed.
const ALIKE: usize = 7;

/// Whether two boards are of the same game.
#[must_use]
pub fn are_alike(one: &[BoardPiece], other: &[BoardPiece]) -> bool {
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    let enough = longer * ALIKE / 10;
    if shorter < 2 || shorter < enough {
        return false;
    }
    let common = in_common(one, other);
    if shorter < FEW { common == longer } else { common >= enough.max(FEW - 1) }
}

/// How many pieces lie on both boards, laid over one another as well as can be.
fn in_common(one: &[BoardPiece], other: &[BoardPiece]) -> usize {
    let mut by_looks: HashMap<(u8, u8), Vec<(i16, i16)>> = HashMap::new();
    for piece in one.iter().map(|piece| piece.turned(0)) {
        by_looks.entry(piece.looks()).or_default().push((piece.x, piece.y));
    }
    let mut best = 0;
    for quarters in 0..4 {
        let mut shifts: HashMap<(i16, i16), usize> = HashMap::new();
        for piece in other.iter().map(|piece| piece.turned(quarters)) {
            for (x, y) in by_looks.get(&piece.looks()).into_iter().flatten() {
                *shifts.entry((x - piece.x, y - piece.y)).or_default() += 1;
            }
        }
        best = best.max(shifts.into_values().max().unwrap_or(0));
    }
    best
}

/// How many numbers a sketch has. Two boards that have a third of their groups in common, as when three
/// tiles of ten are missing, share at least one number in 9,997 of 10,000 cases; with a fifth in 988 of
/// 1,000.
pub const SKETCH: usize = 20;

/// Numbers by which a board is found again among many: those of the same game have some in common,
/// shifted, turned or with some tiles missing; those of other games one at most. (The least hashes of
/// all groups of a piece and two beside it, for as many hash functions.)
#[must_use]
pub fn sketch(board: &[BoardPiece]) -> [i64; SKETCH] {
    let places: HashMap<(i16, i16), BoardPiece> =
        board.iter().map(|piece| ((piece.x, piece.y), *piece)).collect();
    let mut least = [u64::MAX; SKETCH];
    // A piece with two beside it; with fewer where there is nothing else.
    for beside in (0..=2).rev() {
        for piece in board {
            for_each_choice(piece, &places, beside, |around| {
                for (number, least) in (1_u64..).zip(&mut least) {
                    *least = (*least).min(mixed(around, number));
                }
            });
        }
        if least[0] < u64::MAX {
            break;
        }
    }
    least.map(u64::cast_signed)
}

const AROUND: [(i16, i16); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// Calls with a number for a piece and so many of those beside it, for every choice of them.
fn for_each_choice(
    piece: &BoardPiece,
    places: &HashMap<(i16, i16), BoardPiece>,
    beside: u32,
    mut call: impl FnMut(u64),
) {
    let neighbours = AROUND.map(|(x, y)| places.get(&(piece.x + x, piece.y + y)));
    let choices = (0_u8..16).filter(|sides| sides.count_ones() == beside);
    for sides in choices {
        let chosen = |side: usize| sides & (1 << side) != 0;
        if (0..4).all(|side| !chosen(side) || neighbours[side].is_some()) {
            call(group(
                piece,
                std::array::from_fn(|side| neighbours[side].filter(|_| chosen(side))),
            ));
        }
    }
}

/// A number for a piece and some of those beside it, the same however the board is turned.
fn group(piece: &BoardPiece, beside: [Option<&BoardPiece>; 4]) -> u64 {
    let looks = |piece: BoardPiece, quarters: u8| {
        let (kind, turn) = piece.turned(quarters).looks();
        (u64::from(kind) << 8) | (u64::from(turn) + 1)
    };
    let seen_from = |quarters: u8| {
        // When the board is turned clockwise, what lay to the west lies to the north.
        let beside = (0..4).map(|side| beside[(side + 4 - usize::from(quarters)) % 4]);
        beside.fold(mixed(0, looks(*piece, quarters)), |hash, neighbour| {
            mixed(hash, neighbour.map_or(0, |neighbour| looks(*neighbour, quarters)))
        })
    };
    (0..4).map(seen_from).min().unwrap_or_default()
}

/// A step of a hash: SplitMix64 over what was there and what is new.
const fn mixed(hash: u64, new: u64) -> u64 {
    let mut z =
        (hash ^ new.wrapping_mul(0xD1B5_4A32_D192_ED03)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Hosted;
    use crate::games::carcassonne::AnyCarcassonne;
    use game::{Game, Random};

    /// A board after so many tiles of a random game.
    fn board(seed: u64, tiles: usize) -> Vec<BoardPiece> {
        let mut game = AnyCarcassonne::new(&carcassonne::ExpandedSetup::default());
        let mut random = Random::new(seed);
        while game.landmarks().len() < tiles {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            game.play(*random.pick(&moves).unwrap(), |_| {}).unwrap();
        }
        game.landmarks()
    }

    #[test]
    fn a_board_is_like_itself_in_any_order_shifted_turned_and_a_little_changed() {
        let whole = board(1, 40);
        let mut other: Vec<BoardPiece> = whole.iter().rev().copied().collect();
        assert!(are_alike(&whole, &other));
        for piece in &mut other {
            (piece.x, piece.y) = (piece.x + 3, piece.y - 2);
        }
        for quarters in 0..4 {
            let turned: Vec<_> = other.iter().map(|piece| piece.turned(quarters)).collect();
            assert!(are_alike(&whole, &turned) && are_alike(&turned, &whole), "{quarters}");
            assert!(are_alike(&whole, &turned[5..]), "without a few pieces");
        }
        other[7].kind = 99;
        assert!(are_alike(&whole, &other));
    }

    fn shared(one: &[BoardPiece], other: &[BoardPiece]) -> usize {
        let (one, other) = (sketch(one), sketch(other));
        one.iter().zip(&other).filter(|(one, other)| one == other).count()
    }

    fn share(one: &[BoardPiece], other: &[BoardPiece]) -> bool {
        shared(one, other) > 0
    }

    fn is_connected(board: &[BoardPiece]) -> bool {
        let mut reached = vec![board[0]];
        let mut at = 0;
        while let Some(from) = reached.get(at).copied() {
            at += 1;
            let is_beside = |to: &&BoardPiece| (to.x - from.x).abs() + (to.y - from.y).abs() == 1;
            for to in board.iter().filter(is_beside) {
                if !reached.iter().any(|piece| (piece.x, piece.y) == (to.x, to.y)) {
                    reached.push(*to);
                }
            }
        }
        reached.len() == board.len()
    }

    #[test]
    fn a_sketch_finds_the_same_board_with_a_third_of_its_tiles_missing() {
        let mut missed = Vec::new();
        for seed in 0..150 {
            for (tiles, missing) in [(10, 3), (14, 4), (30, 8)] {
                let whole = board(seed, tiles);
                let mut rest = whole.clone();
                let mut random = Random::new(seed);
                while rest.len() > tiles - missing {
                    let mut fewer = rest.clone();
                    fewer.swap_remove(random.below(fewer.len() as u32) as usize);
                    // Tiles that do not hang together are the board of no game.
                    if is_connected(&fewer) {
                        rest = fewer;
                    }
                }
                if !share(&whole, &rest) {
                    missed.push((seed, tiles));
                }
            }
        }
        assert!(missed.len() <= 4, "{} of 450: {missed:?}", missed.len());
    }

    #[test]
    fn a_sketch_finds_the_same_board_shifted_turned_and_a_little_changed() {
        for (seed, tiles) in (0..40).zip([2, 3, 5, 10, 30, 60].into_iter().cycle()) {
            let whole = board(seed, tiles);
            let mut other: Vec<BoardPiece> = whole.iter().rev().copied().collect();
            for piece in &mut other {
                (piece.x, piece.y) = (piece.x - 4, piece.y + 1);
            }
            for quarters in 0..4 {
                let turned: Vec<_> = other.iter().map(|piece| piece.turned(quarters)).collect();
                assert_eq!(sketch(&whole), sketch(&turned), "{seed} {tiles} {quarters}");
            }
            if tiles >= 10 {
                let before = board(seed, tiles - 2);
                assert!(share(&whole, &before), "{seed} {tiles}: two tiles ago");
            }
        }
    }

    #[test]
    fn a_sketch_finds_few_other_boards() {
        let boards: Vec<Vec<BoardPiece>> = (0..40).map(|seed| board(seed, 30)).collect();
        let pairs = boards
            .iter()
            .enumerate()
            .flat_map(|(n, one)| boards[n + 1..].iter().map(move |other| shared(one, other)));
        let mut by_count = [0; SKETCH + 1];
        pairs.for_each(|count| by_count[count] += 1);
        // Those that share the most are compared first.
        assert!(by_count[1..].iter().sum::<usize>() < 120, "{by_count:?} of 780 pairs");
        assert!(by_count[3..].iter().sum::<usize>() < 8, "{by_count:?} of 780 pairs");
    }

    #[test]
    fn other_games_are_not_like_it() {
        for tiles in [2, 3, 4, 8, 20, 60] {
            for seed in 2..8 {
                assert!(!are_alike(&board(1, tiles), &board(seed, tiles)), "{tiles} {seed}");
            }
        }
        assert!(!are_alike(&board(1, 40), &board(1, 10)), "long ago");
        assert!(!are_alike(&board(1, 1), &board(2, 1)), "the start is everybody's");
        assert!(are_alike(&board(1, 2), &board(1, 2)));
        assert!(!are_alike(&[], &[]));
    }
}
