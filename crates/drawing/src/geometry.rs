//! Points and curves on a tile: 100 × 100 units, x to the east, y to the south.

use carcassonne::Rotation;

/// A point in units of a hundredth of a tile.
pub(crate) type Point = [f32; 2];

/// A cubic curve: start, two control points, end.
pub(crate) type Cubic = [Point; 4];

/// The side of a tile.
pub(crate) const SIZE: f32 = 100.0;
pub(crate) const CENTRE: Point = [50.0, 50.0];
pub(crate) const CORNERS: [Point; 4] = [[0.0, 0.0], [SIZE, 0.0], [SIZE, SIZE], [0.0, SIZE]];

/// The middle of the north, east, south and west edge.
pub(crate) const MIDDLES: [Point; 4] = [[50.0, 0.0], [SIZE, 50.0], [50.0, SIZE], [0.0, 50.0]];

/// Where a point of the printed tile lies when the tile is turned clockwise.
pub(crate) fn turn([x, y]: Point, rotation: Rotation) -> Point {
    match rotation.quarters() {
        0 => [x, y],
        1 => [SIZE - y, x],
        2 => [SIZE - x, SIZE - y],
        _ => [y, SIZE - x],
    }
}

/// The point a part `t` of the way from `a` to `b`.
pub(crate) fn mix(a: Point, b: Point, t: f32) -> Point {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

pub(crate) fn distance(a: Point, b: Point) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

pub(crate) fn cubic_at([a, b, c, d]: Cubic, t: f32) -> Point {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    let along = |axis: usize| {
        weights[0] * a[axis] + weights[1] * b[axis] + weights[2] * c[axis] + weights[3] * d[axis]
    };
    [along(0), along(1)]
}

/// The curve as a line of short pieces.
pub(crate) fn flatten(curve: Cubic) -> Vec<Point> {
    const STEPS: usize = 24;
    (0..=STEPS).map(|i| cubic_at(curve, i as f32 / STEPS as f32)).collect()
}

fn distance_to_piece(p: Point, a: Point, b: Point) -> f32 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let length = dx * dx + dy * dy;
    let along =
        if length == 0.0 { 0.0 } else { ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length };
    distance(p, mix(a, b, along.clamp(0.0, 1.0)))
}

pub(crate) fn distance_to_line(p: Point, line: &[Point]) -> f32 {
    line.windows(2).map(|ends| distance_to_piece(p, ends[0], ends[1])).fold(f32::MAX, f32::min)
}

/// Whether a point lies inside a polygon (even-odd).
pub(crate) fn is_inside(polygon: &[Point], [x, y]: Point) -> bool {
    let Some(&last) = polygon.last() else { return false };
    let (mut inside, mut before) = (false, last);
    for &point in polygon {
        let ([ax, ay], [bx, by]) = (before, point);
        if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
            inside = !inside;
        }
        before = point;
    }
    inside
}

pub(crate) fn area(polygon: &[Point]) -> f32 {
    let next = polygon.iter().cycle().skip(1);
    let twice: f32 = polygon.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    twice.abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarter_turns_bring_a_point_back() {
        let once = |p| turn(p, Rotation::new(1));
        assert_eq!(once(MIDDLES[0]), MIDDLES[1]);
        assert_eq!(once(once(once(once([13.0, 40.0])))), [13.0, 40.0]);
        assert_eq!(turn([13.0, 40.0], Rotation::new(3)), once(once(once([13.0, 40.0]))));
    }

    #[test]
    fn a_square_has_an_inside_and_an_area() {
        assert!(is_inside(&CORNERS, CENTRE));
        assert!(!is_inside(&CORNERS, [101.0, 50.0]));
        assert_eq!(area(&CORNERS), 10_000.0);
        assert_eq!(distance_to_line([50.0, 30.0], &[[0.0, 0.0], [100.0, 0.0]]), 30.0);
    }
}
