//! Feature planes: the board as one n×n picture for each question, and for each fact about the
//! features that cover a cell.

use super::facts::{COVERS, Facts, fact_planes, facts, names, plane_of};
use crate::board::Placed;
use crate::edition::{Array, Edition, Number};
use crate::features::FeatureSet;
use crate::figure::Figure;
use crate::game::Position;
use crate::geometry::{Rotation, Side};
use crate::goods::Good;
use crate::moves::Move;
use crate::tables::KIND;
use crate::tensor::Numbering;
use crate::tensor::choices::{LEGAL_PLANES, for_each_mark};
use crate::tile::{ALL_KINDS, MOST_SEGMENTS, Terrain, Tile};
use game::{Game, Player};

/// Planes about tiles: they never change once a tile lies.
const TILE_PLANES: usize = 30;
const TERRAIN_PLANES: usize = 5;
const HALF_EDGE_PLANES: usize = 8;

const CITY: usize = 1;
const ROAD: usize = 5;
const RIVER: usize = 9;
const JOINED: usize = 13;
const MONASTERY: usize = 19;
const GARDEN: usize = 20;
const PENNANT: usize = 21;
const CATHEDRAL: usize = 22;
const INN: usize = 23;
const GOODS: usize = 27;

/// The pairs of sides that one city or road of a tile may join.
const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// How many planes about figures there are.
const fn figure_planes(players: usize) -> usize {
    players + Figure::ALL.len() + TERRAIN_PLANES + HALF_EDGE_PLANES
}

/// How many planes there are for so many players.
#[must_use]
pub const fn plane_count(players: usize) -> usize {
    TILE_PLANES + figure_planes(players) + LEGAL_PLANES + 1 + fact_planes(players)
}

/// What each plane is, in order.
#[must_use]
pub fn plane_names(players: usize) -> Vec<String> {
    let letters = Side::ALL.map(Side::letter);
    let mut all = vec!["tile".to_owned()];
    for terrain in ["city", "road", "river"] {
        all.extend(letters.map(|side| format!("{terrain} {side}")));
    }
    all.extend(PAIRS.map(|(a, b)| format!("{} and {} joined", letters[a], letters[b])));
    all.extend(["monastery", "garden", "pennant", "cathedral"].map(str::to_owned));
    all.extend(letters.map(|side| format!("inn by the road {side}")));
    all.extend(Good::ALL.map(|good| good.name().to_owned()));
    all.extend((0..players).map(|seat| format!("figure of relative seat {seat}")));
    all.extend(["meeple", "big meeple", "builder", "pig", "abbot"].map(str::to_owned));
    let terrains =
        [Terrain::City, Terrain::Road, Terrain::Field, Terrain::Monastery, Terrain::Garden];
    all.extend(terrains.map(|terrain| format!("figure on a {terrain}")));
    let halves = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];
    all.extend(halves.map(|half| format!("figure's segment reaches {half}")));
    all.extend((0..4).map(|quarters| format!("the tile fits turned r{quarters}")));
    all.push("the tile just placed".to_owned());
    all.extend(names(players));
    all
}

/// Which tile planes are 1 where a turned kind lies, a bit for each, at `kind * 4 + quarters`.
static TILE_BITS: [u32; ALL_KINDS * 4] = tile_bits();

/// Writes planes into one array that it wrote before, changing only what changed.
///
/// The array is `[plane][row][column]`. Tiles stay, facts are compared with those written last;
/// figures and what may be done are wiped where they were last written and written anew.
#[derive(Clone, Debug)]
pub struct Planes {
    /// How many tiles are in the array.
    tiles: usize,
    /// Where the array holds a 1 that may go: figures, and what may be done.
    passing: Vec<u32>,
    /// The facts in the array, of each tile's segments.
    facts: Vec<[Facts; MOST_SEGMENTS]>,
}

impl Default for Planes {
    fn default() -> Self {
        Self::new()
    }
}

impl Planes {
    /// For an array that may hold anything: the first update clears it.
    #[must_use]
    pub const fn new() -> Self {
        Self { tiles: usize::MAX, passing: Vec::new(), facts: Vec::new() }
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
    pub fn update<E: Edition>(
        &mut self,
        game: &Position<E>,
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
            self.facts.clear();
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
        self.facts.resize(tiles.len(), [[0; 16]; MOST_SEGMENTS]);
        self.write_facts(game, viewer, numbering, out);
        self.write_figures(game, viewer, numbering, out);
        self.write_choices(game, numbering, legal, out);
    }

    /// Writes the facts that changed, on every cell.
    fn write_facts<E: Edition>(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        out: &mut [u8],
    ) {
        let (cells, players) = (numbering.cells(), game.players());
        let first = plane_count(players) - fact_planes(players);
        let mut known = FeatureSet::default();
        let mut of_feature = E::PerSegment::<Facts>::filled([0; 16]);
        for (placed, written) in game.board.tiles().iter().zip(&mut self.facts) {
            let kind = &KIND[placed.tile().index()];
            let covers = &COVERS[oriented(*placed)];
            let cell = numbering.cell_index(placed.cell);
            for place in 0..kind.segments as usize & 15 {
                let feature = game.features.find(placed.first_segment() + place as u16);
                if known.insert(feature) {
                    let terrain = kind.names[place & 7].terrain();
                    of_feature[E::at(feature.0)] =
                        facts(game, feature, terrain, placed.cell, viewer);
                }
                let (now, then) = (of_feature[E::at(feature.0)], &mut written[place & 7]);
                if now == *then {
                    continue;
                }
                for fact in (0..now.len()).filter(|fact| now[*fact] != then[*fact]) {
                    let mut slots = covers[place & 7];
                    while slots != 0 {
                        let slot = slots.trailing_zeros() as usize;
                        if let Some(plane) = plane_of(slot, fact, players) {
                            out[(first + plane) * cells + cell] = now[fact];
                        }
                        slots &= slots - 1;
                    }
                }
                *then = now;
            }
        }
    }

    fn write_figures<E: Edition>(
        &mut self,
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        out: &mut [u8],
    ) {
        let (cells, players) = (numbering.cells(), game.players());
        let kinds = TILE_PLANES + players;
        let terrains = kinds + Figure::ALL.len();
        let first_half = terrains + TERRAIN_PLANES;
        for (player, number, at) in game.meeples.all() {
            let placed = game.board.tiles()[at.tile as usize];
            let cell = numbering.cell_index(placed.cell);
            let place = (at.segment.into() - placed.first_segment()) as usize & 7;
            let segment = &placed.tile().printed().segments[place];
            let halves = match segment.terrain {
                Terrain::Field => segment.halves_turned(placed.rotation()),
                _ => both_halves(segment.sides_turned(placed.rotation())),
            };
            let mut set = |plane: usize| {
                out[plane * cells + cell] = 1;
                self.passing.push((plane * cells + cell) as u32);
            };
            set(TILE_PLANES + (player.index() + players - viewer.index()) % players);
            set(kinds + Figure::of_number(number) as usize);
            set(terrains + segment.terrain as usize);
            (0..8).filter(|half| halves >> half & 1 == 1).for_each(|half| set(first_half + half));
        }
    }

    /// Writes what may be done.
    fn write_choices<E: Edition>(
        &mut self,
        game: &Position<E>,
        numbering: Numbering,
        legal: &[Move],
        out: &mut [u8],
    ) {
        let cells = numbering.cells();
        let first = TILE_PLANES + figure_planes(game.players());
        for_each_mark(game, numbering, legal, first, |plane, cell| {
            let at = plane * cells + cell;
            out[at] = 1;
            self.passing.push(at as u32);
        });
    }
}

fn oriented<N: Number>(placed: Placed<N>) -> usize {
    placed.tile().index() * 4 + usize::from(placed.rotation().quarters())
}

/// Both half edges of each side.
fn both_halves(sides: u8) -> u8 {
    (0..4).filter(|side| sides >> side & 1 == 1).fold(0, |halves, side| halves | 3 << (2 * side))
}

const fn tile_bits() -> [u32; ALL_KINDS * 4] {
    let mut table = [0; ALL_KINDS * 4];
    let mut at = 0;
    while at < table.len() {
        if let Some(tile) = Tile::of_any_set(at / 4) {
            table[at] = bits_of(tile, Rotation::new((at % 4) as u8));
        }
        at += 1;
    }
    table
}

const fn bits_of(tile: Tile, rotation: Rotation) -> u32 {
    let printed = tile.printed();
    let river = (printed.river as u32) << rotation.quarters();
    let (mut bits, mut i) = (1 | ((river | river >> 4) & 15) << RIVER, 0);
    while i < printed.segments.len() {
        let segment = &printed.segments[i];
        let sides = segment.sides_turned(rotation) as u32;
        let special = segment.special as u32;
        bits |= match segment.terrain {
            Terrain::City => {
                let good = match segment.good {
                    Some(good) => 1 << (GOODS + good as usize),
                    None => 0,
                };
                let pennant = ((segment.pennants > 0) as u32) << PENNANT;
                sides << CITY | joined(sides) | pennant | special << CATHEDRAL | good
            }
            Terrain::Road => sides << ROAD | joined(sides) | (special * sides) << INN,
            Terrain::Field => 0,
            Terrain::Monastery => 1 << MONASTERY,
            Terrain::Garden => 1 << GARDEN,
        };
        i += 1;
    }
    bits
}

/// The planes of the pairs of sides that a segment joins.
const fn joined(sides: u32) -> u32 {
    let (mut bits, mut pair) = (0, 0);
    while pair < PAIRS.len() {
        let (a, b) = PAIRS[pair];
        bits |= (sides >> a & sides >> b & 1) << (JOINED + pair);
        pair += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{AllSets, Base};
    use crate::feature_view::Feature;
    use crate::setup::Options;
    use crate::tensor::Version;
    use crate::tensor::v2::{Compact, compact_len};
    use game::Random;

    /// Plays random games; after every move what is kept up to date is compared with what is
    /// written anew, and with the game's own views.
    fn play<E: Edition>(setup: &str, seed: u64) {
        let Ok(setup) = setup.parse::<E::Setup>() else { panic!("{setup}") };
        let numbering = Numbering::new(setup.rules(), Version::V2).unwrap();
        let players = setup.rules().players();
        let len = plane_count(players) * numbering.cells();
        let (mut kept, mut planes) = (vec![9; len], Planes::new());
        let (mut kept_list, mut compact) = (vec![9; compact_len(players)], Compact::new());
        let mut random = Random::new(seed);
        for _ in 0..2 {
            let (mut game, mut moves) = (Position::<E>::new(&setup), Vec::new());
            planes.forget();
            compact.forget();
            loop {
                game.moves(&mut moves);
                let viewer = Player::new(random.below(players as u32) as usize);
                let mut anew = vec![9; len];
                planes.update(&game, viewer, numbering, &moves, &mut kept);
                Planes::new().update(&game, viewer, numbering, &moves, &mut anew);
                assert!(kept == anew);
                let mut anew = vec![9; compact_len(players)];
                compact.update(&game, viewer, numbering, &mut kept_list);
                Compact::new().update(&game, viewer, numbering, &mut anew);
                assert_eq!(kept_list, anew);
                check_facts(&game, viewer, numbering, &kept);
                let Some(m) = random.pick(&moves) else { break };
                game.play_unchecked(*m, |_| {});
            }
        }
    }

    /// Every fact on every cell is what the game's view of the feature says, and nothing else is
    /// written.
    fn check_facts<E: Edition>(
        game: &Position<E>,
        viewer: Player,
        numbering: Numbering,
        seen: &[u8],
    ) {
        let (cells, players) = (numbering.cells(), game.players());
        let first = plane_count(players) - fact_planes(players);
        let mut wanted = vec![0; fact_planes(players) * cells];
        let all = names(players);
        for Feature { summary, segments, .. } in game.features() {
            for (cell, segment) in segments {
                let placed = game.tile_at(cell).unwrap();
                let printed = &placed.tile.printed().segments;
                let printed = &printed[segment.index_on(placed.tile).unwrap()];
                let halves = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];
                let reached = |bits: u8, at: usize| bits >> at & 1 == 1;
                let places: Vec<String> = match summary.terrain {
                    Terrain::City | Terrain::Road => Side::ALL
                        .into_iter()
                        .filter(|s| reached(printed.sides_turned(placed.rotation), *s as usize))
                        .map(|s| format!("the city or road {}", s.letter()))
                        .collect(),
                    Terrain::Field if printed.halves == 0 => vec!["the field inside".to_owned()],
                    Terrain::Field => (0..8)
                        .filter(|at| reached(printed.halves_turned(placed.rotation), *at))
                        .map(|at| format!("the field {}", halves[at]))
                        .collect(),
                    _ => vec!["the monastery or garden".to_owned()],
                };
                let mut set = |name: String, value: u16| {
                    if let Some(plane) = all.iter().position(|known| *known == name) {
                        let at = plane * cells + numbering.cell_index(cell);
                        wanted[at] = value.min(255) as u8;
                    } else {
                        assert_eq!(summary.terrain, Terrain::Field, "{name}");
                    }
                };
                for place in places {
                    for relative in 0..players {
                        let seat = Player::new((viewer.index() + relative) % players);
                        let meeples = summary.meeples[seat].into();
                        set(format!("meeples of relative seat {relative} on {place}"), meeples);
                        let owns = summary.owners.contains(seat).into();
                        set(format!("relative seat {relative} owns {place}"), owns);
                    }
                    set(format!("points of {place}"), summary.points);
                    set(format!("open sides of {place}"), summary.open.into());
                    set(format!("finished: {place}"), summary.finished.into());
                    if matches!(summary.terrain, Terrain::City | Terrain::Road) {
                        set(format!("inn or cathedral of {place}"), summary.special.into());
                    }
                }
            }
        }
        assert!(seen[first * cells..] == wanted);
    }

    #[test]
    fn what_is_kept_up_to_date_is_what_is_written_anew_and_what_the_views_say() {
        play::<Base>("board=21x21", 1);
        play::<Base>("players=4 board=9x9 start=empty", 2);
        for (seed, sets) in
            ["inns", "traders", "river", "gardens", "inns,traders,river,gardens"].iter().enumerate()
        {
            let players = 2 + seed % 3;
            play::<AllSets>(&format!("players={players} board=25x25 sets={sets}"), seed as u64);
        }
    }

    #[test]
    fn planes_are_named_each_once() {
        for players in 2..=6 {
            let mut names = plane_names(players);
            assert_eq!(names.len(), plane_count(players));
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), plane_count(players));
        }
        assert_eq!(plane_count(2), 139);
    }
}
