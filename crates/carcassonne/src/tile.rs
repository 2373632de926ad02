//! The kinds of tiles as they are printed: 24 of the base game here, those of the sets in `set_tiles`.
//!
//! A kind is data: edges, segments, which fields touch which cities. Everything the engine
//! looks up while playing is derived from these tables at compile time (see `tables`), so a set
//! adds rows to `set_tiles`, and rules where its pieces act.

use crate::error::ParseError;
use crate::geometry::{Rotation, Side};
use crate::goods::Good;
use crate::set_tiles::SET_TILES;
use crate::sets::Sets;
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
    /// Scores like a monastery; only an abbot may enter it.
    Garden,
}

impl Terrain {
    /// The name in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["city", "road", "field", "monastery", "garden"][self as usize]
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many kinds of tiles the base game has.
pub const BASE_KINDS: usize = 24;

/// How many kinds of tiles there are with all sets.
pub const ALL_KINDS: usize = BASE_KINDS + SET_TILES.len();

/// How many tiles the base game has, with the start tile.
pub const TILES: usize = 72;

/// The most segments printed on one tile (kind X: four roads, four fields).
pub(crate) const MOST_SEGMENTS: usize = 8;

/// A kind of tile: a letter from A to X in the base game, a name such as `IC/RrRr` in a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The kind that starts the game.
    pub const START: Self = Self(b'D' - b'A');

    /// The spring, which starts a game with the river.
    pub const SPRING: Self = Self::called("RI/s");

    /// The lake, which ends the river.
    pub const LAKE: Self = Self::called("RI/I.e");

    /// The kind of the base game with this number (A is 0), if there is one.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < BASE_KINDS { Some(Self(index as u8)) } else { None }
    }

    /// The kind with this number, if there is one: A is 0, those of the sets follow X.
    #[must_use]
    pub const fn of_any_set(index: usize) -> Option<Self> {
        if index < ALL_KINDS { Some(Self(index as u8)) } else { None }
    }

    /// The kinds of the base game, A to X.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..BASE_KINDS as u8).map(Self)
    }

    /// The kinds of the base game and of all sets.
    pub fn all_sets() -> impl Iterator<Item = Self> {
        (0..ALL_KINDS as u8).map(Self)
    }

    /// The kind of a set with this name.
    const fn called(name: &str) -> Self {
        let mut index = 0;
        while index < SET_TILES.len() {
            if same_text(SET_TILES[index].name, name) {
                return Self((BASE_KINDS + index) as u8);
            }
            index += 1;
        }
        panic!("no kind has this name")
    }

    /// The kind's number, A is 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The kind's name: a letter in the base game.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.printed().name
    }

    /// The kind's letter. A tile with a garden has the letter of the tile without, any other
    /// tile of a set the small first letter of the set.
    #[must_use]
    pub const fn letter(self) -> char {
        let first = self.name().as_bytes()[0];
        if self.index() < BASE_KINDS || self.set().contains(Sets::GARDENS) {
            first as char
        } else {
            first.to_ascii_lowercase() as char
        }
    }

    /// The set the kind belongs to; none for the base game's.
    #[must_use]
    pub const fn set(self) -> Sets {
        self.printed().set
    }

    /// How many rotations look different: 1, 2 or 4. Rotations that look alike are different
    /// moves, but a search may leave out those from this number on.
    #[must_use]
    pub const fn distinct_rotations(self) -> u8 {
        self.printed().distinct_rotations
    }

    /// How the kind is printed.
    #[must_use]
    pub const fn printed(self) -> &'static PrintedTile {
        let index = self.0 as usize;
        if index < BASE_KINDS { &PRINTED[index] } else { &SET_TILES[index - BASE_KINDS] }
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tile({})", self.name())
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tile {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [letter @ b'A'..=b'X'] => Ok(Self(letter - b'A')),
            _ => Self::all_sets().find(|tile| tile.name() == text).ok_or(ParseError::Tile),
        }
    }
}

/// A kind of tile as printed: edges, copies, segments.
#[derive(Debug)]
pub struct PrintedTile {
    /// Its name: a letter in the base game.
    pub name: &'static str,
    /// The set it belongs to; none for the base game.
    pub set: Sets,
    /// How many such tiles the game has, the start tile among them.
    pub count: u8,
    /// What lies on the north, east, south and west edge. Beside a river that is the field.
    pub edges: [Terrain; 4],
    /// The edges where a river flows, a bit for each side (bit 0 is north).
    pub river: u8,
    /// How many rotations look different.
    distinct_rotations: u8,
    /// The segments: cities, then roads, then fields, then the monastery or garden.
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
    /// Whether an inn lies by the road, or a cathedral stands in the city.
    pub special: bool,
    /// The token that the city holds.
    pub good: Option<Good>,
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

    /// The same with a cathedral or an inn.
    pub(crate) const fn special(self) -> Self {
        Self { special: true, ..self }
    }

    /// The same with a token.
    pub(crate) const fn with_good(self, good: Good) -> Self {
        Self { good: Some(good), ..self }
    }

    /// The same touching these cities of its tile, a bit for each.
    pub(crate) const fn touching(self, cities: u8) -> Self {
        Self { cities, ..self }
    }

    /// The half edges a field reaches when the tile is turned, a bit for each, clockwise from NL.
    #[must_use]
    pub const fn halves_turned(&self, rotation: Rotation) -> u8 {
        self.halves.rotate_left(2 * rotation.quarters() as u32)
    }
}

pub(crate) const N: u8 = 1;
pub(crate) const E: u8 = 2;
pub(crate) const S: u8 = 4;
pub(crate) const W: u8 = 8;

pub(crate) const NL: u8 = 1;
pub(crate) const NR: u8 = 2;
pub(crate) const EL: u8 = 4;
pub(crate) const ER: u8 = 8;
pub(crate) const SL: u8 = 16;
pub(crate) const SR: u8 = 32;
pub(crate) const WL: u8 = 64;
pub(crate) const WR: u8 = 128;
pub(crate) const ALL: u8 = 255;

const fn segment(terrain: Terrain) -> PrintedSegment {
    let (special, good) = (false, None);
    PrintedSegment { terrain, sides: 0, halves: 0, pennants: 0, special, good, cities: 0 }
}

pub(crate) const fn city(sides: u8) -> PrintedSegment {
    PrintedSegment { sides, ..segment(Terrain::City) }
}

pub(crate) const fn pennant_city(sides: u8) -> PrintedSegment {
    PrintedSegment { pennants: 1, ..city(sides) }
}

pub(crate) const fn road(sides: u8) -> PrintedSegment {
    PrintedSegment { sides, ..segment(Terrain::Road) }
}

pub(crate) const fn field(halves: u8) -> PrintedSegment {
    PrintedSegment { halves, ..segment(Terrain::Field) }
}

/// A field that touches the first city of its tile.
pub(crate) const fn field_by_city(halves: u8) -> PrintedSegment {
    field(halves).touching(1)
}

/// A field that touches both cities of its tile.
pub(crate) const fn field_by_both(halves: u8) -> PrintedSegment {
    field(halves).touching(3)
}

pub(crate) const MONASTERY: PrintedSegment = segment(Terrain::Monastery);
pub(crate) const GARDEN: PrintedSegment = segment(Terrain::Garden);

/// A kind of the base game; edges are letters: City, Road, Field, Water.
pub(crate) const fn tile(
    name: &'static str,
    distinct_rotations: u8,
    count: u8,
    edges: &[u8; 4],
    segments: &'static [PrintedSegment],
) -> PrintedTile {
    let (mut terrains, mut river) = ([Terrain::Field; 4], 0);
    let mut i = 0;
    while i < 4 {
        terrains[i] = match edges[i] {
            b'C' => Terrain::City,
            b'R' => Terrain::Road,
            b'F' | b'W' => Terrain::Field,
            _ => panic!("an edge is C, R, F or W"),
        };
        river |= ((edges[i] == b'W') as u8) << i;
        i += 1;
    }
    let set = Sets::NONE;
    PrintedTile { name, set, count, edges: terrains, river, distinct_rotations, segments }
}

impl PrintedTile {
    /// The same as a kind of a set.
    pub(crate) const fn of(self, set: Sets) -> Self {
        Self { set, ..self }
    }
}

const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

#[rustfmt::skip]
static PRINTED: [PrintedTile; BASE_KINDS] = [
    tile("A", 4, 2, b"FFRF", &[road(S), field(ALL), MONASTERY]),
    tile("B", 1, 4, b"FFFF", &[field(ALL), MONASTERY]),
    tile("C", 1, 1, b"CCCC", &[pennant_city(N | E | S | W)]),
    tile("D", 4, 4, b"CRFR", &[city(N), road(E | W), field_by_city(EL | WR), field(ER | SL | SR | WL)]),
    tile("E", 4, 5, b"CFFF", &[city(N), field_by_city(EL | ER | SL | SR | WL | WR)]),
    tile("F", 2, 2, b"FCFC", &[pennant_city(E | W), field_by_city(NL | NR), field_by_city(SL | SR)]),
    tile("G", 2, 1, b"FCFC", &[city(E | W), field_by_city(NL | NR), field_by_city(SL | SR)]),
    tile("H", 2, 3, b"CFCF", &[city(N), city(S), field_by_both(EL | ER | WL | WR)]),
    tile("I", 4, 2, b"CFFC", &[city(N), city(W), field_by_both(EL | ER | SL | SR)]),
    tile("J", 4, 3, b"CRRF", &[city(N), road(E | S), field_by_city(EL | SR | WL | WR), field(ER | SL)]),
    tile("K", 4, 3, b"CFRR", &[city(N), road(S | W), field_by_city(EL | ER | SL | WR), field(SR | WL)]),
    tile("L", 4, 3, b"CRRR", &[city(N), road(E), road(S), road(W), field_by_city(EL | WR), field(ER | SL), field(SR | WL)]),
    tile("M", 4, 2, b"CFFC", &[pennant_city(N | W), field_by_city(EL | ER | SL | SR)]),
    tile("N", 4, 3, b"CFFC", &[city(N | W), field_by_city(EL | ER | SL | SR)]),
    tile("O", 4, 2, b"CRRC", &[pennant_city(N | W), road(E | S), field_by_city(EL | SR), field(ER | SL)]),
    tile("P", 4, 3, b"CRRC", &[city(N | W), road(E | S), field_by_city(EL | SR), field(ER | SL)]),
    tile("Q", 4, 1, b"CCFC", &[pennant_city(N | E | W), field_by_city(SL | SR)]),
    tile("R", 4, 3, b"CCFC", &[city(N | E | W), field_by_city(SL | SR)]),
    tile("S", 4, 2, b"CCRC", &[pennant_city(N | E | W), road(S), field_by_city(SL), field_by_city(SR)]),
    tile("T", 4, 1, b"CCRC", &[city(N | E | W), road(S), field_by_city(SL), field_by_city(SR)]),
    tile("U", 2, 8, b"FRFR", &[road(E | W), field(NL | NR | EL | WR), field(ER | SL | SR | WL)]),
    tile("V", 4, 9, b"FFRR", &[road(S | W), field(NL | NR | EL | ER | SL | WR), field(SR | WL)]),
    tile("W", 4, 4, b"FRRR", &[road(E), road(S), road(W), field(NL | NR | EL | WR), field(ER | SL), field(SR | WL)]),
    tile("X", 1, 1, b"RRRR", &[road(N), road(E), road(S), road(W), field(NL | WR), field(NR | EL), field(ER | SL), field(SR | WL)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_turn_with_their_tile() {
        for tile in Tile::all_sets() {
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

    /// Terrain, sides, half edges; pennants, token, inn or cathedral; the cities it touches.
    type Look = (Terrain, u8, u8, (u8, u8, bool), Vec<u8>);

    /// What a kind looks like turned by quarters: each segment with where it reaches, in no order.
    fn looks(tile: Tile, quarters: u32) -> Vec<Look> {
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
                let token = s.good.map_or(0, |good| good as u8 + 1);
                (s.terrain, turned(s).0, turned(s).1, (s.pennants, token, s.special), cities)
            })
            .collect();
        let river = u32::from(tile.printed().river);
        let river = ((river << quarters | river << quarters >> 4) & 15) as u8;
        looks.push((Terrain::Field, 0, 0, (river, 0, false), Vec::new()));
        looks.sort_unstable();
        looks
    }

    #[test]
    fn rotations_that_look_alike_are_counted_once() {
        for tile in Tile::all_sets() {
            let alike = (1..4).find(|quarters| looks(tile, *quarters) == looks(tile, 0));
            let distinct = alike.unwrap_or(4) as u8;
            assert_eq!(tile.distinct_rotations(), distinct, "{tile}");
        }
    }
}
