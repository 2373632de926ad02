//! Points: finished features during the game, everything that stands at its end.

use crate::event::{Event, FeatureId, Score};
use crate::feature::Record;
use crate::game::{Carcassonne, Stage};
use crate::setup::TinyCity;
use crate::tables::KIND;
use crate::tile::Terrain;
use game::{ByPlayer, Game, Player, PlayerSet};

/// Points for a finished city touched by a field.
pub(crate) const FIELD_CITY: u16 = 3;

/// What a feature is worth, and for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Worth {
    pub(crate) points: u16,
    pub(crate) tiles: u8,
    pub(crate) pennants: u8,
    pub(crate) cities: u8,
}

impl Worth {
    fn score(
        self,
        player: Player,
        owners: PlayerSet,
        what: (Terrain, FeatureId),
        finished: bool,
    ) -> Score {
        let (terrain, feature) = what;
        let Self { points, tiles, pennants, cities } = self;
        Score { player, owners, terrain, feature, finished, points, tiles, pennants, cities }
    }
}

impl Carcassonne {
    /// What the score would be if the game ended now. What the tile just placed has finished
    /// counts as finished, even while its player still chooses where to put a meeple.
    #[must_use]
    pub fn projected_scores(&self) -> ByPlayer<i32> {
        let mut scores = self.scores();
        if self.stage != Stage::Over {
            self.for_each_standing(|terrain, feature, record| {
                let points = self.worth_now(terrain, feature).points;
                for player in record.owners().iter() {
                    scores[player] += i32::from(points);
                }
            });
        }
        scores
    }

    /// Scores the features that the last tile finished and returns their meeples.
    #[inline]
    pub(crate) fn score_finished(&mut self, mut emit: impl FnMut(Event)) {
        let kind = &KIND[self.drawn.index()];
        let first = self.board.last().map_or(0, |placed| placed.first_segment);
        let mut scored = false;
        for place in 0..kind.scoring {
            let feature = self.features.find(first + place);
            let record = self.features.record(feature);
            if record.open() == 0 && record.claimed() {
                let terrain = if place < kind.cities { Terrain::City } else { Terrain::Road };
                let worth = self.worth_finished(terrain, record);
                self.give(terrain, feature, worth, &mut emit);
                scored = true;
            }
        }
        while let Some(monastery) = self.monasteries.take_finished() {
            let worth = Worth { points: 9, tiles: 9, pennants: 0, cities: 0 };
            self.give(Terrain::Monastery, monastery.feature, worth, &mut emit);
            scored = true;
        }
        if scored {
            emit(Event::ScoreUpdated { scores: self.scores() });
        }
    }

    /// Gives the points of a finished feature to its owners, and its meeples back.
    fn give(
        &mut self,
        terrain: Terrain,
        feature: FeatureId,
        worth: Worth,
        mut emit: impl FnMut(Event),
    ) {
        let record = self.features.record(feature);
        let owners = record.owners();
        for player in owners.iter() {
            self.scores[player.index()] += worth.points as i16;
            emit(Event::FeatureScored(worth.score(player, owners, (terrain, feature), true)));
        }
        for seat in 0..self.players() {
            let player = Player::new(seat);
            if record.meeples(player) > 0 {
                self.return_meeples(player, feature, &mut emit);
            }
        }
        self.features.remove_meeples(feature);
    }

    fn return_meeples(&mut self, player: Player, feature: FeatureId, mut emit: impl FnMut(Event)) {
        for (meeple, at) in self.meeples.of(player) {
            if self.features.find(at.segment) == feature {
                self.meeples.take_back(player, meeple);
                let placed = self.board.tiles()[at.tile as usize];
                let cell = placed.cell;
                let place = at.segment - placed.first_segment;
                let segment = KIND[placed.tile().index()].names[place as usize & 7];
                emit(Event::MeepleReturned { player, meeple, cell, segment });
            }
        }
    }

    /// Scores everything that stands and ends the game. The meeples stay where they are.
    pub(crate) fn finish(&mut self, mut emit: impl FnMut(Event)) {
        emit(Event::TileBagEmpty);
        let mut scores = self.scores;
        self.for_each_standing(|terrain, feature, record| {
            let worth = self.worth_unfinished(terrain, feature);
            let owners = record.owners();
            for player in owners.iter() {
                scores[player.index()] += worth.points as i16;
                let score = worth.score(player, owners, (terrain, feature), false);
                emit(Event::EndGamePoints(score));
            }
        });
        self.scores = scores;
        self.stage = Stage::Over;
        let scores = self.scores();
        emit(Event::GameOver { winners: scores.leaders(), scores });
    }

    /// Tells `each` every feature on which a meeple stands, once.
    #[inline]
    pub(crate) fn for_each_standing(&self, mut each: impl FnMut(Terrain, FeatureId, Record)) {
        let mut seen = [0u64; 4];
        for (_, _, at) in self.meeples.all() {
            let feature = self.features.find(at.segment);
            let (word, bit) = (feature.0 as usize / 64, 1 << (feature.0 % 64));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                let placed = self.board.tiles()[at.tile as usize];
                let place = (at.segment - placed.first_segment) as usize & 7;
                let terrain = KIND[placed.tile().index()].names[place].terrain();
                each(terrain, feature, self.features.record(feature));
            }
        }
    }

    /// What a city or road is worth once it is finished.
    #[inline]
    pub(crate) fn worth_finished(&self, terrain: Terrain, record: Record) -> Worth {
        let (tiles, pennants) = (record.tiles(), record.pennants());
        let count = u16::from(tiles) + u16::from(pennants);
        let early = self.setup.tiny_city == TinyCity::Two && tiles == 2;
        let points = if terrain == Terrain::City && !early { 2 * count } else { count };
        Worth { points, tiles, pennants, cities: 0 }
    }

    /// What a feature is worth as it stands, finished or not.
    #[inline]
    pub(crate) fn worth_now(&self, terrain: Terrain, feature: FeatureId) -> Worth {
        let record = self.features.record(feature);
        let closes = matches!(terrain, Terrain::City | Terrain::Road);
        if closes && record.open() == 0 {
            self.worth_finished(terrain, record)
        } else {
            self.worth_unfinished(terrain, feature)
        }
    }

    /// What a feature that is not finished is worth if the game ends now.
    #[inline]
    pub(crate) fn worth_unfinished(&self, terrain: Terrain, feature: FeatureId) -> Worth {
        let record = self.features.record(feature);
        let (tiles, pennants) = (record.tiles(), record.pennants());
        match terrain {
            Terrain::City | Terrain::Road => {
                let points = u16::from(tiles) + u16::from(pennants);
                Worth { points, tiles, pennants, cities: 0 }
            }
            Terrain::Field => {
                let cities = self.features.finished_cities(feature);
                Worth { points: FIELD_CITY * u16::from(cities), tiles: 0, pennants: 0, cities }
            }
            Terrain::Monastery => {
                let tiles = 1 + self.monasteries.get(feature).map_or(0, |m| m.neighbours);
                Worth { points: tiles.into(), tiles, pennants: 0, cities: 0 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    /// A finished city: the sides of its segments lie against each other.
    fn city(segments: &[Record]) -> Record {
        segments[1..].iter().fold(segments[0], |city, segment| city.joined(*segment))
    }

    /// No two tiles of the base game make such a city, so it takes made-up segments to see one.
    #[test]
    fn two_tiles_with_a_pennant_are_worth_6_or_by_the_early_rule_3() {
        let tiny = city(&[Record::new(1, 1), Record::new(1, 0)]);
        let large = city(&[Record::new(1, 1), Record::new(2, 0), Record::new(1, 0)]);
        for (rule, tiny_points, large_points) in [("4", 6, 8), ("2", 3, 8)] {
            let setup = format!("tiny-city={rule}").parse().unwrap();
            let game = Carcassonne::new(&setup);
            assert_eq!((tiny.open(), large.open()), (0, 0), "both are finished");
            assert_eq!(game.worth_finished(Terrain::City, tiny).points, tiny_points);
            assert_eq!(game.worth_finished(Terrain::City, large).points, large_points);
        }
    }

    #[test]
    fn a_pennant_of_the_base_game_lies_in_a_city_with_two_sides_or_more() {
        let segments = Tile::all().flat_map(|tile| tile.printed().segments);
        assert!(segments.filter(|s| s.pennants > 0).all(|s| s.sides.count_ones() >= 2));
    }
}
