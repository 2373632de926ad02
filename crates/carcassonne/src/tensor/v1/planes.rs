//! Feature planes: the board as one n×n picture of zeros and ones for each question.

use crate::board::Placed;
use crate::game::Carcassonne;
use crate::geometry::{Rotation, Side};
use crate::meeples::{MEEPLES, Standing};
use crate::moves::Move;
use crate::setup::Setup;
use crate::tensor::Numbering;
use crate::tensor::choices::{LEGAL_PLANES, for_each_mark};
use crate::tile::{BASE_KINDS, Terrain, Tile};
use game::{Game, Player};

/// Planes about tiles: they never change once a tile lies.
const TILE_PLANES: usize = 13;
const TERRAIN_PLANES: usize = 4;
const HALF_EDGE_PLANES: usize = 8;

/// How many planes there are for so many players.
#[must_use]
pub const fn plane_count(players: usize) -> usize {
    TILE_PLANES + players + TERRAIN_PLANES + HALF_EDGE_PLANES + LEGAL_PLANES + 1
}

/// What each plane is, in order.
#[must_use]
pub fn plane_names(players: usize) -> Vec<String> {
    let mut names = vec!["tile".to_owned()];
    for terrain in ["city", "road"] {
        names.extend(Side::ALL.map(|side| format!("{terrain} {}", side.letter())));
    }
    names.extend(["monastery", "pennant", "cities apart", "roads apart"].map(str::to_owned));
    names.extend((0..players).map(|seat| format!("meeple of relative seat {seat}")));
    let terrains = [Terrain::City, Terrain::Road, Terrain::Field, Terrain::Monastery];
    names.extend(terrains.map(|terrain| format!("meeple on a {terrain}")));
    let halves = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];
    names.extend(halves.map(|half| format!("meeple's segment reaches {half}")));
    names.extend((0..4).map(|quarters| format!("the tile fits turned r{quarters}")));
    names.push("the tile just placed".to_owned());
    names
}

/// Which tile planes are 1 where a turned kind lies, a bit for each, at `kind * 4 + quarters`.
static TILE_BITS: [u16; BASE_KINDS * 4] = tile_bits();

/// Writes planes into one array that it wrote before, changing only what changed.
///
/// The array is `[plane][row][column]`. Tiles stay; meeples and what may be done are wiped where
/// they were last written and written anew.
#[derive(Clone, Debug)]
pub struct Planes {
    /// How many tiles are in the array.
    tiles: usize,
    /// Where the array holds a 1 that may go: what may be done.
    passing: Vec<u32>,
    /// The meeples in the array.
    meeples: [[Mark; MEEPLES]; Setup::MAX_PLAYERS],
}

/// A meeple in the array.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Standing<u8>,
    cell: u32,
    terrain: u8,
    /// The half edges that its segment reaches, a bit for each.
    halves: u8,
    /// The relative seat.
    seat: u8,
}

const NO_MARK: Mark = Mark { at: Standing::IN_HAND, cell: 0, terrain: 0, halves: 0, seat: 0 };

impl Default for Planes {
    fn default() -> Self {
        Self::new()
    }
}

impl Planes {
    /// For an array that may hold anything: the first update clears it.
    #[must_use]
    pub const fn new() -> Self {
        let meeples = [[NO_MARK; MEEPLES]; Setup::MAX_PLAYERS];
        Self { tiles: usize::MAX, passing: Vec::new(), meeples }
    }

    /// Another game comes: the next update clears the array.
    pub const fn forget(&mut self) {
        self.tiles = usize::MAX;
    }

    /// Brings the array up to date, as seen by the viewer; `legal` are the legal moves.
    ///
    /// Between two calls the game may go on or nothing may happen; for another game, call
    /// [`forget`](Self::forget) first.
    ///
    /// # Panics
    /// If the array is not [`plane_count`] times the cells long.
    #[inline]
    pub fn update(
        &mut self,
        game: &Carcassonne,
        viewer: Player,
        numbering: Numbering,
        legal: &[Move],
        out: &mut [u8],
    ) {
        let cells = numbering.cells();
        assert_eq!(out.len(), plane_count(game.players()) * cells, "planes of the whole board");
        let tiles = game.board.tiles();
        if self.tiles > tiles.len() {
            out.fill(0);
            self.tiles = 0;
            self.passing.clear();
            self.meeples = [[NO_MARK; MEEPLES]; Setup::MAX_PLAYERS];
        }
        for at in self.passing.drain(..) {
            out[at as usize] = 0;
        }
        for placed in &tiles[self.tiles..] {
            let cell = numbering.cell_index(placed.cell);
            let mut bits = TILE_BITS[oriented(*placed)];
            while bits != 0 {
                out[bits.trailing_zeros() as usize * cells + cell] = 1;
                bits &= bits - 1;
            }
        }
        self.tiles = tiles.len();
        self.write_meeples(game, viewer, numbering, out);
        self.write_choices(game, numbering, legal, out);
    }

    /// Moves what changed of the meeples.
    #[inline]
    fn write_meeples(
        &mut self,
        game: &Carcassonne,
        viewer: Player,
        numbering: Numbering,
        out: &mut [u8],
    ) {
        let (cells, players) = (numbering.cells(), game.players());
        for seat in 0..players {
            let relative = ((seat + players - viewer.index()) % players) as u8;
            let now = game.meeples.all_of(Player::new(seat));
            for (mark, at) in self.meeples[seat].iter_mut().zip(now) {
                if mark.at != *at {
                    if mark.at.stands() {
                        mark.write(out, cells, players, 0);
                    }
                    *mark = Mark::new(game, numbering, *at, relative);
                    if at.stands() {
                        mark.write(out, cells, players, 1);
                    }
                } else if at.stands() && mark.seat != relative {
                    let cell = mark.cell as usize;
                    out[(TILE_PLANES + mark.seat as usize) * cells + cell] = 0;
                    out[(TILE_PLANES + relative as usize) * cells + cell] = 1;
                    mark.seat = relative;
                }
            }
        }
    }

    /// Writes what may be done.
    #[inline]
    fn write_choices(
        &mut self,
        game: &Carcassonne,
        numbering: Numbering,
        legal: &[Move],
        out: &mut [u8],
    ) {
        let cells = numbering.cells();
        let first = TILE_PLANES + game.players() + TERRAIN_PLANES + HALF_EDGE_PLANES;
        for_each_mark(game, numbering, legal, first, |plane, cell| {
            let at = plane * cells + cell;
            out[at] = 1;
            self.passing.push(at as u32);
        });
    }
}

impl Mark {
    fn new(game: &Carcassonne, numbering: Numbering, at: Standing<u8>, seat: u8) -> Self {
        if !at.stands() {
            return NO_MARK;
        }
        let placed = game.board.tiles()[at.tile as usize];
        let place = (u16::from(at.segment) - placed.first_segment()) as usize;
        let segment = &placed.tile().printed().segments[place];
        let halves = match segment.terrain {
            Terrain::Field => segment.halves_turned(placed.rotation()),
            _ => both_halves(segment.sides_turned(placed.rotation())),
        };
        let cell = numbering.cell_index(placed.cell) as u32;
        Self { at, cell, terrain: segment.terrain as u8, halves, seat }
    }

    fn write(self, out: &mut [u8], cells: usize, players: usize, value: u8) {
        let cell = self.cell as usize;
        let terrains = TILE_PLANES + players;
        let first_half = terrains + TERRAIN_PLANES;
        out[(TILE_PLANES + self.seat as usize) * cells + cell] = value;
        out[(terrains + self.terrain as usize) * cells + cell] = value;
        for half in (0..8).filter(|half| self.halves >> half & 1 == 1) {
            out[(first_half + half) * cells + cell] = value;
        }
    }
}

fn oriented(placed: Placed<u8>) -> usize {
    placed.tile().index() * 4 + usize::from(placed.rotation().quarters())
}

/// Both half edges of each side.
const fn both_halves(sides: u8) -> u8 {
    let (mut halves, mut side) = (0, 0);
    while side < 4 {
        if sides >> side & 1 == 1 {
            halves |= 3 << (2 * side);
        }
        side += 1;
    }
    halves
}

const fn tile_bits() -> [u16; BASE_KINDS * 4] {
    let mut table = [0; BASE_KINDS * 4];
    let mut at = 0;
    while at < table.len() {
        if let Some(tile) = Tile::new(at / 4) {
            table[at] = bits_of(tile, Rotation::new((at % 4) as u8));
        }
        at += 1;
    }
    table
}

const fn bits_of(tile: Tile, rotation: Rotation) -> u16 {
    let printed = tile.printed();
    let (mut bits, mut i) = (1, 0);
    while i < printed.segments.len() {
        let segment = &printed.segments[i];
        let sides = segment.sides_turned(rotation) as u16;
        bits |= match segment.terrain {
            Terrain::City => sides << 1 | ((segment.pennants > 0) as u16) << 10,
            Terrain::Road => sides << 5,
            Terrain::Field | Terrain::Garden => 0,
            Terrain::Monastery => 1 << 9,
        };
        i += 1;
    }
    bits |= ((printed.count_of(Terrain::City) > 1) as u16) << 11;
    bits | ((printed.count_of(Terrain::Road) > 1) as u16) << 12
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Version;
    use game::Random;

    #[test]
    fn what_is_kept_up_to_date_is_what_is_written_anew() {
        let mut random = Random::new(7);
        for setup in ["board=21x21", "players=4 board=12x12 start=empty", "board=35x35 farmers=off"]
        {
            let setup = setup.parse().unwrap();
            let numbering = Numbering::new(&setup, Version::V1).unwrap();
            let players = Carcassonne::new(&setup).players();
            let len = plane_count(players) * numbering.cells();
            let (mut kept, mut planes) = (vec![9; len], Planes::new());
            for _ in 0..2 {
                let (mut game, mut moves) = (Carcassonne::new(&setup), Vec::new());
                planes.forget();
                loop {
                    game.moves(&mut moves);
                    let viewer = Player::new(random.below(players as u32) as usize);
                    let mut anew = vec![9; len];
                    planes.update(&game, viewer, numbering, &moves, &mut kept);
                    Planes::new().update(&game, viewer, numbering, &moves, &mut anew);
                    assert!(kept == anew);
                    let Some(m) = random.pick(&moves) else { break };
                    game.play_unchecked(*m, |_| {});
                }
            }
        }
    }

    #[test]
    fn planes_are_named_and_show_a_small_board() {
        for players in 2..=6 {
            assert_eq!(plane_names(players).len(), plane_count(players));
        }
        let record = "carcassonne board=3x3\nU; 1,0 r0; road0; V";
        let game: Carcassonne = record.parse::<game::Record<_>>().unwrap().replay().unwrap();
        let numbering = Numbering::new(game.setup(), Version::V1).unwrap();
        let (mut moves, mut out) = (Vec::new(), vec![0; plane_count(2) * 9]);
        game.moves(&mut moves);
        Planes::new().update(&game, Player::new(1), numbering, &moves, &mut out);
        let lit = |name: &str| -> Vec<usize> {
            let plane = plane_names(2).iter().position(|n| n == name).unwrap();
            (0..9).filter(|cell| out[plane * 9 + cell] == 1).collect()
        };
        assert_eq!(lit("tile"), [4, 5]);
        assert_eq!(lit("city N"), [4]);
        assert_eq!(lit("road E"), [4, 5]);
        assert_eq!(lit("meeple of relative seat 1"), [5]);
        assert_eq!(lit("meeple on a road"), [5]);
        assert_eq!(lit("meeple's segment reaches WL"), [5]);
        assert_eq!(lit("meeple's segment reaches NL"), [] as [usize; 0]);
        assert_eq!(lit("the tile fits turned r0"), moves_turned(&moves, 0, numbering));
    }

    fn moves_turned(moves: &[Move], quarters: u8, numbering: Numbering) -> Vec<usize> {
        let numbers = moves.iter().filter_map(|m| numbering.number(*m)).map(|n| n as usize);
        let mut cells: Vec<usize> =
            numbers.filter(|n| n % 4 == usize::from(quarters)).map(|n| n / 4).collect();
        cells.sort_unstable();
        cells
    }
}
