//! What plays: anything that answers a position with a turn.

use crate::{Limits, Report, Stop};
use game::{ByPlayer, Game, Player};

/// A player by machine. It may remember the game it is in, but must answer any position.
pub trait Agent<G: Game>: Send {
    /// A new game starts. With the same seed and the same moves it is played the same way again,
    /// if limits are nodes or depth and one thread works.
    fn new_game(&mut self, start: &G, seed: u64) {
        let _ = (start, seed);
    }

    /// Which seat it has in the game that has just started.
    fn take_seat(&mut self, seat: Player) {
        let _ = seat;
    }

    /// The game is over, with these scores: played to its end, or given up by a player.
    fn game_over(&mut self, scores: &ByPlayer<i32>, given_up_by: Option<Player>) {
        let _ = (scores, given_up_by);
    }

    /// A move was played at a position, by a player (this one included) or by chance.
    fn observe(&mut self, before: &G, played: G::Move) {
        let _ = (before, played);
    }

    /// Whether a limit of depth means anything to it. One to whom it does not would search without
    /// end if it were the only limit.
    fn heeds_depth(&self) -> bool {
        true
    }

    /// The turn to play, to its end, and what the position is worth.
    ///
    /// Ends at the first limit, or as soon as it is stopped, and even then with a legal turn.
    /// If no player is to move, the report holds no turn.
    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move>;
}

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Box<A> {
    fn new_game(&mut self, start: &G, seed: u64) {
        (**self).new_game(start, seed);
    }

    fn take_seat(&mut self, seat: Player) {
        (**self).take_seat(seat);
    }

    fn game_over(&mut self, scores: &ByPlayer<i32>, given_up_by: Option<Player>) {
        (**self).game_over(scores, given_up_by);
    }

    fn observe(&mut self, before: &G, played: G::Move) {
        (**self).observe(before, played);
    }

    fn heeds_depth(&self) -> bool {
        (**self).heeds_depth()
    }

    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        (**self).search(position, limits, stop)
    }
}
