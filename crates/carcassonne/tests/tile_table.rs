//! The table of tiles that the page draws from (`web/src/art/tiles.json`) is what the rules say.
//!
//! After a change of the table of tiles, run the test with `BLESS=1` to write it anew.

use carcassonne::{Segment, Side, Terrain, Tile};
use serde_json::{Value, json};
use std::fmt::Write;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/art/tiles.json");
const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];

#[test]
fn the_pages_table_of_tiles_is_up_to_date() {
    let table = table();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(FILE, table).expect("the file can be written");
        return;
    }
    let written = std::fs::read_to_string(FILE).expect("the file is there");
    assert_eq!(written, table, "run this test with BLESS=1 to write the table anew");
}

/// The table as JSON, a line for each kind, so that a change is a readable difference.
fn table() -> String {
    let mut text = String::from("{");
    for tile in Tile::all() {
        let comma = if tile.index() == 0 { "" } else { "," };
        write!(text, "{comma}\n  \"{tile}\": {}", row(tile)).expect("a string takes everything");
    }
    text + "\n}\n"
}

fn row(tile: Tile) -> Value {
    let printed = tile.printed();
    let letter = |terrain: &Terrain| match terrain {
        Terrain::City => 'C',
        Terrain::Road => 'R',
        Terrain::Field | Terrain::Monastery | Terrain::Garden => 'F',
    };
    json!({
        "count": printed.count,
        "edges": printed.edges.iter().map(letter).collect::<String>(),
        "segments": (0..printed.segments.len()).map(|at| segment(tile, at)).collect::<Value>(),
    })
}

/// A segment with its name, its terrain, and of the rest only what is not empty.
fn segment(tile: Tile, index: usize) -> Value {
    let name = |at| Segment::at(tile, at).expect("the tile has the segment").to_string();
    let own = &tile.printed().segments[index];
    let mut row = json!({ "name": name(index), "terrain": own.terrain.name() });
    if own.sides != 0 {
        let sides: String = own.reaches().into_iter().map(Side::letter).collect();
        row["sides"] = sides.into();
    }
    if own.halves != 0 {
        let halves = (0..8).filter(|half| own.halves >> half & 1 == 1);
        row["halves"] = halves.map(|half| HALVES[half]).collect();
    }
    if own.pennants != 0 {
        row["pennants"] = own.pennants.into();
    }
    if own.cities != 0 {
        // Cities come first in a tile's list, so their number is their place.
        let cities = (0..8).filter(|city| own.cities >> city & 1 == 1);
        row["cities"] = cities.map(name).collect();
    }
    row
}
