//! The board: which tile lies where, and the frontier of cells where one could.
//!
//! Cells are bytes of one flat array at `(x + 90·y) mod 4096`. Two cells closer than 90 steps
//! never meet there, and 72 tiles reach no further than 72, so the board has no rim.

use crate::geometry::{Cell, Rotation, Side};
use crate::moves::Move;
use crate::setup::Extent;
use crate::tables::{FITS, ORIENTED, Oriented, ROTATIONS};
use crate::tile::{TILES, Tile};

const CELLS: usize = 4096;
const ROW: i32 = 90;

/// A cell's byte: 0 is empty, 1 to 72 a tile's number plus one, above that a frontier slot.
const FIRST_SLOT: u8 = TILES as u8 + 1;

/// A tile on the board.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    /// `kind * 4 + quarters`.
    oriented: u8,
    /// The number of its first segment in the game.
    pub(crate) first_segment: u8,
    pub(crate) cell: Cell,
}

impl Placed {
    pub(crate) fn tile(self) -> Tile {
        Tile::new(self.oriented as usize / 4).expect("only kinds are placed")
    }

    pub(crate) const fn rotation(self) -> Rotation {
        Rotation::new(self.oriented)
    }

    pub(crate) fn oriented(self) -> &'static Oriented {
        &ORIENTED[self.oriented as usize]
    }
}

/// What lies beside a newly placed tile.
#[derive(Clone, Copy)]
pub(crate) struct Neighbour {
    /// On which side of the new tile.
    pub(crate) side: Side,
    /// What lies there.
    pub(crate) placed: Placed,
}

#[derive(Clone)]
pub(crate) struct Board {
    cells: [u8; CELLS],
    /// For each frontier slot the edges around it, 2 bits a side, 0 where nothing lies.
    constraints: [u8; 256],
    /// For each frontier slot its cell.
    slots: [Cell; 256],
    slot_count: u8,
    placed_count: u8,
    placed: [Placed; TILES],
    /// The south-west and north-east corners of the board.
    corners: (Cell, Cell),
}

impl Board {
    /// An empty board whose first tile goes to the origin.
    pub(crate) fn new(extent: Extent) -> Self {
        let nothing = Placed { oriented: 0, first_segment: 0, cell: Cell::ORIGIN };
        let mut board = Self {
            cells: [0; CELLS],
            constraints: [0; 256],
            slots: [Cell::ORIGIN; 256],
            slot_count: 1,
            placed_count: 0,
            placed: [nothing; TILES],
            corners: corners(extent),
        };
        board.cells[index(Cell::ORIGIN)] = FIRST_SLOT;
        board
    }

    /// Puts a tile on a frontier cell and gives what lies on its four sides.
    #[inline]
    pub(crate) fn place(
        &mut self,
        tile: Tile,
        cell: Cell,
        rotation: Rotation,
        first_segment: u8,
    ) -> [Option<Neighbour>; 4] {
        let at = index(cell);
        self.remove_slot(self.cells[at].wrapping_sub(FIRST_SLOT));
        let oriented = tile.index() as u8 * 4 + rotation.quarters();
        let number = self.placed_count as usize;
        self.placed[number] = Placed { oriented, first_segment, cell };
        self.placed_count += 1;
        self.cells[at] = self.placed_count;

        let sides = &ORIENTED[oriented as usize].sides;
        Side::ALL.map(|side| {
            let beside = index(cell.step(side));
            let code = sides[side as usize].code << (2 * side.opposite() as u8);
            match self.cells[beside] {
                0 => {
                    self.add_slot(cell.step(side), code);
                    None
                }
                number if number < FIRST_SLOT => {
                    Some(Neighbour { side, placed: self.placed[number as usize - 1] })
                }
                slot => {
                    self.constraints[(slot - FIRST_SLOT) as usize] |= code;
                    None
                }
            }
        })
    }

    #[inline]
    fn add_slot(&mut self, cell: Cell, constraint: u8) {
        let (low, high) = self.corners;
        if cell.x < low.x || cell.x > high.x || cell.y < low.y || cell.y > high.y {
            return;
        }
        let slot = self.slot_count;
        self.constraints[slot as usize] = constraint;
        self.slots[slot as usize] = cell;
        self.cells[index(cell)] = FIRST_SLOT + slot;
        self.slot_count += 1;
    }

    #[inline]
    fn remove_slot(&mut self, slot: u8) {
        self.slot_count -= 1;
        let last = self.slot_count as usize;
        self.constraints[slot as usize] = self.constraints[last];
        self.slots[slot as usize] = self.slots[last];
        self.cells[index(self.slots[last])] = FIRST_SLOT + slot;
    }

    /// Replaces `out` by every cell and rotation where the tile fits.
    #[inline]
    pub(crate) fn list_fits(&self, tile: Tile, out: &mut Vec<Move>) {
        let fits = &FITS[tile.index()];
        let count = self.slot_count as usize;
        // No branch here depends on the board, so none is mispredicted: first the slots that fit
        // somehow are gathered, then four moves are written for each and as many kept as fit.
        let mut fitting = [0u8; 256];
        let mut hits = 0u8;
        for (slot, constraint) in self.constraints[..count].iter().enumerate() {
            fitting[hits as usize] = slot as u8;
            hits += u8::from(fits[*constraint as usize] != 0);
        }
        out.clear();
        out.resize(hits as usize * 4, Move::NOTHING);
        let mut len = 0;
        for slot in &fitting[..hits as usize] {
            let constraint = self.constraints[*slot as usize];
            let rotations = &ROTATIONS[fits[constraint as usize] as usize & 15];
            if let Some(room) = out.get_mut(len..).and_then(|rest| rest.first_chunk_mut()) {
                *room = Move::place_turned(self.slots[*slot as usize], rotations);
            }
            len += rotations.count;
        }
        out.truncate(len);
    }

    /// Whether the tile fits anywhere.
    #[inline]
    pub(crate) fn fits_somewhere(&self, tile: Tile) -> bool {
        let fits = &FITS[tile.index()];
        let constraints = &self.constraints[..self.slot_count as usize];
        constraints.iter().any(|constraint| fits[*constraint as usize] != 0)
    }

    /// The edges around a frontier cell; `None` for every other cell.
    #[inline]
    pub(crate) fn constraint(&self, cell: Cell) -> Option<u8> {
        let slot = self.cells[index(cell)].checked_sub(FIRST_SLOT)? as usize;
        // Far cells share a byte with near ones.
        (self.slots[slot] == cell).then_some(self.constraints[slot])
    }

    /// The frontier cells with the edges around each.
    pub(crate) fn frontier(&self) -> impl ExactSizeIterator<Item = (Cell, u8)> {
        let count = self.slot_count as usize;
        self.slots[..count].iter().copied().zip(self.constraints[..count].iter().copied())
    }

    /// The tiles in the order they were placed.
    #[inline]
    pub(crate) fn tiles(&self) -> &[Placed] {
        &self.placed[..self.placed_count as usize]
    }

    /// The number of the tile on a cell, in order of placement.
    pub(crate) fn tile_at(&self, cell: Cell) -> Option<usize> {
        let number = (self.cells[index(cell)] as usize).checked_sub(1)?;
        let tile = self.placed.get(number)?;
        (tile.cell == cell).then_some(number)
    }

    /// The tile placed last.
    #[inline]
    pub(crate) fn last(&self) -> Option<Placed> {
        self.tiles().last().copied()
    }

    /// How many of a cell's eight neighbours have a tile.
    pub(crate) fn neighbours(&self, cell: Cell) -> u8 {
        let at = index(cell) as i32;
        let around = [-ROW - 1, -ROW, -ROW + 1, -1, 1, ROW - 1, ROW, ROW + 1];
        let lies = |step: i32| {
            let byte = self.cells[(at + step) as usize & (CELLS - 1)];
            (byte.wrapping_sub(1) < FIRST_SLOT - 1) as u8
        };
        around.into_iter().map(lies).sum()
    }

    /// Whether the cell exists on this board.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        let (low, high) = self.corners;
        (low.x..=high.x).contains(&cell.x) && (low.y..=high.y).contains(&cell.y)
    }
}

#[inline]
const fn index(cell: Cell) -> usize {
    (cell.x as i32 + ROW * cell.y as i32) as usize & (CELLS - 1)
}

/// An n×n board is counted from 1 in the north-west with its centre at ⌈n/2⌉: for an even n
/// there is one more cell east and south of the origin than west and north of it.
fn corners(extent: Extent) -> (Cell, Cell) {
    match extent {
        Extent::Unlimited => (Cell::new(i8::MIN, i8::MIN), Cell::new(i8::MAX, i8::MAX)),
        Extent::Square(n) => {
            let before = (n.div_ceil(2) - 1) as i8;
            let after = (n - n.div_ceil(2)) as i8;
            (Cell::new(-before, -after), Cell::new(after, before))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_within_reach_never_share_a_byte() {
        for x in -89i32..=89 {
            for y in -89i32..=89 {
                let steps = x.abs() + y.abs();
                if steps > 0 && steps < 90 {
                    assert_ne!(index(Cell::new(x as i8, y as i8)), index(Cell::ORIGIN), "{x},{y}");
                }
            }
        }
    }

    #[test]
    fn square_boards_are_centred_as_counted_from_the_north_west() {
        let spans = |n| {
            let (low, high) = corners(Extent::Square(n));
            (low.x, high.x, low.y, high.y)
        };
        assert_eq!(spans(1), (0, 0, 0, 0));
        assert_eq!(spans(30), (-14, 15, -15, 14));
        assert_eq!(spans(35), (-17, 17, -17, 17));
        assert_eq!(spans(145), (-72, 72, -72, 72));
    }
}
