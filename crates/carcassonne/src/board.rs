//! The board: which tile lies where, and the frontier of cells where one could.
//!
//! Cells are bytes of one flat array. In the base game that is at `(x + 90·y) mod 4096`: two cells
//! closer than 90 steps never meet there, and 72 tiles reach no further than 72, so the board has
//! no rim. With all sets it is `(x + 129·y) mod 8192`, and 128 steps for 126 tiles.

use crate::edition::{Array, Edition, Number};
use crate::geometry::{Cell, Rotation, Side};
use crate::moves::Move;
use crate::setup::BoardSize;
use crate::tables::{FITS, ORIENTED, Oriented, ROTATIONS};
use crate::tile::Tile;

/// A tile on the board.
#[derive(Clone, Copy)]
pub(crate) struct Placed<N> {
    /// `kind * 4 + quarters`.
    oriented: N,
    first_segment: N,
    pub(crate) cell: Cell,
}

impl<N: Number> Placed<N> {
    pub(crate) fn tile(self) -> Tile {
        Tile::of_any_set(self.oriented.into() as usize / 4).expect("only kinds are placed")
    }

    pub(crate) fn rotation(self) -> Rotation {
        Rotation::new(self.oriented.into() as u8)
    }

    pub(crate) fn oriented(self) -> &'static Oriented {
        &ORIENTED[self.oriented.into() as usize & (ORIENTED.len() - 1)]
    }

    /// The number of its first segment in the game.
    pub(crate) fn first_segment(self) -> u16 {
        self.first_segment.into()
    }
}

/// What lies beside a newly placed tile.
#[derive(Clone, Copy)]
pub(crate) struct Neighbour<N> {
    /// On which side of the new tile.
    pub(crate) side: Side,
    /// What lies there.
    pub(crate) placed: Placed<N>,
}

#[derive(Clone, Copy)]
pub(crate) struct Board<E: Edition> {
    /// 0 is empty, then the numbers of tiles plus one, above them open cells.
    cells: E::Cells,
    /// For each frontier slot the edges around it, 2 bits a side, 0 where nothing lies.
    constraints: [u8; 256],
    /// For each frontier slot its cell.
    slots: [Cell; 256],
    slot_count: u8,
    placed_count: u8,
    placed: E::PerTile<Placed<E::Number>>,
    /// The south-west and north-east corners of the board.
    corners: (Cell, Cell),
}

impl<E: Edition> Board<E> {
    /// The lowest byte of an open cell.
    const FIRST_SLOT: u8 = E::TILES as u8 + 1;

    /// An empty board whose first tile goes to the origin.
    pub(crate) fn new(extent: BoardSize) -> Self {
        let zero = E::Number::of(0);
        let nothing = Placed { oriented: zero, first_segment: zero, cell: Cell::ORIGIN };
        let mut board = Self {
            cells: Array::filled(0),
            constraints: [0; 256],
            slots: [Cell::ORIGIN; 256],
            slot_count: 1,
            placed_count: 0,
            placed: Array::filled(nothing),
            corners: corners(extent),
        };
        board.cells[Self::index(Cell::ORIGIN)] = E::byte_of_slot(0);
        board
    }

    /// Puts a tile on a frontier cell and gives what lies on its four sides.
    #[inline]
    pub(crate) fn place(
        &mut self,
        tile: Tile,
        cell: Cell,
        rotation: Rotation,
        first_segment: u16,
    ) -> [Option<Neighbour<E::Number>>; 4] {
        let at = Self::index(cell);
        self.remove_slot(self.slot(at, cell) as u8);
        let oriented = tile.index() as u16 * 4 + u16::from(rotation.quarters());
        let number = self.placed_count as usize;
        let first_segment = E::Number::of(first_segment);
        self.placed[number] = Placed { oriented: E::Number::of(oriented), first_segment, cell };
        self.placed_count += 1;
        self.cells[at] = self.placed_count;

        let sides = &ORIENTED[oriented as usize & (ORIENTED.len() - 1)].sides;
        Side::ALL.map(|side| {
            let beside = Self::index(cell.step(side));
            let code = sides[side as usize].code << (2 * side.opposite() as u8);
            match self.cells[beside] {
                0 => {
                    self.add_slot(cell.step(side), code);
                    None
                }
                number if number < Self::FIRST_SLOT => {
                    Some(Neighbour { side, placed: self.placed[number as usize - 1] })
                }
                _ => {
                    let slot = self.slot(beside, cell.step(side));
                    self.constraints[slot] |= code;
                    None
                }
            }
        })
    }

    /// The slot of an open cell at this place of the array; some slot for another cell.
    #[inline]
    fn slot(&self, at: usize, cell: Cell) -> usize {
        let slots = &self.slots[..self.slot_count as usize];
        E::slot_of_byte(self.cells[at], cell, slots).unwrap_or(0) & (self.slots.len() - 1)
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
        self.cells[Self::index(cell)] = E::byte_of_slot(slot);
        self.slot_count += 1;
    }

    #[inline]
    fn remove_slot(&mut self, slot: u8) {
        self.slot_count -= 1;
        let last = self.slot_count as usize;
        self.constraints[slot as usize] = self.constraints[last];
        self.slots[slot as usize] = self.slots[last];
        self.cells[Self::index(self.slots[last])] = E::byte_of_slot(slot);
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
        let slots = &self.slots[..self.slot_count as usize];
        let slot = E::slot_of_byte(self.cells[Self::index(cell)], cell, slots)?;
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
    pub(crate) fn tiles(&self) -> &[Placed<E::Number>] {
        &self.placed.as_ref()[..self.placed_count as usize]
    }

    /// The number of the tile on a cell, in order of placement.
    pub(crate) fn tile_at(&self, cell: Cell) -> Option<usize> {
        let number = (self.cells[Self::index(cell)] as usize).checked_sub(1)?;
        let tile = self.placed.as_ref().get(number)?;
        (tile.cell == cell).then_some(number)
    }

    /// The tile placed last.
    #[inline]
    pub(crate) fn last(&self) -> Option<Placed<E::Number>> {
        self.tiles().last().copied()
    }

    /// How many of a cell's eight neighbours have a tile.
    pub(crate) fn neighbours(&self, cell: Cell) -> u8 {
        let (at, row) = (Self::index(cell) as i32, E::ROW);
        let around = [-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1];
        let lies = |step: i32| {
            let byte = self.cells[(at + step) as usize & (E::CELLS - 1)];
            (byte.wrapping_sub(1) < Self::FIRST_SLOT - 1) as u8
        };
        around.into_iter().map(lies).sum()
    }

    /// Whether the cell exists on this board.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        let (low, high) = self.corners;
        (low.x..=high.x).contains(&cell.x) && (low.y..=high.y).contains(&cell.y)
    }

    #[inline]
    fn index(cell: Cell) -> usize {
        (cell.x as i32 + E::ROW * cell.y as i32) as usize & (E::CELLS - 1)
    }
}

/// An n×n board is counted from 1 in the north-west with its centre at ⌈n/2⌉: for an even n
/// there is one more cell east and south of the origin than west and north of it.
fn corners(extent: BoardSize) -> (Cell, Cell) {
    match extent {
        BoardSize::Unlimited => (Cell::new(i8::MIN, i8::MIN), Cell::new(i8::MAX, i8::MAX)),
        BoardSize::Square(n) => {
            let before = (n.div_ceil(2) - 1) as i8;
            let after = (n - n.div_ceil(2)) as i8;
            (Cell::new(-before, -after), Cell::new(after, before))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{AllSets, Base};

    #[test]
    fn cells_within_reach_never_share_a_byte() {
        fn check<E: Edition>(reach: i32) {
            for x in -reach + 1..reach {
                for y in -reach + 1..reach {
                    let steps = x.abs() + y.abs();
                    if steps > 0 && steps < reach {
                        let at = Board::<E>::index(Cell::new(x as i8, y as i8));
                        assert_ne!(at, Board::<E>::index(Cell::ORIGIN), "{x},{y}");
                    }
                }
            }
            assert!(E::TILES < reach as usize);
        }
        check::<Base>(90);
        check::<AllSets>(128);
    }

    #[test]
    fn square_boards_are_centred_as_counted_from_the_north_west() {
        let spans = |n| {
            let (low, high) = corners(BoardSize::Square(n));
            (low.x, high.x, low.y, high.y)
        };
        assert_eq!(spans(1), (0, 0, 0, 0));
        assert_eq!(spans(30), (-14, 15, -15, 14));
        assert_eq!(spans(35), (-17, 17, -17, 17));
        assert_eq!(spans(145), (-72, 72, -72, 72));
    }
}
