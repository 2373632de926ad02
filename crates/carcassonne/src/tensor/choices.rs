//! What may be done now, which both versions tell in the same way.

use super::Numbering;
use crate::edition::Edition;
use crate::game::{Position, Stage};
use crate::moves::{Move, MoveKind};

/// Planes of where the tile may lie, one for each rotation; behind them is one for the tile that
/// waits for a meeple.
pub(super) const LEGAL_PLANES: usize = 4;

/// The number of the phase, and whether a tile is in hand.
#[inline]
pub(super) const fn phase(stage: Stage) -> (i16, bool) {
    match stage {
        Stage::Over => (0, false),
        Stage::Place => (1, true),
        Stage::Meeple => (2, true),
        Stage::Draw => (3, false),
    }
}

/// Calls with each plane, from `first` on, and the cell that is marked in it.
#[inline]
pub(super) fn for_each_mark<E: Edition>(
    game: &Position<E>,
    numbering: Numbering,
    legal: &[Move],
    first: usize,
    mut mark: impl FnMut(usize, usize),
) {
    match game.stage {
        Stage::Place => {
            for m in legal {
                if let MoveKind::Place { cell, rotation } = m.kind() {
                    let plane = first + usize::from(rotation.quarters());
                    mark(plane, numbering.cell_index(cell));
                }
            }
        }
        Stage::Meeple => {
            if let Some(placed) = game.board.last() {
                mark(first + LEGAL_PLANES, numbering.cell_index(placed.cell));
            }
        }
        Stage::Draw | Stage::Over => {}
    }
}
