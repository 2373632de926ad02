//! The compact observation: globals, the claimed features, and the tiles with their meeples.

use super::globals::{globals_len, write_globals};
use crate::event::FeatureId;
use crate::game::Carcassonne;
use crate::meeples::{MEEPLES, Standing};
use crate::setup::Setup;
use crate::tables::KIND;
use crate::tensor::Numbering;
use crate::tile::{TILES, Terrain};
use game::{Game, Player};

/// Numbers of a feature before its meeples: terrain + 1, tiles, pennants, open sides, points if
/// the game ended now, cities it touches.
pub const FEATURE_HEAD: usize = 6;

/// Numbers of a tile: row + 1, column + 1, kind + 1, rotation, then of its meeple the relative
/// seat + 1, the place of its segment in the kind's list + 1, and the row of its feature + 1.
pub const TILE_ROW: usize = 7;

/// The most features that can be claimed at once: one for each meeple.
#[must_use]
pub const fn feature_rows(players: usize) -> usize {
    MEEPLES * players
}

/// How many numbers there are for so many players.
#[must_use]
pub const fn compact_len(players: usize) -> usize {
    globals_len(players) + feature_rows(players) * (FEATURE_HEAD + players) + TILES * TILE_ROW
}

/// Writes the compact observation into an array that it wrote before, changing only what changed:
/// the globals, a row for each claimed feature, a row for each tile in order of placement. Rows
/// that are not used are 0.
#[derive(Clone, Debug)]
pub struct Compact {
    /// How many tiles are in the array.
    tiles: usize,
    /// How many features are in the array.
    features: usize,
    /// Which tiles hold a meeple in the array.
    meeples: Vec<u8>,
    /// Where each seat's meeples are in the array, and whose view it is.
    standing: [[Standing<u8>; MEEPLES]; Setup::MAX_PLAYERS],
    viewer: usize,
}

impl Default for Compact {
    fn default() -> Self {
        Self::new()
    }
}

impl Compact {
    /// For an array that may hold anything: the first update clears it.
    #[must_use]
    pub const fn new() -> Self {
        let standing = [[Standing::IN_HAND; MEEPLES]; Setup::MAX_PLAYERS];
        Self { tiles: usize::MAX, features: 0, meeples: Vec::new(), standing, viewer: 0 }
    }

    /// Another game comes: the next update clears the array.
    pub const fn forget(&mut self) {
        self.tiles = usize::MAX;
    }

    /// Brings the array up to date, as seen by the viewer.
    ///
    /// Between two calls the game may go on or nothing may happen; for another game, call
    /// [`forget`](Self::forget) first.
    ///
    /// # Panics
    /// If `out` is not [`compact_len`] long.
    #[inline]
    pub fn update(
        &mut self,
        game: &Carcassonne,
        viewer: Player,
        numbering: Numbering,
        out: &mut [i16],
    ) {
        let players = game.players();
        assert_eq!(out.len(), compact_len(players), "one length for so many players");
        let placed = game.board.tiles();
        if self.tiles > placed.len() {
            out.fill(0);
            self.tiles = 0;
            self.features = 0;
            self.meeples.clear();
            self.standing = [[Standing::IN_HAND; MEEPLES]; Setup::MAX_PLAYERS];
        }
        let (globals, rest) = out.split_at_mut(globals_len(players));
        write_globals(game, viewer, globals);
        let (features, tiles) = rest.split_at_mut(feature_rows(players) * (FEATURE_HEAD + players));
        let tiles = tiles.as_chunks_mut::<TILE_ROW>().0;
        for (placed, row) in placed.iter().zip(tiles.iter_mut()).skip(self.tiles) {
            let (i, j) = numbering.row_column(placed.cell);
            let kind = placed.tile().index() as i16;
            *row = [i + 1, j + 1, kind + 1, i16::from(placed.rotation().quarters()), 0, 0, 0];
        }
        let stands = |seat: usize| game.meeples.all_of(Player::new(seat));
        let same = (0..players).all(|seat| self.standing[seat] == *stands(seat));
        if same && self.tiles == placed.len() {
            // Nothing was placed: all features are as they were, only seen from elsewhere.
            self.turn_view(viewer.index(), players, features, tiles);
            return;
        }
        self.tiles = placed.len();
        self.viewer = viewer.index();
        for tile in self.meeples.drain(..) {
            tiles[tile as usize][4..].fill(0);
        }
        for seat in 0..players {
            self.standing[seat] = *stands(seat);
        }
        self.write_meeples(game, viewer, features, tiles);
    }

    /// Renames the seats for another viewer.
    #[inline]
    fn turn_view(
        &mut self,
        viewer: usize,
        players: usize,
        features: &mut [i16],
        tiles: &mut [[i16; TILE_ROW]],
    ) {
        let steps = (viewer + players - self.viewer) % players;
        self.viewer = viewer;
        if steps == 0 {
            return;
        }
        for row in features.chunks_exact_mut(FEATURE_HEAD + players).take(self.features) {
            row[FEATURE_HEAD..].rotate_left(steps);
        }
        for tile in &self.meeples {
            let seat = &mut tiles[*tile as usize][4];
            *seat = (*seat - 1 + (players - steps) as i16) % players as i16 + 1;
        }
    }

    /// Writes the claimed features, and the meeples on their tiles.
    #[inline]
    fn write_meeples(
        &mut self,
        game: &Carcassonne,
        viewer: Player,
        features: &mut [i16],
        tiles: &mut [[i16; TILE_ROW]],
    ) {
        let players = game.players();
        let wide = FEATURE_HEAD + players;
        // The row + 1 of each feature, by its id.
        let mut row_of = [0u8; 256];
        let mut rows = 0;
        for seat in 0..players {
            let player = Player::new(seat);
            let relative = (seat + players - viewer.index()) % players;
            for at in game.meeples.all_of(player).iter().filter(|at| at.stands()) {
                let feature = game.features.find(at.segment.into());
                let placed = game.board.tiles()[at.tile as usize];
                let place = (u16::from(at.segment) - placed.first_segment()) as usize & 7;
                if row_of[feature.0 as usize] == 0 {
                    let terrain = KIND[placed.tile().index()].names[place].terrain();
                    let row = &mut features[rows * wide..][..wide];
                    write_feature(game, viewer, terrain, feature, row);
                    rows += 1;
                    row_of[feature.0 as usize] = rows as u8;
                }
                let row = &mut tiles[at.tile as usize];
                row[4] = relative as i16 + 1;
                row[5] = place as i16 + 1;
                row[6] = i16::from(row_of[feature.0 as usize]);
                self.meeples.push(at.tile);
            }
        }
        if rows < self.features {
            features[rows * wide..self.features * wide].fill(0);
        }
        self.features = rows;
    }
}

#[inline]
fn write_feature(
    game: &Carcassonne,
    viewer: Player,
    terrain: Terrain,
    feature: FeatureId,
    row: &mut [i16],
) {
    let players = game.players();
    let record = game.features.record(feature);
    let worth = game.worth_now(terrain, feature);
    row[0] = terrain as i16 + 1;
    row[1] = i16::from(worth.tiles);
    row[2] = i16::from(record.pennants());
    row[3] = i16::from(record.open());
    row[4] = worth.points as i16;
    row[5] = i16::from(worth.cities);
    for (relative, out) in row[FEATURE_HEAD..].iter_mut().enumerate() {
        let seat = Player::new((viewer.index() + relative) % players);
        *out = i16::from(record.meeples(seat));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Segment;
    use crate::tensor::Version;
    use game::Random;

    /// Reads an observation back and compares all that it says with the game's own views.
    fn check(game: &Carcassonne, viewer: Player, numbering: Numbering, seen: &[i16]) {
        let players = game.players();
        let (globals, rest) = seen.split_at(globals_len(players));
        assert_eq!(globals[2], viewer.index() as i16);
        assert_eq!(globals[3], game.tiles_left() as i16);
        let bag: Vec<i16> = game.bag().iter().map(|left| i16::from(*left)).collect();
        assert_eq!(&globals[29..53], bag);
        let wide = FEATURE_HEAD + players;
        let (features, tiles) = rest.split_at(feature_rows(players) * wide);
        let mut meeples = 0;
        for (index, row) in tiles.chunks(TILE_ROW).enumerate() {
            let Some(placed) = game.tiles().nth(index) else {
                assert_eq!(row, [0; TILE_ROW]);
                continue;
            };
            let (i, j) = numbering.row_column(placed.cell);
            let quarters = i16::from(placed.rotation.quarters());
            assert_eq!(row[..4], [i + 1, j + 1, placed.tile.index() as i16 + 1, quarters]);
            let stands = game.meeples().find(|meeple| meeple.cell == placed.cell);
            assert_eq!(stands.is_some(), row[4] != 0);
            if let Some(meeple) = stands {
                meeples += 1;
                let seat = (row[4] as usize - 1 + viewer.index()) % players;
                assert_eq!(seat, meeple.player.index());
                let segment = Segment::at(placed.tile, row[5] as usize - 1);
                assert_eq!(segment, Some(meeple.segment));
                let feature = &features[(row[6] as usize - 1) * wide..][..wide];
                let whole = game.feature(meeple.feature).unwrap().summary;
                assert_eq!(feature[0], whole.terrain as i16 + 1);
                assert_eq!(feature[4], whole.points as i16);
                let relative = row[4] as usize - 1;
                let count = i16::from(whole.meeples[meeple.player]);
                assert_eq!(feature[FEATURE_HEAD + relative], count);
            }
        }
        assert_eq!(meeples, game.meeples().count(), "a tile holds one meeple at most");
    }

    #[test]
    fn the_observation_says_what_the_game_says() {
        let mut random = Random::new(11);
        let mut moves = Vec::new();
        for setup in
            ["board=35x35", "players=5 board=9x9 start=empty", "players=3 farmers=off board=30x30"]
        {
            let setup = setup.parse().unwrap();
            let numbering = Numbering::new(&setup, Version::V1).unwrap();
            let mut game = Carcassonne::new(&setup);
            let mut seen = vec![-1; compact_len(game.players())];
            let mut compact = Compact::new();
            loop {
                let viewer = Player::new(random.below(game.players() as u32) as usize);
                compact.update(&game, viewer, numbering, &mut seen);
                let mut anew = vec![-1; seen.len()];
                Compact::new().update(&game, viewer, numbering, &mut anew);
                assert_eq!(seen, anew);
                check(&game, viewer, numbering, &seen);
                game.moves(&mut moves);
                let Some(m) = random.pick(&moves) else { break };
                game.play_unchecked(*m, |_| {});
            }
        }
    }
}
