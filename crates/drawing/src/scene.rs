//! A scene: a rectangle of cells with shapes and tiles on it, ready to be written in any form.

use crate::geometry::Point;
use crate::palette::Colour;
use crate::raster::{Painter, TooLarge, blank};
use crate::shape::Shape;
use crate::svg;
use crate::tile::Sprite;

/// A picture before its size and form are chosen.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    pub(crate) ground: Colour,
    pub(crate) items: Vec<Item>,
}

/// What lies on a scene, in the order in which it is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// The lines between the cells.
    Lines(Colour),
    Shape(Shape),
    /// A tile with its north-west corner.
    Tile(Sprite, Point),
}

impl Scene {
    pub(crate) const fn new(columns: u16, rows: u16, ground: Colour) -> Self {
        Self { columns, rows, ground, items: Vec::new() }
    }

    pub(crate) fn add(&mut self, shape: Shape) {
        self.items.push(Item::Shape(shape));
    }

    pub(crate) fn add_lines(&mut self, colour: Colour) {
        self.items.push(Item::Lines(colour));
    }

    pub(crate) fn add_tile(&mut self, sprite: Sprite, corner: Point) {
        self.items.push(Item::Tile(sprite, corner));
    }

    /// Width and height in pixels, with so many pixels a cell.
    #[must_use]
    pub fn size(&self, cell: u32) -> (u32, u32) {
        let along = |cells: u16| u32::from(cells).saturating_mul(cell);
        (along(self.columns), along(self.rows))
    }

    /// The most pixels a cell, up to `most`, with which neither side is longer than `longest`.
    #[must_use]
    pub fn cell_for(&self, longest: u32, most: u32) -> u32 {
        (longest / u32::from(self.columns.max(self.rows))).clamp(1, most)
    }

    /// The scene as an SVG document with so many pixels a cell.
    #[must_use]
    pub fn svg(&self, cell: u32) -> String {
        svg::document(self, cell)
    }

    /// The scene as rows of red, green and blue bytes.
    ///
    /// # Errors
    /// If the picture would have too many pixels.
    pub fn pixels(&self, cell: u32) -> Result<Vec<u8>, TooLarge> {
        let picture = Painter::new(cell).draw(self)?;
        Ok(picture
            .data()
            .chunks_exact(4)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect())
    }

    /// The scene as a PNG file with so many pixels a cell.
    ///
    /// # Errors
    /// If the picture would have too many pixels.
    pub fn png(&self, cell: u32) -> Result<Vec<u8>, TooLarge> {
        let picture = Painter::new(cell).draw(self)?;
        Ok(picture.encode_png().expect("writing to memory cannot fail"))
    }

    /// The scene in the middle of a PNG file of a given size, as large as fits; up to half of the
    /// outermost cells may be cut.
    ///
    /// # Errors
    /// If the picture would have too many pixels, or none.
    pub fn card(&self, width: u32, height: u32) -> Result<Vec<u8>, TooLarge> {
        const LARGEST_CELL: u32 = 210;
        let fitting =
            |length: u32, cells: u16| 2 * length / (2 * u32::from(cells)).saturating_sub(1).max(1);
        let cell = fitting(width, self.columns).min(fitting(height, self.rows));
        let mut picture = blank(width, height)?;
        Painter::new(cell.clamp(1, LARGEST_CELL)).draw_within(self, &mut picture);
        Ok(picture.encode_png().expect("writing to memory cannot fail"))
    }
}
