//! Why a move is not legal, in words for a person.

use crate::edition::Edition;
use crate::figure::Figure;
use crate::game::{Position, Stage};
use crate::geometry::{Cell, Rotation, Side};
use crate::moves::{Move, MoveKind};
use crate::segment::Segment;
use crate::setup::Options;
use crate::tables::ORIENTED;
use crate::tile::Terrain;

/// Why the move is not legal in this position.
pub(crate) fn why_illegal<E: Edition>(game: &Position<E>, m: Move) -> String {
    match (game.stage, m.kind()) {
        (Stage::Over, _) => "the game is over".to_owned(),
        (Stage::Draw, MoveKind::Draw(tile)) if game.bag.as_ref().get(tile.index()) > Some(&0) => {
            format!("tile {tile} is not drawn before the river is laid")
        }
        (Stage::Draw, MoveKind::Draw(tile)) => format!("no tile {tile} is left in the bag"),
        (Stage::Draw, _) => "a tile must be drawn first".to_owned(),
        (Stage::Place, MoveKind::Place { cell, rotation }) => why_not_there(game, cell, rotation),
        (Stage::Place, _) => format!("player {} must place tile {}", game.player, game.drawn),
        (Stage::Meeple, MoveKind::Meeple(segment)) => why_not_on(game, Figure::Meeple, segment),
        (Stage::Meeple, MoveKind::Figure(figure, segment)) => why_not_on(game, figure, segment),
        (Stage::Meeple, MoveKind::Recall) => {
            format!("player {} has no abbot on an unfinished monastery or garden", game.player)
        }
        (Stage::Meeple, _) => format!("player {} must put a meeple down or pass", game.player),
    }
}

fn why_not_there<E: Edition>(game: &Position<E>, cell: Cell, rotation: Rotation) -> String {
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
                if shown.code == 0 { "water" } else { terrain(shown.code).name() },
                terrain(wanted),
            );
        }
    }
    match game.mouth {
        Some(mouth) if !game.drawn.is_river() && mouth.cell == cell => {
            format!("only the river can go on at {cell}")
        }
        Some(mouth) if mouth.cell != cell => {
            format!("the river goes on at {} and nowhere else", mouth.cell)
        }
        Some(mouth) if !game.drawn.river_on(mouth.from, rotation) => {
            format!("{} {rotation} does not go on with the river", game.drawn)
        }
        Some(_) => "the river would turn back".to_owned(),
        None => "it fits".to_owned(),
    }
}

fn why_not_on<E: Edition>(game: &Position<E>, figure: Figure, segment: Segment) -> String {
    let tile = game.drawn;
    let Some(place) = segment.index_on(tile) else {
        return format!("tile {tile} has no {segment}");
    };
    if !game.meeples.has(game.player, figure) {
        let what = if figure == Figure::Big { "big meeple" } else { figure.name() };
        return format!("player {} has no {what} left", game.player);
    }
    let terrain = segment.terrain();
    if terrain == Terrain::Field && !game.setup.rules().farmers {
        return "this game is played without farmers".to_owned();
    }
    let (_, first) = game.last_kind();
    let feature = game.features.find(first + place as u16);
    let record = game.features.record(feature);
    match (figure, terrain) {
        (Figure::Builder, Terrain::City | Terrain::Road) if record.open() == 0 => {
            format!("{segment} belongs to {terrain} {}, which is finished", feature.0)
        }
        (Figure::Builder, Terrain::City | Terrain::Road) | (Figure::Pig, Terrain::Field) => {
            format!("player {} has no meeple on {terrain} {}", game.player, feature.0)
        }
        (Figure::Builder, _) => "a builder stands on a city or road".to_owned(),
        (Figure::Pig, _) => "a pig stands on a field".to_owned(),
        (Figure::Abbot, Terrain::City | Terrain::Road | Terrain::Field) => {
            "an abbot stands on a monastery or garden".to_owned()
        }
        (Figure::Meeple | Figure::Big, Terrain::Garden) => {
            "only an abbot may enter a garden".to_owned()
        }
        _ => format!("{segment} belongs to {terrain} {}, which is claimed", feature.0),
    }
}
