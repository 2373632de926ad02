//! The colours of the land and of the players. The light comes from the top left, whatever way a
//! tile is turned.

/// A colour with its opacity, 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Colour {
    pub(crate) rgb: u32,
    pub(crate) alpha: f32,
}

pub(crate) const fn rgb(rgb: u32) -> Colour {
    Colour { rgb, alpha: 1.0 }
}

pub(crate) const fn rgba(rgb: u32, alpha: f32) -> Colour {
    Colour { rgb, alpha }
}

pub(crate) const TABLE: Colour = rgb(0xdfd9ca);
pub(crate) const TABLE_LINE: Colour = rgba(0x5a4e34, 0.11);

pub(crate) const GRASS: Colour = rgb(0xa8c57a);
pub(crate) const GRASS_LIGHT: Colour = rgba(0xbcd391, 0.9);
pub(crate) const GRASS_DARK: Colour = rgba(0x97b76a, 0.85);
pub(crate) const TUFT: Colour = rgb(0x83a457);
pub(crate) const ROAD: Colour = rgb(0xf1e6ca);
pub(crate) const RUT: Colour = rgb(0xddcba1);
pub(crate) const ROAD_EDGE: Colour = rgb(0xb3976a);
pub(crate) const VERGE: Colour = rgba(0x94b268, 0.65);
pub(crate) const WATER: Colour = rgb(0x7fb4c9);
pub(crate) const WATER_DEEP: Colour = rgb(0x5f97b0);
pub(crate) const WATER_LIGHT: Colour = rgba(0xb4d8e4, 0.8);
pub(crate) const BANK: Colour = rgb(0xc3b684);
pub(crate) const PAVING: Colour = rgb(0xe2cba4);
pub(crate) const PAVING_LIGHT: Colour = rgb(0xeddcbb);
pub(crate) const COBBLE: Colour = rgba(0xb9996e, 0.6);
pub(crate) const LANE: Colour = rgba(0xefe0c1, 0.75);
pub(crate) const WALL: Colour = rgb(0xe2d5bb);
pub(crate) const WALL_LIGHT: Colour = rgb(0xf3ead6);
pub(crate) const WALL_EDGE: Colour = rgb(0xa08d6d);
pub(crate) const WALL_FACE: Colour = rgb(0x94815f);
pub(crate) const SHADE: u32 = 0x3b2a1a;
/// A hairline of light along the top and left of a tile, one of shade along the others.
pub(crate) const EDGE_LIGHT: Colour = rgba(0xfffbe8, 0.3);
pub(crate) const EDGE_DARK: Colour = rgba(0x33401c, 0.22);
/// The side of a tile that is seen from the front.
pub(crate) const THICKNESS: Colour = rgb(0x8a6d3f);

/// Ground and furrow of each crop.
pub(crate) const CROPS: [(u32, u32); 5] = [
    (0xdcca78, 0xc2ab55),
    (0x92b666, 0x7a9f50),
    (0xc3d188, 0xa8b968),
    (0x8fb061, 0x78994c),
    (0xc9bd8b, 0xad9f6c),
];

pub(crate) const FLOWERS: [u32; 4] = [0xfaf4df, 0xf2da86, 0xe7b7ae, 0xcdb5dd];

/// Light and shaded side of each roof.
pub(crate) const ROOFS: [(u32, u32); 5] = [
    (0xd07a57, 0xb05c41),
    (0xc26249, 0x9f4a38),
    (0xdc9169, 0xbb7150),
    (0xb9583f, 0x954232),
    (0xcf8a5f, 0xab6a46),
];

/// Each seat's colour and the colour of its mark, as the page has them.
pub(crate) const PLAYERS: [(u32, u32); 6] = [
    (0x0072b2, 0xfffaf3),
    (0xd55e00, 0xfffaf3),
    (0x009e73, 0xfffaf3),
    (0xf0e442, 0x2b2600),
    (0xcc79a7, 0xfffaf3),
    (0x2d2b2a, 0xfffaf3),
];
