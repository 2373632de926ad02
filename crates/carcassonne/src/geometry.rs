//! Where things are: cells, sides, rotations.

use crate::error::ParseError;
use std::fmt;
use std::str::FromStr;

/// A cell of the board: x grows east, y grows north, the first tile lies at (0, 0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell {
    /// Steps east of the first tile.
    pub x: i8,
    /// Steps north of the first tile.
    pub y: i8,
}

impl Cell {
    /// Where the first tile lies.
    pub const ORIGIN: Self = Self { x: 0, y: 0 };

    /// The cell at these coordinates.
    #[must_use]
    pub const fn new(x: i8, y: i8) -> Self {
        Self { x, y }
    }

    /// The neighbour on a side.
    #[must_use]
    pub const fn step(self, side: Side) -> Self {
        let Self { x, y } = self;
        match side {
            Side::North => Self { x, y: y.wrapping_add(1) },
            Side::East => Self { x: x.wrapping_add(1), y },
            Side::South => Self { x, y: y.wrapping_sub(1) },
            Side::West => Self { x: x.wrapping_sub(1), y },
        }
    }

    /// Whether the other cell is this one or one of its eight neighbours.
    #[must_use]
    pub const fn touches(self, other: Self) -> bool {
        (self.x as i32 - other.x as i32).abs() <= 1 && (self.y as i32 - other.y as i32).abs() <= 1
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        // One cell, one text in each form: a plus sign that the number's own parser would take is none.
        let number = |part: &str| {
            let part = part.trim();
            if part.starts_with('+') { None } else { part.parse::<i8>().ok() }
        };
        text.split_once(',')
            .map_or_else(|| Self::named(text), |(x, y)| Some(Self { x: number(x)?, y: number(y)? }))
            .ok_or(ParseError::Cell)
    }
}

/// A side of a tile or cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// Towards growing y.
    North,
    /// Towards growing x.
    East,
    /// Towards falling y.
    South,
    /// Towards falling x.
    West,
}

impl Side {
    /// The four sides, clockwise from the north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The side that a neighbour's side lies against.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// The side this one becomes when the tile is turned.
    #[must_use]
    pub const fn turned(self, rotation: Rotation) -> Self {
        Self::ALL[(self as usize + rotation.quarters() as usize) % 4]
    }

    /// `N`, `E`, `S` or `W`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }
}

/// How far a tile is turned, in clockwise quarter turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rotation(u8);

impl Rotation {
    /// The four rotations, `r0` to `r3`.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// A rotation by quarter turns; whole turns do not count.
    #[must_use]
    pub const fn new(quarters: u8) -> Self {
        Self(quarters & 3)
    }

    /// Clockwise quarter turns, 0 to 3.
    #[must_use]
    pub const fn quarters(self) -> u8 {
        self.0
    }

    /// Clockwise degrees: 0, 90, 180 or 270.
    #[must_use]
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * 90
    }

    /// The rotation by 0, 90, 180 or 270 degrees.
    #[must_use]
    pub const fn from_degrees(degrees: i64) -> Option<Self> {
        match degrees {
            0 => Some(Self(0)),
            90 => Some(Self(1)),
            180 => Some(Self(2)),
            270 => Some(Self(3)),
            _ => None,
        }
    }
}

impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl FromStr for Rotation {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "r0" => Ok(Self(0)),
            "r1" => Ok(Self(1)),
            "r2" => Ok(Self(2)),
            "r3" => Ok(Self(3)),
            _ => Err(ParseError::Rotation),
        }
    }
}
