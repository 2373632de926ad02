//! An action: its text, the specification's six numbers, and the compact numbering.

use crate::{Size, Square, SquareError};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// What the player does. Its text: `brick 0,1`, `glass 2,2`, `cottage 0,0 on 1,0`,
/// `greenhouse 0,0 on 1,1`, `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Puts a resource on an empty square.
    Place {
        /// What is put down.
        resource: Resource,
        /// Where.
        at: Square,
    },
    /// Takes a pattern off the grid and puts its building on one of the pattern's squares.
    Build {
        /// What is built.
        building: Building,
        /// The top-left square of the pattern.
        anchor: Square,
        /// Where the building goes.
        at: Square,
    },
    /// Ends the building phase.
    End,
}

/// What patterns are made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    /// Index 0 in action vectors, 1 in state matrices.
    Brick,
    /// Index 1 in action vectors, 2 in state matrices.
    Glass,
}

/// What is built from patterns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Building {
    /// `glass brick / brick ·`; index 0 in action vectors, 3 in state matrices.
    Cottage,
    /// `brick brick / glass glass`; index 1 in action vectors, 4 in state matrices.
    Greenhouse,
}

impl Resource {
    /// Both resources, in the order of their indices.
    pub const ALL: [Self; 2] = [Self::Brick, Self::Glass];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Brick => "brick",
            Self::Glass => "glass",
        }
    }
}

impl Building {
    /// Both buildings, in the order of their indices.
    pub const ALL: [Self; 2] = [Self::Cottage, Self::Greenhouse];

    /// The pattern: what must lie on which square, as (row, column) from the anchor.
    #[must_use]
    pub const fn pattern(self) -> &'static [(u8, u8, Resource)] {
        use Resource::{Brick, Glass};
        match self {
            Self::Cottage => &[(0, 0, Glass), (0, 1, Brick), (1, 0, Brick)],
            Self::Greenhouse => &[(0, 0, Brick), (0, 1, Brick), (1, 0, Glass), (1, 1, Glass)],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cottage => "cottage",
            Self::Greenhouse => "greenhouse",
        }
    }

    /// Which entry of the pattern lies on the square, if any.
    fn entry(self, anchor: Square, at: Square) -> Option<usize> {
        self.pattern().iter().position(|&(row, col, _)| {
            (anchor.row.checked_add(row), anchor.col.checked_add(col))
                == (Some(at.row), Some(at.col))
        })
    }
}

impl Action {
    /// How many actions can ever be legal on a grid of this size: 2nm + 7(n−1)(m−1) + 1.
    #[must_use]
    pub const fn count(size: Size) -> usize {
        2 * size.cells() + 7 * size.windows() + 1
    }

    /// The action's compact number, or `None` if it can never be legal on this grid.
    ///
    /// Bricks by square, glass by square, cottages by anchor and then by square of the pattern,
    /// greenhouses likewise, end; squares and anchors in reading order.
    #[must_use]
    pub fn number(self, size: Size) -> Option<u8> {
        let number = match self {
            Self::Place { resource, at } if size.contains(at) => {
                resource as usize * size.cells() + size.index(at)
            }
            Self::Build { building, anchor, at } => {
                let corner = Square::new(anchor.row.checked_add(1)?, anchor.col.checked_add(1)?);
                if !size.contains(corner) {
                    return None;
                }
                let window = anchor.row as usize * (size.cols() - 1) + anchor.col as usize;
                let entry = building.entry(anchor, at)?;
                2 * size.cells()
                    + match building {
                        Building::Cottage => 3 * window + entry,
                        Building::Greenhouse => 3 * size.windows() + 4 * window + entry,
                    }
            }
            Self::End => Self::count(size) - 1,
            Self::Place { .. } => return None,
        };
        Some(number as u8)
    }

    /// The action with this compact number.
    #[must_use]
    pub fn from_number(size: Size, number: usize) -> Option<Self> {
        let (cells, windows) = (size.cells(), size.windows());
        if number < 2 * cells {
            let resource = Resource::ALL[number / cells];
            return Some(Self::Place { resource, at: size.square(number % cells) });
        }
        let number = number - 2 * cells;
        let (building, number) = match number {
            n if n < 3 * windows => (Building::Cottage, n),
            n if n < 7 * windows => (Building::Greenhouse, n - 3 * windows),
            n if n == 7 * windows => return Some(Self::End),
            _ => return None,
        };
        let (window, entry) =
            (number / building.pattern().len(), number % building.pattern().len());
        let anchor =
            Square::new((window / (size.cols() - 1)) as u8, (window % (size.cols() - 1)) as u8);
        let (row, col, _) = building.pattern()[entry];
        Some(Self::Build { building, anchor, at: Square::new(anchor.row + row, anchor.col + col) })
    }

    /// The specification's six numbers; entries without meaning are 0.
    #[must_use]
    pub fn to_vector(self) -> [i64; 6] {
        let (row, col) = (|s: Square| i64::from(s.row), |s: Square| i64::from(s.col));
        match self {
            Self::Place { resource, at } => [row(at), col(at), resource as i64, 0, 0, 0],
            Self::Build { building, anchor, at } => {
                [row(anchor), col(anchor), building as i64, row(at), col(at), 1]
            }
            Self::End => [0, 0, 0, 0, 0, 2],
        }
    }

    /// The action that the specification's six numbers stand for on a grid of this size; entries
    /// without meaning are ignored.
    ///
    /// # Errors
    /// If the vector is none of the 2(nm)² + 2nm + 1 of the specification. Most of those can
    /// never be legal: playing them is what refuses them.
    pub fn from_vector(size: Size, vector: &[i64]) -> Result<Self, VectorError> {
        let fail = |reason: String| VectorError {
            vector: vector.iter().take(7).copied().collect(),
            reason,
        };
        let &[i, j, kind, to_i, to_j, operation] = vector else {
            return Err(fail(format!("it has {} entries, an action has 6", vector.len())));
        };
        let square = |name: &str, i: i64, j: i64| {
            let inside =
                (0..size.rows() as i64).contains(&i) && (0..size.cols() as i64).contains(&j);
            if inside {
                return Ok(Square::new(i as u8, j as u8));
            }
            Err(fail(format!("{name} ({i}, {j}) is outside the {size} grid")))
        };
        match (operation, kind) {
            (0, 0 | 1) => Ok(Self::Place {
                resource: Resource::ALL[kind as usize],
                at: square("the square", i, j)?,
            }),
            (1, 0 | 1) => Ok(Self::Build {
                building: Building::ALL[kind as usize],
                anchor: square("the anchor", i, j)?,
                at: square("the building's square", to_i, to_j)?,
            }),
            (2, _) => Ok(Self::End),
            (0, _) => Err(fail(format!("the third entry is {kind}: 0 is brick, 1 is glass"))),
            (1, _) => {
                Err(fail(format!("the third entry is {kind}: 0 is cottage, 1 is greenhouse")))
            }
            _ => Err(fail(format!("the last entry is {operation}: 0 places, 1 builds, 2 ends"))),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place { resource, at } => write!(f, "{} {at}", resource.name()),
            Self::Build { building, anchor, at } => {
                write!(f, "{} {anchor} on {at}", building.name())
            }
            Self::End => f.write_str("end"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Self, ParseActionError> {
        let words: Vec<&str> = text.split_whitespace().take(5).collect();
        let square = |text: &str| text.parse().map_err(ParseActionError::Square);
        let resource = |name| Resource::ALL.into_iter().find(|r| r.name() == name);
        let building = |name| Building::ALL.into_iter().find(|b| b.name() == name);
        match words[..] {
            ["end"] => return Ok(Self::End),
            [name, at] => {
                if let Some(resource) = resource(name) {
                    return Ok(Self::Place { resource, at: square(at)? });
                }
            }
            [name, anchor, "on", at] => {
                if let Some(building) = building(name) {
                    return Ok(Self::Build { building, anchor: square(anchor)?, at: square(at)? });
                }
            }
            _ => {}
        }
        Err(ParseActionError::Form)
    }
}

/// A text that is no action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseActionError {
    /// It has not the form of one.
    Form,
    /// A part of it should be a square.
    Square(SquareError),
}

impl fmt::Display for ParseActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str(
                "expected an action like 'brick 0,1', 'glass 0,1', 'cottage 0,0 on 0,1', \
                 'greenhouse 0,0 on 0,1' or 'end'",
            ),
            Self::Square(error) => error.fmt(f),
        }
    }
}

impl Error for ParseActionError {}

/// Six numbers that are no action on this grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorError {
    /// The vector, or the start of one that is too long.
    pub vector: Vec<i64>,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no action vector: {}", self.vector, self.reason)
    }
}

impl Error for VectorError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(text: &str) -> Size {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_texts_and_vectors_go_both_ways_on_every_size() {
        for (rows, cols) in (1..=25).flat_map(|n| (1..=25).map(move |m| (n, m))) {
            let Ok(size) = Size::new(rows, cols) else { continue };
            let count = 2 * rows * cols + 7 * (rows - 1) * (cols - 1) + 1;
            assert_eq!(Action::count(size), count);
            assert!(count <= 256, "a number fits a byte");
            for number in 0..count {
                let action = Action::from_number(size, number).unwrap();
                assert_eq!(action.number(size), Some(number as u8), "{size} {action}");
                assert_eq!(action.to_string().parse(), Ok(action));
                assert_eq!(Action::from_vector(size, &action.to_vector()), Ok(action));
            }
            assert_eq!(Action::from_number(size, count), None);
            assert_eq!(Action::from_number(size, usize::MAX), None);
        }
    }

    #[test]
    fn the_numbering_is_pinned() {
        let text = |n| Action::from_number(size("2x3"), n).unwrap().to_string();
        assert_eq!(text(1), "brick 0,1");
        assert_eq!(text(3), "brick 1,0");
        assert_eq!(text(6), "glass 0,0");
        assert_eq!(text(12), "cottage 0,0 on 0,0");
        assert_eq!(text(14), "cottage 0,0 on 1,0");
        assert_eq!(text(15), "cottage 0,1 on 0,1");
        assert_eq!(text(18), "greenhouse 0,0 on 0,0");
        assert_eq!(text(25), "greenhouse 0,1 on 1,2");
        assert_eq!(text(26), "end");
        let three = size("3x3");
        assert_eq!(Action::count(three), 47);
    }

    #[test]
    fn vectors_have_the_row_first_and_the_anchor_before_the_square() {
        let vector = |text: &str| text.parse::<Action>().unwrap().to_vector();
        assert_eq!(vector("brick 1,0"), [1, 0, 0, 0, 0, 0]);
        assert_eq!(vector("glass 0,2"), [0, 2, 1, 0, 0, 0]);
        assert_eq!(vector("cottage 0,1 on 1,1"), [0, 1, 0, 1, 1, 1]);
        assert_eq!(vector("greenhouse 1,0 on 2,1"), [1, 0, 1, 2, 1, 1]);
        assert_eq!(vector("end"), [0, 0, 0, 0, 0, 2]);
        let action = Action::from_vector(size("2x3"), &[1, 0, 0, 7, 7, 0]);
        assert_eq!(action.map(|a| a.to_string()), Ok("brick 1,0".to_owned()));
    }

    #[test]
    fn every_vector_of_the_spec_is_an_action_and_few_have_a_number() {
        let size = size("3x3");
        let mut actions = std::collections::HashSet::new();
        let each = 0..3i64;
        for (i, j) in each.clone().flat_map(|i| each.clone().map(move |j| (i, j))) {
            for (a, b) in each.clone().flat_map(|a| each.clone().map(move |b| (a, b))) {
                for (kind, operation) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)] {
                    actions
                        .insert(Action::from_vector(size, &[i, j, kind, a, b, operation]).unwrap());
                }
            }
        }
        assert_eq!(actions.len(), 181);
        assert_eq!(actions.iter().filter(|a| a.number(size).is_some()).count(), 47);
    }

    #[test]
    fn a_building_outside_its_pattern_has_no_number() {
        let size = size("3x3");
        let number = |text: &str| text.parse::<Action>().unwrap().number(size);
        assert_eq!(number("cottage 0,0 on 1,1"), None, "the ignored square of the window");
        assert_eq!(number("cottage 1,1 on 0,1"), None, "within i±1, but not in the pattern");
        assert_eq!(number("greenhouse 1,1 on 0,0"), None);
        assert_eq!(number("cottage 2,0 on 2,0"), None, "the window leaves the grid");
        assert_eq!(number("brick 3,0"), None);
        assert_eq!(number("cottage 255,255 on 255,255"), None);
        assert!(number("greenhouse 0,0 on 1,1").is_some());
    }

    #[test]
    fn bad_vectors_and_texts_say_what_is_wrong() {
        let error = |v: &[i64]| Action::from_vector(size("2x3"), v).unwrap_err().to_string();
        assert_eq!(
            error(&[2, 0, 0, 0, 0, 0]),
            "[2, 0, 0, 0, 0, 0] is no action vector: the square (2, 0) is outside the 2x3 grid"
        );
        assert!(error(&[0, 3, 0, 0, 0, 1]).contains("the anchor (0, 3) is outside"));
        assert!(error(&[0, 0, 1, 0, -1, 1]).contains("the building's square (0, -1) is outside"));
        assert!(error(&[0, 0, 2, 0, 0, 0]).contains("0 is brick, 1 is glass"));
        assert!(error(&[0, 0, 2, 0, 0, 1]).contains("0 is cottage, 1 is greenhouse"));
        assert!(error(&[0, 0, 0, 0, 0, 3]).contains("0 places, 1 builds, 2 ends"));
        assert!(error(&[i64::MIN, i64::MAX, 0, 0, 0, 0]).contains("outside"));
        assert!(error(&[]).contains("0 entries"));
        let ignored = Action::from_vector(size("2x3"), &[-9, 99, 7, 5, 5, 2]);
        assert_eq!(ignored, Ok(Action::End), "entries without meaning are ignored");
        for text in [
            "",
            "brick",
            "brick 0",
            "brick a,b",
            "brick 0,256",
            "brick -1,0",
            "wood 0,0",
            "cottage 0,0",
            "cottage 0,0 at 0,0",
            "end now",
            "brick 0,0 on 0,0",
            "end end end end end end",
        ] {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
    }
}
