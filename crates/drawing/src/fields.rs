//! Where fields lie on a drawn tile: found on a grid of points, so that figures stand in the field they
//! are meant for, and drawings can be held against the rules.

use crate::geometry::{Point, distance, distance_to_line, is_inside};
use crate::tile_shape::{MONASTERY_RADIUS, ROAD_HALF, TileShape, VILLAGE_RADIUS};
use std::collections::VecDeque;

/// Points a side.
const GRID: usize = 100;

/// The ground of a tile by point: which field it belongs to, numbered from 0, or none.
pub(crate) struct FieldMap {
    fields: Vec<Option<usize>>,
    pub(crate) count: usize,
}

/// The middle of a point of the grid.
fn point(index: usize) -> Point {
    [(index % GRID) as f32 + 0.5, (index / GRID) as f32 + 0.5]
}

/// The points beside a point.
fn beside(index: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (index % GRID, index / GRID);
    let left = (x > 0).then(|| index - 1);
    let right = (x + 1 < GRID).then_some(index + 1);
    let up = (y > 0).then(|| index - GRID);
    let down = (y + 1 < GRID).then_some(index + GRID);
    [left, right, up, down].into_iter().flatten()
}

impl FieldMap {
    pub(crate) fn new(shape: &TileShape) -> Self {
        let ground: Vec<bool> =
            (0..GRID * GRID).map(|index| is_ground(shape, point(index))).collect();
        let mut map = Self { fields: vec![None; GRID * GRID], count: 0 };
        for start in 0..GRID * GRID {
            if !ground[start] || map.fields[start].is_some() {
                continue;
            }
            let mut open = vec![start];
            map.fields[start] = Some(map.count);
            while let Some(index) = open.pop() {
                for next in beside(index).filter(|next| ground[*next]) {
                    if map.fields[next].is_none() {
                        map.fields[next] = Some(map.count);
                        open.push(next);
                    }
                }
            }
            map.count += 1;
        }
        map
    }

    /// The field at a half of an edge: bits NL NR EL ER SL SR WL WR, left and right looking outward.
    pub(crate) fn at_half(&self, half: usize) -> Option<usize> {
        let last = GRID - 1;
        let (near, far) = (GRID / 5, last - GRID / 5);
        let (x, y) = [
            (near, 0),
            (far, 0),
            (last, near),
            (last, far),
            (far, last),
            (near, last),
            (0, far),
            (0, near),
        ][half];
        self.fields[y * GRID + x]
    }

    /// The field that a printed one is: by the halves of edges that it reaches; one that is closed
    /// within the tile is the largest that reaches no edge.
    pub(crate) fn of_halves(&self, halves: u8) -> Option<usize> {
        if halves > 0 {
            return self.at_half(halves.trailing_zeros() as usize);
        }
        let reached: Vec<_> = (0..8).filter_map(|half| self.at_half(half)).collect();
        let size = |field: &usize| self.fields.iter().filter(|at| **at == Some(*field)).count();
        (0..self.count).filter(|field| !reached.contains(field)).max_by_key(size)
    }

    /// The point of a field that is farthest from all that is not of it.
    pub(crate) fn heart(&self, field: usize) -> Option<(Point, f32)> {
        farthest(|index| self.fields[index] == Some(field))
    }

    /// The same, beside what lies in the field.
    pub(crate) fn heart_clear_of(&self, field: usize, places: &[Point]) -> Option<Point> {
        let clear = |index: usize| places.iter().all(|place| distance(point(index), *place) > 16.0);
        let found = farthest(|index| self.fields[index] == Some(field) && clear(index));
        found.or_else(|| self.heart(field)).map(|(at, _)| at)
    }

    #[cfg(test)]
    pub(crate) fn size(&self, field: usize) -> usize {
        self.fields.iter().filter(|at| **at == Some(field)).count()
    }

    /// Whether a field comes near to a polygon.
    #[cfg(test)]
    pub(crate) fn touches(&self, field: usize, polygon: &[Point]) -> bool {
        let near = |index: &usize| {
            let [x, y] = point(*index);
            [[x - 2.0, y], [x + 2.0, y], [x, y - 2.0], [x, y + 2.0]]
                .into_iter()
                .any(|p| is_inside(polygon, p))
        };
        let all = (0..GRID * GRID).filter(|index| self.fields[*index] == Some(field));
        all.filter(near).count() > 8
    }
}

/// The point of an area that is farthest from all that is not of it, and how far that is.
pub(crate) fn farthest(is_within: impl Fn(usize) -> bool) -> Option<(Point, f32)> {
    let mut steps = vec![0_u16; GRID * GRID];
    let mut queue = VecDeque::new();
    for index in (0..GRID * GRID).filter(|index| is_within(*index)) {
        steps[index] = u16::MAX;
        let (x, y) = (index % GRID, index / GRID);
        let at_edge = x == 0 || y == 0 || x + 1 == GRID || y + 1 == GRID;
        if at_edge || beside(index).any(|next| !is_within(next)) {
            steps[index] = 1;
            queue.push_back(index);
        }
    }
    while let Some(index) = queue.pop_front() {
        for next in beside(index).filter(|next| is_within(*next)) {
            if steps[next] > steps[index] + 1 {
                steps[next] = steps[index] + 1;
                queue.push_back(next);
            }
        }
    }
    let best =
        (0..GRID * GRID).filter(|index| steps[*index] > 0).max_by_key(|index| steps[*index])?;
    Some((point(best), f32::from(steps[best])))
}

/// The point within a polygon that is farthest from its border and from some points.
pub(crate) fn middle_of(polygon: &[Point], clear_of: &[Point], by: f32) -> Option<Point> {
    let within = |index: usize| {
        let p = point(index);
        is_inside(polygon, p) && clear_of.iter().all(|other| distance(p, *other) > by)
    };
    farthest(within).map(|(p, _)| p)
}

fn is_ground(shape: &TileShape, p: Point) -> bool {
    let near = |place: Option<Point>, radius: f32| place.is_some_and(|at| distance(p, at) < radius);
    let wet = shape.river.as_ref().is_some_and(|river| river.covers(p, 0.0));
    !(wet
        || shape.cities.iter().any(|city| is_inside(&city.polygon, p))
        || shape.roads.iter().any(|road| distance_to_line(p, &road.line) < ROAD_HALF)
        || near(shape.village, VILLAGE_RADIUS)
        || near(shape.monastery, MONASTERY_RADIUS))
}
