//! The size of a grid, its squares, and the sets of squares that the rules talk about.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The most squares a grid may have.
///
/// Up to here the best move is found from every reachable state, and an action's compact number
/// fits a byte.
pub const MAX_CELLS: usize = 25;

/// Rows and columns of a grid: each at least 1, together at most [`MAX_CELLS`] squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size {
    rows: u8,
    cols: u8,
}

impl Size {
    /// The size with these rows (n) and columns (m).
    ///
    /// # Errors
    /// If one is 0 or the grid has more than [`MAX_CELLS`] squares.
    pub fn new(rows: usize, cols: usize) -> Result<Self, SizeError> {
        let fits = |n: usize| (1..=MAX_CELLS).contains(&n);
        if fits(rows) && fits(cols) && rows * cols <= MAX_CELLS {
            Ok(Self { rows: rows as u8, cols: cols as u8 })
        } else {
            Err(SizeError::Bounds { rows, cols })
        }
    }

    /// How many rows there are (n).
    #[must_use]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// How many columns there are (m).
    #[must_use]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// How many squares there are (nm).
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// How many 2×2 windows there are: each is the place of one pattern.
    #[must_use]
    pub const fn windows(self) -> usize {
        (self.rows() - 1) * (self.cols() - 1)
    }

    /// Whether the square lies on the grid.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        square.row < self.rows && square.col < self.cols
    }

    /// The square's number in reading order. Meaningless outside the grid.
    #[must_use]
    pub const fn index(self, square: Square) -> usize {
        square.row as usize * self.cols() + square.col as usize
    }

    /// The square with this number in reading order.
    #[must_use]
    pub const fn square(self, index: usize) -> Square {
        Square { row: (index / self.cols()) as u8, col: (index % self.cols()) as u8 }
    }

    /// All squares as a set, a bit each in reading order.
    pub(crate) const fn all(self) -> u32 {
        (1 << self.cells()) - 1
    }

    /// The squares that are the top-left one of a 2×2 window.
    pub(crate) const fn anchors(self) -> u32 {
        let row = (1u32 << (self.cols() - 1)) - 1;
        let mut anchors = 0;
        let mut at = 0;
        while at + 1 < self.rows() {
            anchors |= row << (at * self.cols());
            at += 1;
        }
        anchors
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let text = text.trim();
        let (rows, cols) = text
            .split_once(['x', 'X', '×'])
            .ok_or_else(|| SizeError::Text(game::excerpt(text, 24)))?;
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            // A number too long to read is surely too large.
            plain.then(|| digits.parse().unwrap_or(usize::MAX))
        };
        match (number(rows), number(cols)) {
            (Some(rows), Some(cols)) => Self::new(rows, cols),
            _ => Err(SizeError::Text(game::excerpt(text, 24))),
        }
    }
}

/// A square of the grid: row and column, from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// The row (i), from the top.
    pub row: u8,
    /// The column (j), from the left.
    pub col: u8,
}

impl Square {
    /// The square in this row and column.
    #[must_use]
    pub const fn new(row: u8, col: u8) -> Self {
        Self { row, col }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.col)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        };
        text.split_once(',')
            .and_then(|(row, col)| Some(Self::new(number(row)?, number(col)?)))
            .ok_or_else(|| SquareError(text.to_owned()))
    }
}

/// A text that is no [`Square`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquareError(String);

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a square as ROW,COLUMN, found '{:.24}'", self.0)
    }
}

impl Error for SquareError {}

/// Why a grid size is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SizeError {
    /// The text is no size.
    Text(String),
    /// The size is outside what is supported.
    Bounds {
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        cols: usize,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => {
                write!(f, "expected a grid as ROWSxCOLUMNS, for example 3x3; found '{text}'")
            }
            Self::Bounds { rows: 0, .. } | Self::Bounds { cols: 0, .. } => {
                write!(f, "a grid has at least 1 row and 1 column")
            }
            Self::Bounds { rows, cols } => {
                // Sizes too long to read were taken as the largest number.
                let name =
                    |n: usize| if n == usize::MAX { "…".to_owned() } else { n.to_string() };
                write!(f, "a {}x{} grid is too large: ", name(*rows), name(*cols))?;
                write!(f, "at most {MAX_CELLS} squares are allowed, for example 5x5 or 2x12")
            }
        }
    }
}

impl Error for SizeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_outside_the_bounds_are_refused_with_what_is_allowed() {
        let error = |text: &str| text.parse::<Size>().unwrap_err().to_string();
        assert_eq!(error("0x3"), "a grid has at least 1 row and 1 column");
        assert_eq!(error("3x0"), "a grid has at least 1 row and 1 column");
        assert!(error("40x40").contains("at most 25 squares"), "{}", error("40x40"));
        assert!(error("99999999999999999999999x2").contains("too large"));
        for text in ["", "3", "x", "3x", "x3", "axb", "-1x3", "+1x3", "3x3x3", "3 x3", "３x3"] {
            assert!(error(text).contains("ROWSxCOLUMNS"), "{text}");
        }
    }

    #[test]
    fn squares_are_numbered_in_reading_order() {
        let size: Size = "2x3".parse().unwrap();
        assert_eq!((size.rows(), size.cols(), size.cells(), size.windows()), (2, 3, 6, 2));
        assert_eq!(size.index(Square::new(1, 0)), 3);
        assert_eq!(size.square(5), Square::new(1, 2));
        assert_eq!(size.anchors(), 0b011);
        assert_eq!(Size::new(3, 2).unwrap().anchors(), 0b0101);
        assert_eq!(Size::new(1, 25).unwrap().anchors(), 0);
        assert_eq!(Size::new(5, 5).unwrap().all(), (1 << 25) - 1);
    }
}
