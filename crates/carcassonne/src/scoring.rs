//! Points: finished features during the game, everything that stands at its end.

use crate::board::Placed;
use crate::edition::Edition;
use crate::event::{Event, FeatureId, Score};
use crate::feature::PackedFeature;
use crate::features::FeatureSet;
use crate::figure::Figure;
use crate::game::{Position, Stage};
use crate::goods::{Good, Goods};
use crate::setup::{Options, TinyCity};
use crate::tables::KIND;
use crate::tile::Terrain;
use game::{ByPlayer, Game, Player, PlayerSet};

/// Points for a finished city touched by a field.
pub(crate) const FIELD_CITY: u16 = 3;

/// Points at the end for the most tokens of a kind.
const MOST_GOODS: u16 = 10;

/// What a feature is worth, and for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Worth {
    pub(crate) points: u16,
    pub(crate) tiles: u8,
    pub(crate) pennants: u8,
    pub(crate) cities: u8,
    /// Whether it has an inn or a cathedral.
    pub(crate) special: bool,
}

impl Worth {
    /// What a monastery or garden with so many neighbours is worth.
    fn of_monastery(neighbours: u8) -> Self {
        let tiles = 1 + neighbours;
        Self { points: tiles.into(), tiles, pennants: 0, cities: 0, special: false }
    }

    /// The same for a player with a pig on the field: one point more for each city.
    #[inline]
    pub(crate) fn with_pig(self, pig: bool) -> Self {
        let more = if pig { u16::from(self.cities) } else { 0 };
        Self { points: self.points + more, special: self.special || pig, ..self }
    }

    fn score(
        self,
        player: Player,
        owners: PlayerSet,
        what: (Terrain, FeatureId),
        finished: bool,
    ) -> Score {
        let (terrain, feature) = what;
        let Self { points, tiles, pennants, cities, special } = self;
        Score {
            player,
            owners,
            terrain,
            feature,
            finished,
            points,
            tiles,
            pennants,
            cities,
            special,
        }
    }
}

impl<E: Edition> Position<E> {
    /// What the score would be if the game ended now. What the tile just placed has finished
    /// counts as finished, even while its player still chooses where to put a meeple.
    #[must_use]
    pub fn projected_scores(&self) -> ByPlayer<i32> {
        let mut scores = self.scores();
        self.for_each_projected(|player, _, points| scores[player] += i32::from(points));
        scores
    }

    /// Tells `each` who would get how many points for what if the game ended now, beside the score so
    /// far: a feature's terrain, or `None` for the most goods of a kind.
    #[inline]
    pub fn for_each_projected(&self, mut each: impl FnMut(Player, Option<Terrain>, u16)) {
        if self.stage == Stage::Over {
            return;
        }
        self.for_each_standing(|terrain, feature, record| {
            let worth = self.worth_now(terrain, feature);
            for player in record.owners().iter() {
                let pig = self.has_pig(terrain, feature, player);
                each(player, Some(terrain), worth.with_pig(pig).points);
            }
        });
        self.for_each_most_goods(|player, _, _| each(player, None, MOST_GOODS));
    }

    /// Whether the player has a pig on what is a field.
    #[inline]
    fn has_pig(&self, terrain: Terrain, feature: FeatureId, player: Player) -> bool {
        E::EXPANDED && terrain == Terrain::Field && self.features.pigs(feature).contains(player)
    }

    /// Tells `each` who has the most tokens of a kind, and how many.
    fn for_each_most_goods(&self, mut each: impl FnMut(Player, Good, u8)) {
        if !E::EXPANDED {
            return;
        }
        for good in Good::ALL {
            let tokens = |seat: usize| self.goods[seat][good];
            let most = (0..self.players()).map(tokens).max().unwrap_or(0);
            for seat in (0..self.players()).filter(|seat| most > 0 && tokens(*seat) == most) {
                each(Player::new(seat), good, most);
            }
        }
    }

    /// Scores the features that the last tile finished and returns their meeples.
    #[inline]
    pub(crate) fn score_finished(&mut self, mut emit: impl FnMut(Event)) {
        let kind = &KIND[self.drawn.index()];
        let first = self.board.last().map_or(0, Placed::first_segment);
        let mut scored = false;
        if E::EXPANDED {
            self.take_goods(&mut emit);
        }
        for place in 0..kind.scoring {
            let feature = self.features.find(first + u16::from(place));
            let record = self.features.record(feature);
            if record.open() == 0 && record.claimed() {
                let terrain = if place < kind.cities { Terrain::City } else { Terrain::Road };
                let special = self.features.marks(feature).special();
                let worth = self.worth_finished(terrain, record, special);
                self.give(terrain, feature, worth, &mut emit);
                scored = true;
            }
        }
        while let Some(monastery) = self.monasteries.take_finished() {
            let worth = Worth::of_monastery(monastery.neighbours);
            self.give(monastery.terrain, monastery.feature, worth, &mut emit);
            scored = true;
        }
        if scored {
            emit(Event::ScoreUpdated { scores: self.scores() });
        }
    }

    /// Gives the goods of the cities that the last tile finished to who placed it, whoever owns
    /// them.
    fn take_goods(&mut self, mut emit: impl FnMut(Event)) {
        let (kind, first) = self.last_kind();
        let (player, mut taken) = (self.player, Goods::default());
        for place in 0..kind.cities {
            let city = self.features.find(first + u16::from(place));
            let marks = self.features.marks(city);
            if self.features.record(city).open() == 0 {
                taken = taken.with(marks.goods());
                self.features.set_marks(city, marks.without_goods());
            }
        }
        if !taken.is_empty() {
            let own = &mut self.goods[player.index()];
            *own = own.with(taken);
            emit(Event::GoodsTaken { player, goods: taken });
        }
    }

    /// Takes the player's abbot back and scores what it stood on for what that is worth now.
    pub(crate) fn recall(&mut self, mut emit: impl FnMut(Event)) {
        let player = self.player;
        let Some(at) = self.meeples.get(player, Figure::Abbot) else { return };
        let feature = self.features.find(at.segment.into());
        let Some(monastery) = self.monasteries.take_recalled(feature) else { return };
        let worth = Worth::of_monastery(monastery.neighbours);
        let owners = self.features.record(feature).owners();
        let what = (monastery.terrain, feature);
        self.scores[player.index()] += worth.points as i16;
        emit(Event::FeatureScored(worth.score(player, owners, what, false)));
        self.return_meeples(player, feature, &mut emit);
        self.features.remove_meeples(feature);
        emit(Event::ScoreUpdated { scores: self.scores() });
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
        if E::EXPANDED && matches!(terrain, Terrain::City | Terrain::Road) {
            self.features.set_marks(feature, self.features.marks(feature).without_builders());
        }
    }

    /// Gives a player's figures on a feature back. A builder stands only where a meeple does.
    fn return_meeples(&mut self, player: Player, feature: FeatureId, mut emit: impl FnMut(Event)) {
        for (meeple, at) in self.meeples.of(player) {
            if self.features.find(at.segment.into()) == feature {
                self.meeples.take_back(player, meeple);
                let placed = self.board.tiles()[at.tile as usize];
                let cell = placed.cell;
                let place = at.segment.into() - placed.first_segment();
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
                let worth = worth.with_pig(self.has_pig(terrain, feature, player));
                scores[player.index()] += worth.points as i16;
                let score = worth.score(player, owners, (terrain, feature), false);
                emit(Event::EndGamePoints(score));
            }
        });
        self.for_each_most_goods(|player, good, tokens| {
            scores[player.index()] += MOST_GOODS as i16;
            emit(Event::EndGameGoods { player, good, tokens, points: MOST_GOODS });
        });
        self.scores = scores;
        self.stage = Stage::Over;
        let scores = self.scores();
        emit(Event::GameOver { winners: scores.leaders(), scores });
    }

    /// Tells `each` every feature on which a meeple stands, once.
    #[inline]
    pub(crate) fn for_each_standing(
        &self,
        mut each: impl FnMut(Terrain, FeatureId, PackedFeature),
    ) {
        let mut seen = FeatureSet::default();
        for (_, _, at) in self.meeples.all() {
            let feature = self.features.find(at.segment.into());
            if seen.insert(feature) {
                let placed = self.board.tiles()[at.tile as usize];
                let place = (at.segment.into() - placed.first_segment()) as usize & 7;
                let terrain = KIND[placed.tile().index()].names[place].terrain();
                each(terrain, feature, self.features.record(feature));
            }
        }
    }

    /// What a city or road is worth once it is finished.
    #[inline]
    pub(crate) fn worth_finished(
        &self,
        terrain: Terrain,
        record: PackedFeature,
        special: bool,
    ) -> Worth {
        let (tiles, pennants) = (record.tiles(), record.pennants());
        let count = u16::from(tiles) + u16::from(pennants);
        let early = self.setup.rules().tiny_city == TinyCity::Two && tiles == 2;
        let mut points = if terrain == Terrain::City && !early { 2 * count } else { count };
        if special {
            points += count;
        }
        Worth { points, tiles, pennants, cities: 0, special }
    }

    /// What a feature is worth as it stands, finished or not.
    #[inline]
    pub(crate) fn worth_now(&self, terrain: Terrain, feature: FeatureId) -> Worth {
        let record = self.features.record(feature);
        let closes = matches!(terrain, Terrain::City | Terrain::Road);
        if closes && record.open() == 0 {
            self.worth_finished(terrain, record, self.features.marks(feature).special())
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
                let special = self.features.marks(feature).special();
                let points = if special { 0 } else { u16::from(tiles) + u16::from(pennants) };
                Worth { points, tiles, pennants, cities: 0, special }
            }
            Terrain::Field => {
                let cities = self.features.finished_cities(feature);
                let points = FIELD_CITY * u16::from(cities);
                Worth { points, tiles: 0, pennants: 0, cities, special: false }
            }
            Terrain::Monastery | Terrain::Garden => {
                Worth::of_monastery(self.monasteries.get(feature).map_or(0, |m| m.neighbours))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Carcassonne;
    use crate::tile::Tile;

    /// A finished city: the sides of its segments lie against each other.
    fn city(segments: &[PackedFeature]) -> PackedFeature {
        segments[1..].iter().fold(segments[0], |city, segment| city.joined(*segment))
    }

    /// No two tiles of the base game make such a city, so it takes made-up segments to see one.
    #[test]
    fn two_tiles_with_a_pennant_are_worth_6_or_by_the_early_rule_3() {
        let tiny = city(&[PackedFeature::new(1, 1), PackedFeature::new(1, 0)]);
        let large =
            city(&[PackedFeature::new(1, 1), PackedFeature::new(2, 0), PackedFeature::new(1, 0)]);
        for (rule, tiny_points, large_points) in [("4", 6, 8), ("2", 3, 8)] {
            let setup = format!("tiny-city={rule}").parse().unwrap();
            let game = Carcassonne::new(&setup);
            assert_eq!((tiny.open(), large.open()), (0, 0), "both are finished");
            assert_eq!(game.worth_finished(Terrain::City, tiny, false).points, tiny_points);
            assert_eq!(game.worth_finished(Terrain::City, large, false).points, large_points);
        }
    }

    #[test]
    fn a_pennant_of_the_base_game_lies_in_a_city_with_two_sides_or_more() {
        let segments = Tile::all().flat_map(|tile| tile.printed().segments);
        assert!(segments.filter(|s| s.pennants > 0).all(|s| s.sides.count_ones() >= 2));
    }
}
