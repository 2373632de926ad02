//! Questions about a position that tests and tools ask: which feature a segment belongs to, who
//! owns it, how open it is.

use crate::event::FeatureId;
use crate::game::Carcassonne;
use crate::geometry::Cell;
use crate::segment::Segment;
use game::{Player, PlayerSet};

impl Carcassonne {
    /// The feature that a segment of the tile on this cell belongs to.
    #[must_use]
    pub fn feature_of(&self, cell: Cell, segment: Segment) -> Option<FeatureId> {
        let placed = self.board.tiles()[self.board.tile_at(cell)?];
        let place = segment.index_on(placed.tile())?;
        Some(self.features.find(placed.first_segment + place as u8))
    }

    /// The players with the most meeples on a feature; nobody if there are none.
    #[must_use]
    pub const fn owners(&self, feature: FeatureId) -> PlayerSet {
        self.features.record(feature).owners()
    }

    /// How many sides of a city or road have no neighbour; 0 once it is finished.
    #[must_use]
    pub const fn open_sides(&self, feature: FeatureId) -> u8 {
        self.features.record(feature).open()
    }

    /// How many meeples a player has in hand.
    #[must_use]
    pub const fn supply(&self, player: Player) -> u8 {
        self.meeples.supply(player)
    }
}
