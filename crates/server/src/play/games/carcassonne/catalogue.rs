//! The tile catalogue: every kind with its edges, segments and where a meeple stands on each.

use crate::wire::{SegmentInfo, TileInfo};
use carcassonne::{Segment, Tile};
use std::collections::BTreeMap;

type Anchors = BTreeMap<String, BTreeMap<String, [[f32; 2]; 4]>>;

/// All kinds, A to X.
pub(super) fn tiles() -> Vec<TileInfo> {
    let drawn: Anchors =
        serde_json::from_str(drawing::ANCHORS).expect("the asset is checked by a test");
    Tile::all().map(|tile| info(tile, &drawn)).collect()
}

fn info(tile: Tile, drawn: &Anchors) -> TileInfo {
    let printed = tile.printed();
    let segments = printed.segments.iter().enumerate().filter_map(|(index, segment)| {
        let name = Segment::at(tile, index)?;
        let anchors = drawn[&tile.to_string()][&name.to_string()];
        Some(SegmentInfo {
            segment: name.to_string(),
            spot: name.side_name(tile)?,
            terrain: segment.terrain.name().to_owned(),
            pennants: segment.pennants,
            anchors: anchors.map(|point| point.map(|hundredths| hundredths / 100.0)),
        })
    });
    TileInfo {
        id: tile.to_string(),
        count: printed.count,
        edges: printed.edges.map(|terrain| terrain.name().to_owned()),
        segments: segments.collect(),
    }
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
    fn the_anchors_are_those_of_the_drawings() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/art/anchors.json");
        let drawn = std::fs::read_to_string(page).unwrap();
        assert_eq!(
            drawn,
            drawing::ANCHORS,
            "copy web/src/art/anchors.json to crates/drawing/assets"
        );
    }
}
