//! A text that is not what it should be.

use std::error::Error;
use std::fmt;

/// A text that does not name what was asked for. Its message says what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// No [`Cell`](crate::Cell).
    Cell,
    /// No [`Rotation`](crate::Rotation).
    Rotation,
    /// No [`Tile`](crate::Tile).
    Tile,
    /// No [`Segment`](crate::Segment).
    Segment,
    /// No [`Figure`](crate::Figure).
    Figure,
    /// No [`Move`](crate::Move).
    Move,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cell => {
                "expected a cell 'X,Y' with numbers from -128 to 127, or its name such as 'M13'"
            }
            Self::Rotation => "expected a rotation r0, r1, r2 or r3",
            Self::Tile => "expected a tile letter from A to X, or the name of a tile of a set",
            Self::Figure => "expected a figure: meeple, big, builder, pig or abbot",
            Self::Segment => "expected a segment such as city0, road1, field0, monastery",
            Self::Move => {
                "expected a drawn tile (A to X), a placement such as '3,-1 r2' or 'P14 r2', \
                 a segment (city0, road1, field0, monastery) or 'pass'; with sets also a tile's name, \
                 another figure such as 'big city0', or 'recall'"
            }
        })
    }
}

impl Error for ParseError {}
