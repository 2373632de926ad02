//! The river: drawn first, continued where it is open, never turning back.

use crate::edition::Edition;
use crate::game::Position;
use crate::geometry::{Cell, Rotation, Side};
use crate::sets::Sets;
use crate::tables::FITS;
use crate::tile::Tile;

/// Where the river goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mouth {
    /// The cell beyond the open edge.
    pub(crate) cell: Cell,
    /// The side of that cell where the water comes in.
    pub(crate) from: Side,
}

impl Tile {
    pub(crate) const fn is_river(self) -> bool {
        self.set().contains(Sets::RIVER)
    }

    pub(crate) fn river_on(self, side: Side, rotation: Rotation) -> bool {
        let printed = (side as u8 + 4 - rotation.quarters()) % 4;
        self.printed().river >> printed & 1 == 1
    }
}

impl<E: Edition> Position<E> {
    /// Whether the tile is among those that are drawn now: first the river, its lake last, then
    /// the others.
    #[inline]
    pub(crate) fn is_on_top(&self, tile: Tile) -> bool {
        match self.river_left {
            0 => true,
            1 => tile == Tile::LAKE,
            _ => tile.is_river() && tile != Tile::LAKE,
        }
    }

    /// How many tiles may be drawn now.
    #[inline]
    pub(crate) const fn top_size(&self) -> u8 {
        match self.river_left {
            0 => self.bag_size,
            1 => 1,
            left => left - 1,
        }
    }

    /// The rotations in which the tile may lie on an open cell with these edges around it.
    #[inline]
    pub(crate) fn rotations(&self, tile: Tile, cell: Cell, constraint: u8) -> u8 {
        let fitting = self.matching(tile, cell, constraint);
        if !E::EXPANDED || !tile.is_river() {
            return fitting;
        }
        let goes_on = self.mouth.is_some_and(|mouth| mouth.cell == cell);
        let allowed = |r: &Rotation| goes_on && self.leaves_room(tile, cell, *r);
        let allowed = Rotation::ALL.into_iter().filter(allowed);
        fitting & allowed.fold(0, |set, rotation| set | 1 << rotation.quarters())
    }

    /// The rotations in which every edge of the tile is like those around the cell.
    #[inline]
    pub(crate) fn matching(&self, tile: Tile, cell: Cell, constraint: u8) -> u8 {
        let fitting = FITS[tile.index()][constraint as usize];
        match self.mouth.filter(|mouth| E::EXPANDED && mouth.cell == cell) {
            // A river's edge is no part of a constraint; there is at most one that is open.
            Some(mouth) => {
                let wet = |r: &Rotation| tile.river_on(mouth.from, *r);
                let wet = Rotation::ALL.into_iter().filter(wet);
                fitting & wet.fold(0, |set, rotation| set | 1 << rotation.quarters())
            }
            None => fitting,
        }
    }

    /// Whether the six cells ahead of the edge where the river would go on are empty: two
    /// straight on and those beside them.
    fn leaves_room(&self, tile: Tile, cell: Cell, rotation: Rotation) -> bool {
        let comes_from = self.mouth.map(|mouth| mouth.from);
        let goes_to = Side::ALL
            .into_iter()
            .find(|side| Some(*side) != comes_from && tile.river_on(*side, rotation));
        let Some(ahead) = goes_to else { return true };
        let aside = ahead.turned(Rotation::new(1));
        let beyond = cell.step(ahead);
        [beyond, beyond.step(ahead)]
            .into_iter()
            .flat_map(|cell| [cell, cell.step(aside), cell.step(aside.opposite())])
            .all(|cell| self.board.tile_at(cell).is_none())
    }

    /// Notes where the river goes on after a river tile was laid.
    pub(crate) fn flow_on(&mut self, tile: Tile, cell: Cell, rotation: Rotation) {
        let open = |side: &Side| {
            tile.river_on(*side, rotation) && self.board.tile_at(cell.step(*side)).is_none()
        };
        let open = Side::ALL.into_iter().find(open);
        self.mouth = open.map(|side| Mouth { cell: cell.step(side), from: side.opposite() });
    }
}
