//! The board as players and spectators see it.

use crate::any_edition::AnyCarcassonne;
use crate::{BoardView, CarcassonneView, FeatureView, MeepleView, Tally, TileView, either, sets};
use carcassonne::{Cell, Edition, Feature, FeatureId, Options, Position, Start, Terrain, Tile};
use game::{Game, Player, PlayerSet, Turn};
use smol_str::{SmolStr, ToSmolStr};
use std::collections::BTreeMap;

/// What players and spectators see: everything but the order of the bag.
#[must_use]
pub fn view(any: &AnyCarcassonne, tally: &Tally) -> CarcassonneView {
    either!(any, game => view_of(game, board(any), tally))
}

fn view_of<E: Edition>(game: &Position<E>, board: BoardView, tally: &Tally) -> CarcassonneView {
    let mut dead = Vec::new();
    // Nothing is left to fit anywhere once the game is over; that is no news of a cell.
    if game.turn() != Turn::Over {
        dead = game.dead_cells();
        dead.sort();
    }
    CarcassonneView {
        board,
        features: features(game),
        current_tile: game.tile_in_hand().map(|tile| tile.to_string()),
        tiles_remaining: game.tiles_left(),
        bag: by_kind::<E>(game.bag().as_ref()),
        discards: by_kind::<E>(game.discards().as_ref()),
        meeple_supply: game.supply().as_slice().to_vec(),
        meeples: meeples(game),
        scores: game.scores().as_slice().to_vec(),
        projected_scores: game.projected_scores().as_slice().to_vec(),
        breakdown: tally[..game.players()].to_vec(),
        last_placed_position: game.last_placed().map(|placed| placed.cell.to_string()),
        dead_cells: texts(&dead),
        sets: sets::view(game, Player::new(0)),
    }
}

/// The tiles on the board and the empty cells beside them.
#[must_use]
pub fn board(any: &AnyCarcassonne) -> BoardView {
    either!(any, game => board_of(game, |turn| any.placer(turn)))
}

fn board_of<E: Edition>(game: &Position<E>, placer: impl Fn(usize) -> usize) -> BoardView {
    let before = usize::from(game.setup().rules().start == Start::Tile);
    let tiles = game.tiles().enumerate().map(|(index, placed)| {
        let turn = (index + 1).saturating_sub(before);
        let player = (turn > 0).then(|| placer(turn));
        let kind = placed.tile.to_smolstr();
        let view = TileView { kind, rotation: placed.rotation.degrees(), player, turn };
        (placed.cell.to_smolstr(), view)
    });
    let mut open: Vec<Cell> = game.open_cells().collect();
    open.sort();
    BoardView { tiles: tiles.collect(), open_positions: texts(&open) }
}

fn features<E: Edition>(game: &Position<E>) -> BTreeMap<SmolStr, FeatureView> {
    let all = game.features();
    let done = all.iter().filter(|one| one.summary.finished);
    let finished: Vec<FeatureId> = done.map(|one| one.summary.id).collect();
    let view = |of: &Feature| {
        let fed_by = of.cities.iter().filter(|city| finished.contains(city));
        feature(of, fed_by.map(|id| id.0.to_smolstr()).collect())
    };
    all.iter().map(view).collect()
}

fn feature(feature: &Feature, fed_by: Vec<SmolStr>) -> (SmolStr, FeatureView) {
    let summary = &feature.summary;
    let segments = feature.segments.iter();
    let view = FeatureView {
        feature_type: SmolStr::new_static(summary.terrain.name()),
        tiles: texts(&feature.cells()),
        segments: segments.map(|(cell, s)| (cell.to_smolstr(), s.to_smolstr())).collect(),
        is_complete: summary.finished,
        pennants: summary.pennants,
        open_edges: open_edges(feature),
        owners: seats(summary.owners),
        points: i32::from(summary.points),
        cities: usize::from(summary.finished_cities),
        fed_by,
        inn: summary.special && summary.terrain == Terrain::Road,
        cathedral: summary.special && summary.terrain == Terrain::City,
        goods: sets::some_goods(summary.goods),
        builders: seats(summary.builders),
        pigs: seats(summary.pigs),
    };
    (summary.id.0.to_smolstr(), view)
}

/// How many sides are open; for a monastery or garden how many neighbours lack.
#[must_use]
pub fn open_edges(feature: &Feature) -> usize {
    match feature.summary.terrain {
        Terrain::Monastery | Terrain::Garden => usize::from(feature.summary.open),
        _ => feature.open_edges.len(),
    }
}

fn meeples<E: Edition>(game: &Position<E>) -> Vec<MeepleView> {
    game.meeples()
        .map(|meeple| MeepleView {
            player: meeple.player.index(),
            meeple: meeple.number,
            figure: sets::figure_name(meeple.figure()),
            position: meeple.cell.to_smolstr(),
            segment: meeple.segment.to_smolstr(),
            spot: game.tile_at(meeple.cell).and_then(|lies| meeple.segment.side_name(lies.tile)),
            feature: meeple.feature.0.to_smolstr(),
        })
        .collect()
}

fn by_kind<E: Edition>(counts: &[u8]) -> BTreeMap<SmolStr, u8> {
    let some = Position::<E>::kinds().filter(|tile: &Tile| counts[tile.index()] > 0);
    some.map(|tile| (tile.to_smolstr(), counts[tile.index()])).collect()
}

/// Cells as text.
#[must_use]
pub fn texts(cells: &[Cell]) -> Vec<SmolStr> {
    cells.iter().map(ToSmolStr::to_smolstr).collect()
}

fn seats(players: PlayerSet) -> Vec<usize> {
    players.iter().map(Player::index).collect()
}
