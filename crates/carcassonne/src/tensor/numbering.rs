//! The fixed numbering of actions on a square board, there and back.

use super::version::Version;
use crate::figure::Figure;
use crate::geometry::{Cell, Rotation};
use crate::moves::{Move, MoveKind};
use crate::segment::Segment;
use crate::setup::{BoardSize, Setup};
use crate::tile::Terrain;
use std::error::Error;
use std::fmt;

/// The segments that a meeple may be put on in version 1, in the order of their numbers.
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

/// Each kind of figure with the spots of version 2 that it may be put on: first and last. Spots are
/// city0 to city3, road0 to road3, field0 to field3, the monastery, the garden.
const FIGURE_SPOTS: [(Figure, u8, u8); 5] = [
    (Figure::Meeple, 0, 12),
    (Figure::Big, 0, 12),
    (Figure::Builder, 0, 7),
    (Figure::Pig, 8, 11),
    (Figure::Abbot, 12, 13),
];

/// Where in version 2 taking the abbot back stands among what is no placement; pass is next.
const RECALL: u32 = 40;

/// Numbers for the actions on one n×n board: `(row·n + column)·4 + rotation` for a placement, then
/// 12 more for meeples in version 1, 42 for all figures in version 2. Rows count from the north,
/// columns from the west, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbering {
    version: Version,
    side: u8,
    /// Row and column of the origin.
    centre: i16,
}

impl Numbering {
    /// The numbering for games of a setup.
    ///
    /// # Errors
    /// If the board is not square: an unlimited one has no fixed numbers.
    pub fn new(setup: &Setup, version: Version) -> Result<Self, NumberingError> {
        match setup.board() {
            BoardSize::Square(side) => {
                Ok(Self { version, side, centre: i16::from(side.div_ceil(2)) - 1 })
            }
            BoardSize::Unlimited => Err(NumberingError),
        }
    }

    /// The version that the numbers belong to.
    #[must_use]
    pub const fn version(self) -> Version {
        self.version
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
        let choices = match self.version {
            Version::V1 => SEGMENTS.len() + 1,
            Version::V2 => RECALL as usize + 2,
        };
        4 * self.cells() + choices
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
    /// for figures and segments that the version does not know.
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
            MoveKind::Meeple(segment) if self.version == Version::V1 => {
                let terrain = segment.terrain() as usize;
                let count = COUNT_OF.get(terrain).filter(|count| segment.number() < **count);
                let at = count.map(|_| u32::from(FIRST_OF[terrain] + segment.number()));
                at.map(|at| 4 * self.cells() as u32 + at)
            }
            MoveKind::Pass => Some(self.pass()),
            MoveKind::Draw(_) => None,
            _ if self.version == Version::V1 => None,
            MoveKind::Meeple(segment) => self.figure_number(Figure::Meeple, segment),
            MoveKind::Figure(figure, segment) => self.figure_number(figure, segment),
            MoveKind::Recall => Some(4 * self.cells() as u32 + RECALL),
        }
    }

    fn figure_number(self, figure: Figure, segment: Segment) -> Option<u32> {
        let (first, most) = match segment.terrain() {
            Terrain::City => (0, 4),
            Terrain::Road => (4, 4),
            Terrain::Field => (8, 4),
            Terrain::Monastery => (12, 1),
            Terrain::Garden => (13, 1),
        };
        let spot = (segment.number() < most).then_some(first + segment.number())?;
        let mut at = 4 * self.cells() as u32;
        for (own, first, last) in FIGURE_SPOTS {
            if own == figure {
                return (first..=last).contains(&spot).then(|| at + u32::from(spot - first));
            }
            at += u32::from(last - first) + 1;
        }
        None
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
        if self.version == Version::V2 {
            return figure_move((number - 4 * self.cells()) as u32);
        }
        match number - 4 * self.cells() {
            at if at < SEGMENTS.len() => Some(Move::meeple(SEGMENTS[at])),
            at if at == SEGMENTS.len() => Some(Move::PASS),
            _ => None,
        }
    }
}

/// The move with this number of version 2 among those that are no placement.
fn figure_move(number: u32) -> Option<Move> {
    let mut at = number;
    for (figure, first, last) in FIGURE_SPOTS {
        let count = u32::from(last - first) + 1;
        if at < count {
            let spot = first + at as u8;
            let segment = match spot {
                0..4 => Segment::new(Terrain::City, spot),
                4..8 => Segment::new(Terrain::Road, spot - 4),
                8..12 => Segment::new(Terrain::Field, spot - 8),
                12 => Segment::MONASTERY,
                _ => Segment::GARDEN,
            };
            return Some(Move::figure(figure, segment));
        }
        at -= count;
    }
    match number {
        RECALL => Some(Move::RECALL),
        _ if number == RECALL + 1 => Some(Move::PASS),
        _ => None,
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

    fn numbering(board: &str, version: Version) -> Numbering {
        Numbering::new(&format!("board={board}").parse().unwrap(), version).unwrap()
    }

    #[test]
    fn every_number_comes_back_and_none_is_used_twice() {
        for (version, choices) in [(Version::V1, 12), (Version::V2, 42)] {
            for side in [1, 2, 3, 20, 30, 35, 145] {
                let numbering = numbering(&format!("{side}x{side}"), version);
                assert_eq!(numbering.actions(), 4 * side * side + choices);
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
    }

    #[test]
    fn every_segment_of_every_kind_has_a_number() {
        let all = Tile::all().map(|tile| (tile, Version::V1));
        for (tile, version) in all.chain(Tile::all_sets().map(|tile| (tile, Version::V2))) {
            let numbering = numbering("35x35", version);
            for at in 0..tile.printed().segments.len() {
                let segment = Segment::at(tile, at).unwrap();
                let m = match segment.terrain() {
                    Terrain::Garden => Move::figure(Figure::Abbot, segment),
                    _ => Move::meeple(segment),
                };
                let number = numbering.number(m).unwrap();
                assert_eq!(numbering.action(number), Some(m));
            }
        }
    }

    #[test]
    fn what_the_board_does_not_have_has_no_number() {
        let small = numbering("3x3", Version::V1);
        for text in ["2,0 r0", "0,-2 r3", "99,99 r0", "-128,127 r1", "U", "city2", "road4"] {
            assert_eq!(small.number(text.parse().unwrap()), None, "{text}");
        }
        for text in ["big city0", "recall", "abbot garden"] {
            assert_eq!(small.number(text.parse().unwrap()), None, "{text}");
        }
        let small = numbering("3x3", Version::V2);
        for text in ["2,0 r0", "U", "city4", "garden", "pig road0", "builder field0", "abbot city0"]
        {
            assert_eq!(small.number(text.parse().unwrap()), None, "{text}");
        }
        assert_eq!(Numbering::new(&Setup::default(), Version::V1), Err(NumberingError));
    }

    #[test]
    fn the_numbers_of_figures_are_these() {
        let numbering = numbering("3x3", Version::V2);
        for (text, number) in [
            ("city0", 0),
            ("city3", 3),
            ("road0", 4),
            ("field3", 11),
            ("monastery", 12),
            ("big city0", 13),
            ("big monastery", 25),
            ("builder city0", 26),
            ("builder road3", 33),
            ("pig field0", 34),
            ("abbot monastery", 38),
            ("abbot garden", 39),
            ("recall", 40),
            ("pass", 41),
        ] {
            assert_eq!(numbering.number(text.parse().unwrap()), Some(36 + number), "{text}");
        }
    }
}
