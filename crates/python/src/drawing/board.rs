//! The picture of a game of Carcassonne, in our own plain style.

use super::{Colour, Point, Scene};
use carcassonne::tensor::Numbering;
use carcassonne::{Carcassonne, PlacedTile, PrintedSegment, Rotation, Terrain};

const TABLE: Colour = [232, 226, 214];
const FIELD: Colour = [142, 184, 92];
const RIM: Colour = [104, 142, 66];
const CITY: Colour = [196, 146, 86];
const ROAD: Colour = [244, 238, 224];
const VILLAGE: Colour = [120, 96, 84];
const MONASTERY: Colour = [178, 62, 54];
const PENNANT: Colour = [52, 92, 168];

/// Each seat's colour.
const PLAYERS: [Colour; 6] =
    [[214, 40, 40], [30, 90, 220], [240, 200, 20], [20, 20, 20], [30, 130, 60], [200, 90, 190]];

/// The whole n×n board, so that every picture of a game has one size.
pub(crate) fn whole(game: &Carcassonne, numbering: Numbering) -> Scene {
    let side = numbering.side();
    scene(game, numbering, (0, 0), (side, side))
}

/// The tiles that lie, with one cell around them.
pub(crate) fn close(game: &Carcassonne, numbering: Numbering) -> Scene {
    let cells = game.tiles().map(|placed| numbering.row_column(placed.cell));
    let start = numbering.row_column(carcassonne::Cell::ORIGIN);
    let ((top, left), (bottom, right)) = cells.fold((start, start), |((a, b), (c, d)), (i, j)| {
        ((a.min(i), b.min(j)), (c.max(i), d.max(j)))
    });
    let size = ((bottom - top + 3) as usize, (right - left + 3) as usize);
    scene(game, numbering, (top - 1, left - 1), size)
}

fn scene(
    game: &Carcassonne,
    numbering: Numbering,
    (top, left): (i16, i16),
    (rows, columns): (usize, usize),
) -> Scene {
    let mut scene = Scene::new(columns, rows, TABLE);
    let corner = |placed: &PlacedTile| {
        let (i, j) = numbering.row_column(placed.cell);
        (f32::from(j - left), f32::from(i - top))
    };
    for placed in game.tiles() {
        draw_tile(&mut scene, &placed, corner(&placed));
    }
    for meeple in game.meeples() {
        let Some(placed) = game.tile_at(meeple.cell) else { continue };
        let segments = placed.tile.printed().segments;
        let Some(segment) = meeple.segment.index_on(placed.tile).map(|at| &segments[at]) else {
            continue;
        };
        let (x, y) = corner(&placed);
        let (dx, dy) = turned(spot(segment), placed.rotation);
        scene.disc((x + dx, y + dy), 0.15, [255, 255, 255]);
        scene.disc((x + dx, y + dy), 0.12, PLAYERS[meeple.player.index()]);
    }
    scene
}

fn draw_tile(scene: &mut Scene, placed: &PlacedTile, (x, y): Point) {
    let mut draw = |points: &[Point], colour| {
        let at = |point: &Point| {
            let (dx, dy) = turned(*point, placed.rotation);
            (x + dx, y + dy)
        };
        scene.polygon(points.iter().map(at).collect(), colour);
    };
    let printed = placed.tile.printed();
    draw(&square(0.5, 0.5, 0.5), RIM);
    draw(&square(0.5, 0.5, 0.48), FIELD);
    for segment in printed.segments {
        let sides: Vec<usize> = (0..4).filter(|side| segment.sides >> side & 1 == 1).collect();
        match segment.terrain {
            Terrain::City => {
                for side in &sides {
                    let wall: &[Point] = match sides.len() {
                        1 => &[(0.0, 0.0), (1.0, 0.0), (0.75, 0.28), (0.25, 0.28)],
                        _ => &[(0.0, 0.0), (1.0, 0.0), (0.7, 0.5), (0.3, 0.5)],
                    };
                    draw(&wall.iter().map(|p| on_side(*p, *side)).collect::<Vec<_>>(), CITY);
                }
                if sides.len() > 1 {
                    draw(&square(0.5, 0.5, 0.2), CITY);
                }
                if segment.pennants > 0 {
                    let (px, py) = on_side((0.3, 0.2), sides[0]);
                    draw(&square(px, py, 0.08), PENNANT);
                }
            }
            Terrain::Road => {
                for side in sides {
                    let way = [(0.46, 0.0), (0.54, 0.0), (0.54, 0.54), (0.46, 0.54)];
                    draw(&way.map(|p| on_side(p, side)), ROAD);
                }
            }
            Terrain::Monastery => {
                draw(&square(0.5, 0.5, 0.16), MONASTERY);
                draw(&[(0.3, 0.34), (0.5, 0.2), (0.7, 0.34)], VILLAGE);
            }
            Terrain::Field => {}
        }
    }
    if printed.count_of(Terrain::Road) > 1 {
        draw(&square(0.5, 0.5, 0.09), VILLAGE);
    }
}

/// Where a meeple on the segment stands, on the tile as printed.
fn spot(segment: &PrintedSegment) -> Point {
    let middle = |points: Vec<Point>| {
        let count = points.len().max(1) as f32;
        let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        (x / count, y / count)
    };
    let sides = (0..4).filter(|side| segment.sides >> side & 1 == 1);
    match segment.terrain {
        Terrain::Monastery => (0.5, 0.5),
        Terrain::City | Terrain::Road => {
            middle(sides.map(|side| on_side((0.5, 0.22), side)).collect())
        }
        Terrain::Field => {
            // In the corner beside the first half edge that it reaches.
            let half = segment.halves.trailing_zeros() as usize;
            on_side((if half.is_multiple_of(2) { 0.18 } else { 0.82 }, 0.14), half / 2 % 4)
        }
    }
}

fn square(x: f32, y: f32, half: f32) -> [Point; 4] {
    [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
}

/// A point given for the north side, on another side.
fn on_side(point: Point, side: usize) -> Point {
    turned(point, Rotation::new(side as u8))
}

/// A point of a tile after the tile was turned clockwise.
fn turned(point: Point, rotation: Rotation) -> Point {
    (0..rotation.quarters()).fold(point, |(x, y), _| (1.0 - y, x))
}
