//! Carcassonne as the server hosts it.

mod action;
mod any_agent;
mod bot_view;
mod catalogue;
mod observation;
mod options;
mod roster;

pub use catalogue::sets_info;
pub use views::AnyCarcassonne;
pub use views::sets::names as set_names;

use super::{
    ActionError, BoardPiece, BotError, Hosted, Observation, ObservationError, OptionsError,
    RecordError,
};
use crate::wire::{Breakdown, CarcassonneView, GameType, LegalMove};
use bots::levels::Level;
use bots::review::{self, Attempt, AttemptError, Depth, Review, ReviewError, Step};
use carcassonne::{
    Carcassonne, Event, Expanded, ExpandedSetup, Move, MoveKind, Options, Phase, PlacedTile,
    Position, Sets, Setup, Tile,
};
use drawing::{Frame, Scene};
use game::{Game, Player, Random, Record};
use search::{Agent, Stop};
use serde_json::Value;
pub use views::Tally;
use views::{either, events};

impl Hosted for AnyCarcassonne {
    type Tally = Tally;
    type View = CarcassonneView;

    fn describe() -> GameType {
        GameType {
            id: Self::NAME.to_owned(),
            display_name: "Carcassonne".to_owned(),
            description: "Lay tiles into a growing landscape, claim its cities, roads, \
                          monasteries and fields with meeples, and count points."
                .to_owned(),
            min_players: Setup::MIN_PLAYERS,
            max_players: Setup::MAX_PLAYERS,
            options: options::schema(),
            bots: roster::bots(),
            strongest: "best".to_owned(),
            tiles: Some(serde_json::json!(catalogue::tiles())),
        }
    }

    fn setup(options: &Value, players: usize) -> Result<ExpandedSetup, OptionsError> {
        options::read(options, players)
    }

    fn options(setup: &ExpandedSetup) -> Value {
        options::write(setup)
    }

    fn bag(&self) -> Vec<Move> {
        fn outcomes<E: carcassonne::Edition>(game: &Position<E>) -> Vec<Move> {
            let left = game.bag().as_ref();
            let of = |tile: Tile| std::iter::repeat_n(Move::draw(tile), left[tile.index()].into());
            Position::<E>::kinds().flat_map(of).collect()
        }
        either!(self, game => outcomes(game))
    }

    fn deck_part(outcome: Move) -> u8 {
        match outcome.kind() {
            MoveKind::Draw(Tile::LAKE) => 1,
            MoveKind::Draw(tile) if tile.set() == Sets::RIVER => 0,
            _ => 2,
        }
    }

    fn phase(&self) -> String {
        either!(self, game => game.phase()).name().to_owned()
    }

    fn count(tally: &mut Tally, event: &Event) {
        views::count(tally, event);
    }

    fn breakdown(&self, tally: &Tally) -> Vec<Breakdown> {
        tally[..self.players()].to_vec()
    }

    fn view(&self, tally: &Tally) -> CarcassonneView {
        views::view(self, tally)
    }

    fn bot_view(&self, seat: Player) -> Value {
        serde_json::json!(bot_view::bot_view(self, seat))
    }

    fn observation(
        &self,
        setup: &ExpandedSetup,
        seat: Player,
        version: Option<u32>,
        names: &[String],
    ) -> Result<Observation, ObservationError> {
        observation::observe(self, setup, seat, version, names)
    }

    fn event(&self, event: &Event) -> Value {
        either!(self, game => events::event(game, event))
    }

    fn landmarks(&self) -> Vec<BoardPiece> {
        self.tiles()
            .into_iter()
            .map(|PlacedTile { tile, cell, rotation, .. }| {
                let turns = tile.distinct_rotations();
                BoardPiece {
                    x: i16::from(cell.x),
                    y: i16::from(cell.y),
                    kind: tile.index() as u8,
                    turn: rotation.quarters() % turns,
                    turns,
                }
            })
            .collect()
    }

    fn legal_turns(&self) -> Vec<LegalMove> {
        either!(self, game => views::legal_turns(game))
    }

    fn read_action(&self, action: &Value) -> Result<Vec<Move>, ActionError> {
        either!(self, game => action::read(game, action))
    }

    fn timeout_moves(&self, random: u64) -> Vec<Move> {
        let mut moves = Vec::new();
        match either!(self, game => game.phase()) {
            Phase::PlaceTile => {
                self.moves(&mut moves);
                let place = Random::new(random).pick(&moves).copied();
                place.into_iter().chain([Move::PASS]).collect()
            }
            Phase::PlaceMeeple => vec![Move::PASS],
            _ => Vec::new(),
        }
    }

    fn scenes(positions: &[Self]) -> Vec<Scene> {
        let Some(last) = positions.last() else { return Vec::new() };
        let frame = either!(last, game => Frame::close(game));
        let scene = |position: &Self| either!(position, game => drawing::board(game, frame));
        positions.iter().map(scene).collect()
    }

    fn check_bot(name: &str, _: &ExpandedSetup) -> Result<(), BotError> {
        roster::check(name)
    }

    fn bot(name: &str, setup: &ExpandedSetup) -> Result<Box<dyn Agent<Self>>, BotError> {
        roster::bot(name, setup)
    }

    fn rated_nodes(name: &str, setup: &ExpandedSetup) -> Option<u64> {
        let level = Level::named(name).filter(|_| setup.sets().is_empty());
        level.map(|level| level.rated_nodes)
    }

    fn review(
        record: &Record<Self>,
        depth: Depth,
        stop: &Stop,
        each: &mut dyn FnMut(&Step, usize, usize),
    ) -> Option<Result<Review, ReviewError>> {
        Some(match by_edition(record) {
            Ok(base) => review::review(&base, depth, stop, each),
            Err(expanded) => review::review(&expanded, depth, stop, each),
        })
    }

    fn compare_turns(
        record: &Record<Self>,
        plies: usize,
        turns: [&[Move]; 2],
        depth: Depth,
        stop: &Stop,
    ) -> Option<Result<Attempt, AttemptError>> {
        Some(match by_edition(record) {
            Ok(base) => review::compare_turn(&base, plies, turns, depth, stop),
            Err(expanded) => review::compare_turn(&expanded, plies, turns, depth, stop),
        })
    }

    fn read_record(text: &str) -> Result<Record<Self>, RecordError> {
        let read = carcassonne::interpret_any(text, &ExpandedSetup::default());
        let read = read.map_err(|error| RecordError::Unreadable(error.to_string()))?;
        let record = read.into_record();
        let setup = record.setup;
        Ok(record.retyped(setup))
    }
}

/// The turn after so many plies of a game that looks best at first sight and is none of these; `None` if there
/// is no other.
///
/// # Errors
/// If the game does not replay, or nobody is to move there.
pub fn tempting_turn(
    record: &Record<AnyCarcassonne>,
    plies: usize,
    but: &[Vec<Move>],
) -> Result<Option<Vec<Move>>, AttemptError> {
    match by_edition(record) {
        Ok(base) => review::tempting_turn(&base, plies, but),
        Err(expanded) => review::tempting_turn(&expanded, plies, but),
    }
}

/// A record as one of the base game, or else of the game with sets.
fn by_edition(record: &Record<AnyCarcassonne>) -> Result<Record<Carcassonne>, Record<Expanded>> {
    let (record, setup) = (record.clone(), record.setup);
    match setup.sets().is_empty() {
        true => Ok(record.retyped(*setup.rules())),
        false => Err(record.retyped(setup)),
    }
}

#[cfg(test)]
mod tests;
