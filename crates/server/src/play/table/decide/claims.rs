//! Claims: who waits for a silent player takes the win, or calls the game off.

use super::{Decision, Table, no_longer_plays, not_at_the_table};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::seats::Now;
use crate::wire::Reason;
use std::time::Duration;

impl<G: Hosted> Table<G> {
    pub(super) fn claim(&self, mine: &[usize], win: bool) -> Result<Decision<G>, Refusal> {
        self.must_be_playing()?;
        if mine.is_empty() {
            return Err(not_at_the_table());
        }
        if self.seats.are_out(mine) {
            return Err(no_longer_plays());
        }
        let (waiting_rule, now) = (self.waiting_rule(), Now::read());
        let silent: Vec<(usize, Duration)> = (0..self.seats.count())
            .filter(|seat| !mine.contains(seat))
            .filter_map(|seat| Some((seat, self.seats.claim_in(seat, &waiting_rule, now)?)))
            .collect();
        let due: Vec<usize> =
            silent.iter().filter(|(_, left)| left.is_zero()).map(|(seat, _)| *seat).collect();
        if due.is_empty() {
            return Err(Refusal::Conflict(match silent.iter().min_by_key(|(_, left)| *left) {
                None => "nobody keeps you waiting: nothing can be claimed".to_owned(),
                Some((seat, left)) => format!(
                    "{} has {} s left to move before you may claim the win or call the game off",
                    self.seats.at(*seat).name(),
                    left.as_secs() + 1
                ),
            }));
        }
        if win {
            return Ok(Decision::Change(self.drop_seats(&due, Reason::Time)));
        }
        if !self.seats.all_people_are(|seat| mine.contains(&seat) || due.contains(&seat)) {
            return Err(Refusal::Conflict(
                "others play on: claim the win, and the game goes on without the silent player"
                    .to_owned(),
            ));
        }
        let users = due.iter().filter_map(|seat| self.seats.at(*seat).user());
        Ok(Decision::Change(self.call_off(users.map(str::to_owned).collect())))
    }
}
