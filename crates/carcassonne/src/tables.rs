//! What the engine looks up while playing, derived from the printed tiles at compile time.

use crate::feature::PackedFeature;
use crate::marks::Marks;
use crate::segment::Segment;
use crate::tile::{ALL_KINDS, MOST_SEGMENTS, PrintedTile, Terrain, Tile};

/// No segment.
pub(crate) const NONE: u8 = 255;

/// A kind turned one way: what lies on each side.
#[derive(Clone, Copy)]
pub(crate) struct Oriented {
    /// The sides, clockwise from the north.
    pub(crate) sides: [OrientedSide; 4],
}

/// One side of a turned tile; segments are places in the kind's list.
#[derive(Clone, Copy)]
pub(crate) struct OrientedSide {
    /// The edge's code in a constraint; 0 for a river, which is no constraint of its own.
    pub(crate) code: u8,
    /// The field on the left half edge, looking outward.
    pub(crate) left: u8,
    /// The city or road on the edge.
    pub(crate) middle: u8,
    /// The field on the right half edge, looking outward.
    pub(crate) right: u8,
}

/// The code of an edge in a constraint; 0 is "anything".
pub(crate) const CITY: u8 = Terrain::City as u8 + 1;
/// As [`CITY`], for a road.
pub(crate) const ROAD: u8 = Terrain::Road as u8 + 1;

/// A kind as the engine sees it, however it is turned.
#[derive(Clone, Copy)]
pub(crate) struct KindTable {
    /// How many segments it has.
    pub(crate) segments: u8,
    /// How many of them are cities; they come first.
    pub(crate) cities: u8,
    /// How many of them are cities or roads; these come before the fields.
    pub(crate) scoring: u8,
    /// The place of its monastery or garden, or [`NONE`].
    pub(crate) monastery: u8,
    /// A bit for each segment that could join another one of the same tile.
    pub(crate) shared: u8,
    /// A bit for each segment that is a field.
    pub(crate) fields: u8,
    /// What each segment is before it joins anything.
    pub(crate) records: [PackedFeature; MOST_SEGMENTS],
    /// The cities each field touches, a bit for each city of the tile.
    pub(crate) touches: [u8; MOST_SEGMENTS],
    /// What the sets mark of each city and road.
    pub(crate) marks: [Marks; MOST_SEGMENTS],
    /// The name of each segment.
    pub(crate) names: [Segment; MOST_SEGMENTS],
}

/// Each kind turned each way, at `kind * 4 + quarters`; padded so that a byte, or
/// nine bits, need no check.
pub(crate) static ORIENTED: [Oriented; 512] = oriented();

/// Each kind.
pub(crate) static KIND: [KindTable; ALL_KINDS] = kinds();

/// For a kind and a constraint (2 bits a side), the rotations that fit, a bit for each.
pub(crate) static FITS: [[u8; 256]; ALL_KINDS] = fits();

/// For a constraint, the kinds that fit it turned somehow, a bit for each.
pub(crate) static FITTING_KINDS: [u128; 256] = fitting_kinds();

/// A set of rotations, listed.
#[derive(Clone, Copy)]
pub(crate) struct RotationSet {
    /// The rotations in order, each where a packed move holds its rotation.
    pub(crate) packed: [u32; 4],
    /// How many there are.
    pub(crate) count: usize,
}

/// For a set of rotations given by a bit each, the same listed.
pub(crate) static ROTATIONS: [RotationSet; 16] = rotations();

const fn rotations() -> [RotationSet; 16] {
    let mut table = [RotationSet { packed: [0; 4], count: 0 }; 16];
    let mut at = 0;
    while at < 16 * 4 {
        let (set, quarters) = (at / 4, at % 4);
        if set >> quarters & 1 == 1 {
            let listed = &mut table[set];
            listed.packed[listed.count] = (quarters as u32) << 24;
            listed.count += 1;
        }
        at += 1;
    }
    table
}

const fn oriented() -> [Oriented; 512] {
    let nothing = OrientedSide { code: 0, left: NONE, middle: NONE, right: NONE };
    let mut table = [Oriented { sides: [nothing; 4] }; 512];
    let mut kind = 0;
    while kind < ALL_KINDS {
        let tile = printed(kind);
        let mut turned = 0;
        while turned < 16 {
            // Side `turned % 4` of the tile turned by `turned / 4` quarters shows this side:
            let side = (turned % 4 + 4 - turned / 4) % 4;
            let edge = tile.edges[side];
            table[kind * 4 + turned / 4].sides[turned % 4] = OrientedSide {
                code: if tile.river >> side & 1 == 1 { 0 } else { edge as u8 + 1 },
                left: field_on(tile, side * 2),
                middle: segment_on(tile, edge, side),
                right: field_on(tile, side * 2 + 1),
            };
            turned += 1;
        }
        kind += 1;
    }
    table
}

const fn printed(kind: usize) -> &'static PrintedTile {
    match Tile::of_any_set(kind) {
        Some(tile) => tile.printed(),
        None => panic!("the kind is below ALL_KINDS"),
    }
}

/// The city or road on a side, checked to be exactly one where the edge says so.
const fn segment_on(tile: &PrintedTile, edge: Terrain, side: usize) -> u8 {
    let (mut found, mut i) = (NONE, 0);
    while i < tile.segments.len() {
        if tile.segments[i].sides >> side & 1 == 1 {
            assert!(found == NONE, "two segments on one side");
            assert!(tile.segments[i].terrain as u8 == edge as u8, "the edge shows its segment");
            found = i as u8;
        }
        i += 1;
    }
    assert!((found == NONE) == matches!(edge, Terrain::Field), "a city or road edge has a segment");
    found
}

/// The field on a half edge; on an edge without city and road both halves are one field, so
/// that one join is enough there.
const fn field_on(tile: &PrintedTile, half: usize) -> u8 {
    let edge = tile.edges[half / 2];
    let (mut found, mut i) = (NONE, 0);
    while i < tile.segments.len() {
        if tile.segments[i].halves >> half & 1 == 1 {
            assert!(found == NONE, "two fields on one half edge");
            found = i as u8;
            let whole = tile.segments[i].halves >> (half / 2 * 2) & 3 == 3;
            let river = tile.river >> (half / 2) & 1 == 1;
            assert!(whole || river || !matches!(edge, Terrain::Field), "a field edge is one field");
        }
        i += 1;
    }
    assert!((found == NONE) == matches!(edge, Terrain::City), "a city edge alone has no field");
    found
}

const fn kinds() -> [KindTable; ALL_KINDS] {
    let nothing = KindTable {
        segments: 0,
        cities: 0,
        scoring: 0,
        monastery: NONE,
        shared: 0,
        fields: 0,
        records: [PackedFeature::EMPTY; MOST_SEGMENTS],
        touches: [0; MOST_SEGMENTS],
        marks: [Marks::printed(false, None); MOST_SEGMENTS],
        names: [Segment::MONASTERY; MOST_SEGMENTS],
    };
    let mut table = [nothing; ALL_KINDS];
    let mut kind = 0;
    while kind < ALL_KINDS {
        table[kind] = derive_kind(printed(kind), nothing);
        kind += 1;
    }
    table
}

const fn derive_kind(tile: &PrintedTile, mut kind: KindTable) -> KindTable {
    kind.segments = tile.segments.len() as u8;
    kind.cities = tile.count_of(Terrain::City) as u8;
    let roads = tile.count_of(Terrain::Road) as u8;
    kind.scoring = kind.cities + roads;
    let (mut i, mut number, mut last) = (0, 0, Terrain::City);
    while i < tile.segments.len() {
        let segment = &tile.segments[i];
        assert!(segment.terrain as u8 >= last as u8, "cities, roads, fields, monastery or garden");
        number = if segment.terrain as u8 == last as u8 { number } else { 0 };
        last = segment.terrain;
        kind.names[i] = Segment::new(last, number);
        kind.touches[i] = segment.cities;
        kind.marks[i] = Marks::printed(segment.special, segment.good);
        match last {
            Terrain::City | Terrain::Road => {
                kind.records[i] =
                    PackedFeature::new(segment.sides.count_ones() as u8, segment.pennants);
                let siblings = if matches!(last, Terrain::City) { kind.cities } else { roads };
                kind.shared |= ((siblings > 1) as u8) << i;
            }
            Terrain::Field => kind.fields |= 1 << i,
            Terrain::Monastery | Terrain::Garden => kind.monastery = i as u8,
        }
        number += 1;
        i += 1;
    }
    kind
}

const fn fits() -> [[u8; 256]; ALL_KINDS] {
    let oriented = oriented();
    let mut table = [[0; 256]; ALL_KINDS];
    let mut at = 0;
    while at < ALL_KINDS * 4 {
        let mut constraint = 0;
        while constraint < 256 {
            let (mut fits, mut side) = (true, 0);
            while side < 4 {
                let wanted = (constraint >> (2 * side)) as u8 & 3;
                fits &= wanted == 0 || wanted == oriented[at].sides[side].code;
                side += 1;
            }
            table[at / 4][constraint] |= (fits as u8) << (at % 4);
            constraint += 1;
        }
        at += 1;
    }
    table
}

const fn fitting_kinds() -> [u128; 256] {
    let fits = fits();
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 * ALL_KINDS {
        table[at / ALL_KINDS] |=
            ((fits[at % ALL_KINDS][at / ALL_KINDS] != 0) as u128) << (at % ALL_KINDS);
        at += 1;
    }
    table
}
