//! Looking at features: what they are worth, who owns them, where they are open.

use crate::edition::{Array, Edition};
use crate::event::FeatureId;
use crate::game::Position;
use crate::geometry::{Cell, Side};
use crate::goods::Goods;
use crate::scoring::FIELD_CITY;
use crate::segment::Segment;
use crate::setup::{Options, TinyCity};
use crate::tables::KIND;
use crate::tile::Terrain;
use crate::views::PlacedMeeple;
use game::{ByPlayer, Game, Player, PlayerSet};

/// What is counted of a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureSummary {
    /// Its id.
    pub id: FeatureId,
    /// What it is made of.
    pub terrain: Terrain,
    /// Its tiles, each once; for a monastery itself and its neighbours; 0 for a field, whose
    /// tiles nobody counts.
    pub tiles: u8,
    /// Its pennants.
    pub pennants: u8,
    /// Its open edges; for a monastery the neighbours that lack; 0 for a field.
    pub open: u8,
    /// Whether it is finished. A field never is.
    pub finished: bool,
    /// How many meeples each player has on it, a big one counting as two.
    pub meeples: ByPlayer<u8>,
    /// Who has the majority; several if they tie, nobody if no meeple stands on it.
    pub owners: PlayerSet,
    /// For a field, how many cities it touches.
    pub cities: u8,
    /// For a field, how many of these are finished.
    pub finished_cities: u8,
    /// What each owner gets if the game ends now, without a pig; for a finished feature what it
    /// scores.
    pub points: u16,
    /// What its tiles and pennants of now count once it is finished; the tiles that finish it
    /// come on top. A monastery gives 9, a field its points if all cities it touches were
    /// finished.
    pub points_if_finished: u16,
    /// Whether an inn lies by the road, or a cathedral stands in the city.
    pub special: bool,
    /// The goods in a city.
    pub goods: Goods,
    /// Whose builders stand on a city or road.
    pub builders: PlayerSet,
    /// Whose pigs stand on a field.
    pub pigs: PlayerSet,
}

/// A feature with everything on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feature {
    /// What is counted of it.
    pub summary: FeatureSummary,
    /// Its segments in the order their tiles were placed.
    pub segments: Vec<(Cell, Segment)>,
    /// The meeples on it, by player and number.
    pub meeples: Vec<PlacedMeeple>,
    /// The edges where it would go on: no tile lies beyond. For a field every edge it reaches
    /// with a half at least; none for a monastery.
    pub open_edges: Vec<(Cell, Side)>,
    /// For a field, the cities it touches, each once.
    pub cities: Vec<FeatureId>,
    /// For a field, how many city segments it touches: one city may count several times.
    pub city_segments: u32,
}

impl Feature {
    /// The cells it lies on, each once, in the order they were filled.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.segments.iter().map(|(cell, _)| *cell).collect();
        // The segments of one tile follow each other.
        cells.dedup();
        cells
    }
}

impl<E: Edition> Position<E> {
    /// Tells `each` what is counted of every feature, in the order of their ids. Nothing is
    /// allocated.
    pub fn for_each_feature(&self, mut each: impl FnMut(FeatureSummary)) {
        for placed in self.board.tiles() {
            let kind = &KIND[placed.tile().index()];
            for place in 0..kind.segments {
                let id = FeatureId(placed.first_segment() + u16::from(place));
                // A feature's id is the number of its oldest segment.
                if self.features.find(id.0) == id {
                    let terrain = kind.names[place as usize & 7].terrain();
                    each(self.summary(id, terrain, placed.cell));
                }
            }
        }
    }

    /// All features, in the order of their ids.
    #[must_use]
    pub fn features(&self) -> Vec<Feature> {
        let mut features: Vec<Feature> = Vec::new();
        let mut at = E::PerSegment::filled(0u16);
        self.for_each_feature(|summary| {
            at[E::at(summary.id.0)] = features.len() as u16;
            features.push(self.without_places(summary));
        });
        for placed in self.board.tiles() {
            let printed = placed.tile().printed().segments;
            let kind = &KIND[placed.tile().index()];
            for (place, segment) in printed.iter().enumerate() {
                let id = self.features.find(placed.first_segment() + place as u16);
                let feature = &mut features[at[E::at(id.0)] as usize];
                feature.segments.push((placed.cell, kind.names[place & 7]));
                let reached = segment.sides_turned(placed.rotation());
                let open = |side: &Side| {
                    reached >> *side as u8 & 1 == 1
                        && self.board.tile_at(placed.cell.step(*side)).is_none()
                };
                let open = Side::ALL.into_iter().filter(open);
                feature.open_edges.extend(open.map(|side| (placed.cell, side)));
            }
        }
        for meeple in self.meeples() {
            features[at[E::at(meeple.feature.0)] as usize].meeples.push(meeple);
        }
        features
    }

    /// The feature with this id, if there is one now.
    #[must_use]
    pub fn feature(&self, id: FeatureId) -> Option<Feature> {
        self.features().into_iter().find(|feature| feature.summary.id == id)
    }

    /// What is counted of the feature that a segment of a tile belongs to, if the tile lies there
    /// and has the segment.
    #[must_use]
    pub fn summary_at(&self, cell: Cell, segment: Segment) -> Option<FeatureSummary> {
        let id = self.feature_at(cell, segment)?;
        // The cell matters for a monastery alone, which has no other.
        Some(self.summary(id, segment.terrain(), cell))
    }

    fn without_places(&self, summary: FeatureSummary) -> Feature {
        let field = summary.terrain == Terrain::Field;
        Feature {
            summary,
            segments: Vec::new(),
            meeples: Vec::new(),
            open_edges: Vec::new(),
            cities: match field {
                true => self.features.cities_of(summary.id).map(|(city, _)| city).collect(),
                false => Vec::new(),
            },
            city_segments: match field {
                true => self.features.touched_city_segments(summary.id),
                false => 0,
            },
        }
    }

    /// What is counted of a feature, given its terrain and the cell of its oldest tile.
    pub(crate) fn summary(&self, id: FeatureId, terrain: Terrain, cell: Cell) -> FeatureSummary {
        let record = self.features.record(id);
        let mut meeples = ByPlayer::new(self.players(), 0);
        for seat in 0..self.players() {
            meeples[Player::new(seat)] = record.meeples(Player::new(seat));
        }
        let mut summary = FeatureSummary {
            id,
            terrain,
            tiles: record.tiles(),
            pennants: record.pennants(),
            open: record.open(),
            finished: false,
            meeples,
            owners: record.owners(),
            cities: 0,
            finished_cities: 0,
            points: 0,
            points_if_finished: 0,
            special: false,
            goods: Goods::default(),
            builders: PlayerSet::EMPTY,
            pigs: PlayerSet::EMPTY,
        };
        match terrain {
            Terrain::City | Terrain::Road => {
                let marks = self.features.marks(id);
                summary.special = marks.special();
                summary.goods = marks.goods();
                summary.builders = marks.builders();
                summary.finished = summary.open == 0;
                summary.points = self.worth_now(terrain, id).points;
                summary.points_if_finished = match summary.finished {
                    true => summary.points,
                    false => {
                        let count = u16::from(summary.tiles) + u16::from(summary.pennants);
                        let special = u16::from(summary.special);
                        (self.rate_if_finished(terrain, summary.tiles) + special) * count
                    }
                };
            }
            Terrain::Field => {
                let cities = || self.features.cities_of(id);
                summary.pigs = self.features.pigs(id);
                summary.cities = cities().count() as u8;
                summary.finished_cities = self.features.finished_cities(id);
                summary.points = FIELD_CITY * u16::from(summary.finished_cities);
                summary.points_if_finished = FIELD_CITY * u16::from(summary.cities);
            }
            Terrain::Monastery | Terrain::Garden => {
                let neighbours = self.board.neighbours(cell);
                summary.tiles = 1 + neighbours;
                summary.open = 8 - neighbours;
                summary.finished = neighbours == 8;
                summary.points = summary.tiles.into();
                summary.points_if_finished = 9;
            }
        }
        summary
    }

    /// Points for each tile and pennant of an unfinished city or road once it is finished. At
    /// least one tile comes on top, so only a city of one tile can still stay tiny.
    fn rate_if_finished(&self, terrain: Terrain, tiles: u8) -> u16 {
        let tiny = self.setup.rules().tiny_city == TinyCity::Two && tiles == 1;
        if terrain == Terrain::City && !tiny { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Carcassonne;
    use game::{Random, Record};

    fn after(moves: &str) -> Carcassonne {
        format!("carcassonne {moves}").parse::<Record<_>>().unwrap().replay().unwrap()
    }

    fn at(game: &Carcassonne, x: i8, y: i8, segment: &str) -> Feature {
        let id = game.feature_at(Cell::new(x, y), segment.parse().unwrap()).unwrap();
        game.feature(id).unwrap()
    }

    #[test]
    fn a_road_with_its_meeple_and_open_edges() {
        let game = after("\nU; 1,0 r0; road0; V; -1,0 r3; pass");
        let road = at(&game, 0, 0, "road0");
        assert_eq!(road.cells(), [Cell::new(0, 0), Cell::new(1, 0), Cell::new(-1, 0)]);
        assert_eq!(
            road.open_edges,
            [(Cell::new(1, 0), Side::East), (Cell::new(-1, 0), Side::South)]
        );
        let FeatureSummary { tiles, open, finished, points, points_if_finished, .. } = road.summary;
        assert_eq!((tiles, open, finished, points, points_if_finished), (3, 2, false, 3, 3));
        assert_eq!(road.meeples.len(), 1);
        assert_eq!(road.summary.owners, [Player::new(0)].into_iter().collect());
    }

    #[test]
    fn a_city_counts_double_once_it_is_finished() {
        let two = after("tiny-city=2");
        let city = at(&two, 0, 0, "city0").summary;
        assert_eq!((city.points, city.points_if_finished), (1, 1), "the early rule may apply");
        let game = after("\nE; 0,1 r2; city0");
        let city = at(&game, 0, 0, "city0");
        assert!(city.summary.finished && city.open_edges.is_empty());
        assert_eq!((city.summary.points, city.summary.points_if_finished), (4, 4));
        assert!(city.meeples.is_empty(), "it has scored");
        let field = at(&game, 0, 0, "field0");
        assert_eq!((field.summary.cities, field.summary.finished_cities), (1, 1));
        assert_eq!((field.summary.points, field.summary.points_if_finished), (3, 3));
        assert_eq!(field.cities, [city.summary.id]);
        assert_eq!(field.city_segments, 1);
    }

    #[test]
    fn a_monastery_counts_its_neighbours() {
        let game = after("\nB; 0,-1 r0; monastery");
        let monastery = at(&game, 0, -1, "monastery").summary;
        assert_eq!((monastery.tiles, monastery.open), (2, 7));
        assert_eq!((monastery.points, monastery.points_if_finished), (2, 9));
    }

    #[test]
    fn views_of_random_games_agree_with_each_other() {
        let mut random = Random::new(11);
        let mut moves = Vec::new();
        for players in 2..=6 {
            let mut game = after(&format!("players={players} tiny-city=2"));
            loop {
                let features = game.features();
                let mut summaries = Vec::new();
                game.for_each_feature(|summary| summaries.push(summary));
                assert_eq!(features.iter().map(|f| f.summary).collect::<Vec<_>>(), summaries);
                let mut projected = game.scores();
                for feature in &features {
                    check(feature);
                    if game.turn() != game::Turn::Over {
                        for owner in feature.summary.owners.iter() {
                            projected[owner] += i32::from(feature.summary.points);
                        }
                    }
                }
                assert_eq!(projected, game.projected_scores());
                game.moves(&mut moves);
                let Some(m) = random.pick(&moves) else { break };
                game.play_unchecked(*m, |_| {});
            }
        }
    }

    fn check(feature: &Feature) {
        let summary = &feature.summary;
        assert_eq!(feature.meeples.len() as u8, summary.meeples.as_slice().iter().sum::<u8>());
        assert!(feature.meeples.iter().all(|meeple| meeple.feature == summary.id));
        assert_eq!(feature.cities.len(), usize::from(summary.cities));
        assert!(summary.points <= summary.points_if_finished, "{feature:?}");
        if matches!(summary.terrain, Terrain::City | Terrain::Road) {
            assert_eq!(feature.open_edges.len(), usize::from(summary.open));
            assert_eq!(feature.cells().len(), usize::from(summary.tiles));
        }
    }
}
