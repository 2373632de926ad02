//! A game that begins with a position, of a record or laid by hand: what is read and checked before its table
//! opens.

use super::store::SavedEntry;
use crate::error::Refusal;
use crate::games::{self, Hosted, WithGame, read_any_record, with_game};
use crate::storage::records::no_such_ply;
use crate::time;
use crate::wire::{FromPosition, NewGame};
use game::Turn;
use serde_json::Value;

/// What a game begins with.
pub(super) struct Given {
    game: String,
    pub(super) setup: String,
    /// A position that was laid by hand: its text on one line.
    pub(super) laid: Option<String>,
    pub(super) options: Value,
    players: usize,
    /// The moves that led there, as entries of the log.
    pub(super) entries: Vec<SavedEntry>,
}

impl Given {
    /// The start of a game with these options.
    ///
    /// # Errors
    /// If there is no such game, or an option is unknown or out of range.
    pub(super) fn start(new: &NewGame) -> Result<Self, Refusal> {
        let (game, players) = (new.game.clone(), new.seats.len());
        let (setup, options) = games::read_setup(&game, &new.options, players)?;
        Ok(Self { game, setup, laid: None, options, players, entries: Vec::new() })
    }

    /// The position that a new game is to begin with.
    ///
    /// # Errors
    /// If the record cannot be read, does not replay, or does not fit what else is asked for; says
    /// what would.
    pub(super) async fn read(from: FromPosition, new: &NewGame) -> Result<Self, Refusal> {
        let read = move || {
            let (game, text) = read_any_record(&from.record)?;
            with_game(game, Read { text, ply: from.ply })?
        };
        let given = tokio::task::spawn_blocking(read).await.map_err(|_| Refusal::Internal)??;
        given.must_fit(new)?;
        Ok(given)
    }

    fn must_fit(&self, new: &NewGame) -> Result<(), Refusal> {
        let (seats, players) = (new.seats.len(), self.players);
        if new.game != self.game {
            let asked = game::excerpt(&new.game, 40);
            return Err(Refusal::Bad(format!("the record is of {}, not of '{asked}'", self.game)));
        }
        if seats != players {
            return Err(Refusal::Bad(format!(
                "the record is of a game for {players}; {seats} seats were asked for"
            )));
        }
        let settled = new.options.is_null() || {
            let (setup, _) = games::read_setup(&self.game, &new.options, seats)?;
            setup == self.setup
        };
        if !settled {
            let own = &self.options;
            return Err(Refusal::Bad(format!(
                "the record settles the options: leave 'options' out, or give {own}"
            )));
        }
        Ok(())
    }
}

/// Whether somebody will have something to decide. What chance brings may lead nowhere, as tiles that fit nowhere
/// do: then it does so in any order.
fn can_go_on<G: Hosted>(game: &G) -> bool {
    let (mut game, mut outcomes) = (game.clone(), Vec::new());
    while game.turn() == Turn::Chance {
        game.moves(&mut outcomes);
        let leads_on = |outcome: &G::Move| {
            let mut after = game.clone();
            after.play_unchecked(*outcome, game::ignore);
            matches!(after.turn(), Turn::Player(_))
        };
        if outcomes.iter().any(leads_on) {
            return true;
        }
        let Some(first) = outcomes.first() else { return false };
        game.play_unchecked(*first, game::ignore);
    }
    game.turn() != Turn::Over
}

struct Read {
    text: String,
    ply: Option<usize>,
}

impl WithGame for Read {
    type Out = Result<Given, Refusal>;

    fn with<G: Hosted>(self) -> Self::Out {
        let record = G::read_record(&self.text)?;
        let last = record.moves.len();
        let ply = self.ply.unwrap_or(last);
        let Some(moves) = record.moves.get(..ply) else {
            return Err(no_such_ply("the record", ply, last));
        };
        let mut game = record.start(|_| {});
        let (mut entries, now) = (Vec::new(), time::now());
        for m in moves {
            let seat = match game.turn() {
                Turn::Player(player) => Some(player.index() as i64),
                Turn::Chance | Turn::Over => None,
            };
            game.play(*m, |_| {}).map_err(|illegal| {
                Refusal::IllegalMove(format!("ply {}: {illegal}", entries.len() + 1))
            })?;
            entries.push(SavedEntry {
                ply: entries.len() as i64 + 1,
                seat,
                kind: if seat.is_some() { "move" } else { "draw" }.to_owned(),
                body: m.to_string(),
                // No clock runs before the game begins.
                clocks: "[]".to_owned(),
                at: now,
            });
        }
        if game.turn() == Turn::Over {
            return Err(Refusal::Bad(format!(
                "after ply {ply} the game is over: play on from an earlier one"
            )));
        }
        if !can_go_on(&game) {
            return Err(Refusal::Bad(
                "no tile that is left can be placed in this position: the game would be over at once"
                    .to_owned(),
            ));
        }
        Ok(Given {
            game: G::NAME.to_owned(),
            setup: record.setup.to_string(),
            laid: record.laid().map(str::to_owned),
            options: G::options(&record.setup),
            players: game.players(),
            entries,
        })
    }
}
