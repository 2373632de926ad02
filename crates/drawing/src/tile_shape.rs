//! What lies where on a printed tile: cities with their walls, roads, the village, the monastery.
//!
//! One rule draws every city: walk the four edges; an edge of the city is straight, and each run
//! of other edges becomes one curve towards the centre. A new kind of tile needs nothing here.

use crate::geometry::{CENTRE, CORNERS, Cubic, MIDDLES, Point, area, cubic_at, flatten, mix};
use carcassonne::{PrintedSegment, Terrain, Tile};
use game::Random;

/// A wall bends around `run` edges that are not of the city.
pub(crate) struct Wall {
    pub(crate) curve: Cubic,
    pub(crate) line: Vec<Point>,
    pub(crate) run: usize,
    /// Where a road goes through it.
    pub(crate) gate: Option<Point>,
}

/// A piece of a city's border.
#[derive(Clone, Copy)]
pub(crate) enum Border {
    Corner(Point),
    Wall(Cubic),
}

pub(crate) struct CityShape {
    /// The sides it reaches, 0 is north.
    pub(crate) sides: Vec<usize>,
    pub(crate) pennants: u8,
    pub(crate) border: Vec<Border>,
    pub(crate) polygon: Vec<Point>,
    pub(crate) area: f32,
    pub(crate) walls: Vec<Wall>,
}

pub(crate) struct RoadShape {
    pub(crate) curves: Vec<Cubic>,
    pub(crate) line: Vec<Point>,
}

pub(crate) struct TileShape {
    pub(crate) cities: Vec<CityShape>,
    pub(crate) roads: Vec<RoadShape>,
    pub(crate) monastery: Option<Point>,
    /// Where three roads or more end.
    pub(crate) village: Option<Point>,
}

/// Half the width of a road, and how far the ground of village and monastery reaches.
pub(crate) const ROAD_HALF: f32 = 4.9;
pub(crate) const VILLAGE_RADIUS: f32 = 12.0;
pub(crate) const MONASTERY_RADIUS: f32 = 20.0;

impl TileShape {
    pub(crate) fn new(tile: Tile, random: &mut Random) -> Self {
        let of = |terrain: Terrain| {
            tile.printed().segments.iter().filter(move |segment| segment.terrain == terrain)
        };
        let cities: Vec<Vec<usize>> = of(Terrain::City).map(sides_of).collect();
        let road_sides: Vec<Vec<usize>> = of(Terrain::Road).map(sides_of).collect();
        let monastery = of(Terrain::Monastery).next().map(|_| CENTRE);
        let dead_ends = road_sides.iter().filter(|sides| sides.len() == 1).count();
        let village = (dead_ends >= 3).then_some(CENTRE);

        let crowded = cities.iter().enumerate().any(|(i, city)| {
            let others = cities.iter().enumerate().filter(|(j, _)| i != *j);
            others.flat_map(|(_, other)| other).any(|b| city.iter().any(|a| (a + b) % 2 == 1))
        });
        let with_road = !road_sides.is_empty();
        let mut cities: Vec<CityShape> =
            of(Terrain::City).map(|segment| CityShape::new(segment, crowded, with_road)).collect();
        let roads = road_sides
            .into_iter()
            .map(|sides| {
                let curves = match sides[..] {
                    [side] => {
                        let meets_centre = village.is_some() || monastery.is_some();
                        let gate = if meets_centre { None } else { gate_for(side, &mut cities) };
                        vec![inward(side, gate)]
                    }
                    _ => through(sides[0], sides[1], random),
                };
                let line = curves.iter().flat_map(|curve| flatten(*curve)).collect();
                RoadShape { curves, line }
            })
            .collect();
        Self { cities, roads, monastery, village }
    }
}

fn sides_of(segment: &PrintedSegment) -> Vec<usize> {
    (0..4).filter(|side| segment.sides >> side & 1 == 1).collect()
}

impl CityShape {
    fn new(segment: &PrintedSegment, crowded: bool, with_road: bool) -> Self {
        let sides = sides_of(segment);
        let is_own = |side: usize| sides.contains(&(side % 4));
        let (mut border, mut polygon, mut walls) = (Vec::new(), Vec::new(), Vec::new());
        // A city on all sides has no wall, and begins anywhere.
        let first = (0..4).find(|side| is_own(*side) && !is_own(side + 3)).unwrap_or(0);
        border.push(Border::Corner(CORNERS[first]));
        polygon.push(CORNERS[first]);
        let mut walked = 0;
        while walked < 4 {
            let side = (first + walked) % 4;
            if is_own(side) {
                let corner = CORNERS[(side + 1) % 4];
                border.push(Border::Corner(corner));
                polygon.push(corner);
                walked += 1;
                continue;
            }
            let run = (1..4 - walked).take_while(|ahead| !is_own(side + ahead)).count() + 1;
            let curve = wall_curve(side, run, crowded, with_road);
            let line = flatten(curve);
            border.push(Border::Wall(curve));
            polygon.extend(&line[1..]);
            walls.push(Wall { curve, line, run, gate: None });
            walked += run;
        }
        let area = area(&polygon);
        Self { sides, pennants: segment.pennants, border, polygon, area, walls }
    }

    /// Where its lanes meet.
    pub(crate) fn heart(&self) -> Point {
        if let [side] = self.sides[..] {
            return mix(MIDDLES[side], CENTRE, 0.22);
        }
        let sum = self
            .sides
            .iter()
            .fold([0.0, 0.0], |[x, y], side| [x + MIDDLES[*side][0], y + MIDDLES[*side][1]]);
        sum.map(|axis| axis / self.sides.len() as f32)
    }

    /// Where its pennants hang: clear of its heart, where a knight stands.
    pub(crate) fn pennant_points(&self) -> Vec<Point> {
        let first = match self.sides[..] {
            [0, 1, 2, 3] => [24.0, 27.0],
            [0, 1, 3] => [79.0, 24.0],
            [1, 3] => [21.0, 52.0],
            [0, 3] => [22.0, 24.0],
            _ => mix(MIDDLES[self.sides[0]], self.heart(), 0.5),
        };
        (0..self.pennants).map(|i| [first[0] + 15.0 * f32::from(i), first[1]]).collect()
    }
}

/// The wall around the edges `side … side + run - 1`, from corner to corner.
fn wall_curve(side: usize, run: usize, crowded: bool, with_road: bool) -> Cubic {
    let [a, b] = [CORNERS[side], CORNERS[(side + run) % 4]];
    if run == 2 {
        // A corner city bulges towards the corner between, where no road needs the room.
        let outer = CORNERS[(side + 1) % 4];
        let bulge = |p: Point| mix(mix(p, CENTRE, 0.62), outer, if with_road { 0.03 } else { 0.2 });
        return [a, bulge(a), bulge(b), b];
    }
    let depth = match (run, crowded) {
        (1, _) => 0.53,
        (_, true) => 0.58,
        (_, false) => 0.72,
    };
    [a, mix(a, CENTRE, depth), mix(b, CENTRE, depth), b]
}

/// The middle of the wall that a road from this side runs into; marks it as a gate.
fn gate_for(side: usize, cities: &mut [CityShape]) -> Option<Point> {
    let ahead = MIDDLES[side];
    for wall in cities.iter_mut().flat_map(|city| &mut city.walls) {
        let middle = cubic_at(wall.curve, 0.5);
        let straight = (middle[0] - ahead[0]).abs() < 2.0 || (middle[1] - ahead[1]).abs() < 2.0;
        if wall.run == 1 && straight {
            wall.gate = Some(middle);
            return wall.gate;
        }
    }
    None
}

/// A road from edge to edge: a bend, or a slight bow; at the edges it always runs straight out.
fn through(from: usize, to: usize, random: &mut Random) -> Vec<Cubic> {
    let [a, b] = [MIDDLES[from], MIDDLES[to]];
    if (from + to) % 2 == 1 {
        return vec![[a, mix(a, CENTRE, 0.75), mix(b, CENTRE, 0.75), b]];
    }
    let sign = if random.unit() < 0.5 { -1.0 } else { 1.0 };
    let bow = sign * (3.0 + random.unit() as f32 * 1.5);
    let aside = |p: Point| [p[0] + (b[1] - a[1]) / 100.0 * bow, p[1] + (b[0] - a[0]) / 100.0 * bow];
    let [before, after] = [mix(a, b, 0.3), mix(a, b, 0.7)];
    vec![
        [a, mix(a, b, 0.2), aside(before), aside(CENTRE)],
        [aside(CENTRE), aside(after), mix(a, b, 0.8), b],
    ]
}

/// A road that ends at a gate, or short of the centre.
fn inward(side: usize, gate: Option<Point>) -> Cubic {
    let a = MIDDLES[side];
    let end = gate.unwrap_or_else(|| mix(a, CENTRE, 0.84));
    [a, mix(a, end, 0.33), mix(a, end, 0.67), end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::is_inside;

    #[test]
    fn shapes_follow_the_printed_tile() {
        for tile in Tile::all() {
            let shape = TileShape::new(tile, &mut Random::new(1));
            let printed = tile.printed();
            assert_eq!(shape.cities.len(), printed.count_of(Terrain::City), "{tile}");
            assert_eq!(shape.roads.len(), printed.count_of(Terrain::Road), "{tile}");
            assert_eq!(shape.monastery.is_some(), printed.count_of(Terrain::Monastery) > 0);
            // What lies just inside the middle of each edge is what the edge shows.
            for (side, terrain) in printed.edges.iter().enumerate() {
                let inside = mix(MIDDLES[side], CENTRE, 0.05);
                let in_city = shape.cities.iter().any(|city| is_inside(&city.polygon, inside));
                assert_eq!(in_city, *terrain == Terrain::City, "{tile}, side {side}");
                let starts = |road: &RoadShape| {
                    let ends = [road.line[0], road.line[road.line.len() - 1]];
                    ends.contains(&MIDDLES[side])
                };
                assert_eq!(shape.roads.iter().any(starts), *terrain == Terrain::Road, "{tile}");
            }
        }
    }

    #[test]
    fn cities_of_one_tile_do_not_overlap() {
        for tile in Tile::all() {
            let shape = TileShape::new(tile, &mut Random::new(1));
            for x in 0..50 {
                for y in 0..50 {
                    let p = [x as f32 * 2.0 + 1.0, y as f32 * 2.0 + 1.0];
                    let holding = shape.cities.iter().filter(|c| is_inside(&c.polygon, p)).count();
                    assert!(holding <= 1, "{tile} at {p:?}");
                }
            }
        }
    }
}
