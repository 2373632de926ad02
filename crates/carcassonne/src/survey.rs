//! What an evaluation looks at: claimed features, and what lies around every open cell.
//!
//! Everything here is cheap enough to be asked for thousands of positions a second; the richer
//! views for people are made from whole-board walks.

use crate::edition::Edition;
use crate::event::FeatureId;
use crate::feature::PackedFeature;
use crate::figure::Figure;
use crate::game::{Part, Position};
use crate::geometry::{Cell, Side};
use crate::goods::Goods;
use crate::meeples::Standing;
use crate::tables::{FITS, NONE, ORIENTED, Oriented};
use crate::tile::Terrain;
use game::{Game, Player, PlayerSet};

/// The edges that lie around a cell, packed: what a tile must match there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint(u8);

impl Constraint {
    /// How many different constraints there are.
    pub const COUNT: usize = 256;

    /// Its number, below [`COUNT`](Self::COUNT).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The constraint with this number.
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self(index)
    }

    /// The same with a city, road or field on a side where there is nothing yet.
    #[must_use]
    pub const fn with_edge(self, side: Side, terrain: Terrain) -> Self {
        Self(self.0 | (terrain as u8 + 1) << (2 * side as u8))
    }

    /// The kinds of all sets that fit, turned somehow: a bit for each.
    #[must_use]
    pub fn fitting_kinds(self) -> u128 {
        crate::tables::FITTING_KINDS[self.0 as usize]
    }

    /// Those of the first `kinds` kinds that fit, turned so that their cities and roads on the
    /// given sides (a bit for each, bit 0 is north) reach no other side: what lies there is closed.
    #[must_use]
    pub fn closing_kinds(self, sides: u8, kinds: usize) -> u128 {
        let closes = |kind: usize, quarters: usize| {
            let oriented = &ORIENTED[kind * 4 + quarters];
            FITS[kind][self.0 as usize] >> quarters & 1 == 1
                && (0..4).filter(|side| sides >> side & 1 == 1).all(|side| {
                    let middle = oriented.sides[side].middle;
                    let reach = (0..4).filter(|s| oriented.sides[*s].middle == middle);
                    middle != NONE && reach.fold(0, |set, s| set | 1 << s) & !sides == 0
                })
        };
        (0..kinds)
            .filter(|kind| (0..4).any(|quarters| closes(*kind, quarters)))
            .fold(0, |set, kind| set | 1 << kind)
    }

    /// How many places there are by which something reaches a cell: the middles of its four sides, clockwise from the
    /// north, and the left and right half of each, looking outward.
    pub const PLACES: usize = 12;

    /// Those of the first `kinds` kinds that fit, turned so that one segment lies at both places: what reaches the
    /// cell there is joined.
    #[must_use]
    pub fn joining_kinds(self, one: usize, other: usize, kinds: usize) -> u128 {
        let segment = |oriented: &Oriented, place: usize| match place.checked_sub(4) {
            None => oriented.sides[place].middle,
            Some(half) if half % 2 == 0 => oriented.sides[half / 2].left,
            Some(half) => oriented.sides[half / 2].right,
        };
        let joins = |kind: usize, quarters: usize| {
            let oriented = &ORIENTED[kind * 4 + quarters];
            let segments = [one, other].map(|place| segment(oriented, place));
            FITS[kind][self.0 as usize] >> quarters & 1 == 1
                && segments[0] != NONE
                && segments[0] == segments[1]
        };
        (0..kinds)
            .filter(|kind| (0..4).any(|quarters| joins(*kind, quarters)))
            .fold(0, |set, kind| set | 1 << kind)
    }
}

/// What a feature counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureCounts(PackedFeature);

impl FeatureCounts {
    /// Sides where a city or road can still grow; 0 when it is finished. Always 0 for others.
    #[must_use]
    pub const fn open_sides(self) -> u8 {
        self.0.open()
    }

    /// Tiles of a city or road, each once.
    #[must_use]
    pub const fn tiles(self) -> u8 {
        self.0.tiles()
    }

    /// Pennants of a city.
    #[must_use]
    pub const fn pennants(self) -> u8 {
        self.0.pennants()
    }

    /// How many meeples a player has on it.
    #[must_use]
    pub const fn meeples(self, player: Player) -> u8 {
        self.0.meeples(player)
    }

    /// Whether anybody has a meeple on it.
    #[must_use]
    pub const fn claimed(self) -> bool {
        self.0.claimed()
    }

    /// The players with the most meeples on it.
    #[must_use]
    pub const fn owners(self) -> PlayerSet {
        self.0.owners()
    }
}

/// What lies against one side of an open cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenSide {
    /// The side of the open cell.
    pub side: Side,
    /// City, road or field.
    pub terrain: Terrain,
    /// The city or road there, if there is one.
    pub scoring: Option<FeatureId>,
    /// The fields there; twice the same where one field fills the edge. None beside a city.
    pub fields: Option<[FeatureId; 2]>,
}

impl<E: Edition> Position<E> {
    /// The open cells, each with the edges around it, in an order fixed by the state.
    pub fn frontier(&self) -> impl Iterator<Item = (Cell, Constraint)> {
        self.board.frontier().map(|(cell, constraint)| (cell, Constraint(constraint)))
    }

    /// The edges around a cell if a tile could lie there: `None` unless it is an open cell.
    #[must_use]
    pub fn constraint(&self, cell: Cell) -> Option<Constraint> {
        self.board.constraint(cell).map(Constraint)
    }

    /// Tells `each` what lies around an open cell, side by side.
    #[inline]
    pub fn for_each_open_side(&self, cell: Cell, mut each: impl FnMut(OpenSide)) {
        for side in Side::ALL {
            let Some(number) = self.board.tile_at(cell.step(side)) else { continue };
            let placed = self.board.tiles()[number];
            let theirs = placed.oriented().sides[side.opposite() as usize];
            let feature =
                |segment: u8| self.features.find(placed.first_segment() + u16::from(segment));
            // A river, whose code is 0, flows between fields.
            let terrain = [Terrain::Field, Terrain::City, Terrain::Road, Terrain::Field];
            each(OpenSide {
                side,
                terrain: terrain[theirs.code as usize],
                scoring: (theirs.middle != NONE).then(|| feature(theirs.middle)),
                fields: (theirs.left != NONE)
                    .then(|| [feature(theirs.left), feature(theirs.right)]),
            });
        }
    }

    /// Tells `each` every feature on which a meeple stands, once, in an order fixed by the state.
    pub fn for_each_claimed(&self, mut each: impl FnMut(FeatureId, Terrain, FeatureCounts)) {
        self.for_each_standing(|terrain, feature, record| {
            each(feature, terrain, FeatureCounts(record));
        });
    }

    /// What a feature counts.
    #[must_use]
    pub fn counts(&self, feature: FeatureId) -> FeatureCounts {
        FeatureCounts(self.features.record(feature))
    }

    /// Whether an inn lies by a road, or a cathedral stands in a city.
    #[must_use]
    pub fn has_inn_or_cathedral(&self, feature: FeatureId) -> bool {
        self.features.marks(feature).special()
    }

    /// The goods that whoever finishes a city will take.
    #[must_use]
    pub fn goods_in(&self, city: FeatureId) -> Goods {
        self.features.marks(city).goods()
    }

    /// The players whose builders stand on a city or road.
    #[must_use]
    pub fn builders_on(&self, feature: FeatureId) -> PlayerSet {
        self.features.marks(feature).builders()
    }

    /// The players whose pigs stand on a field.
    #[must_use]
    pub fn pigs_on(&self, field: FeatureId) -> PlayerSet {
        self.features.pigs(field)
    }

    /// The feature on which a player's only figure of this kind stands.
    #[must_use]
    pub fn feature_of_figure(&self, player: Player, figure: Figure) -> Option<FeatureId> {
        let at = self.meeples.get(player, figure).filter(Standing::stands)?;
        Some(self.features.find(at.segment.into()))
    }

    /// The cities a field touches, each once, finished or not.
    pub fn cities_of(&self, field: FeatureId) -> impl Iterator<Item = (FeatureId, FeatureCounts)> {
        self.features.cities_of(field).map(|(city, record)| (city, FeatureCounts(record)))
    }

    /// The cell of a claimed monastery.
    #[must_use]
    pub fn monastery_cell(&self, feature: FeatureId) -> Option<Cell> {
        self.monasteries.get(feature).map(|monastery| monastery.cell)
    }

    /// Points a claimed feature is worth if the game ends now.
    #[must_use]
    pub fn points_now(&self, terrain: Terrain, feature: FeatureId) -> u16 {
        self.worth_unfinished(terrain, feature).points
    }

    /// Points a city or road is worth once finished at its present size.
    #[must_use]
    pub fn points_finished(&self, terrain: Terrain, feature: FeatureId) -> u16 {
        self.worth_finished(
            terrain,
            self.features.record(feature),
            self.features.marks(feature).special(),
        )
        .points
    }

    /// How many meeples a player has in hand.
    #[must_use]
    pub const fn meeples_in_hand(&self, player: Player) -> u8 {
        self.meeples.supply(player)
    }

    /// The player who finished a turn last (the seat before the one to draw).
    #[must_use]
    pub fn last_player(&self) -> Player {
        let players = self.players();
        if self.part == Part::Second {
            return self.player;
        }
        Player::new((self.player.index() + players - 1) % players)
    }
}
