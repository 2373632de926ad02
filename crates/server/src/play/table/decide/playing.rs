//! Playing: a tile move, a meeple move, or both; the same door for people and bots.

use super::{Decision, Draft, Table};
use crate::error::Refusal;
use crate::games::Hosted;
use crate::play::table::command::Moves;
use crate::wire::{ClockRule, PlayResult, Reason};
use serde_json::Value;
use std::time::Duration;

/// The most moves in one request; a turn has two.
const MOST_MOVES: usize = 16;

/// Turns in a row that a seat among three or more may miss with a clock per move.
const MISSED_TURNS: u8 = 2;

impl<G: Hosted> Table<G> {
    /// Plays what somebody sent.
    pub(super) fn play(
        &self,
        mine: &[usize],
        version: Option<u64>,
        moves: &Moves,
        lag: Duration,
    ) -> Result<Decision<G>, Refusal> {
        let now = self.game.version();
        if let Some(sent) = version.filter(|sent| *sent != now) {
            return match moves {
                Moves::Text(texts) if self.game.was_played(sent, mine, texts) => {
                    Ok(Decision::PlayedBefore(self.played(mine, Vec::new())))
                }
                Moves::Text(_) | Moves::Json(_) => Err(Refusal::StaleVersion { now, sent }),
            };
        }
        self.must_be_playing()?;
        let seat = self.to_move().expect("a game that is played has somebody to move");
        if !mine.contains(&seat) {
            let name = self.seats.at(seat).name();
            return Err(Refusal::NotYourTurn(format!("it is the turn of {name}, seat {seat}")));
        }
        if self.seats.is_out(seat) {
            return Err(Refusal::Conflict("this seat no longer plays".to_owned()));
        }
        let mut draft = self.with_moves(seat, &self.read(moves)?)?;
        draft.moved_by = Some(seat);
        let took = self.game.turn_time(&draft.game).map(|took| took.saturating_sub(lag));
        draft.spent = took.and_then(|took| i64::try_from(took.as_millis()).ok());
        Ok(Decision::Change(self.settled(draft)))
    }

    /// Plays moves for the seat to move, whoever it is: all of them or none.
    pub(in crate::play::table) fn play_for(
        &self,
        seat: usize,
        moves: &[G::Move],
    ) -> Result<Box<Draft<G>>, Refusal> {
        Ok(self.settled(self.with_moves(seat, moves)?))
    }

    /// Plays the rest of a turn by the timeout rule.
    pub(in crate::play::table) fn play_by_rule(
        &self,
        seat: usize,
        random: u64,
    ) -> Result<Box<Draft<G>>, Refusal> {
        self.play_for(seat, &self.game.position().game().timeout_moves(random))
    }

    /// A seat's time is up: loss in rated games for two; among three or more the seat is out;
    /// otherwise the timeout rule plays the turn.
    pub(in crate::play::table) fn time_is_up(
        &mut self,
        seat: usize,
        gone: bool,
        random: u64,
    ) -> Result<Box<Draft<G>>, Refusal> {
        let (count, missed) = (self.seats.count(), self.seats.missed(seat).saturating_add(1));
        let per_move = match self.clocks.rule() {
            ClockRule::Move { .. } => true,
            ClockRule::None | ClockRule::Game { .. } => false,
        };
        let patient = per_move && !gone && missed < MISSED_TURNS;
        if (self.facts.rated && count == 2) || (count > 2 && !patient) {
            return Ok(self.drop_seats(&[seat], Reason::Time));
        }
        self.seats.note_missed(seat);
        self.play_by_rule(seat, random)
    }

    fn with_moves(&self, seat: usize, moves: &[G::Move]) -> Result<Box<Draft<G>>, Refusal> {
        let mut draft = self.draft();
        for (index, moved) in moves.iter().enumerate() {
            if draft.game.position().to_move() != Some(seat) {
                return Err(Refusal::IllegalMove(format!(
                    "the turn ends after {index} of the {} moves sent; nothing was played",
                    moves.len()
                )));
            }
            let played = draft.game.play(*moved);
            played.map_err(|illegal| Refusal::IllegalMove(illegal.to_string()))?;
        }
        Ok(draft)
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
            Moves::Json(action) => self.game.position().game().read_action(action)?,
        };
        if moves.is_empty() {
            return Err(Refusal::Bad("no move was sent".to_owned()));
        }
        Ok(moves)
    }

    /// What a player is told of their move.
    pub(in crate::play::table) fn played(&self, mine: &[usize], events: Vec<Value>) -> PlayResult {
        let game = self.game.position().game();
        let phase = game.phase();
        let goes_on =
            phase == "place_meeple" && self.to_move().is_some_and(|seat| mine.contains(&seat));
        let meeple_choices = goes_on.then(|| {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves.iter().map(ToString::to_string).collect()
        });
        PlayResult { version: self.game.version(), phase, meeple_choices, events }
    }
}

/// A move from text.
pub(in crate::play::table) fn read_move<G: Hosted>(text: &str) -> Result<G::Move, Refusal> {
    text.trim().parse().map_err(|error: <G::Move as std::str::FromStr>::Err| {
        Refusal::Bad(format!("'{}' is no move: {error}", game::excerpt(text, 40)))
    })
}
