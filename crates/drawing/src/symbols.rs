//! What stands on the land: trees, houses, towers, each drawn upright with its foot at (0, 0).

use crate::geometry::Point;
use crate::palette::{Colour, ROOFS, SHADE, rgb, rgba};
use crate::path::Path;
use crate::shape::{Drawing, Shape, fill, stroke};
use std::sync::LazyLock;

/// Something that is drawn in many places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Symbol {
    Oak,
    Cypress,
    Bush,
    FruitTree,
    Sheep,
    HayStack,
    /// A house with its long side to the front, by its roof.
    LongHouse(u8),
    /// A house with its gable to the front, by its roof.
    GableHouse(u8),
    Tower,
    Church,
    Well,
    Monastery,
    Pennant,
    Inn,
    Cathedral,
    /// Wine, grain or cloth.
    Goods(u8),
}

/// A thing at a point of the printed tile; the point turns with the tile, the thing does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prop {
    pub(crate) symbol: Symbol,
    pub(crate) at: Point,
    pub(crate) scale: f32,
}

const TREE_SHADE: u32 = 0x35521f;
const HOUSE_SHADE: u32 = 0x4a2d1a;
const TRUNK: Colour = rgb(0x735a3b);
const WINDOW: Colour = rgb(0x7a6249);
const SLATE: [Colour; 2] = [rgb(0x7289a0), rgb(0x566b81)];

impl Symbol {
    const PLAIN: [Self; 16] = [
        Self::Oak,
        Self::Cypress,
        Self::Bush,
        Self::FruitTree,
        Self::Sheep,
        Self::HayStack,
        Self::Tower,
        Self::Church,
        Self::Well,
        Self::Monastery,
        Self::Pennant,
        Self::Inn,
        Self::Cathedral,
        Self::Goods(0),
        Self::Goods(1),
        Self::Goods(2),
    ];

    fn index(self) -> usize {
        let roofs = ROOFS.len();
        match self {
            Self::LongHouse(roof) => usize::from(roof) % roofs,
            Self::GableHouse(roof) => roofs + usize::from(roof) % roofs,
            plain => {
                let at = Self::PLAIN.iter().position(|one| *one == plain);
                2 * roofs + at.expect("all that have no roof to choose are listed")
            }
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        let roofs = 0..ROOFS.len() as u8;
        let houses = roofs.clone().map(Self::LongHouse).chain(roofs.map(Self::GableHouse));
        houses.chain(Self::PLAIN)
    }

    /// Its shapes, around its foot.
    pub(crate) fn drawing(self) -> &'static [Shape] {
        static DRAWINGS: LazyLock<Vec<Drawing>> =
            LazyLock::new(|| Symbol::all().map(Symbol::draw).collect());
        &DRAWINGS[self.index()]
    }

    /// A name for it in documents.
    pub(crate) fn name(self) -> String {
        match self {
            Self::LongHouse(roof) => format!("long-house-{roof}"),
            Self::GableHouse(roof) => format!("gable-house-{roof}"),
            Self::Goods(kind) => format!("goods-{kind}"),
            plain => format!("{plain:?}").to_lowercase(),
        }
    }

    fn draw(self) -> Drawing {
        match self {
            Self::Oak => oak(),
            Self::Cypress => cypress(),
            Self::Bush => bush(),
            Self::FruitTree => fruit_tree(),
            Self::Sheep => sheep(),
            Self::HayStack => hay_stack(),
            Self::LongHouse(roof) => long_house(ROOFS[usize::from(roof) % ROOFS.len()]),
            Self::GableHouse(roof) => gable_house(ROOFS[usize::from(roof) % ROOFS.len()]),
            Self::Tower => tower(),
            Self::Church => church(),
            Self::Well => well(),
            Self::Monastery => monastery(),
            Self::Pennant => pennant(),
            Self::Inn => inn(),
            Self::Cathedral => cathedral(),
            Self::Goods(kind) => goods(kind),
        }
    }
}

fn area(data: &str, colour: Colour) -> Shape {
    fill(Path::parse(data), colour)
}

fn line(data: &str, colour: Colour, width: f32) -> Shape {
    stroke(Path::parse(data), colour, width)
}

fn disc(x: f32, y: f32, radius: f32, colour: u32) -> Shape {
    fill(Path::circle([x, y], radius), rgb(colour))
}

fn oval(x: f32, y: f32, rx: f32, ry: f32, colour: Colour) -> Shape {
    fill(Path::ellipse([x, y], rx, ry), colour)
}

fn oak() -> Drawing {
    vec![
        oval(1.5, 0.2, 4.0, 1.6, rgba(TREE_SHADE, 0.28)),
        area("M-.5-2.4h1.1V.3h-1.1z", TRUNK),
        disc(0.0, -4.0, 3.2, 0x5b8b44),
        disc(-1.9, -3.0, 2.0, 0x5b8b44),
        disc(2.0, -2.9, 1.9, 0x4e7c3a),
        disc(-0.8, -4.8, 2.0, 0x79a757),
        disc(-1.2, -5.4, 1.0, 0x9ac476),
    ]
}

fn cypress() -> Drawing {
    vec![
        oval(1.3, 0.0, 2.5, 1.0, rgba(TREE_SHADE, 0.28)),
        area("M0-9.4C1.8-6.6 2-2.6 1.2 0H-1.2C-2-2.6-1.8-6.6 0-9.4Z", rgb(0x47724d)),
        area("M-.1-8.6C-1.3-6.2-1.5-3-1-.4L-.2-.4Z", rgb(0x699667)),
    ]
}

fn bush() -> Drawing {
    vec![
        oval(0.6, 0.1, 2.0, 0.9, rgba(TREE_SHADE, 0.22)),
        disc(0.0, -1.0, 1.5, 0x6a984d),
        disc(-0.4, -1.5, 0.8, 0x8fb76a),
    ]
}

fn fruit_tree() -> Drawing {
    vec![
        oval(0.7, 0.1, 2.2, 0.9, rgba(TREE_SHADE, 0.24)),
        area("M-.3-1.4h.7V.2h-.7z", TRUNK),
        disc(0.0, -2.6, 1.9, 0x6f9e4e),
        disc(-0.5, -3.2, 1.0, 0x93bd6c),
        disc(0.8, -2.2, 0.4, 0xd9694a),
        disc(-0.8, -1.9, 0.4, 0xd9694a),
    ]
}

fn sheep() -> Drawing {
    vec![
        oval(0.5, 0.0, 2.0, 0.7, rgba(TREE_SHADE, 0.25)),
        line("M-1 0v-.9M.9 0v-.9", rgb(0x4b4239), 0.5),
        oval(0.0, -1.5, 1.8, 1.2, rgb(0xf6f0e1)),
        oval(-0.4, -1.9, 1.1, 0.7, rgb(0xfffaf0)),
        oval(1.9, -1.9, 0.7, 0.6, rgb(0x4b4239)),
    ]
}

fn hay_stack() -> Drawing {
    vec![
        oval(0.9, 0.0, 2.5, 0.9, rgba(TREE_SHADE, 0.25)),
        area("M-2.1 0C-2.2-2.2-1-3.9 0-4.1 1-3.9 2.2-2.2 2.1 0Q0 .7-2.1 0Z", rgb(0xdfc069)),
        area("M.5-3.9C1.4-3.2 2.2-1.8 2.1 0Q1.5.3.8.3Z", rgb(0xc3a14d)),
    ]
}

fn long_house((light, shaded): (u32, u32)) -> Drawing {
    vec![
        area("M-4.3 .2H5L7.4-1.8V-4.4L4.6-3.6Z", rgba(HOUSE_SHADE, 0.22)),
        area("M-4.3-4H4.3V0H-4.3Z", rgb(0xf5e9cf)),
        area("M-4.3-.8H4.3V0H-4.3Z", rgb(0xdbc6a0)),
        area("M-2.9-2.7h1.2v1.3h-1.2zM1.9-2.7h1.2v1.3H1.9z", WINDOW),
        area("M-.6 0v-2.1h1.4V0z", rgb(0x82613f)),
        area("M-5.3-3.3L-3.6-8.2H3.6L5.3-3.3Z", rgb(light)),
        area("M1.9-8.2H3.6L5.3-3.3H2.7Z", rgb(shaded)),
        line("M-5.3-3.3H5.3", rgb(shaded), 0.7),
        line("M-3.6-8.1H3.6", rgba(0xffffff, 0.38), 0.5),
        area("M-2.5-9.6h1.4v2.6h-1.4z", rgb(0xa07f62)),
    ]
}

fn gable_house((light, shaded): (u32, u32)) -> Drawing {
    vec![
        area("M-3 .2H3.6L6.2-2V-5L3.2-3.8Z", rgba(HOUSE_SHADE, 0.22)),
        area("M-3-3.4L0-7.2L3-3.4V0H-3Z", rgb(0xf3e5c8)),
        area("M-3-.8H3V0H-3Z", rgb(0xdbc6a0)),
        area("M-.6-4.6h1.2v1.3H-.6z", WINDOW),
        area("M-.7 0v-2h1.4V0z", rgb(0x82613f)),
        area("M-3.9-2.5L0-7.7V-10.5L-3.9-5.4Z", rgb(light)),
        area("M3.9-2.5L0-7.7V-10.5L3.9-5.4Z", rgb(shaded)),
        line("M-3.9-2.5L0-7.7L3.9-2.5", rgba(0xffffff, 0.3), 0.45),
    ]
}

fn tower() -> Drawing {
    vec![
        area("M-2.6 .3C-1 1.5 3 1.5 6.4-.2L5.4-2.4L2.4-2.6Z", rgba(SHADE, 0.24)),
        area("M-2.7-7H2.7V0Q0 1.4-2.7 0Z", rgb(0xe9dcc2)),
        area("M.6-7H2.7V0Q1.7.7.6.8Z", rgb(0xc0ae8e)),
        area("M-3.3-6.6L0-13.4L3.3-6.6Q0-5.3-3.3-6.6Z", SLATE[0]),
        area("M.3-12.7L3.3-6.6Q2-6 .5-5.9Z", SLATE[1]),
        area("M-.6-4h1.1v1.9H-.6z", rgb(0x67543f)),
    ]
}

fn church() -> Drawing {
    vec![
        area("M-6 .3H7L11-2.6V-8L6-6Z", rgba(HOUSE_SHADE, 0.22)),
        area("M-5.8-5.4H3.4V0H-5.8Z", rgb(0xf7eeda)),
        area("M-5.8-.9H3.4V0H-5.8Z", rgb(0xdccba9)),
        area("M-6.8-4.9L-5.2-10.4H3V-4.9Z", rgb(0xb9644a)),
        line("M-6.8-4.9H3", rgb(0x974a36), 0.8),
        area("M-4.6-1.6v-2.2h1.4v2.2zM-1.6-1.6v-2.2h1.4v2.2z", WINDOW),
        area("M2-12.4H7V0H2Z", rgb(0xfcf6e7)),
        area("M4.9-12.4H7V0H4.9Z", rgb(0xdfceae)),
        area("M1.2-12L4.5-20.4L7.8-12Q4.5-10.9 1.2-12Z", SLATE[0]),
        area("M4.8-19.6L7.8-12Q6.3-11.5 5-11.4Z", SLATE[1]),
        line("M4.5-23V-19.8M3.2-21.8H5.8", rgb(0x8a6a35), 0.7),
        area("M3.7-7.6v-2.2h1.6v2.2zM3.6 0v-2.6h1.8V0z", rgb(0x67543f)),
    ]
}

fn well() -> Drawing {
    vec![
        oval(0.8, 0.2, 2.8, 1.2, rgba(HOUSE_SHADE, 0.2)),
        oval(0.0, -0.5, 2.3, 1.4, rgb(0xb7a382)),
        oval(0.0, -0.8, 1.5, 0.8, rgb(0x55737f)),
    ]
}

/// The church of a monastery, around the middle of its garden.
fn monastery() -> Drawing {
    vec![
        area("M-13 11.4H17L21.4 7V-4L9-2Z", rgba(0x4a3a22, 0.2)),
        area("M-13-1H6V11H-13Z", rgb(0xf8efdc)),
        area("M-13 9H6V11H-13Z", rgb(0xdfceac)),
        area("M-15.4.4L-11.6-8.6H5.5V.4Z", rgb(0xbd684c)),
        line("M-13.6-3.8H5.5M-14.5-1.7H5.5", rgba(0xa5533c, 0.55), 0.6),
        area("M-15.4.4L-14.8-1H5.5V.4Z", rgb(0x9b4a36)),
        line("M-11.6-8.5H5", rgba(0xffffff, 0.4), 0.7),
        area("M4.4 11V-11.6H13.6V11Z", rgb(0xfdf7e9)),
        area("M9.7 11V-11.6H13.6V11Z", rgb(0xdfceac)),
        area("M4.4 9H13.6V11H4.4Z", rgb(0xcdb991)),
        area("M3.2-11.2L9-23.4L14.8-11.2Q9-9.5 3.2-11.2Z", SLATE[0]),
        area("M9.4-22.6L14.8-11.2Q12.2-10.4 9.8-10.3Z", SLATE[1]),
        line("M9-27.6V-22.8M7.1-25.8H10.9", rgb(0x8a6a35), 1.1),
        area("M-10.8 6v-4.4h3V6zM-6 6v-4.4h3V6zM-1.2 6v-4.4h3V6zM7.5-5v-4h3v4z", rgb(0x75624d)),
        area("M7.1 11V5.4h3.8V11z", rgb(0x6b4a2f)),
    ]
}

/// A gold star on a blue shield.
fn pennant() -> Drawing {
    vec![
        area("M-6.4-7.4H8.2V1C8.2 7 4 10.2 1 11.6Z", rgba(SHADE, 0.3)),
        area("M-7.2-8.2H7.2V0C7.2 5.8 3 9 0 10.4-3 9-7.2 5.8-7.2 0Z", rgb(0xfdf6e5)),
        area("M-5.8-6.8H5.8V0C5.8 4.8 2.4 7.4 0 8.7-2.4 7.4-5.8 4.8-5.8 0Z", rgb(0x2f4a88)),
        area("M-5.8-6.8H0V8.7C-2.4 7.4-5.8 4.8-5.8 0Z", rgb(0x3e5ea5)),
        area(
            "M0-4.9L1.3-1.7 4.7-1.5 2.1.6 2.9 3.9 0 2.1-2.9 3.9-2.1.6-4.7-1.5-1.3-1.7Z",
            rgb(0xf3c94f),
        ),
    ]
}

/// A long house with a red sign.
fn inn() -> Drawing {
    let mut house = long_house((0xa8583f, 0x874330));
    house.extend([
        line("M5.4 0V-9.6M5.4-9.2H9", rgb(0x5b4630), 0.9),
        area("M6-8.4H10.6V-4.2H6Z", rgb(0xfdf6e5)),
        area("M6.6-7.8H10V-4.8H6.6Z", rgb(0xb8392f)),
    ]);
    house
}

/// Two towers and a high nave, around its foot.
fn cathedral() -> Drawing {
    vec![
        area("M-18 1H20L27-5V-16L16-12Z", rgba(HOUSE_SHADE, 0.24)),
        area("M-8-22H16V0H-8Z", rgb(0xf7eeda)),
        area("M-8-3H16V0H-8Z", rgb(0xdccba9)),
        area("M-10-20L-6-33H14L18-20Z", SLATE[0]),
        area("M9-33H14L18-20H12Z", SLATE[1]),
        area("M-3.4-5v-9q1.6-3 3.2 0v9z", WINDOW),
        area("M3-5v-9q1.6-3 3.2 0v9zM9.4-5v-9q1.6-3 3.2 0v9z", WINDOW),
        area("M-18-34H-7V0H-18Z", rgb(0xfcf6e7)),
        area("M-11.4-34H-7V0H-11.4Z", rgb(0xdfceae)),
        area("M-19-33L-12.5-50L-6-33Q-12.5-31-19-33Z", SLATE[0]),
        area("M-12-49L-6-33Q-9-32-11.4-31.8Z", SLATE[1]),
        line("M-12.5-55V-49M-14.8-53H-10.2", rgb(0x8a6a35), 1.1),
        area("M-14.8 0V-6.4Q-12.5-10-10.2-6.4V0Z", rgb(0x6b4a2f)),
        fill(Path::circle([-12.5, -20.0], 3.0), rgb(0x4d6f94)),
        fill(Path::circle([-12.5, -20.0], 1.5), rgb(0xe6c55f)),
        area("M-14-27.5h3v3.2h-3z", rgb(0x67543f)),
    ]
}

/// A small barrel, sheaf or bale on a round sign.
fn goods(kind: u8) -> Drawing {
    let mut drawing = vec![
        fill(Path::circle([0.8, 1.0], 8.2), rgba(SHADE, 0.3)),
        fill(Path::circle([0.0, 0.0], 8.2), rgb(0xfdf6e5)),
        fill(
            Path::circle([0.0, 0.0], 7.0),
            rgb([0xe9d3df, 0xf6e6b4, 0xd5e0ec][usize::from(kind) % 3]),
        ),
    ];
    drawing.extend(match kind {
        0 => vec![
            area("M-3.4-4.6H3.4Q5.4 0 3.4 4.6H-3.4Q-5.4 0-3.4-4.6Z", rgb(0x8a5a34)),
            line("M-4.2-2.2H4.2M-4.2 2.2H4.2", rgb(0x4d3a2a), 1.0),
            disc(0.0, 0.0, 1.5, 0x7a2f57),
        ],
        1 => vec![
            line("M0 5.4V-5M-2.6 5L-1-4.4M2.6 5L1-4.4", rgb(0xb08a2e), 1.0),
            oval(0.0, -3.8, 1.3, 2.4, rgb(0xd9ae3f)),
            oval(-2.8, -3.0, 1.2, 2.2, rgb(0xd9ae3f)),
            oval(2.8, -3.0, 1.2, 2.2, rgb(0xd9ae3f)),
            line("M-2.6 1.4H2.6", rgb(0x8a6a35), 1.2),
        ],
        _ => vec![
            area("M-5-2.6H3.4V4.2H-5Z", rgb(0x3f62a0)),
            oval(3.4, 0.8, 2.0, 3.4, rgb(0x6c8cc4)),
            oval(3.4, 0.8, 0.9, 1.6, rgb(0xd5e0ec)),
            line("M-3-2.6V4.2M-.4-2.6V4.2", rgba(0xffffff, 0.5), 0.8),
        ],
    });
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_has_a_drawing_of_its_own() {
        for (index, symbol) in Symbol::all().enumerate() {
            assert_eq!(symbol.index(), index, "{symbol:?}");
            assert!(symbol.drawing().len() >= 3, "{symbol:?}");
        }
        let mut names: Vec<String> = Symbol::all().map(Symbol::name).collect();
        names.dedup();
        assert_eq!(names.len(), Symbol::all().count());
    }
}
