//! A game in progress, and the rules of a turn.

use crate::board::{Board, Neighbour, Placed};
use crate::edition::{AllSets, Array, Base, Edition};
use crate::event::{Event, FeatureId};
use crate::features::Features;
use crate::figure::Figure;
use crate::geometry::{Cell, Rotation};
use crate::goods::Goods;
use crate::meeples::Meeples;
use crate::monasteries::{Monasteries, Monastery};
use crate::moves::{Move, MoveKind};
use crate::river::Mouth;
use crate::segment::Segment;
use crate::sets::Sets;
use crate::setup::{Options, Setup, Start};
use crate::tables::{CITY, KIND, KindTable, ROAD, ROTATIONS};
use crate::tile::{Terrain, Tile};
use game::{ByPlayer, Game, Player, Random, Turn, ignore};

/// A game of Carcassonne in progress. Copying it is one `memcpy`: it holds no heap.
pub struct Position<E: Edition> {
    pub(crate) board: Board<E>,
    pub(crate) features: Features<E>,
    pub(crate) meeples: Meeples<E>,
    pub(crate) monasteries: Monasteries<E>,
    pub(crate) scores: [i16; Setup::MAX_PLAYERS],
    /// How many tiles of each kind are still to be drawn.
    pub(crate) bag: E::PerKind<u8>,
    pub(crate) bag_size: u8,
    /// The tile drawn last; it is in the player's hand while the phase is `Place`.
    pub(crate) drawn: Tile,
    pub(crate) stage: Stage,
    pub(crate) player: Player,
    pub(crate) setup: E::Setup,
    /// The tokens of each player.
    pub(crate) goods: [Goods; Setup::MAX_PLAYERS],
    pub(crate) part: Part,
    /// How many river tiles are still to be drawn.
    pub(crate) river_left: u8,
    pub(crate) mouth: Option<Mouth>,
    /// How many tiles lay before anybody placed one.
    pub(crate) lay_before: u8,
}

impl<E: Edition> Clone for Position<E> {
    #[inline]
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

/// A game of the base game in progress.
pub type Carcassonne = Position<Base>;

/// A game with any of the sets in progress.
pub type Expanded = Position<AllSets>;

const _: () = assert!(size_of::<Carcassonne>() <= 10 * 1024);
const _: () = assert!(size_of::<Expanded>() <= 24 * 1024);

/// What is to be decided next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Draw,
    Place,
    Meeple,
    Over,
}

/// How far a turn that a builder may double has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    First,
    /// The first part, which extended the player's builder's feature.
    Doubled,
    Second,
}

impl<E: Edition> Game for Position<E> {
    const NAME: &'static str = "carcassonne";
    type Setup = E::Setup;
    type Move = Move;
    type Event = Event;

    fn start(setup: &E::Setup, mut emit: impl FnMut(Event)) -> Self {
        let (rules, bag) = (setup.rules(), full_bag::<E>(setup));
        let mut game = Self {
            board: Board::new(rules.board()),
            features: Features::new(),
            meeples: Meeples::new(setup),
            monasteries: Monasteries::new(),
            scores: [0; Setup::MAX_PLAYERS],
            bag,
            bag_size: bag.as_ref().iter().sum(),
            drawn: Tile::START,
            stage: Stage::Draw,
            player: Player::new(0),
            setup: *setup,
            goods: [Goods::default(); Setup::MAX_PLAYERS],
            part: Part::First,
            river_left: 0,
            mouth: None,
            lay_before: 0,
        };
        let river = Self::kinds().filter(|tile| tile.is_river()).map(|tile| bag[tile.index()]);
        game.river_left = river.sum();
        emit(Event::GameStarted { players: rules.players() as u8 });
        if let Some(tile) = start_tile(setup) {
            game.take_from_bag(tile);
            game.put(tile, Cell::ORIGIN, Rotation::default(), ignore);
            game.lay_before = 1;
            emit(Event::StartingTilePlaced { tile });
        }
        game
    }

    #[inline]
    fn players(&self) -> usize {
        self.setup.rules().players()
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
        // Comparisons: a `match` over the four stages becomes a table of jumps, whose target is
        // mispredicted as the stages take turns. A game ends with an empty bag.
        if self.stage == Stage::Place {
            if E::EXPANDED && self.mouth.is_some() {
                for (cell, constraint) in self.board.frontier() {
                    let rotations = self.rotations(self.drawn, cell, constraint);
                    let rotations = &ROTATIONS[rotations as usize & 15];
                    out.extend(&Move::place_turned(cell, rotations)[..rotations.count]);
                }
            } else {
                self.board.list_fits(self.drawn, out);
            }
        } else if self.stage == Stage::Meeple {
            self.for_each_choice(|m| out.push(m));
        } else {
            let left = |tile: &Tile| self.drawable(*tile) > 0;
            out.extend(Self::kinds().filter(left).map(Move::draw));
        }
    }

    #[inline]
    fn odds(&self, outcome: Move) -> u32 {
        match outcome.kind() {
            MoveKind::Draw(tile) if self.stage == Stage::Draw => self.drawable(tile).into(),
            _ => 0,
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move, mut emit: impl FnMut(Event)) {
        match m.kind() {
            MoveKind::Draw(tile) => self.draw(tile, emit),
            MoveKind::Place { cell, rotation } => {
                let (player, tile) = (self.player, self.drawn);
                emit(Event::TilePlaced { player, tile, cell, rotation });
                self.put(tile, cell, rotation, emit);
                self.stage = Stage::Meeple;
            }
            MoveKind::Meeple(segment) => {
                self.put_figure(Figure::Meeple, segment, &mut emit);
                self.end_turn(emit);
            }
            MoveKind::Figure(figure, segment) if E::EXPANDED => {
                self.put_figure(figure, segment, &mut emit);
                self.end_turn(emit);
            }
            MoveKind::Recall if E::EXPANDED => {
                self.recall(&mut emit);
                self.end_turn(emit);
            }
            // The base game has neither, and as few cases as are compared instead of jumping by
            // a table.
            MoveKind::Pass | MoveKind::Figure(..) | MoveKind::Recall => {
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

    /// The lines of a [`Layout`](crate::Layout), with `|` between them.
    fn lay(setup: &E::Setup, text: &str) -> Result<Self, String> {
        crate::Layout::from_one_line(text)
            .and_then(|layout| Self::laid(setup, &layout))
            .map_err(|error| error.to_string())
    }

    fn is_legal(&self, m: Move) -> bool {
        match (self.stage, m.kind()) {
            (Stage::Draw, MoveKind::Draw(tile)) => self.drawable(tile) > 0,
            (Stage::Place, MoveKind::Place { cell, rotation }) => {
                self.fits(self.drawn, cell, rotation)
            }
            (Stage::Meeple, _) => {
                let mut found = false;
                self.for_each_choice(|choice| found |= choice == m);
                found
            }
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
        let mut at = random.below(self.top_size().into()) as u8;
        Self::kinds()
            .find(|tile| {
                let left = self.drawable(*tile);
                let here = at < left;
                at = at.wrapping_sub(left);
                here
            })
            .map(Move::draw)
    }
}

/// All tiles of a game, by kind.
pub(crate) fn full_bag<E: Edition>(setup: &E::Setup) -> E::PerKind<u8> {
    let mut bag = E::PerKind::filled(0);
    for tile in Position::<E>::kinds().filter(|tile| setup.sets().contains(tile.set())) {
        bag[tile.index()] = tile.printed().count;
        if tile.set() == Sets::GARDENS {
            // It lies in the place of one without a garden.
            let plain = Tile::all().find(|plain| plain.letter() == tile.letter());
            bag[plain.map_or(0, Tile::index)] -= tile.printed().count;
        }
    }
    bag
}

/// The tile that lies before the first move.
pub(crate) fn start_tile(setup: &impl Options) -> Option<Tile> {
    match setup.rules().start {
        Start::Empty => None,
        Start::Tile if setup.sets().contains(Sets::RIVER) => Some(Tile::SPRING),
        Start::Tile => Some(Tile::START),
    }
}

impl<E: Edition> Position<E> {
    /// The kinds of tiles that a game may have.
    pub fn kinds() -> impl Iterator<Item = Tile> {
        (0..E::KINDS).filter_map(Tile::of_any_set)
    }

    /// Whether the tile may lie on the cell, turned so: the cell touches a tile (or is the first
    /// one's), every shared edge is alike, and a river goes on without turning back.
    #[must_use]
    pub fn fits(&self, tile: Tile, cell: Cell, rotation: Rotation) -> bool {
        self.board.constraint(cell).is_some_and(|constraint| {
            self.rotations(tile, cell, constraint) >> rotation.quarters() & 1 == 1
        })
    }

    /// How many tiles of the kind may be drawn now.
    #[inline]
    fn drawable(&self, tile: Tile) -> u8 {
        match self.bag.as_ref().get(tile.index()) {
            Some(left) if !E::EXPANDED || self.is_on_top(tile) => *left,
            _ => 0,
        }
    }

    pub(crate) fn take_from_bag(&mut self, tile: Tile) {
        self.bag[tile.index()] -= 1;
        self.bag_size -= 1;
        if E::EXPANDED && tile.is_river() {
            self.river_left -= 1;
        }
    }

    #[inline]
    fn fits_somewhere(&self, tile: Tile) -> bool {
        if E::EXPANDED && self.mouth.is_some() {
            let mut frontier = self.board.frontier();
            return frontier.any(|(cell, around)| self.rotations(tile, cell, around) != 0);
        }
        self.board.fits_somewhere(tile)
    }

    #[inline]
    fn draw(&mut self, tile: Tile, mut emit: impl FnMut(Event)) {
        self.take_from_bag(tile);
        let (player, remaining) = (self.player, self.bag_size);
        if self.fits_somewhere(tile) {
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
    pub(crate) fn put(
        &mut self,
        tile: Tile,
        cell: Cell,
        rotation: Rotation,
        mut emit: impl FnMut(Event),
    ) {
        let first = self.features.next_segment();
        let neighbours = self.board.place(tile, cell, rotation, first);
        self.features.add_tile(&KIND[tile.index()]);
        for neighbour in neighbours.into_iter().flatten() {
            self.join_along_edge(first, neighbour, &mut emit);
        }
        self.monasteries.tile_placed(cell);
        if E::EXPANDED {
            if tile.is_river() {
                self.flow_on(tile, cell, rotation);
            }
            self.extend_builder(tile, first);
        }
    }

    /// Notes that the tile just laid extends the player's builder's feature.
    fn extend_builder(&mut self, tile: Tile, first: u16) {
        let builds = |place| {
            let feature = self.features.find(first + u16::from(place));
            self.features.marks(feature).builders().contains(self.player)
        };
        if self.part == Part::First && (0..KIND[tile.index()].scoring).any(builds) {
            self.part = Part::Doubled;
        }
    }

    #[inline]
    fn join_along_edge(
        &mut self,
        first: u16,
        beside: Neighbour<E::Number>,
        mut emit: impl FnMut(Event),
    ) {
        let Neighbour { side, placed } = beside;
        let ours = self.board.last().expect("a tile was just placed").oriented();
        let ours = ours.sides[side as usize];
        let theirs = placed.oriented().sides[side.opposite() as usize];
        let base = placed.first_segment();
        let [ours_left, ours_middle, ours_right] =
            [ours.left, ours.middle, ours.right].map(|place| first + u16::from(place));
        let [their_left, their_middle, their_right] =
            [theirs.left, theirs.middle, theirs.right].map(|place| base + u16::from(place));
        let mut tell = |terrain, merged: Option<(FeatureId, FeatureId)>| {
            if let Some((kept, gone)) = merged {
                emit(Event::FeatureMerged { terrain, kept, gone });
            }
        };
        match ours.code {
            CITY => {
                let merged = self.features.join(ours_middle, their_middle);
                tell(Terrain::City, merged);
                return;
            }
            ROAD => {
                let merged = self.features.join(ours_middle, their_middle);
                tell(Terrain::Road, merged);
                let merged = self.features.join_fields(ours_right, their_left);
                tell(Terrain::Field, merged);
            }
            // A river has a bank on each side.
            0 if E::EXPANDED => {
                let merged = self.features.join_fields(ours_right, their_left);
                tell(Terrain::Field, merged);
            }
            _ => {}
        }
        // Our left half meets the neighbour's right half; without a road that is the whole edge.
        tell(Terrain::Field, self.features.join_fields(ours_left, their_right));
    }

    /// The kind of the last tile, and the number of its first segment.
    #[inline]
    pub(crate) fn last_kind(&self) -> (&'static KindTable, u16) {
        let first = self.board.last().map_or(0, Placed::first_segment);
        (&KIND[self.drawn.index()], first)
    }

    #[inline]
    pub(crate) fn put_figure(
        &mut self,
        figure: Figure,
        segment: Segment,
        mut emit: impl FnMut(Event),
    ) {
        let (kind, first) = self.last_kind();
        let place = kind.names.iter().position(|name| *name == segment).unwrap_or(0) as u8;
        let at = first + u16::from(place);
        let feature = self.features.find(at);
        let player = self.player;
        match figure {
            Figure::Meeple | Figure::Abbot => self.features.add_meeple(feature, player, 1),
            Figure::Big => self.features.add_meeple(feature, player, 2),
            Figure::Builder => {
                self.features.set_marks(feature, self.features.marks(feature).with_builder(player));
            }
            Figure::Pig => self.features.add_pig(feature, player),
        }
        let tile = self.board.tiles().len() - 1;
        let cell = self.board.tiles()[tile].cell;
        let meeple = self.meeples.put(player, figure, tile as u8, at);
        if place == kind.monastery {
            let neighbours = self.board.neighbours(cell);
            let terrain = segment.terrain();
            self.monasteries.claim(Monastery { cell, feature, terrain, neighbours });
        }
        emit(Event::MeeplePlaced { player, meeple, cell, segment, feature });
    }

    /// Scores what the turn finished and passes it on.
    #[inline]
    fn end_turn(&mut self, mut emit: impl FnMut(Event)) {
        self.score_finished(&mut emit);
        if E::EXPANDED && self.part == Part::Doubled && self.bag_size > 0 {
            self.part = Part::Second;
            emit(Event::TurnDoubled { player: self.player });
        } else {
            self.part = Part::First;
            self.player = self.player.next(self.players());
        }
        if self.bag_size == 0 {
            self.finish(emit);
        } else {
            self.stage = Stage::Draw;
        }
    }
}
