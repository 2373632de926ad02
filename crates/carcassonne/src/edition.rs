//! Editions: the same rules compiled for the base game alone, and for any combination of sets.
//!
//! The base game has 72 tiles, so a byte numbers its segments and its open cells; all sets
//! together have 126 tiles and 471 segments. An [`Edition`] gives the sizes of a state's arrays
//! and the width of its numbers, and says with [`EXPANDED`](Edition::EXPANDED) whether the
//! pieces of the sets exist. Every rule is written once, over an edition; what a
//! set adds stands behind that constant, so that the base game's code does not hold it.

use crate::geometry::Cell;
use crate::setup::{ExpandedSetup, Options, Setup};
use std::fmt::{Debug, Display};
use std::ops::{BitAnd, BitOr, IndexMut, Shl, Shr, Sub};
use std::str::FromStr;

/// How large a game can become, and whether it has the pieces of the sets.
pub trait Edition: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// What is settled before the first move.
    type Setup: Options
        + Copy
        + PartialEq
        + Debug
        + Display
        + Default
        + FromStr<Err: Display>
        + Send
        + Sync;
    /// A number of a segment, and of a kind turned one way.
    type Number: Number;
    /// A bit for each city segment on the board, and room for what else is marked of a feature.
    type Word: Word;

    /// Whether the game has the pieces and rules of the sets.
    const EXPANDED: bool;
    /// The most tiles that can lie.
    const TILES: usize;
    /// How many kinds of tiles there are.
    const KINDS: usize;
    /// How many segments the arrays hold: a power of two.
    const SEGMENTS: usize;
    /// How many cells the board's array holds: a power of two.
    const CELLS: usize;
    /// How far apart in the board's array a cell and its northern neighbour are.
    const ROW: i32;

    /// A byte for each cell.
    type Cells: Array<u8>;
    /// Something for each segment.
    type PerSegment<T: Copy + Send + Sync + 'static>: Array<T>;
    /// Something for each city segment.
    type PerCity<T: Copy + Send + Sync + 'static>: Array<T>;
    /// Something for each tile that lies.
    type PerTile<T: Copy + Send + Sync + 'static>: Array<T>;
    /// Something for each kind of tile.
    type PerKind<T: Copy + Send + Sync + 'static>: Array<T>;
    /// Something for each figure of a player.
    type PerFigure<T: Copy + Send + Sync + 'static>: Array<T>;
    /// Something for each monastery and garden.
    type PerMonastery<T: Copy + Send + Sync + 'static>: Array<T>;

    /// The byte of an open cell with this number, and back. A byte has no room for the numbers of
    /// all open cells beside 126 tiles: then the cell is looked for.
    fn byte_of_slot(slot: u8) -> u8;
    /// The number of an open cell whose byte is this.
    fn slot_of_byte(byte: u8, cell: Cell, slots: &[Cell]) -> Option<usize>;

    /// A number as an index into an array over segments.
    #[inline]
    fn at(number: u16) -> usize {
        number as usize & (Self::SEGMENTS - 1)
    }
}

/// The base game.
#[derive(Clone, Copy, Debug)]
pub struct Base;

impl sealed::Sealed for Base {}

impl Edition for Base {
    type Setup = Setup;
    type Number = u8;
    type Word = u64;
    const EXPANDED: bool = false;
    const TILES: usize = crate::tile::TILES;
    const KINDS: usize = crate::tile::BASE_KINDS;
    const SEGMENTS: usize = 256;
    const CELLS: usize = 4096;
    const ROW: i32 = 90;
    type Cells = [u8; Self::CELLS];
    type PerSegment<T: Copy + Send + Sync + 'static> = [T; Self::SEGMENTS];
    type PerCity<T: Copy + Send + Sync + 'static> = [T; 64];
    type PerTile<T: Copy + Send + Sync + 'static> = [T; Self::TILES];
    type PerKind<T: Copy + Send + Sync + 'static> = [T; Self::KINDS];
    type PerFigure<T: Copy + Send + Sync + 'static> = [T; crate::meeples::MEEPLES];
    type PerMonastery<T: Copy + Send + Sync + 'static> = [T; 6];

    #[inline]
    fn byte_of_slot(slot: u8) -> u8 {
        Self::TILES as u8 + 1 + slot
    }

    #[inline]
    fn slot_of_byte(byte: u8, _: Cell, _: &[Cell]) -> Option<usize> {
        byte.checked_sub(Self::TILES as u8 + 1).map(usize::from)
    }
}

/// The base game with any of the sets.
#[derive(Clone, Copy, Debug)]
pub struct AllSets;

impl sealed::Sealed for AllSets {}

impl Edition for AllSets {
    type Setup = ExpandedSetup;
    type Number = u16;
    type Word = u128;
    const EXPANDED: bool = true;
    const TILES: usize = 126;
    const KINDS: usize = crate::tile::ALL_KINDS;
    const SEGMENTS: usize = 512;
    const CELLS: usize = 8192;
    const ROW: i32 = 129;
    type Cells = [u8; Self::CELLS];
    type PerSegment<T: Copy + Send + Sync + 'static> = [T; Self::SEGMENTS];
    type PerCity<T: Copy + Send + Sync + 'static> = [T; 128];
    type PerTile<T: Copy + Send + Sync + 'static> = [T; Self::TILES];
    type PerKind<T: Copy + Send + Sync + 'static> = [T; Self::KINDS];
    type PerFigure<T: Copy + Send + Sync + 'static> = [T; crate::figure::FIGURES];
    type PerMonastery<T: Copy + Send + Sync + 'static> = [T; 17];

    #[inline]
    fn byte_of_slot(_: u8) -> u8 {
        u8::MAX
    }

    #[inline]
    fn slot_of_byte(byte: u8, cell: Cell, slots: &[Cell]) -> Option<usize> {
        if byte <= Self::TILES as u8 {
            return None;
        }
        slots.iter().position(|slot| *slot == cell)
    }
}

/// A number of a segment as it is stored.
pub trait Number: Copy + Into<u16> + Send + Sync + 'static {
    /// The largest number.
    const LAST: Self;
    /// The number, which must fit.
    fn of(number: u16) -> Self;
}

impl Number for u8 {
    const LAST: Self = Self::MAX;

    #[inline]
    fn of(number: u16) -> Self {
        number as Self
    }
}

impl Number for u16 {
    const LAST: Self = Self::MAX;

    #[inline]
    fn of(number: u16) -> Self {
        number
    }
}

/// A word of bits as it is stored.
pub trait Word:
    Copy
    + PartialEq
    + From<u32>
    + BitOr<Output = Self>
    + BitAnd<Output = Self>
    + Sub<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Send
    + Sync
    + 'static
{
    /// The lowest 32 bits.
    fn low(self) -> u32;
    /// How many bits are zero below the lowest that is set.
    fn zeros_below(self) -> u32;
    /// How many bits are set.
    fn ones(self) -> u32;
}

impl Word for u64 {
    #[inline]
    fn low(self) -> u32 {
        self as u32
    }

    #[inline]
    fn zeros_below(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn ones(self) -> u32 {
        self.count_ones()
    }
}

impl Word for u128 {
    #[inline]
    fn low(self) -> u32 {
        self as u32
    }

    #[inline]
    fn zeros_below(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn ones(self) -> u32 {
        self.count_ones()
    }
}

/// An array of a length that the edition fixes.
pub trait Array<T: Copy>:
    Copy + IndexMut<usize, Output = T> + AsRef<[T]> + AsMut<[T]> + Send + Sync + 'static
{
    /// The array that holds the same value everywhere.
    fn filled(value: T) -> Self;
}

impl<T: Copy + Send + Sync + 'static, const N: usize> Array<T> for [T; N] {
    #[inline]
    fn filled(value: T) -> Self {
        [value; N]
    }
}

mod sealed {
    pub trait Sealed {}
}
