//! The picture of one tile: the ground is turned, everything that stands is drawn upright.

use crate::geometry::turn;
use crate::meadow::Meadow;
use crate::palette::{EDGE_DARK, EDGE_LIGHT};
use crate::path::Path;
use crate::shape::{Drawing, Shape, stroke};
use crate::symbols::Symbol;
use crate::tile_shape::TileShape;
use crate::town::{self, Town};
use crate::ways;
use carcassonne::{ALL_KINDS, BASE_KINDS, Cell, PlacedTile, Rotation, Tile};
use game::Random;
use std::sync::OnceLock;

/// How many drawings there are of each kind; a cell decides which one lies on it.
pub(crate) const VARIANTS: usize = 3;

/// A tile as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Sprite {
    tile: Tile,
    rotation: Rotation,
    variant: u8,
}

impl Sprite {
    /// The sprite of a tile that lies on the board: copies beside each other differ.
    pub(crate) fn of(placed: &PlacedTile) -> Self {
        let Cell { x, y } = placed.cell;
        let variant = (i32::from(x) + 2 * i32::from(y)).rem_euclid(VARIANTS as i32) as u8;
        Self { tile: placed.tile, rotation: placed.rotation, variant }
    }

    fn index(self) -> usize {
        let turned = self.tile.index() * 4 + usize::from(self.rotation.quarters());
        turned * VARIANTS + usize::from(self.variant)
    }

    /// A name for it in documents.
    pub(crate) fn name(self) -> String {
        let (quarters, variant) = (self.rotation.quarters(), self.variant);
        match self.tile.index() {
            0..BASE_KINDS => format!("tile-{}{quarters}-{variant}", self.tile),
            // The names in sets have characters that an address of a part of a document has not.
            number => format!("tile-{number}-{quarters}-{variant}"),
        }
    }

    /// Its shapes; drawn once and kept.
    pub(crate) fn drawing(self) -> &'static [Shape] {
        static DRAWINGS: [OnceLock<Drawing>; ALL_KINDS * 4 * VARIANTS] =
            [const { OnceLock::new() }; ALL_KINDS * 4 * VARIANTS];
        DRAWINGS[self.index()].get_or_init(|| self.draw())
    }

    fn draw(self) -> Drawing {
        // The same land at every rotation: the numbers do not depend on it.
        let seed = (self.tile.index() * VARIANTS + usize::from(self.variant)) as u64;
        let mut random = Random::new(seed);
        let shape = TileShape::of(self.tile);
        let (rotation, mut props) = (self.rotation, Vec::new());
        let meadow = Meadow { shape: &shape, rotation, random: &mut random, props: &mut props };
        let mut drawing = meadow.draw();
        drawing.extend(shape.river.iter().flat_map(|river| river.draw(rotation)));
        if shape.bridges.is_empty() {
            drawing.extend(ways::roads(&shape.roads, rotation));
        } else {
            // One above the other where they cross.
            let each = shape.roads.chunks(1).flat_map(|road| ways::roads(road, rotation));
            drawing.extend(each);
            drawing.extend(shape.bridges.iter().flat_map(|bridge| bridge.draw(rotation)));
        }
        for city in &shape.cities {
            let (random, props) = (&mut random, &mut props);
            drawing.extend(Town { shape: &shape, city, rotation, random, props }.draw());
        }
        drawing.extend(shape.village.into_iter().flat_map(|at| ways::village(turn(at, rotation))));
        let monastery = shape.monastery.into_iter();
        drawing.extend(monastery.flat_map(|at| ways::monastery(turn(at, rotation))));
        drawing.extend(shape.garden.into_iter().flat_map(|at| ways::garden(turn(at, rotation))));
        let inns = shape.roads.iter().filter_map(|road| road.inn);
        drawing.extend(inns.flat_map(|at| ways::inn(turn(at, rotation))));
        for wall in shape.cities.iter().flat_map(|city| &city.walls) {
            drawing
                .extend(wall.gate.into_iter().flat_map(|at| town::gate(at, rotation, &mut props)));
        }
        for prop in &mut props {
            prop.at = turn(prop.at, rotation);
        }
        // Things nearer to the viewer are drawn over those behind.
        props.sort_by(|a, b| a.at[1].total_cmp(&b.at[1]));
        let stands = |prop: &crate::symbols::Prop| Shape::Symbol {
            symbol: prop.symbol,
            at: prop.at,
            scale: prop.scale,
        };
        drawing.extend(props.iter().map(stands));
        for at in shape.cities.iter().flat_map(crate::tile_shape::CityShape::pennant_points) {
            let at = turn(at, rotation);
            drawing.push(Shape::Symbol { symbol: Symbol::Pennant, at, scale: 1.12 });
        }
        for city in &shape.cities {
            if city.cathedral {
                let at = turn([50.0, 50.0], rotation);
                let at = [at[0], at[1] + 13.0];
                drawing.push(Shape::Symbol { symbol: Symbol::Cathedral, at, scale: 1.0 });
            }
            if let (Some(good), Some(at)) = (city.good, city.good_point()) {
                let (symbol, at) = (Symbol::Goods(good as u8), turn(at, rotation));
                drawing.push(Shape::Symbol { symbol, at, scale: 1.0 });
            }
        }
        drawing.push(stroke(Path::parse("M.4 100V.4H100"), EDGE_LIGHT, 0.8));
        drawing.push(stroke(Path::parse("M0 99.6H99.6V0"), EDGE_DARK, 0.8));
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sprite_has_a_place_of_its_own() {
        let mut seen = [false; ALL_KINDS * 4 * VARIANTS];
        for tile in Tile::all_sets() {
            for rotation in Rotation::ALL {
                for variant in 0..VARIANTS as u8 {
                    let sprite = Sprite { tile, rotation, variant };
                    assert!(!std::mem::replace(&mut seen[sprite.index()], true));
                    assert!(sprite.drawing().len() > 10, "{sprite:?}");
                }
            }
        }
    }

    #[test]
    fn neighbours_of_one_kind_are_not_the_same_drawing() {
        let at = |x, y| {
            let placed =
                PlacedTile { tile: Tile::START, cell: Cell::new(x, y), rotation: Rotation::new(0) };
            Sprite::of(&placed)
        };
        for (x, y) in [(0, 0), (-7, 3), (12, -9)] {
            assert_ne!(at(x, y), at(x + 1, y));
            assert_ne!(at(x, y), at(x, y + 1));
        }
    }
}
