//! Carcassonne as the server hosts it.

mod action;
mod bot_view;
mod catalogue;
mod legal;
mod options;
mod view;

use super::{ActionError, BotError, Hosted, Landmark, OptionsError, RecordError};
use crate::wire::{BotInfo, Breakdown, CarcassonneView, GameType, LegalMove, RatedOffer, events};
use bots::levels::{LEVELS, Level};
use bots::roster::{self, BotSpec, NAMES};
use carcassonne::{
    Carcassonne, Event, Move, Phase, PlacedTile, Score, Setup, Start, Terrain, Tile,
};
use drawing::{Frame, Scene};
use game::{Game, MAX_PLAYERS, Player, Random, Record};
use search::Agent;
use serde_json::Value;

pub use view::view;

/// Points by seat and by what they were scored for.
pub type Tally = [Breakdown; MAX_PLAYERS];

/// The players of the roster that can sit down beside the levels. The others take parameters
/// that only their makers need.
const BASELINES: [&str; 7] = ["random", "greedy", "heuristic", "net", "mcts", "puct", "best"];

impl Hosted for Carcassonne {
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
            bots: bots(),
            strongest: "best".to_owned(),
            tiles: Some(serde_json::json!(catalogue::tiles())),
        }
    }

    fn setup(options: &Value, players: usize) -> Result<Setup, OptionsError> {
        options::read(options, players)
    }

    fn options(setup: &Setup) -> Value {
        options::write(setup)
    }

    fn bag(setup: &Setup) -> Vec<Move> {
        let laid = |tile: Tile| usize::from(setup.start == Start::Tile && tile == Tile::START);
        Tile::all()
            .flat_map(|tile| {
                let count = usize::from(tile.printed().count) - laid(tile);
                std::iter::repeat_n(Move::draw(tile), count)
            })
            .collect()
    }

    fn phase(&self) -> String {
        Carcassonne::phase(self).name().to_owned()
    }

    fn count(tally: &mut Tally, event: &Event) {
        let (Event::FeatureScored(score) | Event::EndGamePoints(score)) = event else { return };
        let Score { player, terrain, points, .. } = score;
        let seat = &mut tally[player.index()];
        *match terrain {
            Terrain::City => &mut seat.city,
            Terrain::Road => &mut seat.road,
            Terrain::Field => &mut seat.field,
            Terrain::Monastery | Terrain::Garden => &mut seat.monastery,
        } += i32::from(*points);
    }

    fn breakdown(&self, tally: &Tally) -> Vec<Breakdown> {
        tally[..self.players()].to_vec()
    }

    fn view(&self, tally: &Tally) -> CarcassonneView {
        view(self, tally)
    }

    fn bot_view(&self, seat: Player) -> Value {
        serde_json::json!(bot_view::bot_view(self, seat))
    }

    fn event(&self, event: &Event) -> Value {
        events::event(self, event)
    }

    fn landmarks(&self) -> Vec<Landmark> {
        self.tiles()
            .map(|PlacedTile { tile, cell, rotation, .. }| {
                let turns = tile.distinct_rotations();
                Landmark {
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
        legal::legal_turns(self)
    }

    fn read_action(&self, action: &Value) -> Result<Vec<Move>, ActionError> {
        action::read(self, action)
    }

    fn timeout_moves(&self, random: u64) -> Vec<Move> {
        let mut moves = Vec::new();
        match Carcassonne::phase(self) {
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
        let frame = positions.last().map(Frame::close);
        let scene = |position: &Self| frame.map(|frame| drawing::board(position, frame));
        positions.iter().filter_map(scene).collect()
    }

    fn bot(name: &str, setup: &Setup) -> Result<Box<dyn Agent<Self>>, BotError> {
        let known = bots();
        if !known.iter().any(|bot| bot.name == name) {
            let names: Vec<_> = known.into_iter().map(|bot| bot.name).collect();
            let name = game::excerpt(name, 40);
            return Err(BotError::Unknown { name, known: names.join(", ") });
        }
        let spec = BotSpec { name: name.to_owned(), params: Vec::new() };
        roster::make(&spec, setup.players()).map_err(|error| BotError::Unfit(error.to_string()))
    }

    fn rated_nodes(name: &str) -> Option<u64> {
        Level::named(name).map(|level| level.rated_nodes)
    }

    fn read_record(text: &str) -> Result<Record<Self>, RecordError> {
        let read = carcassonne::interpret(text);
        Ok(read.map_err(|error| RecordError::Unreadable(error.to_string()))?.record)
    }
}

/// The levels from the weakest on, then the players they are measured against.
fn bots() -> Vec<BotInfo> {
    let levels = LEVELS.iter().map(|level| BotInfo {
        name: level.name.to_owned(),
        about: level.about.to_owned(),
        engine: false,
        rating: Some(level.rating_two),
        rated: RatedOffer::Offered,
    });
    // What follows a `;` in the roster are parameters, which cannot be given here.
    let about = |text: &str| text.split(';').next().unwrap_or_default().to_owned();
    let baselines = NAMES.iter().filter(|(name, _)| BASELINES.contains(name));
    let engines = baselines.map(|(name, text)| BotInfo {
        name: (*name).to_owned(),
        about: about(text),
        engine: true,
        rating: None,
        rated: RatedOffer::Never,
    });
    levels.chain(engines).collect()
}

#[cfg(test)]
mod tests;
