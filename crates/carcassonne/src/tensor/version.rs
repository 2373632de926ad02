//! The versions of the numbers, and the sizes of their arrays.

use super::{v1, v2};

/// A version of the numbering and of all layouts. Within one no number changes its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Version {
    /// The base game.
    V1,
    /// The base game and all sets.
    V2,
}

impl Version {
    /// All versions, oldest first.
    pub const ALL: [Self; 2] = [Self::V1, Self::V2];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["v1", "v2"][self as usize]
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// Whether it has numbers for the pieces of the sets.
    #[must_use]
    pub const fn knows_sets(self) -> bool {
        matches!(self, Self::V2)
    }

    /// How many globals there are for so many players.
    #[must_use]
    pub const fn globals_len(self, players: usize) -> usize {
        match self {
            Self::V1 => v1::globals_len(players),
            Self::V2 => v2::globals_len(players),
        }
    }

    /// How many numbers the compact observation has.
    #[must_use]
    pub const fn compact_len(self, players: usize) -> usize {
        match self {
            Self::V1 => v1::compact_len(players),
            Self::V2 => v2::compact_len(players),
        }
    }

    /// How many rows of features the compact observation has.
    #[must_use]
    pub const fn feature_rows(self, players: usize) -> usize {
        match self {
            Self::V1 => v1::feature_rows(players),
            Self::V2 => v2::feature_rows(players),
        }
    }

    /// How many numbers a row of a feature has.
    #[must_use]
    pub const fn feature_width(self, players: usize) -> usize {
        match self {
            Self::V1 => v1::FEATURE_HEAD + players,
            Self::V2 => v2::feature_width(players),
        }
    }

    /// How many numbers a row of a tile has.
    #[must_use]
    pub const fn tile_width(self) -> usize {
        match self {
            Self::V1 => v1::TILE_ROW,
            Self::V2 => v2::TILE_ROW,
        }
    }

    /// How many planes there are.
    #[must_use]
    pub const fn plane_count(self, players: usize) -> usize {
        match self {
            Self::V1 => v1::plane_count(players),
            Self::V2 => v2::plane_count(players),
        }
    }

    /// What each plane is, in order.
    #[must_use]
    pub fn plane_names(self, players: usize) -> Vec<String> {
        match self {
            Self::V1 => v1::plane_names(players),
            Self::V2 => v2::plane_names(players),
        }
    }

    /// The largest number in a plane.
    #[must_use]
    pub const fn largest_in_planes(self) -> u8 {
        match self {
            Self::V1 => 1,
            Self::V2 => u8::MAX,
        }
    }
}
