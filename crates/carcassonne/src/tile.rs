//! The 24 kinds of tiles as they are printed.
//!
//! A kind is data: edges, segments, which fields touch which cities. Everything the engine
//! looks up while playing is derived from this table at compile time (see `tables`), so an
//! expansion adds rows here and rules where its pieces act, and nothing else.

use crate::error::ParseError;
use crate::geometry::{Rotation, Side};
use std::fmt;
use std::str::FromStr;

/// What a segment or a feature is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Terrain {
    /// Walled; scores when closed.
    City,
    /// Scores when both ends are closed.
    Road,
    /// Scores at the end for the finished cities it touches.
    Field,
    /// Scores when its eight neighbours lie.
    Monastery,
}

impl Terrain {
    /// The name in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["city", "road", "field", "monastery"][self as usize]
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many kinds of tiles there are.
pub const KINDS: usize = 24;

/// How many tiles the game has, with the start tile.
pub const TILES: usize = 72;

/// The most segments printed on one tile (kind X: four roads, four fields).
pub(crate) const MOST_SEGMENTS: usize = 8;

/// A kind of tile, named by a letter from A to X.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The kind that starts the game.
    pub const START: Self = Self(b'D' - b'A');

    /// The kind with this number (A is 0), if there is one.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < KINDS { Some(Self(index as u8)) } else { None }
    }

    /// All kinds, A to X.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS as u8).map(Self)
    }

    /// The kind's number, A is 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The kind's letter.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'A' + self.0) as char
    }

    /// How many rotations look different: 1, 2 or 4. Rotations that look alike are different
    /// moves, but a search may leave out those from this number on.
    #[must_use]
    pub const fn distinct_rotations(self) -> u8 {
        match self.letter() {
            'B' | 'C' | 'X' => 1,
            'F' | 'G' | 'H' | 'U' => 2,
            _ => 4,
        }
    }

    /// How the kind is printed.
    #[must_use]
    pub const fn printed(self) -> &'static PrintedTile {
        &PRINTED[self.0 as usize]
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tile({})", self.letter())
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Tile {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [letter @ b'A'..=b'X'] => Ok(Self(letter - b'A')),
            _ => Err(ParseError::Tile),
        }
    }
}

/// A kind of tile as printed: edges, copies, segments.
#[derive(Debug)]
pub struct PrintedTile {
    /// How many such tiles the game has, the start tile among them.
    pub count: u8,
    /// What lies on the north, east, south and west edge.
    pub edges: [Terrain; 4],
    /// The segments: cities, then roads, then fields, then the monastery.
    pub segments: &'static [PrintedSegment],
}

impl PrintedTile {
    /// How many segments of a terrain are printed.
    #[must_use]
    pub const fn count_of(&self, terrain: Terrain) -> usize {
        let (mut count, mut i) = (0, 0);
        while i < self.segments.len() {
            if self.segments[i].terrain as u8 == terrain as u8 {
                count += 1;
            }
            i += 1;
        }
        count
    }
}

/// A segment as printed, before the tile is turned.
#[derive(Debug)]
pub struct PrintedSegment {
    /// What it is made of.
    pub terrain: Terrain,
    /// The edges a city or road reaches, a bit for each side (bit 0 is north).
    pub sides: u8,
    /// The half edges a field reaches, a bit for each, clockwise: NL NR EL ER SL SR WL WR
    /// (left and right looking outward).
    pub halves: u8,
    /// How many pennants a city shows.
    pub pennants: u8,
    /// The cities a field touches, a bit for each city on the tile.
    pub cities: u8,
}

impl PrintedSegment {
    /// The sides the segment reaches (a field: with a half edge at least).
    #[must_use]
    pub fn reaches(&self) -> Vec<Side> {
        let on = |side: &Side| {
            let half = self.halves >> (2 * *side as u8) & 3 != 0;
            half || self.sides >> (*side as u8) & 1 == 1
        };
        Side::ALL.into_iter().filter(on).collect()
    }

    /// The sides the segment reaches when the tile is turned, a bit for each (a field: with a
    /// half edge at least).
    #[must_use]
    pub const fn sides_turned(&self, rotation: Rotation) -> u8 {
        // Each pair of half edges that is not empty becomes the bit of its side.
        let [mut reached, mut side] = [self.sides, 0];
        while side < 4 {
            reached |= ((self.halves >> (2 * side) & 3 != 0) as u8) << side;
            side += 1;
        }
        let turned = (reached as u32) << rotation.quarters();
        (turned | turned >> 4) as u8 & 15
    }

    /// The half edges a field reaches when the tile is turned, a bit for each, clockwise from NL.
    #[must_use]
    pub const fn halves_turned(&self, rotation: Rotation) -> u8 {
        self.halves.rotate_left(2 * rotation.quarters() as u32)
    }
}

const N: u8 = 1;
const E: u8 = 2;
const S: u8 = 4;
const W: u8 = 8;

const NL: u8 = 1;
const NR: u8 = 2;
const EL: u8 = 4;
const ER: u8 = 8;
const SL: u8 = 16;
const SR: u8 = 32;
const WL: u8 = 64;
const WR: u8 = 128;
const ALL: u8 = 255;

const fn segment(terrain: Terrain) -> PrintedSegment {
    PrintedSegment { terrain, sides: 0, halves: 0, pennants: 0, cities: 0 }
}

const fn city(sides: u8) -> PrintedSegment {
    PrintedSegment { sides, ..segment(Terrain::City) }
}

const fn pennant_city(sides: u8) -> PrintedSegment {
    PrintedSegment { pennants: 1, ..city(sides) }
}

const fn road(sides: u8) -> PrintedSegment {
    PrintedSegment { sides, ..segment(Terrain::Road) }
}

const fn field(halves: u8) -> PrintedSegment {
    PrintedSegment { halves, ..segment(Terrain::Field) }
}

/// A field that touches the first city of its tile.
const fn field_by_city(halves: u8) -> PrintedSegment {
    PrintedSegment { cities: 1, ..field(halves) }
}

/// A field that touches both cities of its tile.
const fn field_by_both(halves: u8) -> PrintedSegment {
    PrintedSegment { cities: 3, ..field(halves) }
}

const MONASTERY: PrintedSegment = segment(Terrain::Monastery);

const fn tile(count: u8, edges: &[u8; 4], segments: &'static [PrintedSegment]) -> PrintedTile {
    let mut terrains = [Terrain::Field; 4];
    let mut i = 0;
    while i < 4 {
        terrains[i] = match edges[i] {
            b'C' => Terrain::City,
            b'R' => Terrain::Road,
            b'F' => Terrain::Field,
            _ => panic!("an edge is C, R or F"),
        };
        i += 1;
    }
    PrintedTile { count, edges: terrains, segments }
}

#[rustfmt::skip]
static PRINTED: [PrintedTile; KINDS] = [
    /* A */ tile(2, b"FFRF", &[road(S), field(ALL), MONASTERY]),
    /* B */ tile(4, b"FFFF", &[field(ALL), MONASTERY]),
    /* C */ tile(1, b"CCCC", &[pennant_city(N | E | S | W)]),
    /* D */ tile(4, b"CRFR", &[city(N), road(E | W), field_by_city(EL | WR), field(ER | SL | SR | WL)]),
    /* E */ tile(5, b"CFFF", &[city(N), field_by_city(EL | ER | SL | SR | WL | WR)]),
    /* F */ tile(2, b"FCFC", &[pennant_city(E | W), field_by_city(NL | NR), field_by_city(SL | SR)]),
    /* G */ tile(1, b"FCFC", &[city(E | W), field_by_city(NL | NR), field_by_city(SL | SR)]),
    /* H */ tile(3, b"CFCF", &[city(N), city(S), field_by_both(EL | ER | WL | WR)]),
    /* I */ tile(2, b"CFFC", &[city(N), city(W), field_by_both(EL | ER | SL | SR)]),
    /* J */ tile(3, b"CRRF", &[city(N), road(E | S), field_by_city(EL | SR | WL | WR), field(ER | SL)]),
    /* K */ tile(3, b"CFRR", &[city(N), road(S | W), field_by_city(EL | ER | SL | WR), field(SR | WL)]),
    /* L */ tile(3, b"CRRR", &[city(N), road(E), road(S), road(W), field_by_city(EL | WR), field(ER | SL), field(SR | WL)]),
    /* M */ tile(2, b"CFFC", &[pennant_city(N | W), field_by_city(EL | ER | SL | SR)]),
    /* N */ tile(3, b"CFFC", &[city(N | W), field_by_city(EL | ER | SL | SR)]),
    /* O */ tile(2, b"CRRC", &[pennant_city(N | W), road(E | S), field_by_city(EL | SR), field(ER | SL)]),
    /* P */ tile(3, b"CRRC", &[city(N | W), road(E | S), field_by_city(EL | SR), field(ER | SL)]),
    /* Q */ tile(1, b"CCFC", &[pennant_city(N | E | W), field_by_city(SL | SR)]),
    /* R */ tile(3, b"CCFC", &[city(N | E | W), field_by_city(SL | SR)]),
    /* S */ tile(2, b"CCRC", &[pennant_city(N | E | W), road(S), field_by_city(SL), field_by_city(SR)]),
    /* T */ tile(1, b"CCRC", &[city(N | E | W), road(S), field_by_city(SL), field_by_city(SR)]),
    /* U */ tile(8, b"FRFR", &[road(E | W), field(NL | NR | EL | WR), field(ER | SL | SR | WL)]),
    /* V */ tile(9, b"FFRR", &[road(S | W), field(NL | NR | EL | ER | SL | WR), field(SR | WL)]),
    /* W */ tile(4, b"FRRR", &[road(E), road(S), road(W), field(NL | NR | EL | WR), field(ER | SL), field(SR | WL)]),
    /* X */ tile(1, b"RRRR", &[road(N), road(E), road(S), road(W), field(NL | WR), field(NR | EL), field(ER | SL), field(SR | WL)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_turn_with_their_tile() {
        for tile in Tile::all() {
            for segment in tile.printed().segments {
                for rotation in Rotation::ALL {
                    let sides = segment.reaches().into_iter().map(|side| side.turned(rotation));
                    let sides = sides.fold(0, |sides, side| sides | 1 << side as u8);
                    assert_eq!(segment.sides_turned(rotation), sides, "{tile} {rotation}");
                }
            }
        }
        let west = field(WL | WR);
        assert_eq!(west.halves_turned(Rotation::new(1)), NL | NR);
        assert_eq!(road(N | W).sides_turned(Rotation::new(3)), W | S);
    }

    /// What a kind looks like turned by quarters: each segment with where it reaches, in no order.
    fn looks(tile: Tile, quarters: u32) -> Vec<(Terrain, u8, u8, u8, Vec<u8>)> {
        let segments = tile.printed().segments;
        let turned = |s: &PrintedSegment| {
            let sides = (u32::from(s.sides) << quarters | u32::from(s.sides) << quarters >> 4) & 15;
            (sides as u8, s.halves.rotate_left(2 * quarters))
        };
        let mut looks: Vec<_> = segments
            .iter()
            .map(|s| {
                let touched = (0..8).filter(|city| s.cities >> city & 1 == 1);
                let mut cities: Vec<u8> = touched.map(|city| turned(&segments[city]).0).collect();
                cities.sort_unstable();
                (s.terrain, turned(s).0, turned(s).1, s.pennants, cities)
            })
            .collect();
        looks.sort_unstable();
        looks
    }

    #[test]
    fn rotations_that_look_alike_are_counted_once() {
        for tile in Tile::all() {
            let alike = (1..4).find(|quarters| looks(tile, *quarters) == looks(tile, 0));
            let distinct = alike.unwrap_or(4) as u8;
            assert_eq!(tile.distinct_rotations(), distinct, "{tile}");
        }
    }
}
