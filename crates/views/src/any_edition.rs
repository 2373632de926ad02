//! A game of Carcassonne by the edition that its setup needs: one type for the tables, which are
//! compiled for each type of game. The rules and the bots keep their two types, small and fast.

use carcassonne::{
    Carcassonne, Event, Expanded, ExpandedSetup, Layout, LayoutError, Move, MoveKind, Options,
    Phase, PlacedTile, Start,
};
use game::{ByPlayer, Game, Random, Turn};

/// A game of Carcassonne in progress, with sets or without.
#[derive(Clone)]
pub enum AnyCarcassonne {
    /// The base game.
    Base(Box<Carcassonne>),
    /// With any of the sets.
    Expanded(Box<WithPlacers>),
}

/// A game with sets. A builder doubles turns, so that a tile's number does not tell who placed it.
#[derive(Clone)]
pub struct WithPlacers {
    position: Expanded,
    /// The seats that placed the tiles on the board, in order; the first is nobody's if it lay there.
    placers: [u8; MOST_TILES],
}

/// The most tiles that can lie.
const MOST_TILES: usize = <carcassonne::AllSets as carcassonne::Edition>::TILES;

/// Does the same with a position of either edition.
#[macro_export]
macro_rules! either {
    ($game:expr, $position:ident => $what:expr) => {
        match $game {
            $crate::AnyCarcassonne::Base($position) => $what,
            $crate::AnyCarcassonne::Expanded(with_sets) => {
                let $position = with_sets.position();
                $what
            }
        }
    };
}

impl WithPlacers {
    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Expanded {
        &self.position
    }
}

impl AnyCarcassonne {
    /// The seat that placed a tile, by its turn from 1: everybody places one in a turn, or with sets
    /// in each part of a turn. Of the tiles of a position laid by hand it says nothing that is known.
    pub fn placer(&self, turn: usize) -> usize {
        match self {
            Self::Base(game) => {
                let before = usize::from(game.setup().start == Start::Tile);
                let placed = game.tiles().len() - before;
                // The tile that the player to move has placed, or will.
                let own = placed + usize::from(game.phase() != Phase::PlaceMeeple);
                let players = game.players();
                (game.player().index() + players * own + turn - own) % players
            }
            Self::Expanded(game) => {
                let before = usize::from(game.position.setup().rules().start == Start::Tile);
                game.placers[turn - 1 + before].into()
            }
        }
    }

    /// The position that was laid by hand; of its tiles nobody is known to have placed them.
    ///
    /// # Errors
    /// As [`Position::laid`](carcassonne::Position::laid).
    pub fn laid(setup: &ExpandedSetup, layout: &Layout) -> Result<Self, LayoutError> {
        if setup.sets().is_empty() {
            return Ok(Self::Base(Box::new(Carcassonne::laid(setup.rules(), layout)?)));
        }
        let position = Expanded::laid(setup, layout)?;
        Ok(Self::Expanded(Box::new(WithPlacers { position, placers: [0; MOST_TILES] })))
    }

    /// The tiles that lie, in order.
    pub fn tiles(&self) -> Vec<PlacedTile> {
        either!(self, game => game.tiles().collect())
    }
}

impl Game for AnyCarcassonne {
    const NAME: &'static str = Carcassonne::NAME;
    type Setup = ExpandedSetup;
    type Move = Move;
    type Event = Event;

    fn start(setup: &ExpandedSetup, emit: impl FnMut(Event)) -> Self {
        if setup.sets().is_empty() {
            return Self::Base(Box::new(Carcassonne::start(setup.rules(), emit)));
        }
        let position = Expanded::start(setup, emit);
        Self::Expanded(Box::new(WithPlacers { position, placers: [0; MOST_TILES] }))
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
        match self {
            Self::Base(game) => game.play_unchecked(m, emit),
            Self::Expanded(game) => {
                if matches!(m.kind(), MoveKind::Place { .. }) {
                    game.placers[game.position.tiles().len()] =
                        game.position.player().index() as u8;
                }
                game.position.play_unchecked(m, emit);
            }
        }
    }

    fn scores(&self) -> ByPlayer<i32> {
        either!(self, game => game.scores())
    }

    fn lay(setup: &ExpandedSetup, text: &str) -> Result<Self, String> {
        Layout::from_one_line(text)
            .and_then(|layout| Self::laid(setup, &layout))
            .map_err(|error| error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_of_games_hold_for_both_editions() {
        let setups = ["", "players=3", "sets=inns", "players=4 sets=inns,traders,river,gardens"];
        game::laws::check::<AnyCarcassonne>(&setups.map(|text| text.parse().unwrap()), 2, 5);
    }

    #[test]
    fn who_placed_a_tile_is_known_when_a_builder_doubled_turns() {
        let setup = "players=3 sets=traders,river".parse().unwrap();
        let mut random = Random::new(3);
        let (mut seats, mut doubled) = (Vec::new(), false);
        let mut game = AnyCarcassonne::new(&setup);
        let mut moves = Vec::new();
        while game.turn() != Turn::Over {
            game.moves(&mut moves);
            // Builders are put down wherever they can be, so that turns are doubled.
            let builder = moves.iter().find(|m| m.to_string().starts_with("builder"));
            let m = builder.or_else(|| random.pick(&moves)).copied().unwrap();
            let m = game.sample_outcome(&mut random).unwrap_or(m);
            if let (MoveKind::Place { .. }, Turn::Player(player)) = (m.kind(), game.turn()) {
                doubled |= seats.last() == Some(&player.index());
                seats.push(player.index());
            }
            game.play(m, |_| {}).unwrap();
        }
        assert!(doubled, "no builder gave a second part");
        let told: Vec<usize> = (1..=seats.len()).map(|turn| game.placer(turn)).collect();
        assert_eq!(told, seats);
        let base = AnyCarcassonne::new(&"players=3".parse().unwrap());
        assert_eq!([1, 2, 3, 4].map(|turn| base.placer(turn)), [0, 1, 2, 0]);
    }

    #[test]
    fn a_setup_without_sets_is_the_base_game() {
        let is_base = |text: &str| {
            matches!(AnyCarcassonne::new(&text.parse().unwrap()), AnyCarcassonne::Base(_))
        };
        assert!(is_base("players=2") && !is_base("players=2 sets=river"));
    }
}
