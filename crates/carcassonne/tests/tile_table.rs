//! The tables of tiles that the page draws from are what the rules say: `web/src/art/tiles.json`
//! has the kinds of the base game, `web/src/art/sets/tiles.json` those of the sets.
//!
//! After a change of the table of tiles, run the tests with `BLESS=1` to write them anew.

use carcassonne::{Segment, Side, Terrain, Tile};
use serde_json::{Value, json};
use std::path::Path;

const ART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/art");
const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];

#[test]
fn the_pages_table_of_the_base_game_is_up_to_date() {
    check("tiles.json", Tile::all());
}

#[test]
fn the_pages_table_of_the_sets_is_up_to_date() {
    check("sets/tiles.json", Tile::all_sets().filter(|tile| !tile.set().is_empty()));
}

fn check(name: &str, tiles: impl Iterator<Item = Tile>) {
    let (path, table) = (Path::new(ART).join(name), table(tiles));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &table).expect("the file can be written");
    }
    let written = std::fs::read_to_string(path).expect("the file is there");
    assert_eq!(written, table, "run this test with BLESS=1 to write the table anew");
}

/// The table as JSON, a line for each kind, so that a change is a readable difference.
fn table(tiles: impl Iterator<Item = Tile>) -> String {
    let rows: Vec<_> = tiles.map(|tile| format!("\n  \"{tile}\": {}", row(tile))).collect();
    format!("{{{}\n}}\n", rows.join(","))
}

fn row(tile: Tile) -> Value {
    let printed = tile.printed();
    let letter = |side: Side| match printed.edges[side as usize] {
        _ if printed.river >> side as u8 & 1 == 1 => 'W',
        Terrain::City => 'C',
        Terrain::Road => 'R',
        Terrain::Field | Terrain::Monastery | Terrain::Garden => 'F',
    };
    let mut row = json!({
        "count": printed.count,
        "edges": Side::ALL.into_iter().map(letter).collect::<String>(),
        "segments": (0..printed.segments.len()).map(|at| segment(tile, at)).collect::<Value>(),
    });
    if !printed.set.is_empty() {
        row["set"] = printed.set.to_string().into();
    }
    row
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
    if own.special {
        row["special"] = true.into();
    }
    if let Some(good) = own.good {
        row["good"] = good.name().into();
    }
    if own.cities != 0 {
        // Cities come first in a tile's list, so their number is their place.
        let cities = (0..8).filter(|city| own.cities >> city & 1 == 1);
        row["cities"] = cities.map(name).collect();
    }
    row
}
