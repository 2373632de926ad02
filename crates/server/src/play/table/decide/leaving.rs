//! Giving up a game, and calling it off.

use super::{Decision, Draft, Table};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::people::accounts::Requester;
use crate::play::table::game::EntryKind;
use crate::wire::{Reason, Status};

/// Turns after which a game cannot be called off.
const ABORTABLE_TURNS: usize = 2;

impl<G: Hosted> Table<G> {
    pub(super) fn resign(&self, mine: &[usize]) -> Result<Decision<G>, Refusal> {
        self.must_be_playing()?;
        let mine: Vec<usize> =
            mine.iter().copied().filter(|seat| !self.seats.is_out(*seat)).collect();
        if mine.is_empty() {
            return Err(Refusal::Conflict("you have given up already".to_owned()));
        }
        Ok(Decision::Change(self.drop_seats(&mine, Reason::Resign)))
    }

    /// Seats no longer play: games for two end, others go on while two seats play.
    pub(super) fn drop_seats(&self, seats: &[usize], reason: Reason) -> Box<Draft<G>> {
        let kind = if reason == Reason::Time { EntryKind::Time } else { EntryKind::Resign };
        let mut draft = self.draft();
        for seat in seats {
            draft.game.log(Some(*seat), kind, String::new());
            draft.dropouts.put_out(*seat, reason);
        }
        if draft.dropouts.playing() < 2 {
            draft.end(reason);
        }
        self.settled(draft)
    }

    pub(super) fn abort(&self, who: &Requester) -> Result<Decision<G>, Refusal> {
        let is_host = who.user == self.facts.host.id;
        let allowed = match self.status() {
            Status::Over => return Err(Refusal::Conflict("the game is over".to_owned())),
            Status::Waiting => is_host,
            // Who made a game that only bots play may end it at any time.
            Status::Playing => {
                let own_bots = is_host && self.seats.are_all_bots();
                if !own_bots && self.game.position().turns() >= ABORTABLE_TURNS {
                    return Err(Refusal::Conflict(
                        "after the second turn a game cannot be called off; resign".to_owned(),
                    ));
                }
                is_host || self.seats.has(&who.user)
            }
        };
        if !allowed {
            return Err(Refusal::Forbidden(
                "only who made the game or plays it may call it off".to_owned(),
            ));
        }
        Ok(Decision::Change(self.call_off(vec![who.user.clone()])))
    }

    /// Ends the game without a result that counts, because these users left it.
    pub(in crate::play::table) fn call_off(&self, leavers: Vec<String>) -> Box<Draft<G>> {
        let mut draft = self.draft();
        draft.leavers = leavers;
        draft.game.abort();
        draft.clocks.stop(draft.at);
        draft
    }
}
