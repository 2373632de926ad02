//! The position as a bot on a seat gets it, by the platform's keys.

use super::view::{board, open_edges, texts};
use crate::wire::{BotFeature, CarcassonneBotView};
use carcassonne::{Carcassonne, Feature, Move, MoveKind};
use game::{ByPlayer, Game, Player, Turn};
use serde_json::{Value, json};

/// What a bot on a seat sees, with its legal actions (none unless it is to move).
pub(super) fn bot_view(game: &Carcassonne, seat: Player) -> CarcassonneBotView {
    let scores = game.scores();
    CarcassonneBotView {
        board: board(game),
        current_tile: game.tile_in_hand().map(|tile| tile.to_string()),
        tiles_remaining: game.tiles_left(),
        scores: scores.iter().map(|(p, points)| (called(game, seat, p), *points)).collect(),
        my_meeples: game.supply()[seat],
        features: game.features().iter().map(|f| feature(game, seat, f)).collect(),
        valid_actions: valid_actions(game, seat),
        phase: game.phase().name().to_owned(),
    }
}

/// `me`, or `opponent_N` in the order of play after me.
fn called(game: &Carcassonne, me: Player, other: Player) -> String {
    let players = game.players();
    match (other.index() + players - me.index()) % players {
        0 => "me".to_owned(),
        after => format!("opponent_{after}"),
    }
}

fn feature(game: &Carcassonne, me: Player, feature: &Feature) -> BotFeature {
    let meeples: &ByPlayer<u8> = &feature.summary.meeples;
    let claimed = meeples.iter().filter(|(_, count)| **count > 0);
    BotFeature {
        kind: feature.summary.terrain.name().to_owned(),
        tiles: texts(&feature.cells()),
        is_complete: feature.summary.finished,
        claimed_by: claimed.map(|(player, _)| called(game, me, player)).collect(),
        open_edges: open_edges(feature),
    }
}

fn valid_actions(game: &Carcassonne, seat: Player) -> Vec<Value> {
    let mut moves = Vec::new();
    if game.turn() == Turn::Player(seat) {
        game.moves(&mut moves);
    }
    moves.into_iter().map(|m| action(game, m)).collect()
}

fn action(game: &Carcassonne, m: Move) -> Value {
    match m.kind() {
        MoveKind::Place { cell, rotation } => {
            json!({"x": cell.x, "y": cell.y, "rotation": rotation.degrees()})
        }
        MoveKind::Meeple(segment) => {
            let spot = game.last_placed().and_then(|placed| segment.side_name(placed.tile));
            json!({"meeple_spot": spot.unwrap_or_else(|| segment.to_string())})
        }
        // The other figures belong to sets that are not played here.
        MoveKind::Pass | MoveKind::Draw(_) | MoveKind::Figure(..) | MoveKind::Recall => {
            json!({"skip": true})
        }
    }
}
