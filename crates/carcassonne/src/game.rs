//! A game in progress, and the rules of a turn.

use crate::board::{Board, Neighbour};
use crate::event::{Event, FeatureId};
use crate::features::Features;
use crate::geometry::{Cell, Rotation};
use crate::meeples::Meeples;
use crate::monasteries::Monasteries;
use crate::moves::{Deed, Move};
use crate::segment::Segment;
use crate::setup::{Setup, Start};
use crate::tables::{CITY, FITS, KIND, Kind, ROAD};
use crate::tile::{KINDS, Terrain, Tile};
use game::{ByPlayer, Game, Player, Random, Turn};

/// A game of Carcassonne in progress. Copying it is one `memcpy`: it holds no heap.
#[derive(Clone)]
pub struct Carcassonne {
    pub(crate) board: Board,
    pub(crate) features: Features,
    pub(crate) meeples: Meeples,
    pub(crate) monasteries: Monasteries,
    pub(crate) scores: [i16; Setup::MAX_PLAYERS],
    /// How many tiles of each kind are still to be drawn.
    pub(crate) bag: [u8; KINDS],
    pub(crate) bag_size: u8,
    /// The tile drawn last; it is in the player's hand while the phase is `Place`.
    pub(crate) drawn: Tile,
    pub(crate) stage: Stage,
    pub(crate) player: Player,
    pub(crate) setup: Setup,
}

const _: () = assert!(size_of::<Carcassonne>() <= 10 * 1024);

/// What is to be decided next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Draw,
    Place,
    Meeple,
    Over,
}

impl Game for Carcassonne {
    const NAME: &'static str = "carcassonne";
    type Setup = Setup;
    type Move = Move;
    type Event = Event;

    fn start(setup: &Setup, mut emit: impl FnMut(Event)) -> Self {
        let mut game = Self {
            board: Board::new(setup.board()),
            features: Features::new(),
            meeples: Meeples::new(setup.players()),
            monasteries: Monasteries::new(),
            scores: [0; Setup::MAX_PLAYERS],
            bag: std::array::from_fn(|kind| Tile::new(kind).map_or(0, |tile| tile.printed().count)),
            bag_size: crate::tile::TILES as u8,
            drawn: Tile::START,
            stage: Stage::Draw,
            player: Player::new(0),
            setup: *setup,
        };
        emit(Event::GameStarted { players: setup.players() as u8 });
        if setup.start == Start::Tile {
            game.take_from_bag(Tile::START);
            game.put(Tile::START, Cell::ORIGIN, Rotation::default(), |_| {});
            emit(Event::StartingTilePlaced { tile: Tile::START });
        }
        game
    }

    #[inline]
    fn players(&self) -> usize {
        self.setup.players()
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Draw => Turn::Chance,
            Stage::Place | Stage::Meeple => Turn::Player(self.player),
            Stage::Over => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        match self.stage {
            Stage::Draw => {
                let left = |tile: &Tile| self.bag[tile.index()] > 0;
                out.extend(Tile::all().filter(left).map(Move::draw));
            }
            Stage::Place => self.board.list_fits(self.drawn, out),
            Stage::Meeple => {
                self.for_each_spot(|_, segment, _| out.push(Move::meeple(segment)));
                out.push(Move::PASS);
            }
            Stage::Over => {}
        }
    }

    #[inline]
    fn odds(&self, outcome: Move) -> u32 {
        match outcome.deed() {
            Deed::Draw(tile) if self.stage == Stage::Draw => self.bag[tile.index()] as u32,
            _ => 0,
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move, mut emit: impl FnMut(Event)) {
        match m.deed() {
            Deed::Draw(tile) => self.draw(tile, emit),
            Deed::Place { cell, rotation } => {
                let (player, tile) = (self.player, self.drawn);
                emit(Event::TilePlaced { player, tile, cell, rotation });
                self.put(tile, cell, rotation, emit);
                self.stage = Stage::Meeple;
            }
            Deed::Meeple(segment) => {
                self.put_meeple(segment, &mut emit);
                self.end_turn(emit);
            }
            Deed::Pass => {
                emit(Event::MeepleSkipped { player: self.player });
                self.end_turn(emit);
            }
        }
    }

    fn scores(&self) -> ByPlayer<i32> {
        let mut scores = ByPlayer::new(self.players(), 0);
        for (score, points) in scores.as_mut_slice().iter_mut().zip(self.scores) {
            *score = points.into();
        }
        scores
    }

    fn is_legal(&self, m: Move) -> bool {
        match (self.stage, m.deed()) {
            (Stage::Draw, Deed::Draw(tile)) => self.bag[tile.index()] > 0,
            (Stage::Place, Deed::Place { cell, rotation }) => self.fits(self.drawn, cell, rotation),
            (Stage::Meeple, Deed::Meeple(segment)) => {
                let mut found = false;
                self.for_each_spot(|_, spot, _| found |= spot == segment);
                found
            }
            (Stage::Meeple, Deed::Pass) => true,
            _ => false,
        }
    }

    fn why_illegal(&self, m: Move) -> String {
        crate::refusal::why_illegal(self, m)
    }

    #[inline]
    fn sample_outcome(&self, random: &mut Random) -> Option<Move> {
        if self.stage != Stage::Draw {
            return None;
        }
        let mut at = random.below(self.bag_size.into()) as u8;
        Tile::all()
            .find(|tile| {
                let left = self.bag[tile.index()];
                let here = at < left;
                at = at.wrapping_sub(left);
                here
            })
            .map(Move::draw)
    }
}

impl Carcassonne {
    /// Whether the tile fits on the cell, turned so: the cell touches a tile (or is the first
    /// one's), and every shared edge is alike.
    #[must_use]
    pub fn fits(&self, tile: Tile, cell: Cell, rotation: Rotation) -> bool {
        self.board.constraint(cell).is_some_and(|constraint| {
            FITS[tile.index()][constraint as usize] >> rotation.quarters() & 1 == 1
        })
    }

    fn take_from_bag(&mut self, tile: Tile) {
        self.bag[tile.index()] -= 1;
        self.bag_size -= 1;
    }

    #[inline]
    fn draw(&mut self, tile: Tile, mut emit: impl FnMut(Event)) {
        self.take_from_bag(tile);
        let (player, remaining) = (self.player, self.bag_size);
        if self.board.fits_somewhere(tile) {
            self.drawn = tile;
            self.stage = Stage::Place;
            emit(Event::TileDrawn { player, tile, remaining });
        } else {
            emit(Event::TileDiscarded { player, tile, remaining });
            if remaining == 0 {
                self.finish(emit);
            }
        }
    }

    /// Lays a tile and joins its segments with those around it.
    #[inline]
    fn put(&mut self, tile: Tile, cell: Cell, rotation: Rotation, mut emit: impl FnMut(Event)) {
        let first = self.features.next_segment();
        let neighbours = self.board.place(tile, cell, rotation, first);
        self.features.add_tile(&KIND[tile.index()]);
        for neighbour in neighbours.into_iter().flatten() {
            self.join_along_edge(first, neighbour, &mut emit);
        }
        self.monasteries.tile_placed(cell);
    }

    #[inline]
    fn join_along_edge(&mut self, first: u8, beside: Neighbour, mut emit: impl FnMut(Event)) {
        let Neighbour { side, placed } = beside;
        let ours = self.board.last().expect("a tile was just placed").oriented();
        let ours = ours.sides[side as usize];
        let theirs = placed.oriented().sides[side.opposite() as usize];
        let base = placed.first_segment;
        let mut tell = |terrain, merged: Option<(FeatureId, FeatureId)>| {
            if let Some((kept, gone)) = merged {
                emit(Event::FeatureMerged { terrain, kept, gone });
            }
        };
        match ours.code {
            CITY => {
                let merged = self.features.join(first + ours.middle, base + theirs.middle);
                tell(Terrain::City, merged);
                return;
            }
            ROAD => {
                let merged = self.features.join(first + ours.middle, base + theirs.middle);
                tell(Terrain::Road, merged);
                let merged = self.features.join_fields(first + ours.right, base + theirs.left);
                tell(Terrain::Field, merged);
            }
            _ => {}
        }
        // Our left half meets the neighbour's right half; without a road that is the whole edge.
        tell(Terrain::Field, self.features.join_fields(first + ours.left, base + theirs.right));
    }

    /// Tells `each` the place, name and feature of every segment of the last tile that may be
    /// claimed now.
    #[inline]
    pub(crate) fn for_each_spot(&self, mut each: impl FnMut(u8, Segment, FeatureId)) {
        if self.meeples.supply(self.player) == 0 {
            return;
        }
        let (kind, first) = self.last_kind();
        let fields = if self.setup.farmers { 0 } else { kind.fields };
        for place in 0..kind.segments {
            let feature = self.features.find(first + place);
            if !self.features.record(feature).claimed() && fields >> place & 1 == 0 {
                each(place, kind.names[place as usize & 7], feature);
            }
        }
    }

    /// The kind of the last tile, and the number of its first segment.
    #[inline]
    fn last_kind(&self) -> (&'static Kind, u8) {
        let first = self.board.last().map_or(0, |placed| placed.first_segment);
        (&KIND[self.drawn.index()], first)
    }

    #[inline]
    fn put_meeple(&mut self, segment: Segment, mut emit: impl FnMut(Event)) {
        let (kind, first) = self.last_kind();
        let place = kind.names.iter().position(|name| *name == segment).unwrap_or(0) as u8;
        let feature = self.features.find(first + place);
        let player = self.player;
        self.features.add_meeple(feature, player);
        let tile = self.board.tiles().len() - 1;
        let cell = self.board.tiles()[tile].cell;
        let meeple = self.meeples.put(player, tile as u8, first + place);
        if place == kind.monastery {
            self.monasteries.claim(cell, feature, self.board.neighbours(cell));
        }
        emit(Event::MeeplePlaced { player, meeple, cell, segment, feature });
    }

    /// Scores what the turn finished and passes it on.
    #[inline]
    fn end_turn(&mut self, mut emit: impl FnMut(Event)) {
        self.score_finished(&mut emit);
        self.player = self.player.next(self.players());
        if self.bag_size == 0 {
            self.finish(emit);
        } else {
            self.stage = Stage::Draw;
        }
    }
}
