//! Playing: a tile move, a meeple move, or both; the same door for people and bots.

use super::change::Draft;
use super::command::{Moves, Reply};
use super::state::Table;
use crate::error::Refusal;
use crate::people::accounts::Who;
use crate::play::games::Hosted;
use crate::wire::{Played, Status};
use serde_json::Value;
use std::sync::Arc;

/// The most moves in one request; a turn has two.
const MOST_MOVES: usize = 16;

impl<G: Hosted> Table<G> {
    /// Plays what somebody sent.
    pub(super) async fn play(
        &mut self,
        who: &Who,
        version: Option<u64>,
        moves: &Moves,
    ) -> Result<Reply, Refusal> {
        let mine = self.seats_of(&who.user);
        if mine.is_empty() {
            return Err(self.not_at_the_table());
        }
        if let Some(sent) = version.filter(|sent| *sent != self.version()) {
            if self.was_played(sent, &mine, moves) {
                return Ok(Reply { played: Some(Arc::new(self.played(&mine, Vec::new()))) });
            }
            return Err(Refusal::StaleVersion { now: self.version(), sent });
        }
        self.must_be_playing()?;
        let seat = self.to_move().expect("a game that is played has somebody to move");
        if !mine.contains(&seat) {
            let name = self.seats[seat].name();
            return Err(Refusal::NotYourTurn(format!("it is the turn of {name}, seat {seat}")));
        }
        if self.seats[seat].out.is_some() {
            return Err(Refusal::Conflict("this seat no longer plays".to_owned()));
        }
        let moves = self.read(moves)?;
        let mut draft = self.drafted(seat, &moves)?;
        draft.spent = self.spent_on(&draft, &who.user);
        let events = self.finish(draft).await?;
        self.heard_from(seat);
        Ok(Reply { played: Some(Arc::new(self.played(&mine, events))) })
    }

    /// Plays moves for the seat to move: all of them or none.
    pub(super) async fn play_for(
        &mut self,
        seat: usize,
        moves: &[G::Move],
    ) -> Result<Vec<Value>, Refusal> {
        let draft = self.drafted(seat, moves)?;
        self.finish(draft).await
    }

    fn drafted(&self, seat: usize, moves: &[G::Move]) -> Result<Box<Draft<G>>, Refusal> {
        let mut draft = self.draft();
        for (index, moved) in moves.iter().enumerate() {
            if draft.position.to_move() != Some(seat) {
                return Err(Refusal::IllegalMove(format!(
                    "the turn ends after {index} of the {} moves sent; nothing was played",
                    moves.len()
                )));
            }
            draft.play(*moved)?;
        }
        Ok(draft)
    }

    /// How long a person took for the turn that a draft ends, less the way of the messages where it
    /// is known. A turn whose beginning was not seen, before a restart, has no time.
    fn spent_on(&self, draft: &Draft<G>, user: &str) -> Option<i64> {
        let began = self.turn_began.filter(|_| draft.position.turns > self.position.turns)?;
        let lag = self.watchers.lag_of(user).unwrap_or_default();
        i64::try_from(began.elapsed().saturating_sub(lag).as_millis()).ok()
    }

    /// Lets chance draw, then writes and tells.
    pub(super) async fn finish(&mut self, mut draft: Box<Draft<G>>) -> Result<Vec<Value>, Refusal> {
        self.settle(&mut draft);
        self.commit(draft).await
    }

    /// Refuses what needs a game that is being played.
    pub(super) fn must_be_playing(&self) -> Result<(), Refusal> {
        match self.status {
            Status::Playing => Ok(()),
            Status::Waiting => {
                Err(Refusal::Conflict("the game has not begun: seats are open".to_owned()))
            }
            Status::Over => Err(Refusal::Conflict("the game is over".to_owned())),
        }
    }

    pub(super) fn not_at_the_table(&self) -> Refusal {
        Refusal::Forbidden("you do not sit at this table".to_owned())
    }

    fn read(&self, moves: &Moves) -> Result<Vec<G::Move>, Refusal> {
        let moves = match moves {
            Moves::Text(texts) => {
                if texts.len() > MOST_MOVES {
                    return Err(Refusal::Bad(format!(
                        "{} moves are too many; a turn has at most {MOST_MOVES}",
                        texts.len()
                    )));
                }
                texts.iter().map(|text| read_move::<G>(text)).collect::<Result<_, _>>()?
            }
            Moves::Json(action) => self.position.game.read_action(action).map_err(Refusal::Bad)?,
        };
        if moves.is_empty() {
            return Err(Refusal::Bad("no move was sent".to_owned()));
        }
        Ok(moves)
    }

    /// Whether exactly these moves were played right after a version: the same message, again.
    fn was_played(&self, sent: u64, mine: &[usize], moves: &Moves) -> bool {
        let (Moves::Text(texts), Ok(ply)) = (moves, i64::try_from(sent)) else { return false };
        let Some(first) = self.position.standing.iter().position(|one| one.ply == ply) else {
            return false;
        };
        let after = &self.position.standing[first..];
        !texts.is_empty()
            && after.len() >= texts.len()
            && texts.iter().zip(after).all(|(text, one)| {
                one.seat.is_some_and(|seat| mine.contains(&seat))
                    && text.trim().parse::<G::Move>().is_ok_and(|moved| moved == one.moved)
            })
    }

    fn played(&self, mine: &[usize], events: Vec<Value>) -> Played {
        let game = &self.position.game;
        let phase = game.phase();
        let goes_on =
            phase == "place_meeple" && self.to_move().is_some_and(|seat| mine.contains(&seat));
        let meeple_choices = goes_on.then(|| {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves.iter().map(ToString::to_string).collect()
        });
        Played { version: self.version(), phase, meeple_choices, events }
    }
}

/// A move from text.
pub(super) fn read_move<G: Hosted>(text: &str) -> Result<G::Move, Refusal> {
    text.trim().parse().map_err(|error: <G::Move as std::str::FromStr>::Err| {
        Refusal::Bad(format!("'{}' is no move: {error}", game::excerpt(text, 40)))
    })
}
