//! Cities: paving, lanes, houses, walls with towers, gates.

use crate::geometry::{
    CENTRE, MIDDLES, Point, cubic_at, distance, distance_to_line, is_inside, turn,
};
use crate::palette::{
    COBBLE, LANE, PAVING, PAVING_LIGHT, ROOFS, SHADE, WALL, WALL_EDGE, WALL_FACE, WALL_LIGHT, rgb,
    rgba,
};
use crate::path::Path;
use crate::shape::{Drawing, Shape, dashed, fill, stroke};
use crate::symbols::{Prop, Symbol};
use crate::tile_shape::{Border, CityShape, TileShape};
use carcassonne::Rotation;
use game::Random;

/// A city with more ground than this has a church.
const CHURCH_AREA: f32 = 4500.0;

/// Draws one city of a tile, and builds what stands in it.
pub(crate) struct Town<'a> {
    pub(crate) shape: &'a TileShape,
    pub(crate) city: &'a CityShape,
    pub(crate) rotation: Rotation,
    pub(crate) random: &'a mut Random,
    pub(crate) props: &'a mut Vec<Prop>,
}

impl Town<'_> {
    pub(crate) fn draw(mut self) -> Drawing {
        let lanes = self.lanes();
        let mut drawing = vec![fill(outline(self.city, self.rotation), PAVING)];
        self.pave(&mut drawing);
        let mut ways = Path::default();
        for lane in &lanes {
            ways.add_line(&lane.map(|p| turn(p, self.rotation)));
        }
        drawing.push(stroke(ways, LANE, 5.4));
        self.build(&lanes);
        self.walls(&mut drawing);
        drawing
    }

    /// Lanes lead from the middle of each edge of the city to its heart, and to its gates.
    fn lanes(&self) -> Vec<[Point; 2]> {
        let edges = self.city.sides.iter().map(|side| MIDDLES[*side]);
        let gates = self.city.walls.iter().filter_map(|wall| wall.gate);
        edges.chain(gates).map(|end| [end, self.city.heart()]).collect()
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.random.unit() as f32 * (high - low)
    }

    fn is_within(&self, p: Point, from_walls: f32) -> bool {
        is_inside(&self.city.polygon, p)
            && self.city.walls.iter().all(|wall| distance_to_line(p, &wall.line) > from_walls)
    }

    fn pave(&mut self, drawing: &mut Drawing) {
        let (mut pools, mut laid) = (0.0, 0.0);
        let mut cobbles = Path::default();
        for _ in 0..160 {
            let p = [self.between(0.0, 100.0), self.between(0.0, 100.0)];
            let [x, y] = turn(p, self.rotation);
            let inner = (12.0..88.0).contains(&x) && (12.0..88.0).contains(&y);
            if pools < self.city.area / 900.0 && inner && self.is_within(p, 10.0) {
                pools += 1.0;
                let radius = self.between(8.0, 12.0);
                drawing.push(Shape::Glow { centre: [x, y], radius, colour: PAVING_LIGHT });
            } else if laid < self.city.area / 130.0 && self.is_within(p, 4.0) {
                laid += 1.0;
                cobbles.add_line(&[[x, y], [x + 1.2, y]]);
            }
        }
        if !cobbles.is_empty() {
            drawing.push(stroke(cobbles, COBBLE, 0.7));
        }
    }

    fn build(&mut self, lanes: &[[Point; 2]]) {
        let pennants = self.city.sign_points();
        let mut built: Vec<Point> = Vec::new();
        if self.city.cathedral {
            // It towers over the houses, which keep off its yard.
            for dx in [-12.0, 0.0, 12.0] {
                built.extend([-14.0, 0.0, 12.0].map(|dy| [50.0 + dx, 52.0 + dy]));
            }
        } else if self.city.area > CHURCH_AREA {
            for _ in 0..200 {
                let p = [self.between(22.0, 78.0), self.between(26.0, 76.0)];
                let clear = distance(p, CENTRE) >= 20.0
                    && pennants.iter().all(|pennant| distance(p, *pennant) >= 28.0);
                if clear && self.has_room(p, 15.0, 10.0, lanes, &pennants, &built) {
                    self.props.push(Prop { symbol: Symbol::Church, at: p, scale: 1.0 });
                    // The church keeps its yard: its neighbours stand as around three houses.
                    let [x, y] = p;
                    built.extend([p, [x - 5.0, y - 3.0], [x + 5.0, y - 3.0], [x, y - 9.0]]);
                    break;
                }
            }
        }
        let most = (self.city.area / 150.0).round() as usize;
        let mut houses = 0;
        for _ in 0..2600 {
            if houses == most {
                break;
            }
            let p = [self.between(0.0, 100.0), self.between(0.0, 100.0)];
            if !self.has_room(p, 8.0, 11.6, lanes, &pennants, &built) {
                continue;
            }
            built.push(p);
            houses += 1;
            let roof = self.random.below(ROOFS.len() as u32) as u8;
            let green = self.random.unit() < 0.1 && self.city.area > 2500.0;
            let symbol = match (green, self.random.unit() < 0.62) {
                (true, true) => Symbol::Oak,
                (true, false) => Symbol::Cypress,
                (false, true) => Symbol::LongHouse(roof),
                (false, false) => Symbol::GableHouse(roof),
            };
            let scale = if green { 0.8 } else { self.between(1.06, 1.26) };
            self.props.push(Prop { symbol, at: [p[0], p[1] + 3.0], scale });
        }
    }

    fn has_room(
        &self,
        p: Point,
        from_walls: f32,
        apart: f32,
        lanes: &[[Point; 2]],
        pennants: &[Point],
        built: &[Point],
    ) -> bool {
        let far = |q: &Point, squeeze: f32, least: f32| {
            (p[0] - q[0]).hypot((p[1] - q[1]) * squeeze) > least
        };
        (5.5..94.5).contains(&p[0])
            && (7.0..95.5).contains(&p[1])
            && built.iter().all(|other| far(other, 1.15, apart))
            && pennants.iter().all(|pennant| far(pennant, 0.9, 13.0))
            && lanes.iter().all(|lane| distance_to_line(p, lane) > 6.2)
            && self.is_within(p, from_walls)
    }

    /// A wall has a shadow, a face, a walk and merlons; the light on it never turns.
    fn walls(&mut self, drawing: &mut Drawing) {
        let turned = |wall: &crate::tile_shape::Wall, dx: f32, dy: f32| {
            let mut path = Path::default();
            path.add_curve(wall.curve.map(|p| {
                let [x, y] = turn(p, self.rotation);
                [x + dx, y + dy]
            }));
            path
        };
        for wall in &self.city.walls {
            drawing.push(stroke(turned(wall, 1.0, 3.0), rgba(SHADE, 0.2), 7.0));
        }
        for wall in &self.city.walls {
            let walk = turned(wall, 0.0, 0.0);
            drawing.push(stroke(turned(wall, 0.0, 2.0), WALL_FACE, 5.0));
            drawing.push(stroke(walk.clone(), WALL_EDGE, 5.2));
            drawing.push(stroke(walk.clone(), WALL, 4.2));
            drawing.push(dashed(walk, WALL_LIGHT, 4.2, [1.7, 1.4]));
            let crowded = self.shape.cities.len() > 1 && wall.run == 3;
            let towers: &[f32] = match (wall.gate, wall.run) {
                (Some(_), _) => &[],
                (None, 1) => &[0.5],
                (None, 2) => &[0.3, 0.7],
                _ if crowded => &[0.5],
                _ => &[0.26, 0.74],
            };
            for t in towers {
                let at = lowered(cubic_at(wall.curve, *t), self.rotation, 2.4);
                self.props.push(Prop { symbol: Symbol::Tower, at, scale: 0.88 });
            }
        }
    }
}

/// The outline of a city on the turned tile.
fn outline(city: &CityShape, rotation: Rotation) -> Path {
    let mut path = Path::default();
    for piece in &city.border {
        match piece {
            Border::Corner(p) => path.line_to(turn(*p, rotation)),
            Border::Wall([_, b, c, d]) => {
                let [b, c, d] = [*b, *c, *d].map(|p| turn(p, rotation));
                path.curve_to(b, c, d);
            }
        }
    }
    path.close();
    path
}

/// A point that lies a little lower once the tile is turned: the foot of what stands on a wall.
fn lowered(p: Point, rotation: Rotation, by: f32) -> Point {
    let [x, y] = turn(p, rotation);
    turn([x, y + by], Rotation::new((4 - rotation.quarters()) % 4))
}

/// A gatehouse: an arch seen from the front, or a passage seen from the side, between two towers.
pub(crate) fn gate(gate: Point, rotation: Rotation, props: &mut Vec<Prop>) -> Drawing {
    let lies_across = gate[0] == CENTRE[0];
    let aside = if lies_across { [7.0, 0.0] } else { [0.0, 7.0] };
    for sign in [-1.0, 1.0] {
        let foot = [gate[0] + sign * aside[0], gate[1] + sign * aside[1]];
        let at = lowered(foot, rotation, 3.4);
        props.push(Prop { symbol: Symbol::Tower, at, scale: 1.02 });
    }
    let is_front = lies_across == rotation.quarters().is_multiple_of(2);
    let parts = if is_front {
        ["M-5.4-5.4H5.4V3.6H-5.4z", "M-5.4-5.4H5.4v2.1H-5.4z", "M-3 3.7V.2C-3-3.8 3-3.8 3 .2v3.5z"]
    } else {
        ["M-3.6-6.4h7.2V6.6h-7.2z", "M-3.6-6.4h7.2v2h-7.2z", "M-3.6-2.6h7.2v6h-7.2z"]
    };
    let colours = [rgb(0xd6c6a5), WALL_LIGHT, rgb(0x4f3c29)];
    let at = turn(gate, rotation);
    let shape = |(data, colour)| fill(Path::parse(data), colour).placed(at, 1.0);
    parts.into_iter().zip(colours).map(shape).collect()
}
