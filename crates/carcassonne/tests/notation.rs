//! The table of segment names in `docs/notation.md` is what the code says.
//!
//! After a change of the table of tiles, run the test with `BLESS=1` to write it anew.

use carcassonne::{Segment, Terrain, Tile};
use std::fmt::Write;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/notation.md");
const BEGIN: &str = "<!-- segments: written by crates/carcassonne/tests/notation.rs -->\n";
const END: &str = "<!-- end of segments -->\n";

fn table() -> String {
    let mut table = String::from(
        "| tile | cities | roads | fields | monastery, garden |\n| --- | --- | --- | --- | --- |\n",
    );
    for tile in Tile::all_sets() {
        let of = |terrain| {
            let segments = (0..tile.printed().segments.len())
                .filter_map(|index| Segment::at(tile, index))
                .filter(|segment| segment.terrain() == terrain);
            let named = segments.map(|segment| {
                let other = segment.side_name(tile).expect("the tile has the segment");
                match terrain {
                    Terrain::Monastery | Terrain::Garden => format!("`{segment}`"),
                    _ => format!("`{segment}` `{other}`"),
                }
            });
            named.collect::<Vec<_>>().join(", ")
        };
        let [cities, roads, fields] = [Terrain::City, Terrain::Road, Terrain::Field].map(of);
        let monastery = of(Terrain::Monastery) + &of(Terrain::Garden);
        writeln!(table, "| {tile} | {cities} | {roads} | {fields} | {monastery} |")
            .expect("a string takes everything");
    }
    table
}

#[test]
fn the_table_of_names_is_up_to_date() {
    let document = std::fs::read_to_string(DOCUMENT).expect("the document is there");
    let (before, rest) = document.split_once(BEGIN).expect("the table has a beginning");
    let (written, after) = rest.split_once(END).expect("the table has an end");
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{before}{BEGIN}{}{END}{after}", table());
        std::fs::write(DOCUMENT, text).expect("the document can be written");
        return;
    }
    assert_eq!(written, table(), "run this test with BLESS=1 to write the table anew");
}

#[test]
fn every_name_means_one_segment() {
    for tile in Tile::all_sets() {
        let mut seen = Vec::new();
        for index in 0..tile.printed().segments.len() {
            let segment = Segment::at(tile, index).unwrap();
            let other = segment.side_name(tile).unwrap();
            for name in [segment.to_string(), other] {
                assert_eq!(Segment::named(tile, &name), Some(segment), "{tile} {name}");
                seen.push(name);
            }
        }
        seen.sort();
        seen.dedup();
        let printed = tile.printed();
        let monasteries = printed.count_of(Terrain::Monastery) + printed.count_of(Terrain::Garden);
        assert_eq!(seen.len(), 2 * tile.printed().segments.len() - monasteries, "{tile}");
    }
}
