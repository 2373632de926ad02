//! The tile catalogue: every kind with its edges, segments and where a meeple stands on each; what is
//! told of the sets.

use super::roster;
use crate::wire::{SegmentInfo, SetInfo, SetsInfo, TileInfo};
use carcassonne::{BASE_KINDS, Figure, Segment, Sets, Tile};
use views::sets::{figure_name, good_name, names};

/// The kinds of the base game, A to X.
pub(super) fn tiles() -> Vec<TileInfo> {
    Tile::all().map(info).collect()
}

/// What is told of the sets: their tiles, figures, and who plays with them.
#[must_use]
pub fn sets_info() -> SetsInfo {
    let kinds = || Tile::all_sets().skip(BASE_KINDS);
    let set = |set: Sets, display_name: &str, figures: &[Figure]| {
        let tiles = kinds().filter(|tile| tile.set() == set);
        names(set).first().map(|name| SetInfo {
            name: *name,
            display_name: display_name.to_owned(),
            tiles: tiles.map(|tile| usize::from(tile.printed().count)).sum(),
            figures: figures.iter().filter_map(|figure| figure_name(*figure)).collect(),
        })
    };
    let sets = [
        set(Sets::INNS, "Inns and cathedrals", &[Figure::Big]),
        set(Sets::TRADERS, "Traders and builders", &[Figure::Builder, Figure::Pig]),
        set(Sets::RIVER, "The river", &[]),
        set(Sets::GARDENS, "Gardens and abbots", &[Figure::Abbot]),
    ];
    SetsInfo {
        sets: sets.into_iter().flatten().collect(),
        tiles: kinds().map(info).collect(),
        bots: roster::bots_with_sets(),
        strongest: "best".to_owned(),
    }
}

fn info(tile: Tile) -> TileInfo {
    let printed = tile.printed();
    let segments = printed.segments.iter().enumerate().filter_map(|(index, segment)| {
        let name = Segment::at(tile, index)?;
        Some(SegmentInfo {
            segment: name.to_string(),
            spot: name.side_name(tile)?,
            terrain: segment.terrain.name().to_owned(),
            pennants: segment.pennants,
            anchors: drawing::anchors(tile, name).map(|point| point.map(|at| at / 100.0)),
            special: segment.special,
            good: segment.good.map(good_name),
        })
    });
    let edge = |side: usize| match printed.river >> side & 1 {
        1 => "river",
        _ => printed.edges[side].name(),
    };
    TileInfo {
        id: tile.to_string(),
        count: printed.count,
        edges: std::array::from_fn(|side| edge(side).to_owned()),
        segments: segments.collect(),
        set: names(tile.set()).first().copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::TILES;

    #[test]
    fn the_catalogue_is_complete_and_names_every_segment_in_both_ways() {
        let tiles = tiles();
        assert_eq!(tiles.len(), BASE_KINDS);
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
    fn the_sets_are_told_with_their_tiles_and_nothing_of_them_with_the_base_game() {
        let told = sets_info();
        let counts: Vec<_> = told.sets.iter().map(|set| set.tiles).collect();
        assert_eq!(counts, [18, 24, 12, 8]);
        let tiles: usize = told.tiles.iter().map(|tile| usize::from(tile.count)).sum();
        assert_eq!(tiles, 18 + 24 + 12 + 8);
        let goods = told.tiles.iter().flat_map(|tile| &tile.segments).filter(|s| s.good.is_some());
        assert_eq!(goods.count(), 20);
        for info in &told.tiles {
            let tile: Tile = info.id.parse().unwrap();
            assert!(info.set.is_some());
            assert_eq!(info.segments.len(), tile.printed().segments.len());
            for segment in &info.segments {
                let ours = Segment::named(tile, &segment.segment).unwrap();
                assert_eq!(Segment::named(tile, &segment.spot), Some(ours), "{}", info.id);
                assert!(segment.anchors.iter().flatten().all(|at| (0.0..=1.0).contains(at)));
            }
        }
        let spring = told.tiles.iter().find(|tile| tile.id == "RI/s").unwrap();
        assert_eq!(spring.edges, ["field", "river", "field", "field"]);
        let base = serde_json::to_string(&super::tiles()).unwrap();
        assert!(!["\"set\"", "special", "good", "river"].iter().any(|word| base.contains(word)));
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
