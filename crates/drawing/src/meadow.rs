//! Open land: grass in lighter and darker pools, furrowed plots with hedges, trees, sheep, flowers.

use crate::geometry::{Point, distance, distance_to_line, is_inside, mix, turn};
use crate::palette::{CROPS, FLOWERS, GRASS, GRASS_DARK, GRASS_LIGHT, TUFT, rgb, rgba};
use crate::path::Path;
use crate::shape::{Drawing, Shape, fill, stroke};
use crate::symbols::{Prop, Symbol};
use crate::tile_shape::{
    GARDEN_RADIUS, INN_RADIUS, MONASTERY_RADIUS, ROAD_HALF, TileShape, VILLAGE_RADIUS,
};
use carcassonne::Rotation;
use game::Random;

struct Plot {
    centre: Point,
    width: f32,
}

/// Draws the meadow of a tile, and plants what stands on it.
pub(crate) struct Meadow<'a> {
    pub(crate) shape: &'a TileShape,
    pub(crate) rotation: Rotation,
    pub(crate) random: &'a mut Random,
    pub(crate) props: &'a mut Vec<Prop>,
}

impl Meadow<'_> {
    pub(crate) fn draw(mut self) -> Drawing {
        let mut drawing = vec![fill(Path::rectangle([0.0, 0.0], 100.0, 100.0), GRASS)];
        for i in 0..5 {
            let radius = self.between(17.0, 31.0);
            let centre =
                [self.between(radius, 100.0 - radius), self.between(radius, 100.0 - radius)];
            let colour = if i % 2 == 1 { GRASS_DARK } else { GRASS_LIGHT };
            drawing.push(Shape::Glow { centre: turn(centre, self.rotation), radius, colour });
        }
        let mut plots = Vec::new();
        for _ in 0..90 {
            if plots.len() < 3 {
                self.plot(&mut plots, &mut drawing);
            }
        }
        self.tufts(&plots, &mut drawing);
        self.trees(&plots);
        self.sheep(&plots);
        drawing
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.random.unit() as f32 * (high - low)
    }

    fn chance(&mut self, odds: f64) -> bool {
        self.random.unit() < odds
    }

    /// Whether a point of the meadow is clear of all that is built, by a margin.
    fn is_free(&self, p: Point, margin: f32, from_walls: f32) -> bool {
        let TileShape { cities, roads, monastery, village, garden, river, .. } = self.shape;
        let in_city = cities.iter().any(|city| {
            is_inside(&city.polygon, p)
                || city.walls.iter().any(|wall| distance_to_line(p, &wall.line) < from_walls)
        });
        let on_road = || roads.iter().any(|r| distance_to_line(p, &r.line) < ROAD_HALF + margin);
        let near = |place: &Option<Point>, radius: f32| {
            place.is_some_and(|place| distance(p, place) < radius + margin)
        };
        let inns = || roads.iter().filter_map(|road| road.inn);
        !(in_city
            || on_road()
            || river.as_ref().is_some_and(|river| river.covers(p, margin))
            || near(garden, GARDEN_RADIUS)
            || inns().any(|inn| distance(p, inn) < INN_RADIUS + margin)
            || near(monastery, MONASTERY_RADIUS + 2.0)
            || near(village, VILLAGE_RADIUS))
    }

    /// Tries to lay a plot, kept whole within one meadow.
    fn plot(&mut self, plots: &mut Vec<Plot>, drawing: &mut Drawing) {
        let (width, height) = (self.between(17.0, 33.0), self.between(12.0, 23.0));
        let upright = if self.chance(0.5) { 0.0 } else { std::f32::consts::FRAC_PI_2 };
        let (sin, cos) = (self.between(-0.25, 0.25) + upright).sin_cos();
        let centre = [self.between(0.0, 100.0), self.between(0.0, 100.0)];
        let corner = |u: f32, v: f32| {
            let (along, across) = (u * width / 2.0, v * height / 2.0);
            [centre[0] + along * cos - across * sin, centre[1] + along * sin + across * cos]
        };
        let (lower, upper) = (self.between(0.9, 1.1), self.between(0.9, 1.1));
        let quad =
            [corner(-1.0, -lower), corner(1.0, -1.0), corner(0.94, 1.0), corner(-1.0, upper)];
        let middles =
            [centre, corner(0.0, -1.0), corner(0.0, 1.0), corner(-1.0, 0.0), corner(1.0, 0.0)];
        let whole = quad
            .iter()
            .chain(&middles)
            .all(|p| p.iter().all(|axis| (5.0..95.0).contains(axis)) && self.is_free(*p, 2.5, 7.0));
        let apart = |plot: &Plot| distance(plot.centre, centre) > (width + plot.width) / 2.0 + 3.0;
        if whole && plots.iter().all(apart) {
            plots.push(Plot { centre, width });
            self.draw_plot(quad, height, drawing);
        }
    }

    fn draw_plot(&mut self, quad: [Point; 4], height: f32, drawing: &mut Drawing) {
        let [a, b, c, d] = quad;
        let crop = self.random.below(CROPS.len() as u32) as usize;
        let (ground, furrow) = CROPS[crop];
        let orchard = self.chance(0.22);
        let rows = (height / if orchard { 4.6 } else { 2.3 }).round() as usize;
        let mut furrows = Path::default();
        for i in 1..rows {
            let along = i as f32 / rows as f32;
            let [from, to] = [mix(a, d, along), mix(b, c, along)];
            if orchard {
                let tree = |k: u8| mix(from, to, 0.12 + f32::from(k) * 0.25);
                let plant = |k| Prop { symbol: Symbol::FruitTree, at: tree(k), scale: 0.85 };
                self.props.extend((0..4).map(plant));
            } else {
                furrows.add_line(&[from, to].map(|p| turn(p, self.rotation)));
            }
        }
        if !orchard && self.chance(0.7) {
            let hedge = if self.chance(0.5) { [a, b] } else { [d, c] };
            for i in 0..=5u8 {
                let at = mix(hedge[0], hedge[1], f32::from(i) / 5.0 + self.between(-0.025, 0.025));
                let scale = self.between(0.8, 1.15);
                self.props.push(Prop { symbol: Symbol::Bush, at, scale });
            }
        }
        if !orchard && crop == 0 {
            let at = mix(mix(a, c, 0.35), mix(b, d, 0.3), self.between(0.0, 1.0));
            self.props.push(Prop { symbol: Symbol::HayStack, at, scale: 0.85 });
        }
        let outline = Path::line(&quad.map(|p| turn(p, self.rotation)), true);
        let colour = rgba(ground, if orchard { 0.35 } else { 0.62 });
        drawing.push(fill(outline, colour));
        if !furrows.is_empty() {
            drawing.push(stroke(furrows, rgba(furrow, 0.62), 0.8));
        }
    }

    fn is_off_plots(plots: &[Plot], p: Point) -> bool {
        plots.iter().all(|plot| distance(plot.centre, p) > plot.width * 0.62)
    }

    fn tufts(&mut self, plots: &[Plot], drawing: &mut Drawing) {
        let (mut tufts, mut flowers) = (Path::default(), Vec::new());
        let mut grown = 0;
        for _ in 0..90 {
            let p = [self.between(3.0, 97.0), self.between(4.0, 96.0)];
            if grown == 16 || !self.is_free(p, 2.0, 4.5) || !Self::is_off_plots(plots, p) {
                continue;
            }
            grown += 1;
            let [x, y] = turn(p, self.rotation);
            if grown < 10 {
                for [dx, dy] in [[-0.9, -1.6], [0.0, -2.1], [0.9, -1.6]] {
                    tufts.add_line(&[[x, y], [x + dx, y + dy]]);
                }
            } else {
                let colour = FLOWERS[self.random.below(FLOWERS.len() as u32) as usize];
                flowers.push(fill(Path::circle([x, y], 0.7), rgb(colour)));
            }
        }
        if !tufts.is_empty() {
            drawing.push(stroke(tufts, TUFT, 0.55));
        }
        drawing.extend(flowers);
    }

    /// Groves of a few trees; their crowns keep off the tile's border, roads and walls.
    fn trees(&mut self, plots: &[Plot]) {
        let mut groves = 0;
        for _ in 0..60 {
            let p = [self.between(8.0, 92.0), self.between(11.0, 91.0)];
            if groves == 4 || !self.can_grow(plots, p, 3.4) {
                continue;
            }
            groves += 1;
            let symbol = if self.chance(0.26) { Symbol::Cypress } else { Symbol::Oak };
            let trees = 1 + self.between(0.0, 3.4) as usize;
            for i in 0..trees {
                let [dx, dy] = [self.between(-5.5, 5.5), self.between(-4.5, 4.5)];
                let at = if i == 0 { p } else { [p[0] + dx, p[1] + dy] };
                let scale = self.between(0.8, 1.2);
                if self.can_grow(plots, at, 3.0) {
                    self.props.push(Prop { symbol, at, scale });
                }
            }
        }
    }

    fn can_grow(&self, plots: &[Plot], p: Point, margin: f32) -> bool {
        (6.0..94.0).contains(&p[0])
            && (9.0..94.0).contains(&p[1])
            && self.is_free(p, margin, margin + 5.5)
            && Self::is_off_plots(plots, p)
    }

    fn sheep(&mut self, plots: &[Plot]) {
        if self.chance(0.5) {
            return;
        }
        for _ in 0..40 {
            let p = [self.between(14.0, 86.0), self.between(14.0, 86.0)];
            let alone = self.props.iter().all(|prop| distance(prop.at, p) > 9.0);
            if !alone || !self.is_free(p, 5.0, 10.0) || !Self::is_off_plots(plots, p) {
                continue;
            }
            for i in 0..2 + self.random.below(2) {
                let at = [p[0] + i as f32 * 3.6 - 3.0, p[1] + self.between(-2.5, 2.5)];
                if self.is_free(at, 2.5, 6.0) {
                    self.props.push(Prop { symbol: Symbol::Sheep, at, scale: 0.9 });
                }
            }
            return;
        }
    }
}
