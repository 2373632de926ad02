//! A move: the drawn tile, a placement, a meeple or another figure, or none.

use crate::error::ParseError;
use crate::figure::Figure;
use crate::geometry::{Cell, Rotation};
use crate::segment::Segment;
use crate::tables::RotationSet;
use crate::tile::Tile;
use std::fmt;
use std::str::FromStr;

/// A move, packed in one word so that lists of them are written fast. [`kind`](Move::kind) tells
/// what it is; it is made by [`draw`](Move::draw), [`place`](Move::place),
/// [`meeple`](Move::meeple), [`figure`](Move::figure), [`RECALL`](Move::RECALL) or
/// [`PASS`](Move::PASS).
///
/// The word, from the lowest byte: what it is, x (or the figure), y, and the rotation, tile or
/// segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

/// A move, unpacked. A turn is `Draw`, `Place`, then `Meeple` or `Pass`; with the sets also
/// `Figure` or `Recall`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveKind {
    /// Chance: this kind is drawn. If it fits nowhere it is set aside and chance draws again.
    Draw(Tile),
    /// The drawn tile is put on a cell, turned.
    Place {
        /// Where it is put.
        cell: Cell,
        /// How it is turned.
        rotation: Rotation,
    },
    /// A meeple is put on a segment of the tile just placed.
    Meeple(Segment),
    /// Another figure is put on a segment of the tile just placed.
    Figure(Figure, Segment),
    /// The abbot is taken back, and scores.
    Recall,
    /// No meeple is put down.
    Pass,
}

const DRAW: u32 = 0;
const PLACE: u32 = 1;
const MEEPLE: u32 = 2;
const RECALLED: u32 = 4;

impl Move {
    /// No meeple is put down.
    pub const PASS: Self = Self(3);

    /// The abbot is taken back, and scores.
    pub const RECALL: Self = Self(RECALLED);

    /// This kind is drawn.
    #[must_use]
    pub const fn draw(tile: Tile) -> Self {
        Self(DRAW | (tile.index() as u32) << 24)
    }

    /// The drawn tile is put on a cell, turned.
    #[must_use]
    pub const fn place(cell: Cell, rotation: Rotation) -> Self {
        let at = u16::from_le_bytes([cell.x as u8, cell.y as u8]) as u32;
        Self(PLACE | at << 8 | (rotation.quarters() as u32) << 24)
    }

    /// A word that is no move anybody lists: what a list is filled with before it is written.
    pub(crate) const NOTHING: Self = Self(0);

    /// The same cell with each of the rotations; what follows the last of them is filling.
    #[inline]
    pub(crate) fn place_turned(cell: Cell, rotations: &RotationSet) -> [Self; 4] {
        let flat = Self::place(cell, Rotation::new(0)).0;
        rotations.packed.map(|rotation| Self(flat | rotation))
    }

    /// A meeple is put on a segment of the tile just placed.
    #[must_use]
    pub const fn meeple(segment: Segment) -> Self {
        Self::figure(Figure::Meeple, segment)
    }

    /// A figure is put on a segment of the tile just placed.
    #[must_use]
    pub const fn figure(figure: Figure, segment: Segment) -> Self {
        Self(MEEPLE | (figure as u32) << 8 | (segment.code() as u32) << 24)
    }

    /// The move, unpacked: for `match`.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        let [what, x, y, rest] = self.0.to_le_bytes();
        match what as u32 {
            DRAW => match Tile::of_any_set(rest as usize) {
                Some(tile) => MoveKind::Draw(tile),
                None => MoveKind::Pass,
            },
            PLACE => {
                MoveKind::Place { cell: Cell::new(x as i8, y as i8), rotation: Rotation::new(rest) }
            }
            MEEPLE => match x {
                0 => MoveKind::Meeple(Segment::from_code(rest)),
                other => MoveKind::Figure(Figure::ALL[other as usize], Segment::from_code(rest)),
            },
            RECALLED => MoveKind::Recall,
            _ => MoveKind::Pass,
        }
    }
}

impl From<MoveKind> for Move {
    fn from(kind: MoveKind) -> Self {
        match kind {
            MoveKind::Draw(tile) => Self::draw(tile),
            MoveKind::Place { cell, rotation } => Self::place(cell, rotation),
            MoveKind::Meeple(segment) => Self::meeple(segment),
            MoveKind::Figure(figure, segment) => Self::figure(figure, segment),
            MoveKind::Recall => Self::RECALL,
            MoveKind::Pass => Self::PASS,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            MoveKind::Draw(tile) => write!(f, "{tile}"),
            MoveKind::Place { cell, rotation } => write!(f, "{cell} {rotation}"),
            MoveKind::Meeple(segment) => write!(f, "{segment}"),
            MoveKind::Figure(figure, segment) => write!(f, "{figure} {segment}"),
            MoveKind::Recall => f.write_str("recall"),
            MoveKind::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        match text {
            "pass" => return Ok(Self::PASS),
            "recall" => return Ok(Self::RECALL),
            _ => {}
        }
        if let Ok(tile) = text.parse() {
            return Ok(Self::draw(tile));
        }
        if let Ok(segment) = text.parse() {
            return Ok(Self::meeple(segment));
        }
        let (cell, rotation) = text.rsplit_once(char::is_whitespace).ok_or(ParseError::Move)?;
        let cell = cell.trim();
        if let (Ok(figure), Ok(segment)) = (cell.parse(), rotation.parse()) {
            // A meeple has one text, its segment alone.
            return match figure {
                Figure::Meeple => Err(ParseError::Move),
                _ => Ok(Self::figure(figure, segment)),
            };
        }
        if !cell.contains(',') && !cell.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Err(ParseError::Move);
        }
        Ok(Self::place(cell.parse()?, rotation.parse()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_parse_back() {
        for text in [
            "A",
            "X",
            "IC/RrRr",
            "E-garden",
            "3,-1 r2",
            "-72,0 r0",
            "city0",
            "road3",
            "field2",
            "monastery",
            "pass",
            "big city0",
            "builder road1",
            "pig field0",
            "abbot garden",
            "recall",
        ] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_placement_is_read_in_both_forms_and_written_in_one() {
        for (name, written) in
            [("M13 r0", "0,0 r0"), ("P14 r2", "3,-1 r2"), ("A1 \t r3", "-12,12 r3")]
        {
            assert_eq!(name.parse::<Move>().unwrap().to_string(), written);
        }
        // A column alone is a drawn tile, and a name has a space before its rotation.
        assert_eq!("M".parse::<Move>().unwrap().to_string(), "M");
        for text in ["M13", "M13r2", "P14 R2"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_wrong_move_says_what_was_expected() {
        let error = |text: &str| text.parse::<Move>().unwrap_err();
        for text in [
            "",
            "Y",
            "AA",
            "city",
            "city9",
            "road10",
            "meeple",
            "3 r2",
            "é",
            "\u{0}",
            "meeple city0",
        ] {
            assert_eq!(error(text), ParseError::Move, "{text:?}");
        }
        assert_eq!(error("3,-1 r4"), ParseError::Rotation);
        for text in ["300,1 r0", "+1,0 r0", "1,+0 r0", "1,- r0", "--1,0 r0", "M0 r0", "A r0"] {
            assert_eq!(error(text), ParseError::Cell, "{text}");
        }
        assert_eq!(error("3,-1"), ParseError::Move);
    }
}
