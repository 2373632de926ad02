//! The board as players and spectators see it.

use super::Tally;
use crate::wire::{BoardView, CarcassonneView, FeatureView, MeepleView, TileView};
use carcassonne::{Carcassonne, Cell, Feature, FeatureId, KINDS, Start, Terrain, Tile};
use game::{Game, Player, PlayerSet, Turn};
use smol_str::{SmolStr, ToSmolStr};
use std::collections::BTreeMap;

/// What players and spectators see: everything but the order of the bag.
#[must_use]
pub fn view(game: &Carcassonne, tally: &Tally) -> CarcassonneView {
    let mut dead = Vec::new();
    // Nothing is left to fit anywhere once the game is over; that is no news of a cell.
    if game.turn() != Turn::Over {
        dead = game.dead_cells();
        dead.sort();
    }
    CarcassonneView {
        board: board(game),
        features: features(game),
        current_tile: game.tile_in_hand().map(|tile| tile.to_string()),
        tiles_remaining: game.tiles_left(),
        bag: by_kind(game.bag()),
        discards: by_kind(&game.discards()),
        meeple_supply: game.supply().as_slice().to_vec(),
        meeples: meeples(game),
        scores: game.scores().as_slice().to_vec(),
        projected_scores: game.projected_scores().as_slice().to_vec(),
        breakdown: tally[..game.players()].to_vec(),
        last_placed_position: game.last_placed().map(|placed| placed.cell.to_string()),
        dead_cells: texts(&dead),
    }
}

/// The tiles on the board and the empty cells beside them.
pub(super) fn board(game: &Carcassonne) -> BoardView {
    let before = usize::from(game.setup().start == Start::Tile);
    let tiles = game.tiles().enumerate().map(|(index, placed)| {
        // Everybody places one tile a turn, in the order of the seats.
        let turn = (index + 1).saturating_sub(before);
        let player = turn.checked_sub(1).map(|turn| turn % game.players());
        let kind = placed.tile.to_smolstr();
        let view = TileView { kind, rotation: placed.rotation.degrees(), player, turn };
        (placed.cell.to_smolstr(), view)
    });
    let mut open: Vec<Cell> = game.open_cells().collect();
    open.sort();
    BoardView { tiles: tiles.collect(), open_positions: texts(&open) }
}

fn features(game: &Carcassonne) -> BTreeMap<SmolStr, FeatureView> {
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
    };
    (summary.id.0.to_smolstr(), view)
}

/// How many sides are open; for a monastery or garden how many neighbours lack.
pub(super) fn open_edges(feature: &Feature) -> usize {
    match feature.summary.terrain {
        Terrain::Monastery | Terrain::Garden => usize::from(feature.summary.open),
        _ => feature.open_edges.len(),
    }
}

fn meeples(game: &Carcassonne) -> Vec<MeepleView> {
    game.meeples()
        .map(|meeple| MeepleView {
            player: meeple.player.index(),
            meeple: meeple.number,
            position: meeple.cell.to_smolstr(),
            segment: meeple.segment.to_smolstr(),
            spot: game.tile_at(meeple.cell).and_then(|lies| meeple.segment.side_name(lies.tile)),
            feature: meeple.feature.0.to_smolstr(),
        })
        .collect()
}

fn by_kind(counts: &[u8; KINDS]) -> BTreeMap<SmolStr, u8> {
    let some = Tile::all().filter(|tile| counts[tile.index()] > 0);
    some.map(|tile| (tile.to_smolstr(), counts[tile.index()])).collect()
}

pub(super) fn texts(cells: &[Cell]) -> Vec<SmolStr> {
    cells.iter().map(ToSmolStr::to_smolstr).collect()
}

fn seats(players: PlayerSet) -> Vec<usize> {
    players.iter().map(Player::index).collect()
}
