//! The compact observation: globals, the claimed features, and the tiles with their figures.

use super::TILE_ROWS;
use super::globals::{globals_len, write_globals};
use crate::edition::{Array, Edition};
use crate::figure::{FIGURES, Figure};
use crate::game::Position;
use crate::goods::Good;
use crate::tables::KIND;
use crate::tensor::Numbering;
use game::{Game, Player};

/// Numbers of a feature before those of the seats: terrain + 1, tiles, pennants, open sides, points
/// if the game ended now, finished cities it touches, whether it is finished, points of what lies
/// once it is finished, whether it has an inn or a cathedral, its wine, grain and cloth.
pub const FEATURE_HEAD: usize = 12;

/// Numbers of a tile: row + 1, column + 1, kind + 1, rotation, then of its figure the relative seat
/// + 1, the place of its segment in the kind's list + 1, the row of its feature + 1, its kind + 1.
pub const TILE_ROW: usize = 8;

/// The most features that can be claimed at once: one for each figure.
#[must_use]
pub const fn feature_rows(players: usize) -> usize {
    FIGURES * players
}

/// How many numbers a feature has: by relative seat its meeples, builders and pigs come last.
#[must_use]
pub const fn feature_width(players: usize) -> usize {
    FEATURE_HEAD + 3 * players
}

/// How many numbers there are for so many players.
#[must_use]
pub const fn compact_len(players: usize) -> usize {
    let features = feature_rows(players) * feature_width(players);
    globals_len(players) + features + TILE_ROWS * TILE_ROW
}

/// Writes the compact observation into an array that it wrote before: tiles stay, the rest is
/// written anew. Rows that are not used are 0.
#[derive(Clone, Debug)]
pub struct Compact {
    /// How many tiles are in the array.
    tiles: usize,
    /// How many features are in the array.
    features: usize,
    /// Which tiles hold a figure in the array.
    figures: Vec<u8>,
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
        Self { tiles: usize::MAX, features: 0, figures: Vec::new() }
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
    pub fn update<E: Edition>(
        &mut self,
        game: &Position<E>,
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
            self.figures.clear();
        }
        let (globals, rest) = out.split_at_mut(globals_len(players));
        write_globals(game, viewer, globals);
        let (features, tiles) = rest.split_at_mut(feature_rows(players) * feature_width(players));
        let tiles = tiles.as_chunks_mut::<TILE_ROW>().0;
        for (placed, row) in placed.iter().zip(tiles.iter_mut()).skip(self.tiles) {
            let (i, j) = numbering.row_column(placed.cell);
            let kind = placed.tile().index() as i16;
            *row = [i + 1, j + 1, kind + 1, i16::from(placed.rotation().quarters()), 0, 0, 0, 0];
        }
        self.tiles = placed.len();
        for tile in self.figures.drain(..) {
            tiles[tile as usize][4..].fill(0);
        }
        self.write_figures(game, viewer, features, tiles);
    }

    /// Writes the claimed features, and the figures on their tiles.
    fn write_figures<E: Edition>(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        features: &mut [i16],
        tiles: &mut [[i16; TILE_ROW]],
    ) {
        let players = game.players();
        let wide = feature_width(players);
        // The row + 1 of each feature, by its id.
        let mut row_of = E::PerSegment::filled(0u8);
        let mut rows = 0;
        for (player, number, at) in game.meeples.all() {
            let feature = game.features.find(at.segment.into());
            let placed = game.board.tiles()[at.tile as usize];
            let place = (at.segment.into() - placed.first_segment()) as usize & 7;
            if row_of[E::at(feature.0)] == 0 {
                let terrain = KIND[placed.tile().index()].names[place].terrain();
                let summary = game.summary(feature, terrain, placed.cell);
                let row = &mut features[rows * wide..][..wide];
                let [wine, grain, cloth] = Good::ALL.map(|good| i16::from(summary.goods[good]));
                row[..FEATURE_HEAD].copy_from_slice(&[
                    terrain as i16 + 1,
                    i16::from(summary.tiles),
                    i16::from(summary.pennants),
                    i16::from(summary.open),
                    summary.points as i16,
                    i16::from(summary.finished_cities),
                    i16::from(summary.finished),
                    summary.points_if_finished as i16,
                    i16::from(summary.special),
                    wine,
                    grain,
                    cloth,
                ]);
                for relative in 0..players {
                    let seat = Player::new((viewer.index() + relative) % players);
                    let of_seat = &mut row[FEATURE_HEAD + relative..];
                    of_seat[0] = i16::from(summary.meeples[seat]);
                    of_seat[players] = i16::from(summary.builders.contains(seat));
                    of_seat[2 * players] = i16::from(summary.pigs.contains(seat));
                }
                rows += 1;
                row_of[E::at(feature.0)] = rows as u8;
            }
            let relative = (player.index() + players - viewer.index()) % players;
            let row = &mut tiles[at.tile as usize];
            row[4] = relative as i16 + 1;
            row[5] = place as i16 + 1;
            row[6] = i16::from(row_of[E::at(feature.0)]);
            row[7] = Figure::of_number(number) as i16 + 1;
            self.figures.push(at.tile);
        }
        if rows < self.features {
            features[rows * wide..self.features * wide].fill(0);
        }
        self.features = rows;
    }
}
