//! The engine and the simple rules side by side: the first thing they differ in.

use super::simple::land::{Cell as Place, Feature, Features};
use super::simple::play::{Figure, Move, Phase, Simple};
use super::simple::tiles::{Terrain, kind_of};
use carcassonne::{Cell, Edition, Good, Position};
use game::{Game, Player, Turn};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Compares everything that can be asked cheaply; `features` are those of the simple rules now.
pub(crate) fn positions<E: Edition>(
    engine: &Position<E>,
    simple: &Simple,
    features: &Features,
) -> Result<(), String> {
    let turn = match simple.phase {
        Phase::Draw => Turn::Chance,
        Phase::Place(_) | Phase::Meeple => Turn::Player(Player::new(simple.player)),
        Phase::Over => Turn::Over,
    };
    let in_hand = match simple.phase {
        Phase::Place(name) => Some(name),
        _ => None,
    };
    same("turn", engine.turn(), turn)?;
    same("player", engine.player().index(), simple.player)?;
    same("tile in hand", engine.tile_in_hand().map(carcassonne::Tile::name), in_hand)?;
    same("tiles left", engine.tiles_left(), simple.tiles_left() as usize)?;
    same("scores", engine.scores().as_slice(), &simple.scores)?;
    let supply: Vec<usize> = engine.supply().as_slice().iter().map(|n| usize::from(*n)).collect();
    let expected: Vec<usize> = (0..engine.players()).map(|seat| simple.supply(seat)).collect();
    same("meeples in hand", supply, expected)?;
    same_figures(engine, simple)?;
    if simple.phase != Phase::Over {
        let projected = simple.projected(features);
        same("projected scores", engine.projected_scores().as_slice(), &projected)?;
    }
    same_meeples(engine, simple)?;
    // A draw changes neither the board nor the meeples: features were compared the move before.
    if in_hand.is_some() { Ok(()) } else { same_features(engine, simple, features) }
}

/// Compares the legal moves, as sets, and that what is not listed is not legal.
pub(crate) fn moves<E: Edition>(
    engine: &Position<E>,
    simple: &Simple,
    legal: &[Move],
) -> Result<(), String> {
    let mut found = Vec::new();
    engine.moves(&mut found);
    let mut found: Vec<String> = found.iter().map(ToString::to_string).collect();
    let mut expected: Vec<String> = legal.iter().map(ToString::to_string).collect();
    found.sort();
    expected.sort();
    same("legal moves", &found, &expected)?;
    if let Phase::Place(_) = simple.phase {
        for (x, y) in simple.land.open_cells() {
            for quarters in 0..4 {
                let place = carcassonne::Rotation::new(quarters);
                let place = carcassonne::Move::place(Cell::new(x as i8, y as i8), place);
                let listed = legal.contains(&Move::Place((x, y), usize::from(quarters)));
                if engine.is_legal(place) != listed {
                    return Err(format!("{place} is legal: {}", !listed));
                }
            }
        }
    }
    Ok(())
}

/// Compares the open cells and those that nothing can fill any more: dear, so not after each move.
pub(crate) fn cells<E: Edition>(engine: &Position<E>, simple: &Simple) -> Result<(), String> {
    let place = |cell: Cell| (i32::from(cell.x), i32::from(cell.y));
    let mut open = simple.land.open_cells();
    if simple.land.tiles.is_empty() {
        open.insert((0, 0));
    }
    open.retain(|cell| simple.options.has(*cell));
    let found: BTreeSet<Place> = engine.open_cells().map(place).collect();
    same("open cells", &found, &open)?;
    let mut kinds: BTreeSet<&str> = simple.moves().iter().filter_map(drawn).collect();
    let left = simple.bag.iter().filter(|(_, count)| **count > 0);
    kinds.extend(left.map(|(name, _)| *name));
    if let Phase::Place(name) = simple.phase {
        kinds.insert(name);
    }
    let fits = |cell: Place| {
        let first = simple.land.tiles.is_empty() && !kinds.is_empty();
        let turned = |name: &str, q| simple.land.fits(kind_of(name), cell, q);
        first || kinds.iter().any(|name| (0..4).any(|quarters| turned(name, quarters)))
    };
    let dead: BTreeSet<Place> = open.into_iter().filter(|cell| !fits(*cell)).collect();
    let found: BTreeSet<Place> = engine.dead_cells().into_iter().map(place).collect();
    same("dead cells", &found, &dead)
}

fn drawn(m: &Move) -> Option<&'static str> {
    match m {
        Move::Draw(name) => Some(*name),
        _ => None,
    }
}

fn same_meeples<E: Edition>(engine: &Position<E>, simple: &Simple) -> Result<(), String> {
    let found = engine.meeples().map(|meeple| {
        let (x, y) = (i32::from(meeple.cell.x), i32::from(meeple.cell.y));
        (meeple.player.index(), usize::from(meeple.number), (x, y), meeple.segment.to_string())
    });
    let expected = simple.meeples.iter().map(|meeple| {
        let (cell, name) = simple.land.segment(meeple.segment);
        (meeple.player, meeple.number, cell, name.to_owned())
    });
    let found: BTreeSet<_> = found.collect();
    same("meeples on the board", &found, &expected.collect())
}

/// Compares the other figures in hand, and the goods.
fn same_figures<E: Edition>(engine: &Position<E>, simple: &Simple) -> Result<(), String> {
    for seat in 0..engine.players() {
        let player = Player::new(seat);
        for (ours, theirs) in [
            (carcassonne::Figure::Big, Figure::Big),
            (carcassonne::Figure::Builder, Figure::Builder),
            (carcassonne::Figure::Pig, Figure::Pig),
            (carcassonne::Figure::Abbot, Figure::Abbot),
        ] {
            same(ours.name(), engine.has_figure(player, ours), simple.has(seat, theirs))?;
        }
        let goods = Good::ALL.map(|good| i32::from(engine.goods(player)[good]));
        same("goods", goods, simple.goods[seat])?;
    }
    Ok(())
}

/// Compares the features: which segments form one, and everything that is counted of it.
fn same_features<E: Edition>(
    engine: &Position<E>,
    simple: &Simple,
    features: &Features,
) -> Result<(), String> {
    let found = engine.features();
    same("number of features", found.len(), features.all.len())?;
    let mut expected: Vec<&Feature> = features.all.iter().collect();
    expected.sort_by_key(|feature| feature.id());
    for (found, expected) in found.iter().zip(expected) {
        let counted = &found.summary;
        let tiles = match expected.terrain {
            Terrain::Field => 0,
            Terrain::Monastery | Terrain::Garden => 9 - expected.open,
            _ => expected.tiles.len(),
        };
        same(
            "a feature's id, terrain, tiles, pennants, open sides, finished, points",
            (
                usize::from(counted.id.0),
                counted.terrain.name(),
                usize::from(counted.tiles),
                i32::from(counted.pennants),
                usize::from(counted.open),
                counted.finished,
                i32::from(counted.points),
            ),
            (
                expected.id(),
                expected.terrain.name(),
                tiles,
                expected.pennants,
                expected.open,
                expected.finished(),
                simple.worth(features, expected),
            ),
        )?;
        let segments = found.segments.iter().map(|(cell, s)| simple.number_of(*cell, *s));
        same(
            "a feature's segments",
            segments.collect::<Option<BTreeSet<_>>>(),
            Some(expected.segments.clone()),
        )?;
        let on = |figure| simple.figures_on(expected, figure);
        let seats = |set: game::PlayerSet| set.iter().map(Player::index).collect::<Vec<_>>();
        same("builders on a feature", seats(counted.builders), on(Figure::Builder))?;
        same("pigs on a field", seats(counted.pigs), on(Figure::Pig))?;
        let goods = Good::ALL.map(|good| i32::from(counted.goods[good]));
        same("goods in a city", (counted.special, goods), left_in(simple, expected))?;
        let owners: Vec<usize> = counted.owners.iter().map(Player::index).collect();
        same("a feature's owners", owners, simple.owners(expected))?;
        let cities: BTreeSet<usize> = found.cities.iter().map(|city| city.0.into()).collect();
        same("a field's cities", cities, features.cities(expected))?;
    }
    Ok(())
}

/// Whether a feature is special, and the goods that nobody has taken yet: those of a finished city
/// are taken at the end of the turn.
fn left_in(simple: &Simple, feature: &Feature) -> (bool, [i32; 3]) {
    let last = simple.land.tiles.last().map(|laid| laid.cell);
    let now =
        simple.phase == Phase::Meeple && last.is_some_and(|cell| feature.tiles.contains(&cell));
    let goods = if feature.finished() && !now { [0; 3] } else { feature.goods };
    (feature.special, goods)
}

fn same<T: PartialEq<U> + Debug, U: Debug>(
    what: &str,
    found: T,
    expected: U,
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, expected {expected:?}"))
}

impl Simple {
    /// The number of a segment of the tile on a cell.
    fn number_of(&self, cell: Cell, segment: carcassonne::Segment) -> Option<usize> {
        let laid = self.land.get((i32::from(cell.x), i32::from(cell.y)))?;
        let (terrain, number) = (segment.terrain().name(), usize::from(segment.number()));
        let mut printed = laid.kind.segments.iter();
        let index = printed.position(|s| s.terrain.name() == terrain && s.number == number)?;
        Some(laid.first + index)
    }
}
