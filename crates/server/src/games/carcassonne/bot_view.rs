//! The position as a bot on a seat gets it, by the platform's keys.

use crate::wire::{BotFeature, CarcassonneBotView};
use carcassonne::{Edition, Feature, Move, MoveKind, Position, Segment, Terrain};
use game::{ByPlayer, Game, Player, Turn};
use serde_json::{Value, json};
use views::{AnyCarcassonne, BoardView, board, either, open_edges, sets, texts};

/// What a bot on a seat sees, with its legal actions (none unless it is to move).
pub(super) fn bot_view(any: &AnyCarcassonne, seat: Player) -> CarcassonneBotView {
    either!(any, game => view_of(game, board(any), seat))
}

fn view_of<E: Edition>(game: &Position<E>, board: BoardView, seat: Player) -> CarcassonneBotView {
    let scores = game.scores();
    CarcassonneBotView {
        board,
        current_tile: game.tile_in_hand().map(|tile| tile.to_string()),
        tiles_remaining: game.tiles_left(),
        scores: scores.iter().map(|(p, points)| (called(game, seat, p), *points)).collect(),
        my_meeples: game.supply()[seat],
        sets: sets::view(game, seat),
        features: game.features().iter().map(|f| feature(game, seat, f)).collect(),
        valid_actions: valid_actions(game, seat),
        phase: game.phase().name().to_owned(),
    }
}

/// `me`, or `opponent_N` in the order of play after me.
fn called(game: &impl Game, me: Player, other: Player) -> String {
    let players = game.players();
    match (other.index() + players - me.index()) % players {
        0 => "me".to_owned(),
        after => format!("opponent_{after}"),
    }
}

fn feature(game: &impl Game, me: Player, feature: &Feature) -> BotFeature {
    let summary = &feature.summary;
    let meeples: &ByPlayer<u8> = &summary.meeples;
    let claimed = meeples.iter().filter(|(_, count)| **count > 0);
    BotFeature {
        kind: summary.terrain.name().to_owned(),
        tiles: texts(&feature.cells()),
        is_complete: summary.finished,
        claimed_by: claimed.map(|(player, _)| called(game, me, player)).collect(),
        open_edges: open_edges(feature),
        inn: summary.special && summary.terrain == Terrain::Road,
        cathedral: summary.special && summary.terrain == Terrain::City,
        goods: sets::some_goods(summary.goods),
    }
}

fn valid_actions<E: Edition>(game: &Position<E>, seat: Player) -> Vec<Value> {
    let mut moves = Vec::new();
    if game.turn() == Turn::Player(seat) {
        game.moves(&mut moves);
    }
    moves.into_iter().map(|m| action(game, m)).collect()
}

fn action<E: Edition>(game: &Position<E>, m: Move) -> Value {
    let spot = |segment: Segment| {
        let named = game.last_placed().and_then(|placed| segment.side_name(placed.tile));
        named.unwrap_or_else(|| segment.to_string())
    };
    match m.kind() {
        MoveKind::Place { cell, rotation } => {
            json!({"x": cell.x, "y": cell.y, "rotation": rotation.degrees()})
        }
        MoveKind::Meeple(segment) => json!({"meeple_spot": spot(segment)}),
        MoveKind::Figure(figure, segment) => {
            json!({"meeple_spot": spot(segment), "figure": figure.name()})
        }
        MoveKind::Recall => json!({"recall": true}),
        MoveKind::Pass | MoveKind::Draw(_) => json!({"skip": true}),
    }
}
