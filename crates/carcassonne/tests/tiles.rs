//! The printed tiles equal independent tables of the base game (`fixtures/tiles_base.json`) and of
//! the sets (`fixtures/tiles_sets.json`).

use carcassonne::{ALL_KINDS, BASE_KINDS, PrintedSegment, TILES, Terrain, Tile};
use serde_json::Value;

const SIDES: [&str; 4] = ["N", "E", "S", "W"];
const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];

#[test]
fn the_tile_table_is_the_base_set() {
    let table: Vec<Value> = serde_json::from_str(include_str!("fixtures/tiles_base.json")).unwrap();
    assert_eq!(table.len(), BASE_KINDS);
    let mut seen = Vec::new();
    for row in &table {
        let tile: Tile = row["letter"].as_str().unwrap().parse().unwrap();
        assert!(!seen.contains(&tile), "{tile} comes once");
        seen.push(tile);
        check(tile, row);
    }
    assert_eq!(Tile::all().map(|t| usize::from(t.printed().count)).sum::<usize>(), TILES);
}

#[test]
fn the_tile_table_of_the_sets() {
    let table: Vec<Value> = serde_json::from_str(include_str!("fixtures/tiles_sets.json")).unwrap();
    assert_eq!(table.len(), ALL_KINDS - BASE_KINDS);
    for (tile, row) in Tile::all_sets().skip(BASE_KINDS).zip(&table) {
        let id = row["id"].as_str().unwrap();
        match row["letter"].as_str() {
            Some(letter) => assert_eq!(tile.name(), format!("{letter}-garden")),
            None => assert_eq!(tile.name(), id.replace("RI.1/", "RI/")),
        }
        check(tile, row);
    }
    let all: usize = Tile::all_sets().map(|tile| usize::from(tile.printed().count)).sum();
    assert_eq!(all, 72 + 18 + 24 + 12 + 8);
}

fn check(tile: Tile, row: &Value) {
    let printed = tile.printed();
    assert_eq!(row["count"], printed.count, "{tile}");
    let letter = |(side, terrain): (usize, &Terrain)| match printed.river >> side & 1 {
        1 => "W",
        _ => ["C", "R", "F", "?", "?"][*terrain as usize],
    };
    let edges = printed.edges.iter().enumerate().map(letter).collect::<String>();
    assert_eq!(row["edges_NESW"], edges, "{tile}");
    let of = |terrain| printed.segments.iter().filter(move |s| s.terrain == terrain);
    assert_eq!(row["monastery"], of(Terrain::Monastery).count() == 1, "{tile}");
    assert_eq!(row["garden"], of(Terrain::Garden).count() == 1, "{tile}");

    // A pennant, an inn or a cathedral, and a token, in one number.
    let extras = |pennants: u8, special: bool, good: &str| {
        let token = ["", "wine", "grain", "cloth"].iter().position(|name| *name == good);
        let token = token.expect("a known token") as u8;
        pennants + 10 * u8::from(special) + 50 * token
    };
    let sides = |segment: &PrintedSegment| {
        let good = segment.good.map_or("", carcassonne::Good::name);
        (segment.sides, extras(segment.pennants, segment.special, good))
    };
    let listed = |row: &Value| {
        let pennants = row["pennants"].as_u64().unwrap_or(0) as u8;
        let special = row["inn"] == true || row["cathedral"] == true;
        let good = row["goods"].as_str().unwrap_or_default();
        (bits(&row["sides"], &SIDES), extras(pennants, special, good))
    };
    for (key, terrain) in [("cities", Terrain::City), ("roads", Terrain::Road)] {
        same(tile, key, rows(row, key).iter().map(listed), of(terrain).map(sides));
    }
    // A field names the cities it touches by sides of theirs.
    let cities: Vec<u8> = of(Terrain::City).map(|city| city.sides).collect();
    let touched = |sides: u8| {
        let touches = |(at, city): (usize, &u8)| u8::from(city & sides != 0) << at;
        cities.iter().enumerate().map(touches).sum::<u8>()
    };
    let listed =
        |row: &Value| (bits(&row["halves"], &HALVES), touched(bits(&row["cities"], &SIDES)));
    let fields = of(Terrain::Field).map(|field| (field.halves, field.cities));
    same(tile, "fields", rows(row, "fields").iter().map(listed), fields);
}

fn rows(row: &Value, key: &str) -> Vec<Value> {
    row[key].as_array().cloned().unwrap_or_default()
}

/// A bit for each name in the list.
fn bits(list: &Value, names: &[&str]) -> u8 {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let list = list.iter().filter(|name| **name != "I");
    let bit = |name: &Value| 1u8 << names.iter().position(|n| name == n).expect("a known name");
    list.map(bit).sum()
}

fn same(
    tile: Tile,
    what: &str,
    theirs: impl Iterator<Item = (u8, u8)>,
    ours: impl Iterator<Item = (u8, u8)>,
) {
    let sorted = |mut list: Vec<(u8, u8)>| {
        list.sort_unstable();
        list
    };
    assert_eq!(sorted(theirs.collect()), sorted(ours.collect()), "{what} of {tile}");
}
