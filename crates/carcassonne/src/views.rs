//! Looking at a game: board, tiles, meeples, supplies. Nothing here changes it.
//!
//! What costs nothing is an iterator or a number; features are in `feature_view`, phases in
//! `phase`, final scores as they stand in [`Carcassonne::projected_scores`].

use crate::board::Placed;
use crate::edition::{Edition, Number};
use crate::event::FeatureId;
use crate::figure::Figure;
use crate::game::{Part, Position, Stage, full_bag};
use crate::geometry::{Cell, Rotation};
use crate::goods::Goods;
use crate::segment::Segment;
use crate::setup::Options;
use crate::tables::{FITTING_KINDS, KIND};
use crate::tile::Tile;
use game::{ByPlayer, Player};

/// A tile on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlacedTile {
    /// Its kind.
    pub tile: Tile,
    /// Where it lies.
    pub cell: Cell,
    /// How it is turned.
    pub rotation: Rotation,
}

impl<N: Number> From<Placed<N>> for PlacedTile {
    fn from(placed: Placed<N>) -> Self {
        Self { tile: placed.tile(), cell: placed.cell, rotation: placed.rotation() }
    }
}

/// A meeple on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlacedMeeple {
    /// Whose it is.
    pub player: Player,
    /// Which of the player's figures: meeples from 0, then the others
    /// ([`Figure::of_number`]).
    pub number: u8,
    /// On which tile it stands.
    pub cell: Cell,
    /// On which of the tile's segments.
    pub segment: Segment,
    /// Which feature that belongs to.
    pub feature: FeatureId,
}

impl PlacedMeeple {
    /// What kind of figure it is.
    #[must_use]
    pub const fn figure(&self) -> Figure {
        Figure::of_number(self.number)
    }
}

impl<E: Edition> Position<E> {
    /// What was settled before the first move.
    #[must_use]
    pub const fn setup(&self) -> &E::Setup {
        &self.setup
    }

    /// Who is to move, or for whom the next tile is drawn; after the game, who would be next.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The tiles on the board in the order they were placed, the start tile first.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = PlacedTile> + '_ {
        self.board.tiles().iter().map(|placed| PlacedTile::from(*placed))
    }

    /// The tile on a cell.
    #[must_use]
    pub fn tile_at(&self, cell: Cell) -> Option<PlacedTile> {
        self.board.tile_at(cell).map(|number| self.board.tiles()[number].into())
    }

    /// The tile that a player placed last; `None` while only the start tile lies, or what was laid by hand.
    #[must_use]
    pub fn last_placed(&self) -> Option<PlacedTile> {
        let placed = self.board.tiles().get(self.lay_before.into()..)?;
        placed.last().map(|placed| PlacedTile::from(*placed))
    }

    /// The empty cells beside a tile (or the first tile's cell), where a tile could go if it
    /// matched. Their order is fixed by the state but means nothing.
    pub fn open_cells(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.board.frontier().map(|(cell, _)| cell)
    }

    /// The tile that the player to move has drawn and must place.
    #[must_use]
    pub fn tile_in_hand(&self) -> Option<Tile> {
        (self.stage == Stage::Place).then_some(self.drawn)
    }

    /// How many tiles of each kind are still to be drawn, by the kind's
    /// [`index`](Tile::index). Only their order is secret.
    #[must_use]
    pub const fn bag(&self) -> &E::PerKind<u8> {
        &self.bag
    }

    /// How many tiles are still to be drawn.
    #[must_use]
    pub const fn tiles_left(&self) -> usize {
        self.bag_size as usize
    }

    /// How many tiles of each kind were set aside because they fitted nowhere: those that are
    /// neither in the bag nor on the board nor in hand.
    #[must_use]
    pub fn discards(&self) -> E::PerKind<u8> {
        let mut gone = full_bag::<E>(&self.setup);
        for (gone, left) in gone.as_mut().iter_mut().zip(self.bag.as_ref()) {
            *gone -= left;
        }
        for tile in self.tiles().map(|placed| placed.tile).chain(self.tile_in_hand()) {
            gone[tile.index()] -= 1;
        }
        gone
    }

    /// The kinds that can still come to the board, a bit for each: in the bag or in hand.
    #[inline]
    fn kinds_to_come(&self) -> u128 {
        let mut kinds = 0;
        for (kind, left) in self.bag.as_ref().iter().enumerate() {
            kinds |= u128::from(*left > 0) << kind;
        }
        let in_hand = u128::from(self.stage == Stage::Place) << self.drawn.index();
        kinds | in_hand
    }

    /// Tells `each` every dead cell: an open cell that no tile in the bag or in hand fits, so
    /// that it stays empty unless what lies around it changes. (It never does for the better:
    /// tiles are not taken away. A dead cell is dead for good.)
    #[inline]
    pub fn for_each_dead_cell(&self, mut each: impl FnMut(Cell)) {
        let kinds = self.kinds_to_come();
        for (cell, constraint) in self.board.frontier() {
            if self.matching_kinds(cell, constraint) & kinds == 0 {
                each(cell);
            }
        }
    }

    /// The kinds whose edges are like those around an open cell, turned somehow: a bit for each.
    #[inline]
    fn matching_kinds(&self, cell: Cell, constraint: u8) -> u128 {
        if E::EXPANDED && self.mouth.is_some_and(|mouth| mouth.cell == cell) {
            let fits = |tile: &Tile| self.matching(*tile, cell, constraint) != 0;
            return Self::kinds().filter(fits).fold(0, |set, tile| set | 1 << tile.index());
        }
        FITTING_KINDS[constraint as usize]
    }

    /// The dead cells; see [`for_each_dead_cell`](Self::for_each_dead_cell).
    #[must_use]
    pub fn dead_cells(&self) -> Vec<Cell> {
        let mut dead = Vec::new();
        self.for_each_dead_cell(|cell| dead.push(cell));
        dead
    }

    /// The kinds among those in the bag or in hand whose edges fit an open cell, turned somehow;
    /// none for any other cell.
    pub fn fitting_kinds(&self, cell: Cell) -> impl Iterator<Item = Tile> + use<E> {
        let fitting = self.board.constraint(cell).map_or(0, |at| self.matching_kinds(cell, at));
        let fitting = fitting & self.kinds_to_come();
        Self::kinds().filter(move |tile| fitting >> tile.index() & 1 == 1)
    }

    /// How many ordinary meeples each player has in hand.
    #[must_use]
    pub fn supply(&self) -> ByPlayer<u8> {
        let players = self.setup.rules().players();
        let mut supply = ByPlayer::new(players, 0);
        for seat in 0..players {
            let player = Player::new(seat);
            supply[player] = self.meeples.supply(player);
        }
        supply
    }

    /// Whether a player has a figure of this kind in hand.
    #[must_use]
    pub fn has_figure(&self, player: Player, figure: Figure) -> bool {
        self.meeples.has(player, figure)
    }

    /// Whether this is the second part of a turn, which a builder gave.
    #[must_use]
    pub fn is_second_part(&self) -> bool {
        self.part == Part::Second
    }

    /// The tokens a player has.
    #[must_use]
    pub const fn goods(&self, player: Player) -> Goods {
        self.goods[player.index()]
    }

    /// The figures on the board, by player and number.
    pub fn meeples(&self) -> impl Iterator<Item = PlacedMeeple> + '_ {
        self.meeples.all().map(|(player, number, at)| {
            let placed = self.board.tiles()[at.tile as usize];
            let place = (at.segment.into() - placed.first_segment()) as usize & 7;
            let segment = KIND[placed.tile().index()].names[place];
            let feature = self.features.find(at.segment.into());
            PlacedMeeple { player, number, cell: placed.cell, segment, feature }
        })
    }

    /// The segments of the last tile where the player to move may put a meeple now, with the
    /// features they belong to; none unless the phase is `place_meeple`.
    #[must_use]
    pub fn spots(&self) -> Vec<(Segment, FeatureId)> {
        let mut spots = Vec::new();
        if self.stage == Stage::Meeple {
            self.for_each_spot(|_, segment, feature| spots.push((segment, feature)));
        }
        spots
    }

    /// The feature that a segment of the tile on a cell belongs to.
    #[must_use]
    pub fn feature_at(&self, cell: Cell, segment: Segment) -> Option<FeatureId> {
        let placed = self.board.tiles()[self.board.tile_at(cell)?];
        let place = segment.index_on(placed.tile())? as u16;
        Some(self.features.find(placed.first_segment() + place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Carcassonne;
    use crate::tile::BASE_KINDS;
    use game::{Game, Record};

    fn after(moves: &str) -> Carcassonne {
        format!("carcassonne\n{moves}").parse::<Record<_>>().unwrap().replay().unwrap()
    }

    #[test]
    fn the_start_tile_lies_but_nobody_placed_it() {
        let game = after("");
        assert_eq!(game.tiles().len(), 1);
        assert_eq!(game.last_placed(), None);
        assert_eq!(game.tile_in_hand(), None);
        assert_eq!(game.tiles_left(), 71);
        let mut open: Vec<_> = game.open_cells().map(|cell| cell.to_string()).collect();
        open.sort();
        assert_eq!(open, ["-1,0", "0,-1", "0,1", "1,0"]);
    }

    #[test]
    fn a_tile_is_in_hand_until_it_lies() {
        let game = after("U");
        assert_eq!(game.tile_in_hand(), Some("U".parse().unwrap()));
        assert_eq!(game.bag()["U".parse::<Tile>().unwrap().index()], 7);
        assert_eq!(game.discards(), [0; BASE_KINDS]);
        assert!(game.spots().is_empty());
        let game = after("U; 1,0 r2");
        let placed = game.last_placed().unwrap();
        assert_eq!((placed.cell, placed.rotation), (Cell::new(1, 0), Rotation::new(2)));
        assert_eq!(game.tile_at(Cell::new(1, 0)), Some(placed));
        assert_eq!(game.tile_in_hand(), None);
        assert_eq!(game.spots().len(), 3);
    }

    #[test]
    fn meeples_stand_with_their_numbers() {
        let game = after("U; 1,0 r0; road0; V; -1,0 r3; field0; U; 2,0 r0; field1");
        let stands: Vec<_> = game
            .meeples()
            .map(|m| format!("{} {} {} {}", m.player, m.number, m.cell, m.segment))
            .collect();
        assert_eq!(stands, ["0 0 1,0 road0", "0 1 2,0 field1", "1 0 -1,0 field0"]);
        assert_eq!(game.supply().as_slice(), [5, 6]);
        for meeple in game.meeples() {
            assert_eq!(game.feature_at(meeple.cell, meeple.segment), Some(meeple.feature));
        }
    }

    #[test]
    fn dead_cells_are_those_that_nothing_left_fits() {
        let mut random = game::Random::new(5);
        let (mut moves, mut seen) = (Vec::new(), 0);
        for setup in ["players=2", "players=3 board=9x9 start=empty"] {
            let mut game = Carcassonne::new(&setup.parse().unwrap());
            loop {
                game.moves(&mut moves);
                let Some(m) = random.pick(&moves).copied() else { break };
                game.play_unchecked(m, |_| {});
                let fits =
                    |tile: Tile, cell| Rotation::ALL.iter().any(|r| game.fits(tile, cell, *r));
                let left = |tile: &Tile| {
                    game.bag()[tile.index()] > 0 || game.tile_in_hand() == Some(*tile)
                };
                let slow: Vec<Cell> = game
                    .open_cells()
                    .filter(|cell| !Tile::all().filter(left).any(|tile| fits(tile, *cell)))
                    .collect();
                assert_eq!(game.dead_cells(), slow);
                for cell in game.open_cells() {
                    assert_eq!(game.fitting_kinds(cell).next().is_none(), slow.contains(&cell));
                }
                seen += slow.len();
                let all: u8 = game.discards().iter().sum();
                let known = game.tiles().len() + game.tiles_left() + usize::from(all);
                assert_eq!(known + usize::from(game.tile_in_hand().is_some()), 72);
            }
        }
        assert!(seen > 0, "some cell dies");
    }
}
