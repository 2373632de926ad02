//! What the programs at a table are told, by user.

use super::Table;
use crate::games::Hosted;
use crate::play::table::game::Begins;
use crate::wire::{Status, StreamEvent};
use game::Player;

impl<G: Hosted> Table<G> {
    /// What concerns a user's programs now that something has begun. A turn is told once, whatever
    /// else happens while it lasts.
    pub(in crate::play::table) fn stream_events(
        &self,
        user: &str,
        begins: Begins,
        spectators: usize,
    ) -> Vec<StreamEvent> {
        let game = self.facts.id.clone();
        let seats = self.seats.of(user);
        let mut events = Vec::new();
        match self.status() {
            Status::Waiting => {
                if self.seats.iter().any(|seat| seat.invited() == Some(user)) {
                    let info = Box::new(self.info(spectators));
                    events.push(StreamEvent::Invitation { game, info });
                }
            }
            Status::Over => {
                if let Some(result) = self.game.result().cloned() {
                    events.push(StreamEvent::GameOver { game, seats, result });
                }
            }
            Status::Playing => {
                if begins == Begins::Game {
                    let (game, seats) = (game.clone(), seats.clone());
                    let info = Box::new(self.info(spectators));
                    events.push(StreamEvent::GameStart { game, seats, info });
                }
                let mine = self.to_move().filter(|seat| seats.contains(seat));
                if let Some(seat) = mine.filter(|_| begins != Begins::Nothing) {
                    let state = self.game.position().game();
                    let (view, phase) = (state.bot_view(Player::new(seat)), state.phase());
                    let version = self.game.version();
                    events.push(StreamEvent::YourTurn { game, version, seat, phase, view });
                }
            }
        }
        events
    }
}
