//! Whether the engine may be asked about the board of this table.

use super::Table;
use crate::games::Hosted;
use crate::play::table::help::{Guarded, Reached};
use crate::wire::Status;

impl<G: Hosted> Table<G> {
    /// Whether the engine may be asked about the board now.
    pub(super) fn help_allowed(&self) -> bool {
        let by_players = self.offers.help_agreed() || !self.seats.people_play_people();
        self.status() != Status::Playing || (!self.facts.rated && by_players)
    }

    /// The board, if the engine must not help there.
    pub(in crate::play::table) fn guarded(&self) -> Option<Guarded> {
        // The position that a game began with is that of another game, which may be asked about.
        if self.help_allowed() || self.game.began_with_position() {
            return None;
        }
        let position = self.game.position();
        let board = Reached::of(position.game(), self.game.beginning(), position.history());
        Some(Guarded::new(board, self.facts.rated, self.clocks.rule()))
    }
}
