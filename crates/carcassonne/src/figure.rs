//! The figures of a player: seven meeples, and one of each that a set brings.

use crate::error::ParseError;
use crate::meeples::MEEPLES;
use crate::sets::Sets;
use std::fmt;
use std::str::FromStr;

/// How many figures a player has when every set is played.
pub const FIGURES: usize = MEEPLES + 4;

/// A kind of figure. A player's figures are numbered: meeples from 0, then the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Figure {
    /// An ordinary meeple: numbers 0 to 6.
    Meeple,
    /// The big meeple of the inns, which counts as two: number 7.
    Big,
    /// The builder of the traders, which counts in no majority: number 8.
    Builder,
    /// The pig of the traders, which counts in no majority: number 9.
    Pig,
    /// The abbot of the gardens: number 10.
    Abbot,
}

impl Figure {
    /// All kinds of figures.
    pub const ALL: [Self; 5] = [Self::Meeple, Self::Big, Self::Builder, Self::Pig, Self::Abbot];

    /// The figure with this number among a player's.
    #[must_use]
    pub const fn of_number(number: u8) -> Self {
        match number.saturating_sub(MEEPLES as u8 - 1) {
            0 => Self::Meeple,
            1 => Self::Big,
            2 => Self::Builder,
            3 => Self::Pig,
            _ => Self::Abbot,
        }
    }

    /// The number of the only figure of this kind; the first meeple's for meeples.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Meeple => 0,
            other => MEEPLES as u8 - 1 + other as u8,
        }
    }

    /// The set that brings it; none for meeples.
    #[must_use]
    pub const fn set(self) -> Sets {
        match self {
            Self::Meeple => Sets::NONE,
            Self::Big => Sets::INNS,
            Self::Builder | Self::Pig => Sets::TRADERS,
            Self::Abbot => Sets::GARDENS,
        }
    }

    /// The name in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["meeple", "big", "builder", "pig", "abbot"][self as usize]
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Figure {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL.into_iter().find(|figure| figure.name() == text).ok_or(ParseError::Figure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_the_figure() {
        for figure in Figure::ALL {
            assert_eq!(Figure::of_number(figure.number()), figure);
            assert_eq!(figure.name().parse(), Ok(figure));
        }
        assert_eq!(Figure::of_number(6), Figure::Meeple);
        assert_eq!(usize::from(Figure::Abbot.number()) + 1, FIGURES);
    }
}
