//! A move: the drawn tile, a placement, a meeple or none.

use crate::geometry::{Cell, Rotation};
use crate::segment::Segment;
use crate::tile::Tile;
use std::fmt;
use std::str::FromStr;

/// A deed of a player or the outcome of a draw. A turn is `Draw`, `Place`, then `Meeple` or `Pass`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
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
    /// No meeple is put down.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(tile) => write!(f, "{tile}"),
            Self::Place { cell, rotation } => write!(f, "{cell} {rotation}"),
            Self::Meeple(segment) => write!(f, "{segment}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

/// What a move's text may be, for messages.
const EXPECTED: &str = "expected a drawn tile (A to X), a placement 'X,Y rR' such as '3,-1 r2', \
                        a segment (city0, road1, field0, monastery) or 'pass'";

impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "pass" {
            return Ok(Self::Pass);
        }
        if let Ok(tile) = text.parse() {
            return Ok(Self::Draw(tile));
        }
        if let Ok(segment) = text.parse() {
            return Ok(Self::Meeple(segment));
        }
        if !text.contains(',') {
            return Err(EXPECTED.to_owned());
        }
        let (cell, rotation) = text.rsplit_once(char::is_whitespace).ok_or(EXPECTED)?;
        Ok(Self::Place { cell: cell.trim().parse()?, rotation: rotation.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_parse_back() {
        for text in
            ["A", "X", "3,-1 r2", "-72,0 r0", "city0", "road3", "field2", "monastery", "pass"]
        {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_move_says_what_was_expected() {
        let error = |text: &str| text.parse::<Move>().unwrap_err();
        for text in ["", "Y", "AA", "city", "city9", "road10", "meeple", "3 r2", "é", "\u{0}"] {
            assert_eq!(error(text), EXPECTED, "{text:?}");
        }
        assert_eq!(error("3,-1 r4"), "expected a rotation r0, r1, r2 or r3");
        assert_eq!(error("300,1 r0"), "expected a cell 'X,Y' with numbers from -128 to 127");
        assert_eq!(error("3,-1"), EXPECTED);
    }
}
