//! A game as numbers, for learners: numbered actions, a compact list, planes. See `docs/tensors.md`.
//!
//! What a number means is fixed by a [`Version`]: [`v1`] knows the base game, [`v2`] every set too.
//! Everything is seen from one seat, the *viewer*: relative seat 0 is the viewer, 1 the seat after
//! it, and so on.

mod choices;
mod numbering;
mod setups;
pub mod v1;
pub mod v2;
mod version;

pub use numbering::{Numbering, NumberingError};
pub use setups::{NAMED_SETUPS, numbering_of, read_setup, with_side};
pub use version::Version;

use crate::edition::{Base, Edition};
use crate::game::Position;
use crate::moves::Move;
use game::Player;

/// What one version writes about games of an edition, changing in an array only what changed.
pub trait Tensors<E: Edition>: Clone + Default + Send + 'static {
    /// Which version it is; it gives the lengths of the arrays.
    const VERSION: Version;

    /// Writes the globals.
    fn globals(&self, game: &Position<E>, viewer: Player, out: &mut [i16]);

    /// Brings the compact observation up to date.
    fn compact(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        out: &mut [i16],
    );

    /// Brings the planes up to date; `legal` are the legal moves.
    fn planes(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        legal: &[Move],
        out: &mut [u8],
    );

    /// Another game comes: the next update of each array clears it.
    fn forget(&mut self);
}

/// [`Version::V1`] for the base game.
#[derive(Clone, Debug, Default)]
pub struct TensorsV1 {
    compact: v1::Compact,
    planes: v1::Planes,
}

/// [`Version::V2`] for any game.
#[derive(Clone, Debug, Default)]
pub struct TensorsV2 {
    compact: v2::Compact,
    planes: v2::Planes,
}

impl Tensors<Base> for TensorsV1 {
    const VERSION: Version = Version::V1;

    #[inline]
    fn globals(&self, game: &Position<Base>, viewer: Player, out: &mut [i16]) {
        v1::write_globals(game, viewer, out);
    }

    #[inline]
    fn compact(
        &mut self,
        game: &Position<Base>,
        viewer: Player,
        numbering: Numbering,
        out: &mut [i16],
    ) {
        self.compact.update(game, viewer, numbering, out);
    }

    #[inline]
    fn planes(
        &mut self,
        game: &Position<Base>,
        viewer: Player,
        numbering: Numbering,
        legal: &[Move],
        out: &mut [u8],
    ) {
        self.planes.update(game, viewer, numbering, legal, out);
    }

    fn forget(&mut self) {
        self.compact.forget();
        self.planes.forget();
    }
}

impl<E: Edition> Tensors<E> for TensorsV2 {
    const VERSION: Version = Version::V2;

    #[inline]
    fn globals(&self, game: &Position<E>, viewer: Player, out: &mut [i16]) {
        v2::write_globals(game, viewer, out);
    }

    #[inline]
    fn compact(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        out: &mut [i16],
    ) {
        self.compact.update(game, viewer, numbering, out);
    }

    #[inline]
    fn planes(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        legal: &[Move],
        out: &mut [u8],
    ) {
        self.planes.update(game, viewer, numbering, legal, out);
    }

    fn forget(&mut self) {
        self.compact.forget();
        self.planes.forget();
    }
}
