//! The two published variants of the environment, and what is settled before a game.

use crate::Size;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// What is settled before the first move. Its text is the size, then the variant if it is not
/// the spec's: `3x3`, `2x3 older`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Rows and columns.
    pub size: Size,
    /// The rules that say when a game ends and what it earns.
    pub variant: Variant,
}

/// Which rules say when a game ends and what it earns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// The specification: a game ends when *end* is taken with every square filled; a greenhouse
    /// feeds four cottages.
    #[default]
    Spec,
    /// What earlier published graphs were made with: a game ends also at once when every square
    /// is filled and nothing can be built; one greenhouse feeds any number of cottages.
    Older,
}

impl Variant {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Spec, Self::Older];

    /// The variant's name in texts and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Older => "older",
        }
    }

    /// What a grid of `cells` squares with these buildings earns.
    #[must_use]
    pub const fn points(self, cells: usize, cottages: usize, greenhouses: usize) -> i32 {
        let fed = match self {
            Self::Spec if cottages > 4 * greenhouses => 4 * greenhouses,
            Self::Older if greenhouses == 0 => 0,
            _ => cottages,
        };
        3 * fed as i32 + cottages as i32 + greenhouses as i32 - cells as i32
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Variant {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        Self::ALL.into_iter().find(|variant| variant.name() == text).ok_or_else(|| {
            SetupError(format!("the variants are spec and older; found '{text:.24}'"))
        })
    }
}

impl Setup {
    /// A grid of this size under the specification.
    #[must_use]
    pub const fn new(size: Size) -> Self {
        Self { size, variant: Variant::Spec }
    }

    /// What a grid of this size with these buildings earns.
    #[must_use]
    pub const fn points(self, cottages: usize, greenhouses: usize) -> i32 {
        self.variant.points(self.size.cells(), cottages, greenhouses)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variant {
            Variant::Spec => write!(f, "{}", self.size),
            Variant::Older => write!(f, "{} {}", self.size, self.variant),
        }
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut words = text.split_whitespace();
        let size = words.next().unwrap_or_default().parse();
        let size: Size = size.map_err(|error: crate::SizeError| SetupError(error.to_string()))?;
        let variant = words.next().map_or(Ok(Variant::Spec), str::parse)?;
        match words.next() {
            None => Ok(Self { size, variant }),
            Some(more) => Err(SetupError(format!("unexpected '{more:.24}' after the variant"))),
        }
    }
}

/// A text that is no setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError(String);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greenhouse_feeds_four_in_the_spec_and_all_in_the_older_variant() {
        assert_eq!(Variant::Spec.points(16, 9, 5), 25);
        assert_eq!(Variant::Spec.points(9, 4, 0), -5);
        assert_eq!(Variant::Spec.points(9, 6, 1), 12 - 9 + 7);
        assert_eq!(Variant::Older.points(9, 6, 1), 18 - 9 + 7);
        assert_eq!(Variant::Older.points(9, 6, 0), -3);
    }

    #[test]
    fn a_setup_is_a_size_and_a_variant() {
        let setup: Setup = "2x3 older".parse().unwrap();
        assert_eq!((setup.size.rows(), setup.variant), (2, Variant::Older));
        assert_eq!(setup.to_string(), "2x3 older");
        assert_eq!("3x3 spec".parse::<Setup>().unwrap().to_string(), "3x3");
        let error = |text: &str| text.parse::<Setup>().unwrap_err().to_string();
        assert_eq!(error("3x3 old"), "the variants are spec and older; found 'old'");
        assert_eq!(error("3x3 older x"), "unexpected 'x' after the variant");
        assert!(error("").contains("ROWSxCOLUMNS"));
    }
}
