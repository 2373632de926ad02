//! The river of a tile: water between banks, a spring or a lake where it begins or ends, bridges.

use crate::geometry::{
    CENTRE, Cubic, MIDDLES, Point, distance, distance_to_line, flatten, mix, turn,
};
use crate::palette::{BANK, WALL, WALL_EDGE, WALL_LIGHT, WATER, WATER_DEEP, WATER_LIGHT};
use crate::path::Path;
use crate::shape::{Drawing, fill, stroke};
use carcassonne::{Rotation, Tile};

/// Half the width of the water with its banks.
pub(crate) const RIVER_HALF: f32 = 8.5;

pub(crate) struct RiverShape {
    pub(crate) curves: Vec<Cubic>,
    pub(crate) line: Vec<Point>,
    /// Where it springs, or the lake it ends in, with its radius.
    pub(crate) pond: Option<(Point, f32)>,
}

impl RiverShape {
    /// The river of a kind, if it has one. It makes room for a monastery.
    pub(crate) fn of(tile: Tile, beside_monastery: bool) -> Option<Self> {
        let sides: Vec<usize> =
            (0..4).filter(|side| tile.printed().river >> side & 1 == 1).collect();
        let (curves, pond) = match sides[..] {
            [] => return None,
            [side] => {
                let radius = if tile == Tile::LAKE { 23.0 } else { 12.0 };
                let end = mix(MIDDLES[side], CENTRE, 1.08);
                let bow = |t: f32, aside: f32| {
                    let [x, y] = mix(MIDDLES[side], end, t);
                    let [dx, dy] = [MIDDLES[side][0] - end[0], MIDDLES[side][1] - end[1]];
                    [x - dy / 50.0 * aside, y + dx / 50.0 * aside]
                };
                (vec![[MIDDLES[side], bow(0.4, 0.0), bow(0.6, 4.0), end]], Some((end, radius)))
            }
            _ => (through(sides[0], sides[1], beside_monastery), None),
        };
        let line = curves.iter().flat_map(|curve| flatten(*curve)).collect();
        Some(Self { curves, line, pond })
    }

    /// Whether a point lies in the water or on its banks, or nearer than so much.
    pub(crate) fn covers(&self, p: Point, margin: f32) -> bool {
        distance_to_line(p, &self.line) < RIVER_HALF + margin
            || self.pond.is_some_and(|(at, radius)| distance(p, at) < radius + margin)
    }

    pub(crate) fn draw(&self, rotation: Rotation) -> Drawing {
        let mut path = Path::default();
        for curve in &self.curves {
            path.add_curve(curve.map(|p| turn(p, rotation)));
        }
        let pond = self.pond.map(|(at, radius)| (turn(at, rotation), radius));
        let mut drawing = Drawing::new();
        // Each layer of river and pond together, so that no bank lies between them.
        for (colour, inset) in [(BANK, 0.0), (WATER_DEEP, 1.4), (WATER, 2.6), (WATER_LIGHT, 6.6)] {
            drawing.push(stroke(path.clone(), colour, 2.0 * (RIVER_HALF - inset)));
            if let Some((at, radius)) = pond.filter(|_| inset < 6.0) {
                drawing.push(fill(Path::ellipse(at, radius - inset, radius - inset), colour));
            }
        }
        if let Some(([x, y], radius)) = pond {
            for (dx, dy) in [(-0.3, -0.25), (0.2, 0.1), (-0.15, 0.4)] {
                let at = [x + dx * radius, y + dy * radius];
                let ripple = Path::line(&[[at[0] - 3.0, at[1]], [at[0] + 3.0, at[1]]], false);
                drawing.push(stroke(ripple, WATER_LIGHT, 1.0));
            }
        }
        drawing
    }
}

fn through(from: usize, to: usize, beside_monastery: bool) -> Vec<Cubic> {
    let [a, b] = [MIDDLES[from], MIDDLES[to]];
    if (from + to) % 2 == 1 {
        return vec![[a, mix(a, CENTRE, 0.75), mix(b, CENTRE, 0.75), b]];
    }
    let bow = if beside_monastery { 17.0 } else { 3.5 };
    let aside =
        |p: Point| [p[0] + (b[1] - a[1]) / 100.0 * bow, p[1] + (b[0] - a[0]).abs() / 100.0 * bow];
    let [before, after] = [mix(a, b, 0.3), mix(a, b, 0.7)];
    vec![
        [a, mix(a, b, 0.2), aside(before), aside(CENTRE)],
        [aside(CENTRE), aside(after), mix(a, b, 0.8), b],
    ]
}

/// Where a road goes over water or over another road.
pub(crate) struct Bridge {
    pub(crate) at: Point,
    /// The direction of the road, of length 1.
    pub(crate) along: Point,
    /// Half of its length.
    pub(crate) half: f32,
}

impl Bridge {
    /// Where a road's line crosses another line, if it does.
    pub(crate) fn of(road: &[Point], under: &[Point], half: f32) -> Option<Self> {
        let crossed = |ends: &&[Point]| distance_to_line(mix(ends[0], ends[1], 0.5), under) < 1.6;
        let at = road.windows(2).find(crossed)?;
        let length = distance(at[0], at[1]).max(0.01);
        let along = [(at[1][0] - at[0][0]) / length, (at[1][1] - at[0][1]) / length];
        Some(Self { at: mix(at[0], at[1], 0.5), along, half })
    }

    /// Two parapets of stone along the road.
    pub(crate) fn draw(&self, rotation: Rotation) -> Drawing {
        let [dx, dy] = self.along;
        let parapet = |side: f32| {
            let end = |way: f32| {
                let [x, y] = self.at;
                let p = [x + dx * way - dy * side, y + dy * way + dx * side];
                turn(p, rotation)
            };
            Path::line(&[end(-self.half), end(self.half)], false)
        };
        let layers = [(WALL_EDGE, 3.4), (WALL, 2.4), (WALL_LIGHT, 0.9)];
        [-5.4, 5.4]
            .into_iter()
            .flat_map(|side| layers.map(|(colour, width)| stroke(parapet(side), colour, width)))
            .collect()
    }
}
