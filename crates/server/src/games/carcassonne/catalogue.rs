//! The tile catalogue: every kind with its edges, segments and where a meeple stands on each.

use crate::wire::{SegmentInfo, TileInfo};
use carcassonne::{PrintedSegment, Segment, Terrain, Tile};
use std::collections::BTreeMap;

/// Where meeples stand on the drawn tiles: kind, segment, a point for each rotation. Written
/// together with the drawings; what is missing there is computed.
const ANCHORS: &str = include_str!("../../../assets/anchors.json");

type Anchors = BTreeMap<String, BTreeMap<String, [[f32; 2]; 4]>>;

/// All kinds, A to X.
pub(super) fn tiles() -> Vec<TileInfo> {
    let drawn: Anchors = serde_json::from_str(ANCHORS).expect("the asset is checked by a test");
    Tile::all().map(|tile| info(tile, &drawn)).collect()
}

fn info(tile: Tile, drawn: &Anchors) -> TileInfo {
    let printed = tile.printed();
    let segments = printed.segments.iter().enumerate().filter_map(|(index, segment)| {
        let name = Segment::at(tile, index)?;
        let anchors = drawn.get(&tile.to_string()).and_then(|of| of.get(&name.to_string()));
        Some(SegmentInfo {
            segment: name.to_string(),
            spot: name.side_name(tile)?,
            terrain: segment.terrain.name().to_owned(),
            pennants: segment.pennants,
            anchors: anchors.copied().unwrap_or_else(|| turned(anchor(segment))),
        })
    });
    TileInfo {
        id: tile.to_string(),
        count: printed.count,
        edges: printed.edges.map(|terrain| terrain.name().to_owned()),
        segments: segments.collect(),
    }
}

/// The middles of the sides N, E, S, W, and of the half sides, clockwise from NL.
const SIDES: [[f32; 2]; 4] = [[0.5, 0.16], [0.84, 0.5], [0.5, 0.84], [0.16, 0.5]];
const HALVES: [[f32; 2]; 8] = [
    [0.2, 0.12],
    [0.8, 0.12],
    [0.88, 0.2],
    [0.88, 0.8],
    [0.8, 0.88],
    [0.2, 0.88],
    [0.12, 0.8],
    [0.12, 0.2],
];

/// A point inside a segment as printed: amid the sides it reaches.
fn anchor(segment: &PrintedSegment) -> [f32; 2] {
    let (points, reached): (&[[f32; 2]], u8) = match segment.terrain {
        Terrain::Monastery => return [0.5, 0.5],
        // In the middle of such a tile stands its monastery.
        Terrain::Field if segment.halves == u8::MAX => return [0.2, 0.2],
        Terrain::Field => (&HALVES, segment.halves),
        Terrain::City | Terrain::Road => (&SIDES, segment.sides),
    };
    let on: Vec<_> = (0..points.len()).filter(|at| reached >> at & 1 == 1).collect();
    let mean =
        |axis: usize| on.iter().map(|at| points[*at][axis]).sum::<f32>() / on.len().max(1) as f32;
    [mean(0), mean(1)]
}

/// A point after 0 to 3 clockwise quarter turns.
fn turned(point: [f32; 2]) -> [[f32; 2]; 4] {
    let turn = |[x, y]: [f32; 2]| [1.0 - y, x];
    let once = turn(point);
    let twice = turn(once);
    [point, once, twice, turn(twice)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{KINDS, TILES};

    #[test]
    fn the_catalogue_is_complete_and_names_every_segment_in_both_ways() {
        let tiles = tiles();
        assert_eq!(tiles.len(), KINDS);
        assert_eq!(tiles.iter().map(|tile| usize::from(tile.count)).sum::<usize>(), TILES);
        let pennants = |tile: &TileInfo| {
            tile.segments.iter().map(|s| u32::from(s.pennants)).sum::<u32>() * u32::from(tile.count)
        };
        assert_eq!(tiles.iter().map(pennants).sum::<u32>(), 10);
        for info in &tiles {
            let tile: Tile = info.id.parse().unwrap();
            assert_eq!(info.segments.len(), tile.printed().segments.len());
            for segment in &info.segments {
                let ours = Segment::named(tile, &segment.segment).unwrap();
                assert_eq!(Segment::named(tile, &segment.spot), Some(ours));
                let inside = |at: &f32| (0.0..=1.0).contains(at);
                assert!(segment.anchors.iter().flatten().all(inside));
            }
        }
        let d = &tiles[Tile::START.index()];
        assert_eq!(d.edges, ["city", "road", "field", "road"]);
        let spots: Vec<_> = d.segments.iter().map(|s| s.spot.as_str()).collect();
        assert_eq!(spots, ["city_N", "road_EW", "field_EW", "field_ESW"]);
    }

    #[test]
    fn the_asset_names_only_segments_that_there_are() {
        let drawn: Anchors = serde_json::from_str(ANCHORS).unwrap();
        for (kind, segments) in &drawn {
            let tile: Tile = kind.parse().unwrap();
            for segment in segments.keys() {
                assert!(Segment::named(tile, segment).is_some(), "{kind} {segment}");
            }
        }
    }

    #[test]
    fn a_meeple_turns_with_its_tile() {
        assert_eq!(turned([0.5, 0.25])[1], [0.75, 0.5], "what was north is east");
        assert_eq!(turned([0.5, 0.25])[3], [0.25, 0.5], "and then west");
    }
}
