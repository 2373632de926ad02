//! A change of the table that is not stored yet: the game, and what goes with it.

use super::Table;
use crate::games::Hosted;
use crate::play::table::clocks::{NextTurn, Timekeeper};
use crate::play::table::game::GameDraft;
use crate::play::table::seats::Dropouts;
use crate::wire::Reason;
use tokio::time::Instant;

/// A change of the table. It holds a whole game, so it lies on the heap: everything that awaits its
/// end would hold a copy otherwise, and threads have little stack.
pub(in crate::play::table) struct Draft<G: Hosted> {
    pub(super) game: GameDraft<G>,
    pub(super) clocks: Timekeeper,
    pub(super) dropouts: Dropouts,
    /// The users who called it off, or because of whom it was.
    pub(super) leavers: Vec<String>,
    /// The seat whose person moved.
    pub(super) moved_by: Option<usize>,
    /// Milliseconds that a person took for the turn that it ends.
    pub(super) spent: Option<i64>,
    /// Whether all who begin to play a rated game are at one address.
    pub(super) one_address: bool,
    pub(super) at: Instant,
}

impl<G: Hosted> Draft<G> {
    /// Whether it is a person's move.
    pub(in crate::play::table) const fn is_move(&self) -> bool {
        self.moved_by.is_some()
    }

    /// All who begin to play are at one address.
    pub(in crate::play::table) fn note_one_address(&mut self) {
        self.one_address = true;
    }

    pub(super) fn end(&mut self, reason: Reason) {
        self.game.end(&self.dropouts, reason);
    }
}

impl<G: Hosted> Table<G> {
    /// A draft that changes nothing yet.
    pub(super) fn draft(&self) -> Box<Draft<G>> {
        Box::new(Draft {
            game: self.game.draft(),
            clocks: self.clocks.clone(),
            dropouts: self.seats.dropouts().clone(),
            leavers: Vec::new(),
            moved_by: None,
            spent: None,
            one_address: false,
            at: Instant::now(),
        })
    }

    /// Lets chance do its part, moves the clocks on, and ends the game if it is over.
    pub(super) fn settled(&self, mut draft: Box<Draft<G>>) -> Box<Draft<G>> {
        self.game.let_chance_draw(&mut draft.game);
        if draft.game.is_played_out() {
            draft.end(Reason::Normal);
        }
        let (before, after) = (self.game.position(), draft.game.position());
        let ended = after.turns() > before.turns();
        let goes_on = draft.game.result().is_none();
        let next = after.to_move().filter(|_| goes_on).map(|seat| {
            // The clock of one of our bots waits until a thread takes its turn.
            NextTurn { seat, runs: self.seats.at(seat).bot().is_none() }
        });
        draft.clocks.pass(before.to_move(), ended, next, draft.at);
        draft
    }
}
