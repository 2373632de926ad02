//! What lies where on a printed tile: cities with their walls, roads, the village, the monastery; with
//! sets the river, gardens, inns.
//!
//! One rule draws every city: walk the four edges; an edge of the city is straight, and each run
//! of other edges becomes one curve towards the centre. A new kind of tile needs nothing here.

use crate::fields::{FieldMap, middle_of};
use crate::geometry::{
    CENTRE, CORNERS, Cubic, MIDDLES, Point, area, cubic_at, distance, flatten, mix,
};
use crate::river::{Bridge, RIVER_HALF, RiverShape};
use carcassonne::{BASE_KINDS, Good, PrintedSegment, Segment, Terrain, Tile};
use game::Random;

/// A wall bends around `run` edges that are not of the city.
pub(crate) struct Wall {
    pub(crate) curve: Cubic,
    pub(crate) line: Vec<Point>,
    /// The first of these edges.
    first: usize,
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
    pub(crate) good: Option<Good>,
    pub(crate) cathedral: bool,
}

pub(crate) struct RoadShape {
    pub(crate) curves: Vec<Cubic>,
    pub(crate) line: Vec<Point>,
    /// The inn by its lake beside it.
    pub(crate) inn: Option<Point>,
}

pub(crate) struct TileShape {
    pub(crate) cities: Vec<CityShape>,
    pub(crate) roads: Vec<RoadShape>,
    pub(crate) monastery: Option<Point>,
    /// Where three roads or more end.
    pub(crate) village: Option<Point>,
    pub(crate) garden: Option<Point>,
    pub(crate) river: Option<RiverShape>,
    pub(crate) bridges: Vec<Bridge>,
}

/// Half the width of a road, and how far the ground of village and monastery reaches.
pub(crate) const ROAD_HALF: f32 = 4.9;
pub(crate) const VILLAGE_RADIUS: f32 = 12.0;
pub(crate) const MONASTERY_RADIUS: f32 = 20.0;
pub(crate) const GARDEN_RADIUS: f32 = 11.0;

impl TileShape {
    /// The shape of a kind: a road bows the same way in every variant of its drawing, as its
    /// neighbours expect no less of it.
    pub(crate) fn of(tile: Tile) -> Self {
        Self::new(tile, &mut Random::new(tile.index() as u64))
    }

    pub(crate) fn new(tile: Tile, random: &mut Random) -> Self {
        let of = |terrain: Terrain| {
            tile.printed().segments.iter().filter(move |segment| segment.terrain == terrain)
        };
        let road_sides: Vec<Vec<usize>> = of(Terrain::Road).map(sides_of).collect();
        let river = RiverShape::of(tile, of(Terrain::Monastery).next().is_some());
        let monastery = of(Terrain::Monastery).next().map(|_| match river {
            Some(_) => mix(CENTRE, MIDDLES[0], 0.48),
            None => CENTRE,
        });
        let dead_ends = road_sides.iter().filter(|sides| sides.len() == 1).count();
        let village = (dead_ends >= 3 && monastery.is_none()).then_some(CENTRE);
        let layout = Layout::of(tile);
        let mut cities: Vec<CityShape> =
            of(Terrain::City).map(|segment| CityShape::new(segment, &layout)).collect();
        let ends = village.or(monastery);
        let roads = of(Terrain::Road)
            .map(|segment| {
                let sides = sides_of(segment);
                let curves = match sides[..] {
                    [side] if layout.is_base => {
                        let gate = if ends.is_some() { None } else { gate_for(side, &mut cities) };
                        vec![inward(side, gate)]
                    }
                    [side] => vec![layout.inward(side, ends, &mut cities)],
                    _ => through(sides[0], sides[1], random),
                };
                let line = curves.iter().flat_map(|curve| flatten(*curve)).collect();
                RoadShape { curves, line, inn: None }
            })
            .collect();
        let bridges = Vec::new();
        let mut shape = Self { cities, roads, monastery, village, garden: None, river, bridges };
        if !layout.is_base {
            shape.add_what_sets_have(tile);
        }
        shape
    }

    /// Bridges, inns and the garden, which lie where the rest leaves room.
    fn add_what_sets_have(&mut self, tile: Tile) {
        let segments = tile.printed().segments;
        if let Some(river) = &self.river {
            let over = |road: &RoadShape| Bridge::of(&road.line, &river.line, RIVER_HALF + 3.0);
            self.bridges.extend(self.roads.iter().filter_map(over));
        }
        if let [one, other] = &self.roads[..] {
            self.bridges.extend(Bridge::of(&other.line, &one.line, ROAD_HALF + 4.0));
        }
        let roads = segments.iter().filter(|segment| segment.terrain == Terrain::Road);
        let inns: Vec<bool> = roads.map(|segment| segment.special).collect();
        let has_garden = segments.iter().any(|segment| segment.terrain == Terrain::Garden);
        if !has_garden && !inns.contains(&true) {
            return;
        }
        let map = FieldMap::new(self);
        let hearts: Vec<(Point, f32)> =
            (0..map.count).filter_map(|field| map.heart(field)).collect();
        let roomiest = hearts.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        if has_garden {
            self.garden = roomiest.map(|(at, _)| *at);
        }
        for (road, _) in self.roads.iter_mut().zip(&inns).filter(|(_, inn)| **inn) {
            // Near enough to be this road's and no other's.
            let beside = |(at, room): &(Point, f32)| {
                let middle = road.line[road.line.len() / 2];
                let away = distance(*at, middle).max(1.0);
                (*room > 9.0).then(|| mix(middle, *at, ((INN_RADIUS + ROAD_HALF) / away).min(1.0)))
            };
            let places = hearts.iter().filter_map(beside);
            let from_middle = |p: &Point| distance(*p, road.line[road.line.len() / 2]);
            road.inn = places.max_by(|a, b| from_middle(a).total_cmp(&from_middle(b)));
        }
    }

    /// What lies in fields and is to be seen.
    fn places(&self) -> Vec<Point> {
        self.garden.into_iter().chain(self.roads.iter().filter_map(|road| road.inn)).collect()
    }

    /// The middle of a figure on a segment of a tile of a set, as it is printed.
    pub(crate) fn anchor(&self, tile: Tile, segment: Segment) -> Point {
        let number = usize::from(segment.number());
        let found = match segment.terrain() {
            Terrain::City => {
                let city = &self.cities[number];
                let signs = city.sign_points();
                middle_of(&city.polygon, &signs, 15.0)
            }
            Terrain::Road => {
                let line = &self.roads[number].line;
                let middle = line[line.len() / 2];
                let crossed = self.bridges.iter().any(|bridge| distance(bridge.at, middle) < 16.0);
                // Where roads cross, a figure stands on its own road alone.
                Some(if crossed { line[line.len() / 5] } else { middle })
            }
            Terrain::Field => {
                let map = FieldMap::new(self);
                let printed = segment.index_on(tile).map(|at| &tile.printed().segments[at]);
                let field = printed.and_then(|printed| map.of_halves(printed.halves));
                field.and_then(|field| map.heart_clear_of(field, &self.places()))
            }
            Terrain::Monastery => self.monastery,
            Terrain::Garden => self.garden,
        };
        found.unwrap_or(CENTRE)
    }
}

/// How far an inn with its lake reaches.
pub(crate) const INN_RADIUS: f32 = 8.0;

/// How the cities and roads of a tile lie beside each other.
struct Layout {
    is_base: bool,
    crowded: bool,
    with_road: bool,
    /// The sides of cities, each with its city's number.
    city_sides: Vec<(usize, usize)>,
    /// The corners that a city reaches, after each side, though no side of it ends there: what
    /// parts two fields of which nothing else does.
    reached_corners: [bool; 4],
    /// Two cities that meet in the middle, where roads end.
    waist: bool,
    /// A city from side to side beside another one: the field between them is closed.
    tunnel: bool,
    /// Roads that end at one gate: the field between them touches no city.
    common_gate: bool,
}

impl Layout {
    fn of(tile: Tile) -> Self {
        let segments = tile.printed().segments;
        let of = |terrain: Terrain| segments.iter().filter(move |one| one.terrain == terrain);
        let cities: Vec<Vec<usize>> = of(Terrain::City).map(sides_of).collect();
        let dead_ends = of(Terrain::Road).filter(|road| sides_of(road).len() == 1).count();
        let crowded = cities.iter().enumerate().any(|(i, city)| {
            let others = cities.iter().enumerate().filter(|(j, _)| i != *j);
            others.flat_map(|(_, other)| other).any(|b| city.iter().any(|a| (a + b) % 2 == 1))
        });
        let field_at =
            |half: usize| of(Terrain::Field).position(|field| field.halves >> half & 1 == 1);
        let reached_corners = std::array::from_fn(|side| {
            let [before, after] = [2 * side + 1, (2 * side + 2) % 8].map(field_at);
            before.is_some() && after.is_some() && before != after
        });
        let two_caps = cities.len() == 2 && cities.iter().all(|sides| sides.len() == 1);
        let city_sides = cities.iter().enumerate();
        let city_sides = city_sides.flat_map(|(n, sides)| sides.iter().map(move |side| (*side, n)));
        Self {
            is_base: tile.index() < BASE_KINDS,
            crowded,
            with_road: of(Terrain::Road).next().is_some() || tile.printed().river > 0,
            city_sides: city_sides.collect(),
            reached_corners,
            waist: two_caps && dead_ends == 2,
            tunnel: crowded && cities.iter().any(|sides| matches!(sides[..], [a, b] if a + 2 == b)),
            common_gate: dead_ends == 2 && of(Terrain::Field).any(|field| field.cities == 0),
        }
    }

    /// Whether the side belongs to another city than this one.
    fn is_of_another(&self, side: usize, own: &[usize]) -> bool {
        self.city_sides.iter().any(|(taken, _)| *taken == side % 4) && !own.contains(&(side % 4))
    }

    /// A road that ends where others do, or at a wall.
    fn inward(&self, side: usize, ends: Option<Point>, cities: &mut [CityShape]) -> Cubic {
        if self.waist {
            return inward(side, Some(CENTRE));
        }
        if let Some(end) = ends {
            return inward(side, Some(mix(MIDDLES[side], end, 0.84)));
        }
        let walls = cities.iter_mut().flat_map(|city| &mut city.walls);
        let Some(wall) = walls.into_iter().find(|wall| wall.sides().any(|of| of == side)) else {
            return inward(side, None);
        };
        let place = wall.sides().position(|of| of == side).unwrap_or(0);
        let along = match (wall.run, place) {
            _ if self.common_gate => 0.5,
            (1, _) | (3, 1) => 0.5,
            (2, 0) => 0.36,
            (2, _) => 0.64,
            (_, 0) => 0.32,
            _ => 0.68,
        };
        wall.gate = Some(cubic_at(wall.curve, along));
        inward(side, wall.gate)
    }
}

fn sides_of(segment: &PrintedSegment) -> Vec<usize> {
    (0..4).filter(|side| segment.sides >> side & 1 == 1).collect()
}

impl Wall {
    /// The sides that it bends around.
    fn sides(&self) -> impl Iterator<Item = usize> + use<> {
        let (first, run) = (self.first, self.run);
        (first..first + run).map(|side| side % 4)
    }
}

impl CityShape {
    fn new(segment: &PrintedSegment, layout: &Layout) -> Self {
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
            let goes_on = |ahead: &usize| {
                !is_own(side + ahead) && !layout.reached_corners[(side + ahead + 3) % 4]
            };
            let run = (1..4 - walked).take_while(goes_on).count() + 1;
            let curve = wall_curve(side, run, &sides, layout);
            let line = flatten(curve);
            border.push(Border::Wall(curve));
            polygon.extend(&line[1..]);
            walls.push(Wall { curve, line, first: side, run, gate: None });
            walked += run;
        }
        let area = area(&polygon);
        let PrintedSegment { pennants, good, special: cathedral, .. } = *segment;
        Self { sides, pennants, border, polygon, area, walls, good, cathedral }
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

    /// Where its pennants hang, its goods are shown or its cathedral stands.
    pub(crate) fn sign_points(&self) -> Vec<Point> {
        let mut points = self.pennant_points();
        points.extend(self.good_point());
        points.extend(self.cathedral.then_some([50.0, 46.0]));
        points
    }

    /// Where its goods are shown.
    pub(crate) fn good_point(&self) -> Option<Point> {
        self.good?;
        Some(match self.sides[..] {
            [0, 3] => [19.0, 20.0],
            [1, 3] => [17.0, 44.0],
            [0, 1, 3] => [50.0, 20.0],
            _ => mix(MIDDLES[self.sides[0]], self.heart(), 0.5),
        })
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
fn wall_curve(side: usize, run: usize, own: &[usize], layout: &Layout) -> Cubic {
    let [a, b] = [CORNERS[side], CORNERS[(side + run) % 4]];
    let beside_others = !layout.is_base && layout.crowded;
    if run == 2 {
        // A corner city bulges towards the corner between, where no road needs the room; away from
        // it where another city does.
        let (towards, by) = match (beside_others, layout.with_road) {
            (true, _) => (CORNERS[(side + 3) % 4], 0.2),
            (false, true) => (CORNERS[(side + 1) % 4], 0.03),
            (false, false) => (CORNERS[(side + 1) % 4], 0.2),
        };
        let bulge = |p: Point| mix(mix(p, CENTRE, 0.62), towards, by);
        return [a, bulge(a), bulge(b), b];
    }
    let depth = match (run, layout.crowded) {
        _ if layout.waist => 4.0 / 3.0,
        (1, _) if beside_others && layout.is_of_another(side, own) => 0.95,
        (1, _) => 0.53,
        (_, true) if layout.tunnel && beside_others => 0.42,
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
        for tile in Tile::all_sets() {
            let shape = TileShape::new(tile, &mut Random::new(1));
            let printed = tile.printed();
            assert_eq!(shape.cities.len(), printed.count_of(Terrain::City), "{tile}");
            assert_eq!(shape.roads.len(), printed.count_of(Terrain::Road), "{tile}");
            assert_eq!(shape.monastery.is_some(), printed.count_of(Terrain::Monastery) > 0);
            assert_eq!(shape.garden.is_some(), printed.count_of(Terrain::Garden) > 0, "{tile}");
            let inns = printed.segments.iter().filter(|s| s.terrain == Terrain::Road && s.special);
            assert_eq!(
                shape.roads.iter().filter(|r| r.inn.is_some()).count(),
                inns.count(),
                "{tile}"
            );
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
                let wet = shape.river.as_ref().is_some_and(|river| river.covers(inside, 0.0));
                assert_eq!(wet, printed.river >> side & 1 == 1, "{tile}, side {side}");
            }
        }
    }

    /// What parts two fields on the printed tile parts them on the drawn one, and nothing else does; a
    /// field touches the cities that it should.
    #[test]
    fn the_drawn_fields_are_the_printed_ones() {
        for tile in Tile::all_sets() {
            let shape = TileShape::new(tile, &mut Random::new(1));
            let map = FieldMap::new(&shape);
            let printed = tile.printed().segments.iter().filter(|s| s.terrain == Terrain::Field);
            let mut found = Vec::new();
            for field in printed {
                let drawn = map.of_halves(field.halves);
                let drawn = drawn.unwrap_or_else(|| panic!("{tile}: {field:?} is not drawn"));
                assert!(!found.contains(&drawn), "{tile}: {field:?} is drawn as another one");
                found.push(drawn);
                for half in (0..8).filter(|half| field.halves >> half & 1 == 1) {
                    assert_eq!(map.at_half(half), Some(drawn), "{tile}: half {half} of {field:?}");
                }
                for (number, city) in shape.cities.iter().enumerate() {
                    let touches = field.cities >> number & 1 == 1;
                    let near = map.touches(drawn, &city.polygon);
                    // The page of old draws some fields near to cities that they do not touch.
                    let is_base =
                        tile.index() < BASE_KINDS || tile.set() == carcassonne::Sets::GARDENS;
                    assert!(near == touches || is_base && near, "{tile}: {field:?}, city {number}");
                }
            }
            for other in (0..map.count).filter(|field| !found.contains(field)) {
                assert!(map.size(other) < 12, "{tile}: ground that is no field");
            }
        }
    }

    #[test]
    fn figures_on_segments_of_one_tile_stand_apart() {
        for tile in Tile::all_sets().skip(BASE_KINDS) {
            let shape = TileShape::new(tile, &mut Random::new(1));
            let all = (0..tile.printed().segments.len()).filter_map(|i| Segment::at(tile, i));
            let points: Vec<(Segment, Point)> =
                all.map(|segment| (segment, shape.anchor(tile, segment))).collect();
            for (n, (segment, p)) in points.iter().enumerate() {
                for (other, q) in &points[n + 1..] {
                    assert!(distance(*p, *q) > 9.0, "{tile}: {segment} at {p:?}, {other} at {q:?}");
                }
            }
        }
    }

    #[test]
    fn cities_of_one_tile_do_not_overlap() {
        for tile in Tile::all_sets() {
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
