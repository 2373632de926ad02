//! Cells of an n×n board as a matrix names them: row and column, from 1 in the north-west.

use crate::geometry::Cell;

impl Cell {
    /// The cell in row `i` and column `j` of an n×n board, whose first tile lies in row and column
    /// ⌈n/2⌉; `None` if the board has no such cell.
    #[must_use]
    pub fn from_matrix(n: u8, i: u8, j: u8) -> Option<Self> {
        let centre = i16::from(n.div_ceil(2));
        let inside = (1..=n).contains(&i) && (1..=n).contains(&j);
        let x = i8::try_from(i16::from(j) - centre).ok()?;
        let y = i8::try_from(centre - i16::from(i)).ok()?;
        inside.then_some(Self { x, y })
    }

    /// The row and column of this cell on an n×n board, if the board has it.
    #[must_use]
    pub fn to_matrix(self, n: u8) -> Option<(u8, u8)> {
        let centre = i16::from(n.div_ceil(2));
        let i = u8::try_from(centre - i16::from(self.y)).ok()?;
        let j = u8::try_from(centre + i16::from(self.x)).ok()?;
        ((1..=n).contains(&i) && (1..=n).contains(&j)).then_some((i, j))
    }
}
