//! The picture of a state of Tinytown.

use super::{Colour, Point, Scene};
use tinytown::Tinytown;

const GROUND: Colour = [222, 214, 196];
const PLOT: Colour = [240, 234, 220];
const BRICK: Colour = [190, 84, 58];
const GLASS: Colour = [120, 190, 214];
const COTTAGE: Colour = [52, 92, 168];
const GREENHOUSE: Colour = [178, 62, 54];

/// The grid with what lies on it.
pub(crate) fn scene(town: &Tinytown) -> Scene {
    let size = town.size();
    let mut scene = Scene::new(size.cols(), size.rows(), GROUND);
    for (index, code) in town.cells().enumerate() {
        let corner = ((index % size.cols()) as f32, (index / size.cols()) as f32);
        let mut draw = |points: &[Point], colour| {
            scene.polygon(
                points.iter().map(|(x, y)| (corner.0 + x, corner.1 + y)).collect(),
                colour,
            );
        };
        draw(&[(0.05, 0.05), (0.95, 0.05), (0.95, 0.95), (0.05, 0.95)], PLOT);
        match code {
            1 => draw(&[(0.2, 0.3), (0.8, 0.3), (0.8, 0.7), (0.2, 0.7)], BRICK),
            2 => draw(&[(0.5, 0.18), (0.82, 0.5), (0.5, 0.82), (0.18, 0.5)], GLASS),
            3 => draw(&house(), COTTAGE),
            4 => {
                draw(&house(), GREENHOUSE);
                draw(&[(0.35, 0.55), (0.65, 0.55), (0.65, 0.75), (0.35, 0.75)], GLASS);
            }
            _ => {}
        }
    }
    scene
}

fn house() -> [Point; 5] {
    [(0.2, 0.82), (0.2, 0.45), (0.5, 0.15), (0.8, 0.45), (0.8, 0.82)]
}
