//! The games that are played here, and what the server asks of each beside its rules.
//!
//! A new game is an implementation of [`Hosted`] and one more line in the registry.

pub mod carcassonne;
pub mod deck;
mod error;
mod observation;
mod position_fingerprint;
mod registry;
pub mod tinytown;
#[cfg(test)]
pub(crate) mod toy;

pub use error::{ActionError, BotError, OptionsError, RecordError};
pub use observation::{Array, Numbers, Observation, ObservationError};
pub use position_fingerprint::{BoardPiece, SKETCH, are_alike, sketch};
pub use registry::{
    WithGame, check_bot, game_types, knows_bot, read_any_record, read_setup, sets_info, with_game,
};

use crate::wire::{Breakdown, GameType, LegalMove};
use bots::review::{Attempt, AttemptError, Depth, Review, ReviewError, Step};
use drawing::Scene;
use game::{Game, Player, Record};
use search::{Agent, Stop};
use serde::Serialize;
use serde_json::Value;

/// A game as the server hosts it: words, JSON and bots. It adds nothing to the rules.
pub trait Hosted: Game {
    /// What happened, added up by seat: for the score breakdown.
    type Tally: Clone + Default + Send + Sync;

    /// The board as [`Hosted::view`] shows it. It is written with every move to everybody who
    /// watches: a type, and not a tree of JSON values, costs a third.
    type View: Serialize;

    /// What the list of games says of it.
    fn describe() -> GameType;

    /// The setup that options and a number of seats mean.
    ///
    /// # Errors
    /// If an option is unknown or out of range; says what is allowed.
    fn setup(options: &Value, players: usize) -> Result<Self::Setup, OptionsError>;

    /// All options of a setup, defaults included.
    fn options(setup: &Self::Setup) -> Value;

    /// What takes a moment and is needed once before the first view of a setup. Call it on a
    /// blocking thread; a view that finds nothing prepared does it itself.
    fn prepare(setup: &Self::Setup) {
        let _ = setup;
    }

    /// What chance deals out from this position on: every outcome as often as it is there, in a fixed
    /// order. The secret deck is a shuffle of what it is at the beginning. Empty for a game without chance.
    fn bag(&self) -> Vec<Self::Move>;

    /// In which part of the secret deck an outcome lies: all of a lower part are drawn before those
    /// of a higher one. Within a part the order is that of the shuffle.
    fn deck_part(outcome: Self::Move) -> u8 {
        let _ = outcome;
        0
    }

    /// The phase, by the game's names.
    fn phase(&self) -> String;

    /// Adds an event to the tally.
    fn count(tally: &mut Self::Tally, event: &Self::Event);

    /// The tally as points by seat and kind.
    fn breakdown(&self, tally: &Self::Tally) -> Vec<Breakdown>;

    /// What players and spectators see.
    fn view(&self, tally: &Self::Tally) -> Self::View;

    /// What a bot on a seat sees, with its legal actions.
    fn bot_view(&self, seat: Player) -> Value;

    /// The position as numbers for learners, seen from a seat: the arrays that are named, in the version that is
    /// named or the oldest that knows the setup (`docs/tensors.md`).
    ///
    /// # Errors
    /// If the game has no such arrays with this setup; says which there are.
    fn observation(
        &self,
        setup: &Self::Setup,
        seat: Player,
        version: Option<u32>,
        names: &[String],
    ) -> Result<Observation, ObservationError> {
        let _ = (setup, seat, version, names);
        Err(ObservationError::Setup(format!("positions of {} have no numbers", Self::NAME)))
    }

    /// An event that led to this state, as JSON with its name, text and payload.
    fn event(&self, event: &Self::Event) -> Value;

    /// What lies where: by this a game is known again. Nothing for a game that is never rated.
    fn landmarks(&self) -> Vec<BoardPiece> {
        Vec::new()
    }

    /// The whole turns of the player to move: each legal move with what could follow it in the
    /// same turn.
    fn legal_turns(&self) -> Vec<LegalMove>;

    /// The moves that the action form of a request means in this position (`place_tile`,
    /// `place_meeple`, `{"skip": true}`; wrapped in `action` or bare).
    ///
    /// # Errors
    /// If it is none; says what is read.
    fn read_action(&self, action: &Value) -> Result<Vec<Self::Move>, ActionError>;

    /// What the timeout rule plays for the player to move: the whole rest of the turn, chosen
    /// with the 64 random bits given.
    fn timeout_moves(&self, random: u64) -> Vec<Self::Move>;

    /// Pictures of positions of one game, all in the frame of the last one.
    fn scenes(positions: &[Self]) -> Vec<Scene>;

    /// Whether a bot can sit down at a game with this setup.
    ///
    /// # Errors
    /// If not; says which can.
    fn check_bot(name: &str, setup: &Self::Setup) -> Result<(), BotError> {
        let _ = setup;
        let known: Vec<String> = Self::describe().bots.into_iter().map(|bot| bot.name).collect();
        if known.iter().any(|bot| bot == name) {
            return Ok(());
        }
        Err(BotError::Unknown { name: game::excerpt(name, 40), known: known.join(", ") })
    }

    /// A bot by name.
    ///
    /// # Errors
    /// If there is none; says which there are.
    fn bot(name: &str, setup: &Self::Setup) -> Result<Box<dyn Agent<Self>>, BotError>;

    /// The nodes a turn that a bot gets in rated games with this setup: those with which its rating
    /// was measured. None if it plays no such games.
    fn rated_nodes(name: &str, setup: &Self::Setup) -> Option<u64> {
        let _ = (name, setup);
        None
    }

    /// Reviews a game, telling every step as soon as it is known; `None` if games of this kind are not
    /// reviewed.
    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Option<Result<Review, ReviewError>> {
        let _ = (record, depth, stop, each);
        None
    }

    /// What the first of two turns after so many plies of a game is worth more than the second, as
    /// reviews measure it; `None` if games of this kind are not reviewed.
    fn compare_turns(
        record: &Record<Self>,
        plies: usize,
        turns: [&[Self::Move]; 2],
        depth: Depth,
        stop: &Stop,
    ) -> Option<Result<Attempt, AttemptError>> {
        let _ = (record, plies, turns, depth, stop);
        None
    }

    /// A record from text: our notation, or another form that the game reads.
    ///
    /// # Errors
    /// If it is none or does not replay; says where and why.
    fn read_record(text: &str) -> Result<Record<Self>, RecordError>;
}
