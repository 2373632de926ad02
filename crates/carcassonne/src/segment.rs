//! A segment of a tile: its terrain and its number among the tile's segments of that terrain.

use crate::error::ParseError;
use crate::tile::{Terrain, Tile};
use std::fmt;
use std::str::FromStr;

/// A segment printed on a tile, such as `city0`, `road1`, `field0` or `monastery`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment(u8);

impl Segment {
    /// The monastery of a tile.
    pub const MONASTERY: Self = Self::new(Terrain::Monastery, 0);

    /// The garden of a tile.
    pub const GARDEN: Self = Self::new(Terrain::Garden, 0);

    /// The segment with this number among the tile's segments of the terrain.
    #[must_use]
    pub const fn new(terrain: Terrain, number: u8) -> Self {
        Self((terrain as u8) << 4 | number & 15)
    }

    /// A byte that tells the segment, for packing.
    pub(crate) const fn code(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_code(code: u8) -> Self {
        Self(code)
    }

    /// What it is made of.
    #[must_use]
    pub const fn terrain(self) -> Terrain {
        match self.0 >> 4 {
            0 => Terrain::City,
            1 => Terrain::Road,
            2 => Terrain::Field,
            3 => Terrain::Monastery,
            _ => Terrain::Garden,
        }
    }

    /// Its number among the tile's segments of the terrain.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 & 15
    }

    /// Its place in the tile's list of segments, if the kind has it.
    #[must_use]
    pub fn index_on(self, tile: Tile) -> Option<usize> {
        (0..tile.printed().segments.len()).find(|index| Self::at(tile, *index) == Some(self))
    }

    /// The segment at this place of the kind's list.
    #[must_use]
    pub fn at(tile: Tile, index: usize) -> Option<Self> {
        let segments = tile.printed().segments;
        let terrain = segments.get(index)?.terrain;
        let number = segments[..index].iter().filter(|s| s.terrain == terrain).count();
        Some(Self::new(terrain, number as u8))
    }

    /// The name by kind and printed sides (`city_N`, `road_EW`, `field_ESW`), a second way to
    /// say the same; two fields that reach the same sides differ by their half edges
    /// (`field_SL`, `field_SR`).
    #[must_use]
    pub fn side_name(self, tile: Tile) -> Option<String> {
        let segments = tile.printed().segments;
        let own = &segments[self.index_on(tile)?];
        if matches!(own.terrain, Terrain::Monastery | Terrain::Garden) {
            return Some(own.terrain.name().to_owned());
        }
        let sides = own.reaches();
        let same =
            |s: &&crate::tile::PrintedSegment| s.terrain == own.terrain && s.reaches() == sides;
        let name: String = if sides.is_empty() {
            // A field that is closed inside its tile.
            "I".to_owned()
        } else if segments.iter().filter(same).count() > 1 {
            const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];
            (0..8).filter(|half| own.halves >> half & 1 == 1).map(|half| HALVES[half]).collect()
        } else {
            sides.into_iter().map(crate::geometry::Side::letter).collect()
        };
        Some(format!("{}_{name}", own.terrain))
    }

    /// The segment a text names on this kind, in either way of naming.
    #[must_use]
    pub fn named(tile: Tile, name: &str) -> Option<Self> {
        (0..tile.printed().segments.len())
            .filter_map(|index| Self::at(tile, index))
            .find(|s| s.to_string() == name || s.side_name(tile).as_deref() == Some(name))
    }
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Segment({self})")
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.terrain() {
            terrain @ (Terrain::Monastery | Terrain::Garden) => f.write_str(terrain.name()),
            terrain => write!(f, "{terrain}{}", self.number()),
        }
    }
}

impl FromStr for Segment {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "monastery" => return Ok(Self::MONASTERY),
            "garden" => return Ok(Self::GARDEN),
            _ => {}
        }
        [Terrain::City, Terrain::Road, Terrain::Field]
            .into_iter()
            .find_map(|terrain| match text.strip_prefix(terrain.name())?.as_bytes() {
                [digit @ b'0'..=b'7'] => Some(Self::new(terrain, digit - b'0')),
                _ => None,
            })
            .ok_or(ParseError::Segment)
    }
}
