//! Where something is on a turned tile, as the reference games write it: sides (`N`, `WE`,
//! `_S` = all but S), half edges (`EL.WR`) or `I` for inside, in board orientation.

use carcassonne::{PlacedTile, Segment, Terrain};
use std::fmt;

/// A place on a tile: what it is made of, and the sides or half edges it reaches, a bit for
/// each. Two segments of a tile never have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Location {
    pub(super) terrain: Terrain,
    reached: u8,
}

const SIDES: [&str; 4] = ["N", "E", "S", "W"];
const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];

impl Location {
    /// Where a segment lies.
    pub(super) fn of(segment: Segment, placed: PlacedTile) -> Option<Self> {
        let printed = &placed.tile.printed().segments[segment.index_on(placed.tile)?];
        let reached = match printed.terrain {
            Terrain::City | Terrain::Road => printed.sides_turned(placed.rotation),
            Terrain::Field => printed.halves_turned(placed.rotation),
            Terrain::Monastery | Terrain::Garden => 0,
        };
        Some(Self { terrain: printed.terrain, reached })
    }

    /// The segment of the tile that lies there.
    pub(super) fn segment_of(self, placed: PlacedTile) -> Option<Segment> {
        let count = placed.tile.printed().segments.len();
        (0..count)
            .filter_map(|index| Segment::at(placed.tile, index))
            .find(|segment| Self::of(*segment, placed) == Some(self))
    }

    /// Reads a feature's kind and a location.
    ///
    /// # Errors
    /// If either is not among those that there are.
    pub(super) fn parse(feature: &str, location: &str) -> Result<Self, String> {
        let terrain = match feature {
            "City" => Terrain::City,
            "Road" => Terrain::Road,
            "Field" => Terrain::Field,
            "Monastery" => Terrain::Monastery,
            "Garden" => Terrain::Garden,
            _ => return Err(format!("'{}' is no feature that is known", short(feature))),
        };
        let reached = match terrain {
            Terrain::City | Terrain::Road => sides(location),
            Terrain::Field if location == "I" => Some(0),
            Terrain::Field => one_of_each(location.split('.'), &HALVES),
            Terrain::Monastery | Terrain::Garden => (location == "I").then_some(0),
        };
        reached
            .map(|reached| Self { terrain, reached })
            .ok_or_else(|| format!("'{}' is no location of a {terrain}", short(location)))
    }
}

/// Side letters in any order; `_` before them means all the others.
fn sides(location: &str) -> Option<u8> {
    let (letters, all_but) = match location.strip_prefix('_') {
        Some(letters) => (letters, true),
        None => (location, false),
    };
    let listed = one_of_each(letters.split("").filter(|letter| !letter.is_empty()), &SIDES)?;
    let reached = if all_but { 15 ^ listed } else { listed };
    (reached != 0).then_some(reached)
}

/// A bit for each name; `None` if one is unknown or comes twice, or if there is none.
fn one_of_each<'a>(parts: impl Iterator<Item = &'a str>, names: &[&str]) -> Option<u8> {
    let mut bits = 0u8;
    for part in parts {
        let bit = 1 << names.iter().position(|name| *name == part)?;
        if bits & bit != 0 {
            return None;
        }
        bits |= bit;
    }
    (bits != 0).then_some(bits)
}

/// The start of a text from outside, for a message.
pub(super) fn short(text: &str) -> String {
    game::excerpt(text, 40)
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[&str], between| {
            let on = |(bit, _): &(usize, &&str)| self.reached >> bit & 1 == 1;
            let names: Vec<_> = names.iter().enumerate().filter(on).map(|(_, n)| *n).collect();
            names.join(between)
        };
        match self.terrain {
            Terrain::City => write!(f, "City {}", list(&SIDES, "")),
            Terrain::Road => write!(f, "Road {}", list(&SIDES, "")),
            Terrain::Field if self.reached == 0 => f.write_str("Field I"),
            Terrain::Field => write!(f, "Field {}", list(&HALVES, ".")),
            Terrain::Monastery => f.write_str("Monastery I"),
            Terrain::Garden => f.write_str("Garden I"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{Cell, Rotation, Tile};

    #[test]
    fn every_segment_is_found_by_its_location() {
        for tile in Tile::all_sets() {
            for rotation in Rotation::ALL {
                let placed = PlacedTile { tile, cell: Cell::ORIGIN, rotation };
                for index in 0..tile.printed().segments.len() {
                    let segment = Segment::at(tile, index).unwrap();
                    let location = Location::of(segment, placed).unwrap();
                    assert_eq!(location.segment_of(placed), Some(segment));
                    let text = location.to_string();
                    let (feature, place) = text.split_once(' ').unwrap();
                    assert_eq!(Location::parse(feature, place), Ok(location));
                }
            }
        }
    }

    #[test]
    fn locations_are_in_board_orientation() {
        let placed = PlacedTile {
            tile: Tile::START,
            cell: Cell::ORIGIN,
            rotation: Rotation::from_degrees(90).unwrap(),
        };
        let on = |name: &str| Location::of(name.parse().unwrap(), placed).unwrap().to_string();
        assert_eq!(on("city0"), "City E");
        assert_eq!(on("road0"), "Road NS");
        assert_eq!(on("field0"), "Field NR.SL");
    }

    #[test]
    fn orders_and_shorthands_mean_the_same() {
        let city = |location| Location::parse("City", location);
        assert_eq!(city("_S"), city("WNE"));
        assert_eq!(city("NWSE"), city("NESW"));
        for wrong in ["", "_", "_NESW", "NN", "I", "NX", "é", "N.E"] {
            assert!(city(wrong).is_err(), "{wrong}");
        }
        assert!(Location::parse("Field", "NL.NL").is_err());
        assert!(Location::parse("Volcano", "I").is_err());
    }
}
