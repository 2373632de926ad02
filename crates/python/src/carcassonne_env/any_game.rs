//! A game of Carcassonne by the edition that its setup needs: one type for states and bots. Batches
//! are compiled for each edition instead.

use bots::BotError;
use bots::roster::{self, BotSpec, BoxedAgent};
use carcassonne::{
    AllSets, Base, Carcassonne, Edition, Event, Expanded, ExpandedSetup, Move, Options, Position,
    Tile,
};
use game::{ByPlayer, Game, Player, Random, Turn};
use search::{Agent, Limits, Report, Stop};

/// A game of Carcassonne in progress, with sets or without.
#[derive(Clone)]
pub(crate) enum AnyGame {
    Base(Box<Carcassonne>),
    Expanded(Box<Expanded>),
}

/// Does the same with a position of either edition.
macro_rules! either {
    ($game:expr, $position:ident => $what:expr) => {
        match $game {
            $crate::carcassonne_env::AnyGame::Base($position) => $what,
            $crate::carcassonne_env::AnyGame::Expanded($position) => $what,
        }
    };
}
pub(crate) use either;

/// Does the same with the game of a state and what writes the numbers of its version.
macro_rules! observed {
    ($state:expr, $game:ident, $tensors:ident => $what:expr) => {
        match (&$state.game, $state.numbering.version()) {
            ($crate::carcassonne_env::AnyGame::Base($game), carcassonne::tensor::Version::V1) => {
                let $tensors = &mut carcassonne::tensor::TensorsV1::default();
                $what
            }
            ($crate::carcassonne_env::AnyGame::Base($game), carcassonne::tensor::Version::V2) => {
                let $tensors = &mut carcassonne::tensor::TensorsV2::default();
                $what
            }
            ($crate::carcassonne_env::AnyGame::Expanded($game), _) => {
                let $tensors = &mut carcassonne::tensor::TensorsV2::default();
                $what
            }
        }
    };
}
pub(crate) use observed;

impl From<&Carcassonne> for AnyGame {
    fn from(game: &Carcassonne) -> Self {
        Self::Base(Box::new(game.clone()))
    }
}

impl From<&Expanded> for AnyGame {
    fn from(game: &Expanded) -> Self {
        Self::Expanded(Box::new(game.clone()))
    }
}

/// An edition whose positions can be taken out of [`AnyGame`].
pub(crate) trait OfEdition: Edition {
    /// The position, if it is one of this edition.
    fn position(game: &AnyGame) -> Option<&Position<Self>>;
}

impl OfEdition for Base {
    fn position(game: &AnyGame) -> Option<&Carcassonne> {
        match game {
            AnyGame::Base(game) => Some(game),
            AnyGame::Expanded(_) => None,
        }
    }
}

impl OfEdition for AllSets {
    fn position(game: &AnyGame) -> Option<&Expanded> {
        match game {
            AnyGame::Expanded(game) => Some(game),
            AnyGame::Base(_) => None,
        }
    }
}

impl AnyGame {
    pub(crate) fn setup(&self) -> ExpandedSetup {
        match self {
            Self::Base(game) => (*game.setup()).into(),
            Self::Expanded(game) => *game.setup(),
        }
    }

    /// Who is to move, or for whom the next tile is drawn.
    pub(crate) fn player(&self) -> Player {
        either!(self, game => game.player())
    }

    /// How many tiles of each kind are still to be drawn.
    pub(crate) fn bag(&self) -> &[u8] {
        either!(self, game => game.bag().as_ref())
    }

    /// The kind with this number, if games of this edition may have it.
    pub(crate) fn kind(&self, number: i64) -> Option<Tile> {
        let index = usize::try_from(number).ok().filter(|index| *index < self.bag().len())?;
        Tile::of_any_set(index)
    }
}

impl Game for AnyGame {
    const NAME: &'static str = Carcassonne::NAME;
    type Setup = ExpandedSetup;
    type Move = Move;
    type Event = Event;

    fn start(setup: &ExpandedSetup, emit: impl FnMut(Event)) -> Self {
        match setup.sets().is_empty() {
            true => Self::Base(Box::new(Carcassonne::start(setup.rules(), emit))),
            false => Self::Expanded(Box::new(Expanded::start(setup, emit))),
        }
    }

    fn players(&self) -> usize {
        either!(self, game => game.players())
    }

    fn turn(&self) -> Turn {
        either!(self, game => game.turn())
    }

    fn moves(&self, out: &mut Vec<Move>) {
        either!(self, game => game.moves(out));
    }

    fn odds(&self, outcome: Move) -> u32 {
        either!(self, game => game.odds(outcome))
    }

    fn play_unchecked(&mut self, m: Move, emit: impl FnMut(Event)) {
        either!(self, game => game.play_unchecked(m, emit));
    }

    fn scores(&self) -> ByPlayer<i32> {
        either!(self, game => game.scores())
    }

    fn is_legal(&self, m: Move) -> bool {
        either!(self, game => game.is_legal(m))
    }

    fn why_illegal(&self, m: Move) -> String {
        either!(self, game => game.why_illegal(m))
    }

    fn sample_outcome(&self, random: &mut Random) -> Option<Move> {
        either!(self, game => game.sample_outcome(random))
    }
}

/// A bot for games of one edition.
pub(crate) enum AnyAgent {
    Base(BoxedAgent<Base>),
    Expanded(BoxedAgent<AllSets>),
}

impl AnyAgent {
    pub(crate) fn make(spec: &BotSpec, setup: &ExpandedSetup) -> Result<Self, BotError> {
        match setup.sets().is_empty() {
            true => roster::make::<Base>(spec, setup.rules()).map(Self::Base),
            false => roster::make::<AllSets>(spec, setup).map(Self::Expanded),
        }
    }

    pub(crate) fn new_game(&mut self, setup: &ExpandedSetup, seed: u64) {
        match self {
            Self::Base(agent) => agent.new_game(&Carcassonne::new(setup.rules()), seed),
            Self::Expanded(agent) => agent.new_game(&Expanded::new(setup), seed),
        }
    }

    pub(crate) fn heeds_depth(&self) -> bool {
        match self {
            Self::Base(agent) => agent.heeds_depth(),
            Self::Expanded(agent) => agent.heeds_depth(),
        }
    }

    /// The report on a game; `None` for one of the other edition.
    pub(crate) fn search(
        &mut self,
        game: &AnyGame,
        limits: &Limits,
        stop: &Stop,
    ) -> Option<Report<Move>> {
        match (self, game) {
            (Self::Base(agent), AnyGame::Base(game)) => Some(agent.search(game, limits, stop)),
            (Self::Expanded(agent), AnyGame::Expanded(game)) => {
                Some(agent.search(game, limits, stop))
            }
            _ => None,
        }
    }
}
