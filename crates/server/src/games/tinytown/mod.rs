//! Tinytown as the server hosts it: a puzzle for one, with the optimum to compare with.

mod action;
mod observation;
mod optimum;
mod options;
mod view;

use super::{
    ActionError, BotError, Hosted, Observation, ObservationError, OptionsError, RecordError,
};
use crate::wire::{BotInfo, Breakdown, GameType, LegalMove, RatedOffer, TinytownView};
use bots::review::{Depth, Review, ReviewError, Step, review_tinytown};
use bots::tinytown_players;
use drawing::Scene;
use game::{Game, Player, Random, Record, Turn};
use search::{Agent, Stop};
use serde_json::Value;
use tinytown::{Action, Event, Setup, Tinytown};

/// The most squares of a grid here: up to there perfect play is known within milliseconds.
pub const MOST_SQUARES: usize = 20;

impl Hosted for Tinytown {
    type Tally = ();
    type View = TinytownView;

    fn describe() -> GameType {
        let bot = |(name, about): &(&str, &str)| BotInfo {
            name: (*name).to_owned(),
            about: (*about).to_owned(),
            engine: false,
            rating: None,
            rated: RatedOffer::Never,
        };
        GameType {
            id: Self::NAME.to_owned(),
            display_name: "Tinytown".to_owned(),
            description: "Fill a small grid with brick and glass, turn patterns into cottages and \
                          greenhouses, and come as near to the best possible town as you can."
                .to_owned(),
            min_players: 1,
            max_players: 1,
            options: options::schema(),
            bots: tinytown_players::NAMES.iter().rev().map(bot).collect(),
            strongest: "optimal".to_owned(),
            tiles: None,
        }
    }

    fn setup(options: &Value, players: usize) -> Result<Setup, OptionsError> {
        options::read(options, players)
    }

    fn options(setup: &Setup) -> Value {
        options::write(*setup)
    }

    fn prepare(setup: &Setup) {
        optimum::of(*setup);
    }

    fn bag(&self) -> Vec<Action> {
        Vec::new()
    }

    fn phase(&self) -> String {
        view::phase(self).to_owned()
    }

    fn count((): &mut (), _event: &Event) {}

    fn breakdown(&self, (): &()) -> Vec<Breakdown> {
        Vec::new()
    }

    fn view(&self, (): &()) -> TinytownView {
        view::view(self)
    }

    fn bot_view(&self, _seat: Player) -> Value {
        view::bot_view(self)
    }

    fn observation(
        &self,
        setup: &Setup,
        _seat: Player,
        version: Option<u32>,
        names: &[String],
    ) -> Result<Observation, ObservationError> {
        observation::observe(self, setup.size, version, names)
    }

    fn event(&self, event: &Event) -> Value {
        view::event(event)
    }

    fn legal_turns(&self) -> Vec<LegalMove> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.iter().map(LegalMove::alone).collect()
    }

    fn read_action(&self, action: &Value) -> Result<Vec<Action>, ActionError> {
        action::read(self.size(), action).map(|action| vec![action])
    }

    fn timeout_moves(&self, random: u64) -> Vec<Action> {
        let mut moves = Vec::new();
        if self.turn() != Turn::Over {
            self.moves(&mut moves);
        }
        Random::new(random).pick(&moves).copied().into_iter().collect()
    }

    fn scenes(positions: &[Self]) -> Vec<Scene> {
        positions.iter().map(drawing::tinytown).collect()
    }

    fn bot(name: &str, setup: &Setup) -> Result<Box<dyn Agent<Self>>, BotError> {
        let made = tinytown_players::make(&game::excerpt(name, 40), *setup);
        made.map_err(|error| BotError::Unfit(error.to_string()))
    }

    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Option<Result<Review, ReviewError>> {
        Some(review_tinytown(record, depth, stop, each))
    }

    fn read_record(text: &str) -> Result<Record<Self>, RecordError> {
        let record = text.parse::<Record<Self>>();
        let record = record.map_err(|error| RecordError::Unreadable(error.to_string()))?;
        options::check(record.setup)?;
        record.replay().map_err(|error| RecordError::Illegal(error.to_string()))?;
        Ok(record)
    }
}

#[cfg(test)]
mod tests;
