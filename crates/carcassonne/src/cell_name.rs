//! Cells by name: a letter for the column and a number for the row, as people say them.
//!
//! The first tile lies at `M13`; letters go east, numbers south, so the 26 columns and the rows
//! around it are `A` to `Z` and `1` to `25`. Names never change while a board grows. Where a board
//! goes further, columns go on as `AA`, `AB` … after `Z`, and both axes are rings: west of `A` comes
//! `ZZ`, north of `1` comes `999`.

use crate::geometry::Cell;
use std::fmt;

/// The number of columns before the first tile's, `A` being the first.
const FIRST_COLUMN: i32 = 12;
/// The number of rows before the first tile's, `1` being the first.
const FIRST_ROW: i32 = 12;
/// Names of one letter, and of two.
const COLUMNS: i32 = 26 + 26 * 26;
/// Numbers of up to three digits.
const ROWS: i32 = 999;

/// A cell as people name it; see [`Cell::name`].
#[derive(Clone, Copy, Debug)]
pub struct CellName(Cell);

impl Cell {
    /// The cell's name for people, such as `M13` for the first tile's.
    ///
    /// ```
    /// use carcassonne::Cell;
    /// assert_eq!(Cell::ORIGIN.name().to_string(), "M13");
    /// assert_eq!(Cell::new(3, -1).name().to_string(), "P14");
    /// assert_eq!("P14".parse(), Ok(Cell::new(3, -1)));
    /// ```
    #[must_use]
    pub const fn name(self) -> CellName {
        CellName(self)
    }

    /// The cell of a name; only what [`Cell::name`] writes is one.
    pub(crate) fn named(text: &str) -> Option<Self> {
        let digits = text.find(|c: char| !c.is_ascii_uppercase())?;
        let (letters, number) = text.split_at(digits);
        let letter = |byte: u8| i32::from(byte - b'A');
        let column = match *letters.as_bytes() {
            [one] => letter(one),
            [first, second] => 26 * (letter(first) + 1) + letter(second),
            _ => return None,
        };
        let plain = !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
        let row = number.parse::<i32>().ok().filter(|row| plain && *row <= ROWS)? - 1;
        let (x, y) = (column - FIRST_COLUMN, FIRST_ROW - row);
        Some(Self { x: unrolled(x, COLUMNS)?, y: unrolled(y, ROWS)? })
    }
}

/// Steps from the first tile along a ring, one way round or the other, if a board reaches so far.
fn unrolled(steps: i32, ring: i32) -> Option<i8> {
    [steps, steps - ring, steps + ring].into_iter().find_map(|steps| i8::try_from(steps).ok())
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { x, y } = self.0;
        let column = (i32::from(x) + FIRST_COLUMN).rem_euclid(COLUMNS);
        let row = (FIRST_ROW - i32::from(y)).rem_euclid(ROWS) + 1;
        let letter = |index: i32| char::from(b'A' + index as u8);
        if column >= 26 {
            write!(f, "{}", letter(column / 26 - 1))?;
        }
        write!(f, "{}{row}", letter(column % 26))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_cell_has_one_name_of_its_own() {
        let mut names = HashSet::new();
        for x in i8::MIN..=i8::MAX {
            for y in i8::MIN..=i8::MAX {
                let cell = Cell::new(x, y);
                let name = cell.name().to_string();
                assert_eq!(name.parse(), Ok(cell), "{name}");
                assert!(names.insert(name), "{cell}");
            }
        }
    }

    #[test]
    fn names_around_the_first_tile_are_a_letter_and_a_number() {
        let name = |x, y| Cell::new(x, y).name().to_string();
        assert_eq!(name(0, 0), "M13");
        assert_eq!([name(-12, 12), name(13, -12)], ["A1", "Z25"]);
        // The rings: east of Z, west of A, north of 1.
        assert_eq!([name(14, 0), name(-13, 0), name(-14, 0)], ["AA13", "ZZ13", "ZY13"]);
        assert_eq!([name(0, 13), name(0, 14)], ["M999", "M998"]);
        assert_eq!([name(127, -128), name(-128, 127)], ["EJ141", "VO885"]);
    }

    #[test]
    fn what_is_no_name_is_no_cell() {
        for text in [
            "",
            "M",
            "13",
            "m13",
            "M0",
            "M013",
            "M1000",
            "M-1",
            "M+1",
            "M 13",
            "M13 ",
            "AAA1",
            "M142",
            "M884",
            "EK13",
            "VN13",
            "M13r2",
            "É13",
            "M\u{661}",
            "M99999999999999999999",
        ] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
    }
}
