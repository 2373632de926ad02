//! Why a move is not legal, in words for a person.

use crate::game::{Carcassonne, Stage};
use crate::geometry::{Cell, Rotation, Side};
use crate::moves::{Deed, Move};
use crate::segment::Segment;
use crate::tables::ORIENTED;
use crate::tile::Terrain;

/// Why the move is not legal in this position.
pub(crate) fn why_illegal(game: &Carcassonne, m: Move) -> String {
    match (game.stage, m.deed()) {
        (Stage::Over, _) => "the game is over".to_owned(),
        (Stage::Draw, Deed::Draw(tile)) => format!("no tile {tile} is left in the bag"),
        (Stage::Draw, _) => "a tile must be drawn first".to_owned(),
        (Stage::Place, Deed::Place { cell, rotation }) => why_not_there(game, cell, rotation),
        (Stage::Place, _) => format!("player {} must place tile {}", game.player, game.drawn),
        (Stage::Meeple, Deed::Meeple(segment)) => why_not_on(game, segment),
        (Stage::Meeple, _) => format!("player {} must put a meeple down or pass", game.player),
    }
}

fn why_not_there(game: &Carcassonne, cell: Cell, rotation: Rotation) -> String {
    if game.board.tile_at(cell).is_some() {
        return format!("a tile lies on {cell} already");
    }
    if !game.board.contains(cell) {
        return format!("{cell} lies outside the board");
    }
    let Some(constraint) = game.board.constraint(cell) else {
        return format!("{cell} touches no tile");
    };
    let oriented = ORIENTED[game.drawn.index() * 4 + rotation.quarters() as usize];
    let terrain = |code| [Terrain::City, Terrain::Road, Terrain::Field][code as usize - 1];
    for side in Side::ALL {
        let (wanted, shown) = (constraint >> (2 * side as u8) & 3, oriented.sides[side as usize]);
        if wanted != 0 && wanted != shown.code {
            return format!(
                "the {} edge of {} {rotation} shows {} but {} lies there",
                ["north", "east", "south", "west"][side as usize],
                game.drawn,
                terrain(shown.code),
                terrain(wanted),
            );
        }
    }
    "it fits".to_owned()
}

fn why_not_on(game: &Carcassonne, segment: Segment) -> String {
    let tile = game.drawn;
    let Some(place) = segment.index_on(tile) else {
        return format!("tile {tile} has no {segment}");
    };
    if game.meeples.supply(game.player) == 0 {
        return format!("player {} has no meeple left", game.player);
    }
    if segment.terrain() == Terrain::Field && !game.setup.farmers {
        return "this game is played without farmers".to_owned();
    }
    let first = game.board.last().map_or(0, |placed| placed.first_segment);
    let feature = game.features.find(first + place as u8);
    format!("{segment} belongs to {} {}, which is claimed", segment.terrain(), feature.0)
}
