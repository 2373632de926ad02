//! A state of Tinytown as a scene.

use crate::palette::{Colour, rgb};
use crate::path::Path;
use crate::scene::Scene;
use crate::shape::fill;
use tinytown::Tinytown;

const GROUND: Colour = rgb(0xded6c4);
const PLOT: Colour = rgb(0xf0eadc);
const BRICK: Colour = rgb(0xbe543a);
const GLASS: Colour = rgb(0x78bed6);
const COTTAGE: Colour = rgb(0x345ca8);
const GREENHOUSE: Colour = rgb(0xb23e36);

const HOUSE: &str = "M20 82V45L50 15L80 45V82Z";

/// Draws the grid with what lies on it.
#[must_use]
pub fn tinytown(town: &Tinytown) -> Scene {
    let size = town.size();
    let mut scene = Scene::new(size.cols() as u16, size.rows() as u16, GROUND);
    for (index, code) in town.cells().enumerate() {
        let corner = [(index % size.cols()) as f32 * 100.0, (index / size.cols()) as f32 * 100.0];
        let things: &[(&str, Colour)] = match code {
            1 => &[("M20 30H80V70H20Z", BRICK)],
            2 => &[("M50 18L82 50L50 82L18 50Z", GLASS)],
            3 => &[(HOUSE, COTTAGE)],
            4 => &[(HOUSE, GREENHOUSE), ("M35 55H65V75H35Z", GLASS)],
            _ => &[],
        };
        for (data, colour) in std::iter::once(&("M5 5H95V95H5Z", PLOT)).chain(things) {
            scene.add(fill(Path::parse(data), *colour).placed(corner, 1.0));
        }
    }
    scene
}
