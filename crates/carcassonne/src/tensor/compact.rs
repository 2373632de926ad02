//! The compact observation: globals, the claimed features, and the tiles with their meeples.

use super::globals::{globals_len, write_globals};
use super::numbering::Numbering;
use crate::game::Carcassonne;
use crate::meeples::MEEPLES;
use crate::tile::TILES;
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

/// Writes the compact observation: the globals, a row for each claimed feature, a row for each
/// tile in order of placement; rows that are not used are 0.
///
/// # Panics
/// If `out` is not [`compact_len`] long.
#[inline]
pub fn write_compact(game: &Carcassonne, viewer: Player, numbering: Numbering, out: &mut [i16]) {
    let players = game.players();
    assert_eq!(out.len(), compact_len(players), "one length for so many players");
    let (globals, rest) = out.split_at_mut(globals_len(players));
    write_globals(game, viewer, globals);
    let wide = FEATURE_HEAD + players;
    let (features, tiles) = rest.split_at_mut(feature_rows(players) * wide);
    let row_of = write_features(game, viewer, features, wide);
    write_tiles(game, numbering, tiles);
    for (player, _, at) in game.meeples.all() {
        let relative = (player.index() + players - viewer.index()) % players;
        let placed = game.board.tiles()[at.tile as usize];
        let row = &mut tiles[at.tile as usize * TILE_ROW..][..TILE_ROW];
        row[4] = relative as i16 + 1;
        row[5] = i16::from(at.segment - placed.first_segment) + 1;
        row[6] = i16::from(row_of[game.features.find(at.segment).0 as usize]) + 1;
    }
}

/// Writes a row for each claimed feature; gives the row of each feature by its id.
#[inline]
fn write_features(game: &Carcassonne, viewer: Player, out: &mut [i16], wide: usize) -> [u8; 256] {
    let players = game.players();
    let mut row_of = [0; 256];
    let mut rows = 0;
    game.for_each_standing(|terrain, feature, record| {
        row_of[feature.0 as usize] = rows;
        let row = &mut out[rows as usize * wide..][..wide];
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
        rows += 1;
    });
    out[rows as usize * wide..].fill(0);
    row_of
}

/// Writes a row for each tile, without meeples.
#[inline]
fn write_tiles(game: &Carcassonne, numbering: Numbering, out: &mut [i16]) {
    let tiles = game.board.tiles();
    let (used, free) = out.split_at_mut(tiles.len() * TILE_ROW);
    for (placed, row) in tiles.iter().zip(used.as_chunks_mut::<TILE_ROW>().0) {
        let (i, j) = numbering.row_column(placed.cell);
        let kind = placed.tile().index() as i16;
        *row = [i + 1, j + 1, kind + 1, i16::from(placed.rotation().quarters()), 0, 0, 0];
    }
    free.fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Segment;
    use crate::tensor::numbering::Numbering;
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
            let numbering = Numbering::new(&setup).unwrap();
            let mut game = Carcassonne::new(&setup);
            let mut seen = vec![-1; compact_len(game.players())];
            loop {
                let viewer = Player::new(random.below(game.players() as u32) as usize);
                write_compact(&game, viewer, numbering, &mut seen);
                check(&game, viewer, numbering, &seen);
                game.moves(&mut moves);
                let Some(m) = random.pick(&moves) else { break };
                game.play_unchecked(*m, |_| {});
            }
        }
    }
}
