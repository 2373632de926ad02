//! How many different positions there are after so many plies, counted one by one.

use anyhow::bail;
use carcassonne::{Carcassonne, Move, Setup};
use game::{Game, Turn, ignore};
use std::collections::HashMap;

/// Positions after so many plies.
pub(super) struct Level {
    pub(super) positions: usize,
    /// Ways to come to them: what `bastide perft` counts.
    pub(super) lines: u64,
}

/// More positions than this are not held in memory.
const MOST: usize = 8_000_000;

/// The levels of the tree from one ply on.
pub(super) fn levels(setup: &Setup, depth: u32) -> impl Iterator<Item = anyhow::Result<Level>> {
    let start = Carcassonne::new(setup);
    // A position is held as a way to it, which is a hundred times smaller.
    let mut here: HashMap<Vec<u8>, (Vec<Move>, u64)> = HashMap::new();
    here.insert(key(&start), (Vec::new(), 1));
    (0..depth).map(move |_| {
        let mut next: HashMap<Vec<u8>, (Vec<Move>, u64)> = HashMap::new();
        let mut moves = Vec::new();
        for (path, lines) in here.values() {
            let mut game = start.clone();
            path.iter().for_each(|m| game.play_unchecked(*m, ignore));
            moves.clear();
            game.moves(&mut moves);
            for m in &moves {
                let mut child = game.clone();
                child.play_unchecked(*m, ignore);
                let known = next.entry(key(&child));
                known.or_insert_with(|| ([&path[..], &[*m]].concat(), 0)).1 += lines;
            }
            if next.len() > MOST {
                bail!("there are more than {MOST} positions at the next depth; choose a smaller --depth");
            }
        }
        here = next;
        Ok(Level { positions: here.len(), lines: here.values().map(|(_, lines)| lines).sum() })
    })
}

/// All that makes a position, so that two that are the same have the same bytes: tiles by their looks,
/// meeples by where they stand, points, the bag, the tile in hand and who is to do what.
fn key(game: &Carcassonne) -> Vec<u8> {
    let mut tiles: Vec<[u8; 4]> = game
        .tiles()
        .map(|placed| {
            let turned = placed.rotation.quarters() % placed.tile.distinct_rotations();
            let [x, y] = [placed.cell.x, placed.cell.y].map(|at| at.to_le_bytes()[0]);
            [x, y, placed.tile.index() as u8, turned]
        })
        .collect();
    tiles.sort_unstable();
    let rotation_at = |cell| game.tile_at(cell).map(|placed| (placed.tile, placed.rotation));
    let mut meeples: Vec<[u8; 6]> = game
        .meeples()
        .filter_map(|meeple| {
            let (tile, rotation) = rotation_at(meeple.cell)?;
            let printed = &tile.printed().segments[meeple.segment.index_on(tile)?];
            let [x, y] = [meeple.cell.x, meeple.cell.y].map(|at| at.to_le_bytes()[0]);
            let place = (printed.sides_turned(rotation), printed.halves_turned(rotation));
            let terrain = meeple.segment.terrain() as u8;
            Some([x, y, meeple.player.index() as u8, terrain, place.0, place.1])
        })
        .collect();
    meeples.sort_unstable();
    let mut key: Vec<u8> = Vec::with_capacity(96);
    key.push(tiles.len() as u8);
    key.extend(tiles.as_flattened());
    key.push(meeples.len() as u8);
    key.extend(meeples.as_flattened());
    game.scores().iter().for_each(|(_, score)| key.extend(score.to_le_bytes()));
    key.extend(game.bag().as_ref());
    key.push(game.tile_in_hand().map_or(u8::MAX, |tile| tile.index() as u8));
    // The tile that was placed last is the one that a meeple may go to.
    let claiming = matches!(game.turn(), Turn::Player(_)) && game.tile_in_hand().is_none();
    let last = game.last_placed().filter(|_| claiming);
    let at = last.map(|placed| [placed.cell.x, placed.cell.y].map(|at| at.to_le_bytes()[0]));
    key.extend(at.unwrap_or([u8::MAX; 2]));
    key.push(game.player().index() as u8);
    key.push(match game.turn() {
        Turn::Player(_) => 0,
        Turn::Chance => 1,
        Turn::Over => 2,
    });
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_leads_to_a_position_that_is_counted() {
        for setup in ["players=2", "players=2 farmers=off start=empty board=35x35"] {
            let setup: Setup = setup.parse().unwrap();
            let mut moves = Vec::new();
            Carcassonne::new(&setup).moves(&mut moves);
            let levels: Vec<Level> = levels(&setup, 4).map(Result::unwrap).collect();
            assert_eq!((levels[0].positions, levels[0].lines), (24, moves.len() as u64), "{setup}");
            assert!(levels.iter().all(|level| level.positions as u64 <= level.lines));
            // A tile that looks alike when it is turned lies in fewer ways than there are moves.
            assert!((levels[1].positions as u64) < levels[1].lines, "{setup}");
        }
    }
}
