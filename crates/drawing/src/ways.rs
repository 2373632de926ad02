//! Roads, the village where three of them meet, the monastery in its garden.

use crate::geometry::{Point, turn};
use crate::palette::{ROAD, ROAD_EDGE, RUT, VERGE, WALL, WALL_LIGHT, rgb, rgba};
use crate::path::Path;
use crate::shape::{Drawing, Shape, dashed, fill, stroke};
use crate::symbols::Symbol;
use crate::tile_shape::RoadShape;
use carcassonne::Rotation;

/// Dust with two cart ruts and a trodden verge.
pub(crate) fn roads(roads: &[RoadShape], rotation: Rotation) -> Drawing {
    let mut path = Path::default();
    for curve in roads.iter().flat_map(|road| &road.curves) {
        path.add_curve(curve.map(|p| turn(p, rotation)));
    }
    if path.is_empty() {
        return Vec::new();
    }
    let layers = [(VERGE, 13.0), (ROAD_EDGE, 9.8), (ROAD, 8.0), (RUT, 4.4), (ROAD, 2.3)];
    layers.map(|(colour, width)| stroke(path.clone(), colour, width)).into()
}

fn symbols(centre: Point, list: &[(Symbol, f32, f32, f32)]) -> impl Iterator<Item = Shape> {
    list.iter().map(move |(symbol, dx, dy, scale)| Shape::Symbol {
        symbol: *symbol,
        at: [centre[0] + dx, centre[1] + dy],
        scale: *scale,
    })
}

pub(crate) fn village(centre: Point) -> Drawing {
    let [x, y] = centre;
    let mut drawing = vec![
        fill(Path::ellipse([x, y + 0.6], 13.2, 12.6), ROAD_EDGE),
        fill(Path::ellipse([x, y], 12.2, 11.6), rgb(0xe7d7b0)),
    ];
    let houses = [
        (Symbol::GableHouse(2), -1.2, -2.6, 0.78),
        (Symbol::LongHouse(1), -6.0, 1.0, 0.78),
        (Symbol::GableHouse(0), 7.0, 1.6, 0.78),
        (Symbol::Well, 1.2, 3.4, 0.78),
        (Symbol::LongHouse(3), 4.4, 9.4, 0.78),
        (Symbol::GableHouse(4), -5.6, 9.2, 0.78),
    ];
    drawing.extend(symbols(centre, &houses));
    drawing
}

/// Beds of flowers and herbs within a hedge, around a well.
pub(crate) fn garden(centre: Point) -> Drawing {
    let [x, y] = centre;
    let hedge = || Path::ellipse([x, y], 11.0, 10.4);
    let mut drawing = vec![
        fill(Path::ellipse([x + 0.6, y + 1.4], 11.6, 10.8), rgba(0x55703a, 0.38)),
        fill(hedge(), rgb(0xd9c996)),
        stroke(hedge(), rgb(0x5f8a43), 2.6),
        dashed(hedge(), rgb(0x86ad62), 1.6, [1.4, 1.2]),
    ];
    let beds = [
        (-4.6, -4.2, 0x6a984d),
        (4.6, -4.2, 0xb5577a),
        (-4.6, 4.4, 0xd9a441),
        (4.6, 4.4, 0x7d63a8),
    ];
    for (dx, dy, colour) in beds {
        let bed = Path::rectangle([x + dx - 2.6, y + dy - 2.2], 5.2, 4.4);
        drawing.push(fill(bed, rgb(0x6a984d)));
        for (fx, fy) in [(-1.5, -1.0), (1.4, -0.6), (-0.4, 1.0)] {
            drawing.push(fill(Path::circle([x + dx + fx, y + dy + fy], 0.9), rgb(colour)));
        }
    }
    drawing.extend(symbols(centre, &[(Symbol::Well, 0.0, 0.8, 0.8)]));
    drawing
}

/// An inn by its lake.
pub(crate) fn inn(at: Point) -> Drawing {
    let [x, y] = at;
    let mut drawing = vec![
        fill(Path::ellipse([x - 1.0, y + 3.4], 7.6, 4.4), rgb(0xc3b684)),
        fill(Path::ellipse([x - 1.0, y + 3.4], 6.6, 3.6), rgb(0x7fb4c9)),
        fill(Path::ellipse([x - 2.6, y + 2.8], 2.6, 0.9), rgba(0xb4d8e4, 0.9)),
    ];
    drawing.extend(symbols(at, &[(Symbol::Inn, 2.0, 1.6, 1.0)]));
    drawing
}

pub(crate) fn monastery(centre: Point) -> Drawing {
    let [x, y] = centre;
    let ring = || Path::ellipse([x, y], 21.0, 19.8);
    let mut path = Path::default();
    path.add_curve([
        [x + 9.0, y + 11.0],
        [x + 8.3, y + 13.6],
        [x + 6.3, y + 16.5],
        [x + 3.0, y + 19.4],
    ]);
    let mut drawing = vec![
        fill(Path::ellipse([x + 0.6, y + 1.8], 22.0, 20.4), rgba(0x55703a, 0.38)),
        fill(ring(), rgb(0xc8d79c)),
        stroke(path, rgb(0xefe0bb), 3.4),
        stroke(ring(), rgb(0xa7966f), 2.4),
        stroke(ring(), WALL, 1.7),
        dashed(ring(), WALL_LIGHT, 1.7, [1.6, 1.4]),
    ];
    let stands = [
        (Symbol::Monastery, 0.0, 0.0, 1.0),
        (Symbol::Cypress, -17.0, 3.6, 0.72),
        (Symbol::Cypress, -15.4, 8.0, 0.85),
        (Symbol::Bush, 16.4, 9.0, 1.05),
        (Symbol::Bush, -8.6, 15.0, 0.95),
        (Symbol::FruitTree, -2.6, 16.2, 0.95),
        (Symbol::Bush, 14.4, 12.6, 0.9),
    ];
    drawing.extend(symbols(centre, &stands));
    drawing
}
