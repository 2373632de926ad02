//! What a turn looks like on the board: two turns that look alike are one.

use carcassonne::{Cell, Edition, Move, MoveKind, PlacedTile, Position, Tile};

/// What one move of a turn looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveLook {
    /// What is done, and with which figure.
    what: u8,
    /// Where a tile is placed.
    cell: Option<Cell>,
    /// How it is turned, or which sides and half sides the feature has that a figure goes to.
    place: (u8, u8),
}

/// What the moves of a turn look like: rotations that look alike are one, and a segment is where it
/// lies.
#[must_use]
pub fn turn_look<E: Edition>(position: &Position<E>, moves: &[Move]) -> Vec<MoveLook> {
    let mut placed = position.last_placed();
    let look = |m: &Move| {
        let nothing = MoveLook { what: 0, cell: None, place: (0, 0) };
        let on = |placed: Option<PlacedTile>, segment: carcassonne::Segment| {
            let printed = placed.and_then(|placed| {
                let at = segment.index_on(placed.tile)?;
                Some((&placed.tile.printed().segments[at], placed.rotation))
            });
            let place = printed.map_or((0, 0), |(printed, turned)| {
                (printed.sides_turned(turned), printed.halves_turned(turned))
            });
            (segment.terrain() as u8, place)
        };
        match m.kind() {
            MoveKind::Place { cell, rotation } => {
                let tile = position.tile_in_hand().unwrap_or(Tile::START);
                placed = Some(PlacedTile { tile, cell, rotation });
                let turned = rotation.quarters() % tile.distinct_rotations();
                MoveLook { what: 1, cell: Some(cell), place: (turned, 0) }
            }
            MoveKind::Meeple(segment) => {
                let (terrain, place) = on(placed, segment);
                MoveLook { what: 2 + terrain, place, ..nothing }
            }
            MoveKind::Figure(figure, segment) => {
                let (terrain, place) = on(placed, segment);
                MoveLook { what: 16 * (1 + figure as u8) + terrain, place, ..nothing }
            }
            MoveKind::Recall => MoveLook { what: 8, ..nothing },
            MoveKind::Pass | MoveKind::Draw(_) => nothing,
        }
    };
    moves.iter().map(look).collect()
}
