//! `bastide tiles`: every kind of tile as the rules know it, for people and as JSON.

use carcassonne::{Cell, PlacedTile, PrintedSegment, Rotation, Segment, Sets, Side, Terrain, Tile};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Print every kind of tile: picture, number, edges, segments and which cities a field touches.
///
/// docs/tiles.md holds the same text and describes the JSON.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let text = if args.json { json()? } else { text() };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Changes when readers of older tables could go wrong.
const FORMAT: u32 = 1;

/// A kind of tile as it is printed.
#[derive(Serialize)]
struct Kind {
    name: &'static str,
    /// `base`, or the name of the set in setups.
    set: String,
    /// How many there are, the start tile among them.
    count: u8,
    /// The kind of which each takes the place of one tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<&'static str>,
    /// North, east, south, west: `C` city, `R` road, `F` field, `W` water (a river between fields).
    edges: String,
    /// How many rotations look different.
    rotations: u8,
    segments: Vec<SegmentRow>,
}

/// A segment as it is printed. Every key is there, whatever the segment is.
#[derive(Serialize)]
struct SegmentRow {
    name: String,
    side_name: String,
    terrain: &'static str,
    /// The edges that it reaches; a field with half an edge at least.
    sides: Vec<char>,
    /// The half edges that a field reaches.
    halves: Vec<&'static str>,
    pennants: u8,
    inn: bool,
    cathedral: bool,
    good: Option<&'static str>,
    /// The cities of the tile that a field touches.
    cities: Vec<String>,
}

/// The half edges clockwise, left and right looking outward.
const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];

impl Kind {
    fn of(tile: Tile) -> Self {
        let printed = tile.printed();
        let letter = |side: Side| match printed.edges[side as usize] {
            _ if printed.river >> side as u8 & 1 == 1 => 'W',
            Terrain::City => 'C',
            Terrain::Road => 'R',
            Terrain::Field | Terrain::Monastery | Terrain::Garden => 'F',
        };
        let segments = printed.segments.iter().enumerate();
        Self {
            name: printed.name,
            set: set_name(printed.set),
            count: printed.count,
            replaces: printed.name.strip_suffix("-garden"),
            edges: Side::ALL.into_iter().map(letter).collect(),
            rotations: tile.distinct_rotations(),
            segments: segments.map(|(index, own)| SegmentRow::of(tile, index, own)).collect(),
        }
    }
}

impl SegmentRow {
    fn of(tile: Tile, index: usize, own: &PrintedSegment) -> Self {
        let segment =
            |at| Segment::at(tile, at).expect("the tile has a segment for each printed one");
        let set_bits = |bits: u8| (0..8).filter(move |bit| bits >> bit & 1 == 1);
        let named = segment(index);
        Self {
            name: named.to_string(),
            side_name: named.side_name(tile).expect("it is a segment of this tile"),
            terrain: own.terrain.name(),
            sides: own.reaches().into_iter().map(Side::letter).collect(),
            halves: set_bits(own.halves).map(|half| HALVES[half]).collect(),
            pennants: own.pennants,
            inn: own.special && own.terrain == Terrain::Road,
            cathedral: own.special && own.terrain == Terrain::City,
            good: own.good.map(carcassonne::Good::name),
            // Cities come first among the segments, so a city's number is its place.
            cities: set_bits(own.cities).map(|city| segment(city).to_string()).collect(),
        }
    }

    /// Where it reaches and what is on it, as words.
    fn words(&self) -> String {
        let sides: Vec<String> = self.sides.iter().map(ToString::to_string).collect();
        let reaches = if self.terrain == "field" { self.halves.join(" ") } else { sides.join(" ") };
        let mut words = vec![reaches];
        if self.terrain == "field" && self.halves.is_empty() {
            words = vec!["inside".to_owned()];
        }
        words.extend((self.pennants > 0).then(|| "pennant".to_owned()));
        words.extend(self.inn.then(|| "inn".to_owned()));
        words.extend(self.cathedral.then(|| "cathedral".to_owned()));
        words.extend(self.good.map(str::to_owned));
        words.extend(
            (!self.cities.is_empty()).then(|| format!("touches {}", self.cities.join(" "))),
        );
        words.retain(|word| !word.is_empty());
        words.join(", ")
    }
}

/// A set by its name in setups; the base game has none there.
fn set_name(set: Sets) -> String {
    if set.is_empty() { "base".to_owned() } else { set.to_string() }
}

/// The base game and each set, with its name.
fn sets() -> impl Iterator<Item = (Sets, String)> {
    let all = [Sets::NONE].into_iter().chain(Sets::NAMED.map(|(set, _)| set));
    all.map(|set| (set, set_name(set)))
}

/// The table as JSON, a line for each kind.
fn json() -> serde_json::Result<String> {
    let rows: Result<Vec<String>, _> =
        Tile::all_sets().map(|tile| serde_json::to_string(&Kind::of(tile))).collect();
    Ok(format!("{{\"format\":{FORMAT},\"kinds\":[\n{}\n]}}\n", rows?.join(",\n")))
}

/// The table for people: a picture of each kind beside what is printed on it.
fn text() -> String {
    sets()
        .map(|(set, name)| {
            let tiles: Vec<Tile> = Tile::all_sets().filter(|tile| tile.set() == set).collect();
            let count: u32 = tiles.iter().map(|tile| u32::from(tile.printed().count)).sum();
            let kinds: String = tiles.iter().map(|tile| paragraph(*tile)).collect();
            format!("== {name}: {} kinds, {count} tiles\n\n{kinds}", tiles.len())
        })
        .collect()
}

/// One kind for people.
fn paragraph(tile: Tile) -> String {
    let kind = Kind::of(tile);
    let number = match (kind.count, kind.replaces) {
        (1, Some(other)) => format!("1 tile, in the place of one {other}"),
        (1, None) => "1 tile".to_owned(),
        (count, _) => format!("{count} tiles"),
    };
    let alike = match kind.rotations {
        4 => "all rotations differ",
        2 => "r2 looks like r0, r3 like r1",
        _ => "all rotations look alike",
    };
    let placed = PlacedTile { tile, cell: Cell::new(0, 0), rotation: Rotation::new(0) };
    let picture = placed.sketch().map(|line| line.into_iter().collect::<String>());
    let segments: Vec<String> =
        kind.segments.iter().map(|row| format!("{:<10} {}", row.name, row.words())).collect();
    let mut text = format!("{}: {number}, edges {}, {alike}\n", kind.name, kind.edges);
    for line in 0..picture.len().max(segments.len()) {
        let drawn = picture.get(line).map_or("", String::as_str);
        let segment = segments.get(line).map_or("", String::as_str);
        text += format!("  {drawn:<7}   {segment}").trim_end();
        text.push('\n');
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn kinds() -> Vec<Value> {
        let table: Value = serde_json::from_str(&json().unwrap()).unwrap();
        assert_eq!(table["format"], 1);
        table["kinds"].as_array().unwrap().clone()
    }

    #[test]
    fn the_tiles_of_every_set_are_counted() {
        let count = |set: &str| -> u64 {
            let of_set = kinds().into_iter().filter(|kind| kind["set"] == set);
            of_set.map(|kind| kind["count"].as_u64().unwrap()).sum()
        };
        let counts = ["base", "inns", "traders", "river", "gardens"].map(count);
        assert_eq!(counts, [72, 18, 24, 12, 8]);
    }

    #[test]
    fn a_kind_tells_all_that_scoring_needs() {
        let kind = |name: &str| kinds().into_iter().find(|kind| kind["name"] == name).unwrap();
        let start = kind("D");
        assert_eq!((&start["count"], &start["edges"]), (&json!(4), &json!("CRFR")));
        assert_eq!(
            start["segments"][2],
            json!({
                "name": "field0", "side_name": "field_EW", "terrain": "field",
                "sides": ["E", "W"], "halves": ["EL", "WR"], "pennants": 0, "inn": false,
                "cathedral": false, "good": null, "cities": ["city0"],
            })
        );
        assert_eq!(kind("C")["segments"][0]["pennants"], 1);
        assert_eq!(kind("IC/Cccc.c")["segments"][0]["cathedral"], true);
        assert_eq!(kind("IC/Rr.i")["segments"][0]["inn"], true);
        assert_eq!(kind("TB/Cc.w")["segments"][0]["good"], "wine");
        assert_eq!(kind("IC/CCCC")["segments"][4]["cities"].as_array().unwrap().len(), 4);
        assert_eq!(kind("E-garden")["replaces"], "E");
        assert_eq!(kind("RI/s")["edges"], "FWFF");
    }

    /// Each edge belongs to one city or road, or its halves to fields; beside a road lie two halves.
    #[test]
    fn every_edge_is_divided_among_the_segments() {
        for kind in kinds() {
            let segments = kind["segments"].as_array().unwrap();
            let holds = |segment: &&Value, key: &str, what: &str| {
                segment[key].as_array().unwrap().iter().any(|found| found == what)
            };
            for (side, edge) in
                ["N", "E", "S", "W"].into_iter().zip(kind["edges"].as_str().unwrap().chars())
            {
                let reaching = |terrain: &str| {
                    let of_terrain = segments.iter().filter(|s| s["terrain"] == terrain);
                    of_terrain.filter(|s| holds(s, "sides", side)).count()
                };
                let halves = ["L", "R"].map(|half| {
                    let half = format!("{side}{half}");
                    segments.iter().filter(|s| holds(s, "halves", &half)).count()
                });
                let expected = match edge {
                    'C' => (1, 0, [0, 0]),
                    'R' => (0, 1, [1, 1]),
                    _ => (0, 0, [1, 1]),
                };
                assert_eq!((reaching("city"), reaching("road"), halves), expected, "{kind} {side}");
            }
        }
    }

    #[test]
    fn the_text_shows_the_picture_beside_the_segments() {
        let text = text();
        let start = "D: 4 tiles, edges CRFR, all rotations differ\n  \
                     .#####.   city0      N\n  \
                     ---D---   road0      E W\n  \
                     .......   field0     EL WR, touches city0\n            \
                     field1     ER SL SR WL\n\n";
        assert!(text.contains(start), "{text}");
        assert!(
            text.contains(
                "== gardens: 8 kinds, 8 tiles\n\nE-garden: 1 tile, in the place of one E,"
            )
        );
        assert_eq!(text.matches("\n\n").count(), Tile::all_sets().count() + sets().count());
    }
}
