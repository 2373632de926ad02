//! Everything there is to see of a game, as JSON.
//!
//! Rotations are degrees, positions `{"x", "y"}`, segments carry both of their names.

use carcassonne::{
    Cell, Edition, Feature, Figure, Options, PlacedMeeple, PlacedTile, Position, Segment, Tile,
};
use game::{Game, Player, Turn};
use serde_json::{Map, Value, json};
use server::wire::events::{self, list, position, seats};

pub(super) fn json<E: Edition>(
    game: &Position<E>,
    ply: usize,
    events: Option<Vec<Value>>,
) -> Value {
    let mut legal = Vec::new();
    game.moves(&mut legal);
    let mut open: Vec<Cell> = game.open_cells().collect();
    open.sort();
    let over = game.turn() == Turn::Over;
    // Nothing is left to fit anywhere once the game is over; that is no news of a cell.
    let mut dead = if over { Vec::new() } else { game.dead_cells() };
    dead.sort();
    let player = (!over).then(|| game.player().index());
    let mut view = json!({
        "setup": game.setup().to_string(),
        "ply": ply,
        "phase": game.phase().name(),
        "expected_action": game.phase().expected_action(),
        "player": player,
        "current_tile": game.tile_in_hand().map(|tile| tile.to_string()),
        "board": {
            "tiles": game.tiles().map(tile).collect::<Vec<_>>(),
            "open_positions": open.into_iter().map(position).collect::<Vec<_>>(),
            "dead_positions": dead.into_iter().map(position).collect::<Vec<_>>(),
        },
        "last_placed_position": game.last_placed().map(|placed| position(placed.cell)),
        "features": game.features().iter().map(|f| feature(game, f)).collect::<Vec<_>>(),
        "placed_meeples": game.meeples().map(|m| meeple(game, m)).collect::<Vec<_>>(),
        "meeple_supply": list(&game.supply()),
        "scores": list(&game.scores()),
        "projected_scores": list(&game.projected_scores()),
        "tiles_remaining": game.tiles_left(),
        "tiles_by_kind": by_kind(game.bag().as_ref()),
        "discards_by_kind": by_kind(game.discards().as_ref()),
        "legal": legal.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if !game.setup().sets().is_empty() {
        let seats = || (0..game.players()).map(Player::new);
        view["second_part"] = game.is_second_part().into();
        view["figure_supply"] = seats().map(|player| figures(game, player)).collect();
        view["goods"] = seats().map(|p| Value::from(events::goods(&game.goods(p)))).collect();
    }
    if let Some(events) = events {
        view["events"] = events.into();
    }
    view
}

/// The figures beside meeples that a player has in hand.
fn figures<E: Edition>(game: &Position<E>, player: Player) -> Value {
    let figures = Figure::ALL.into_iter().skip(1).filter(|figure| game.has_figure(player, *figure));
    figures.map(Figure::name).collect()
}

fn tile(placed: PlacedTile) -> Value {
    json!({
        "tile": placed.tile.to_string(),
        "position": position(placed.cell),
        "rotation": placed.rotation.degrees(),
    })
}

fn feature<E: Edition>(game: &Position<E>, feature: &Feature) -> Value {
    let summary = &feature.summary;
    let open = feature.open_edges.iter();
    let mut value = json!({
        "id": summary.id.0,
        "type": summary.terrain.name(),
        "tiles": feature.cells().into_iter().map(position).collect::<Vec<_>>(),
        "segments": feature.segments.iter().map(|(cell, s)| segment(game, *cell, *s)).collect::<Vec<_>>(),
        "meeples": feature.meeples.iter().map(|m| meeple(game, *m)).collect::<Vec<_>>(),
        "owners": seats(summary.owners),
        "open_edges": open.map(|(cell, side)| json!({"position": position(*cell), "side": side.letter().to_string()})).collect::<Vec<_>>(),
        "is_complete": summary.finished,
        "pennants": summary.pennants,
        "cities": feature.cities.iter().map(|city| city.0).collect::<Vec<_>>(),
        "points": summary.points,
        "points_if_finished": summary.points_if_finished,
    });
    if !game.setup().sets().is_empty() {
        value["special"] = summary.special.into();
        value["goods"] = events::goods(&summary.goods).into();
        value["builders"] = seats(summary.builders).into();
        value["pigs"] = seats(summary.pigs).into();
    }
    value
}

fn segment<E: Edition>(game: &Position<E>, cell: Cell, segment: Segment) -> Value {
    let mut value = events::segment(game, cell, segment);
    value["position"] = position(cell);
    value
}

fn meeple<E: Edition>(game: &Position<E>, meeple: PlacedMeeple) -> Value {
    let mut value = segment(game, meeple.cell, meeple.segment);
    value["player"] = meeple.player.index().into();
    value["meeple"] = meeple.number.into();
    value["feature"] = meeple.feature.0.into();
    events::name_figure(&mut value, meeple.number);
    value
}

fn by_kind(counts: &[u8]) -> Map<String, Value> {
    let kinds = Tile::all_sets().zip(counts).filter(|(_, count)| **count > 0);
    kinds.map(|(tile, count)| (tile.to_string(), (*count).into())).collect()
}
