//! The fixed numbering of actions on a square board, there and back.

use crate::geometry::{Cell, Rotation};
use crate::moves::{Move, MoveKind};
use crate::segment::Segment;
use crate::setup::{Extent, Setup};
use crate::tile::Terrain;
use std::error::Error;
use std::fmt;

/// The actions that are no placement: the segments a kind can have, by name, then pass.
pub const MEEPLE_ACTIONS: usize = SEGMENTS.len() + 1;

/// The segments that a meeple may be put on, in the order of their numbers.
const SEGMENTS: [Segment; 11] = [
    Segment::new(Terrain::City, 0),
    Segment::new(Terrain::City, 1),
    Segment::new(Terrain::Road, 0),
    Segment::new(Terrain::Road, 1),
    Segment::new(Terrain::Road, 2),
    Segment::new(Terrain::Road, 3),
    Segment::new(Terrain::Field, 0),
    Segment::new(Terrain::Field, 1),
    Segment::new(Terrain::Field, 2),
    Segment::new(Terrain::Field, 3),
    Segment::MONASTERY,
];

/// Where the segments of each terrain begin in [`SEGMENTS`].
const FIRST_OF: [u8; 4] = [0, 2, 6, 10];

/// How many segments of each terrain are numbered.
const COUNT_OF: [u8; 4] = [2, 4, 4, 1];

/// Numbers for the actions on one n×n board: `(row·n + column)·4 + rotation` for a placement, then
/// [`MEEPLE_ACTIONS`] more. Rows count from the north, columns from the west, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbering {
    side: u8,
    /// Row and column of the origin.
    centre: i16,
}

impl Numbering {
    /// The numbering for games of a setup.
    ///
    /// # Errors
    /// If the board is not square: an unlimited one has no fixed numbers.
    pub fn new(setup: &Setup) -> Result<Self, NumberingError> {
        match setup.board() {
            Extent::Square(side) => Ok(Self { side, centre: i16::from(side.div_ceil(2)) - 1 }),
            Extent::Unlimited => Err(NumberingError),
        }
    }

    /// Cells a side.
    #[must_use]
    pub const fn side(self) -> usize {
        self.side as usize
    }

    /// How many cells there are.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// How many actions there are.
    #[must_use]
    pub const fn actions(self) -> usize {
        4 * self.cells() + MEEPLE_ACTIONS
    }

    /// The number of "no meeple": the last one.
    #[must_use]
    pub const fn pass(self) -> u32 {
        self.actions() as u32 - 1
    }

    /// Row and column of a cell, from 0. Meaningless for a cell that the board does not have.
    #[inline]
    #[must_use]
    pub const fn row_column(self, cell: Cell) -> (i16, i16) {
        (self.centre - cell.y as i16, self.centre + cell.x as i16)
    }

    /// The cell's number in reading order. Meaningless for a cell that the board does not have.
    #[inline]
    #[must_use]
    pub const fn cell_index(self, cell: Cell) -> usize {
        let (row, column) = self.row_column(cell);
        (row as i32 * self.side as i32 + column as i32) as usize
    }

    /// The number of a player's move; `None` for a draw, for cells outside the board, and
    /// for figures that the base game has not.
    #[inline]
    #[must_use]
    pub fn number(self, m: Move) -> Option<u32> {
        match m.kind() {
            MoveKind::Place { cell, rotation } => {
                let (row, column) = self.row_column(cell);
                let side = i16::from(self.side);
                let inside = (0..side).contains(&row) && (0..side).contains(&column);
                let turned = u32::from(rotation.quarters());
                inside.then(|| self.cell_index(cell) as u32 * 4 + turned)
            }
            MoveKind::Meeple(segment) => {
                let terrain = segment.terrain() as usize;
                let count = COUNT_OF.get(terrain).filter(|count| segment.number() < **count);
                let at = count.map(|_| u32::from(FIRST_OF[terrain] + segment.number()));
                at.map(|at| 4 * self.cells() as u32 + at)
            }
            MoveKind::Pass => Some(self.pass()),
            MoveKind::Draw(_) | MoveKind::Figure(..) | MoveKind::Recall => None,
        }
    }

    /// The move with this number.
    #[inline]
    #[must_use]
    pub fn action(self, number: u32) -> Option<Move> {
        let number = number as usize;
        if number < 4 * self.cells() {
            let (cell, side) = (number / 4, self.side());
            let x = (cell % side) as i16 - self.centre;
            let y = self.centre - (cell / side) as i16;
            let rotation = Rotation::new((number % 4) as u8);
            return Some(Move::place(Cell::new(x as i8, y as i8), rotation));
        }
        match number - 4 * self.cells() {
            at if at < SEGMENTS.len() => Some(Move::meeple(SEGMENTS[at])),
            at if at == SEGMENTS.len() => Some(Move::PASS),
            _ => None,
        }
    }
}

/// A board without an edge has no fixed numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberingError;

impl fmt::Display for NumberingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbered actions need a square board: say board=NxN, such as board=35x35")
    }
}

impl Error for NumberingError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    fn numbering(board: &str) -> Numbering {
        Numbering::new(&format!("board={board}").parse().unwrap()).unwrap()
    }

    #[test]
    fn every_number_comes_back_and_none_is_used_twice() {
        for side in [1, 2, 3, 20, 30, 35, 145] {
            let numbering = numbering(&format!("{side}x{side}"));
            assert_eq!(numbering.actions(), 4 * side * side + 12);
            for number in 0..numbering.actions() as u32 {
                let m = numbering.action(number).unwrap();
                assert_eq!(numbering.number(m), Some(number), "{m} on {side}");
                if let MoveKind::Place { cell, .. } = m.kind() {
                    let (i, j) = cell.to_matrix(side as u8).unwrap();
                    let (row, column) = numbering.row_column(cell);
                    assert_eq!((i16::from(i) - 1, i16::from(j) - 1), (row, column));
                }
            }
            assert_eq!(numbering.action(numbering.actions() as u32), None);
            assert_eq!(numbering.action(u32::MAX), None);
        }
    }

    #[test]
    fn every_segment_of_every_kind_has_a_number() {
        let numbering = numbering("35x35");
        for tile in Tile::all() {
            for at in 0..tile.printed().segments.len() {
                let m = Move::meeple(Segment::at(tile, at).unwrap());
                let number = numbering.number(m).unwrap();
                assert_eq!(numbering.action(number), Some(m));
            }
        }
    }

    #[test]
    fn what_the_board_does_not_have_has_no_number() {
        let small = numbering("3x3");
        for text in ["2,0 r0", "0,-2 r3", "99,99 r0", "-128,127 r1", "U", "city2", "road4"] {
            assert_eq!(small.number(text.parse().unwrap()), None, "{text}");
        }
        assert_eq!(Numbering::new(&Setup::default()), Err(NumberingError));
    }
}
