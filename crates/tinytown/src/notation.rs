//! A state as the specification's matrix, as one line of text, and as a picture.

use crate::shape::is_reachable;
use crate::{Phase, Setup, Size, Tinytown};
use std::error::Error;
use std::fmt;

/// The codes 0 to 4 of a square as letters: empty, brick, glass, cottage, greenhouse.
const LETTERS: [char; 5] = ['.', 'b', 'g', 'C', 'G'];

impl Tinytown {
    /// The code of each square in reading order: 0 empty, 1 brick, 2 glass, 3 cottage,
    /// 4 greenhouse.
    pub fn cells(&self) -> impl Iterator<Item = u8> + use<> {
        let sets = [self.bricks, self.glass, self.cottages, self.greenhouses];
        (0..self.size().cells()).map(move |index| {
            let in_set = |set: u32| (set >> index & 1) as u8;
            (0..4).map(|code| in_set(sets[code]) * (code as u8 + 1)).sum()
        })
    }

    /// The specification's (n+1)×(m+1) matrix, row by row: the squares' codes, the phase in the
    /// bottom-right corner (1 is the building phase), 0 elsewhere.
    #[must_use]
    pub fn to_matrix(&self) -> Vec<u8> {
        let cols = self.size().cols();
        let mut matrix = vec![0; matrix_len(self.size())];
        for (index, code) in self.cells().enumerate() {
            matrix[index / cols * (cols + 1) + index % cols] = code;
        }
        if let Some(corner) = matrix.last_mut() {
            *corner = u8::from(self.phase() == Phase::Building);
        }
        matrix
    }

    /// The state that the specification's matrix stands for.
    ///
    /// # Errors
    /// If it is no such matrix, or no game reaches the state.
    pub fn from_matrix(setup: Setup, matrix: &[u8]) -> Result<Self, StateError> {
        let (rows, cols) = (setup.size.rows(), setup.size.cols());
        if matrix.len() != matrix_len(setup.size) {
            return Err(StateError(format!(
                "a {} grid has a matrix of {}x{} = {} entries, found {}",
                setup.size,
                rows + 1,
                cols + 1,
                matrix_len(setup.size),
                matrix.len()
            )));
        }
        let mut codes = Vec::with_capacity(setup.size.cells());
        for (index, &code) in matrix[..matrix.len() - 1].iter().enumerate() {
            let (row, col) = (index / (cols + 1), index % (cols + 1));
            if row < rows && col < cols {
                codes.push(code);
            } else if code != 0 {
                return Err(StateError(format!(
                    "entry ({row}, {col}) of the border is {code}, not 0"
                )));
            }
        }
        let phase = match matrix[matrix.len() - 1] {
            0 => Phase::Resource,
            1 => Phase::Building,
            code => {
                let meaning = "0 is the resource phase, 1 the building phase";
                return Err(StateError(format!("the corner is {code}: {meaning}")));
            }
        };
        Self::from_cells(setup, &codes, phase)
    }

    /// The state with these codes of the squares, in reading order.
    ///
    /// # Errors
    /// If there are not nm codes from 0 to 4, or no game reaches the state.
    pub fn from_cells(setup: Setup, codes: &[u8], phase: Phase) -> Result<Self, StateError> {
        let size = setup.size;
        if codes.len() != size.cells() {
            let (expected, found) = (size.cells(), codes.len());
            return Err(StateError(format!("a {size} grid has {expected} squares, found {found}")));
        }
        let mut sets = [0u32; 5];
        for (index, &code) in codes.iter().enumerate() {
            let set = sets.get_mut(code as usize).ok_or_else(|| {
                let at = size.square(index);
                StateError(format!("square {at} is {code}: the codes are 0 to 4"))
            })?;
            *set |= 1 << index;
        }
        let [empty, bricks, glass, cottages, greenhouses] = sets;
        let town = Self::from_parts(setup, [bricks, glass, cottages, greenhouses], phase);
        if !is_reachable(size, cottages, greenhouses) {
            let reason = "these buildings could not have been built one after the other";
            return Err(StateError(format!("no game reaches this state: {reason}")));
        }
        if phase == Phase::Building && empty == size.all() {
            let reason = "the building phase comes after a resource was put down";
            return Err(StateError(format!("no game reaches this state: {reason}")));
        }
        let in_building_phase = Self::from_parts(setup, town.sets(), Phase::Building);
        if phase == Phase::Resource && empty == 0 && in_building_phase.is_over() {
            let reason = "the game was over in the building phase before it";
            return Err(StateError(format!("no game reaches this state: {reason}")));
        }
        Ok(town)
    }

    /// The state that one line of text stands for: the rows with `/` between them, then the phase;
    /// for example `gb./bC./... build`. [`line`](Self::line) writes it.
    ///
    /// # Errors
    /// If it is no such text, or no game reaches the state.
    pub fn from_line(setup: Setup, text: &str) -> Result<Self, StateError> {
        let mut words = text.split_whitespace();
        let grid = words.next().unwrap_or_default();
        let phase = match (words.next(), words.next()) {
            (Some("place"), None) => Phase::Resource,
            (Some("build"), None) => Phase::Building,
            _ => {
                let form = "expected rows and a phase, for example 'gb/b. build' or '../.. place'";
                return Err(StateError(form.to_owned()));
            }
        };
        let (rows, cols) = (setup.size.rows(), setup.size.cols());
        let mut codes = Vec::new();
        let mut found = 0;
        for (row, letters) in grid.split('/').take(rows + 1).enumerate() {
            found = row + 1;
            let count = letters.chars().count();
            if count != cols {
                return Err(StateError(format!("row {row} has {count} squares, expected {cols}")));
            }
            for letter in letters.chars() {
                let code = LETTERS
                    .iter()
                    .position(|l| *l == letter)
                    .ok_or_else(|| StateError(format!("'{letter}' is no square: use . b g C G")))?;
                codes.push(code as u8);
            }
        }
        if found != rows {
            return Err(StateError(format!("a {} grid has {rows} rows", setup.size)));
        }
        Self::from_cells(setup, &codes, phase)
    }

    /// The state as one line of text: `gb./bC./... build`.
    #[must_use]
    pub fn line(&self) -> String {
        let cols = self.size().cols();
        let mut line = String::new();
        for (index, code) in self.cells().enumerate() {
            if index > 0 && index % cols == 0 {
                line.push('/');
            }
            line.push(LETTERS[code as usize]);
        }
        line.push_str(match self.phase() {
            Phase::Resource => " place",
            Phase::Building => " build",
        });
        line
    }

    fn sets(&self) -> [u32; 4] {
        [self.bricks, self.glass, self.cottages, self.greenhouses]
    }
}

const fn matrix_len(size: Size) -> usize {
    (size.rows() + 1) * (size.cols() + 1)
}

impl fmt::Display for Tinytown {
    /// A picture of the grid, with row and column numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cols = self.size().cols();
        f.write_str("   ")?;
        for col in 0..cols {
            write!(f, "{col:>3}")?;
        }
        for (index, code) in self.cells().enumerate() {
            if index % cols == 0 {
                write!(f, "\n{:>3}", index / cols)?;
            }
            write!(f, "{:>3}", LETTERS[code as usize])?;
        }
        writeln!(f)
    }
}

/// What is no state, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateError(String);

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for StateError {}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Random};

    fn setup(text: &str) -> Setup {
        text.parse().unwrap()
    }

    fn state(setup_text: &str, line: &str) -> Tinytown {
        Tinytown::from_line(setup(setup_text), line).unwrap()
    }

    #[test]
    fn the_matrix_has_rows_first_and_the_phase_in_the_corner() {
        let town = state("2x3", "g.b/.C. build");
        assert_eq!(town.to_matrix(), [2, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 1]);
        assert_eq!(town.to_string(), "     0  1  2\n  0  g  .  b\n  1  .  C  .\n");
        let town = state("3x2", "g./b./.. place");
        assert_eq!(town.to_matrix(), [2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn states_of_random_games_go_both_ways() {
        let mut random = Random::new(11);
        for text in ["1x1", "2x3", "3x2", "4x4", "5x5", "3x3 older", "1x25"] {
            for _ in 0..20 {
                let mut town = Tinytown::new(&setup(text));
                let mut moves = Vec::new();
                loop {
                    assert_eq!(Tinytown::from_matrix(setup(text), &town.to_matrix()), Ok(town));
                    assert_eq!(Tinytown::from_line(setup(text), &town.line()), Ok(town));
                    town.moves(&mut moves);
                    let Some(action) = random.pick(&moves) else { break };
                    town.play_unchecked(*action, |_| {});
                }
            }
        }
    }

    #[test]
    fn what_is_no_state_is_refused_with_a_reason() {
        let matrix = |m: &[u8]| Tinytown::from_matrix(setup("2x2"), m).unwrap_err().to_string();
        assert_eq!(matrix(&[]), "a 2x2 grid has a matrix of 3x3 = 9 entries, found 0");
        assert_eq!(matrix(&[5, 0, 0, 0, 0, 0, 0, 0, 0]), "square 0,0 is 5: the codes are 0 to 4");
        assert!(matrix(&[0, 0, 1, 0, 0, 0, 0, 0, 0]).contains("border"));
        assert!(matrix(&[0, 0, 0, 0, 0, 0, 0, 0, 2]).contains("the corner is 2"));
        assert!(matrix(&[0, 0, 0, 0, 0, 0, 0, 0, 1]).contains("after a resource"));
        assert!(matrix(&[3, 3, 0, 3, 3, 0, 0, 0, 1]).contains("one after the other"));
        let line = |text: &str| Tinytown::from_line(setup("2x2"), text).unwrap_err().to_string();
        assert!(line("").contains("expected rows and a phase"));
        assert!(line("../.. later").contains("expected rows and a phase"));
        assert_eq!(line("../... place"), "row 1 has 3 squares, expected 2");
        assert_eq!(line(".. place"), "a 2x2 grid has 2 rows");
        assert_eq!(line("../../.. place"), "a 2x2 grid has 2 rows");
        assert_eq!(line(".x/.. place"), "'x' is no square: use . b g C G");
        assert!(line("../.C place").contains("no game reaches"));
        let full = Tinytown::from_line(setup("2x2 older"), "bb/bb place").unwrap_err();
        assert!(full.to_string().contains("was over in the building phase"));
        assert!(Tinytown::from_line(setup("2x2 older"), "bb/gg place").is_ok());
    }
}
