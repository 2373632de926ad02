//! Pictures: a scene of simple shapes, written as SVG or filled into pixels.

pub(crate) mod board;
pub(crate) mod town;

use crate::errors::value_error;
use pyo3::PyResult;
use std::fmt::Write;

pub(crate) type Colour = [u8; 3];
pub(crate) type Point = (f32, f32);

/// Shapes one above the other; a unit is a cell, y grows downwards.
pub(crate) struct Scene {
    pub(crate) width: f32,
    pub(crate) height: f32,
    ground: Colour,
    shapes: Vec<(Shape, Colour)>,
}

enum Shape {
    Polygon(Vec<Point>),
    Disc(Point, f32),
}

impl Scene {
    pub(crate) fn new(width: usize, height: usize, ground: Colour) -> Self {
        Self { width: width as f32, height: height as f32, ground, shapes: Vec::new() }
    }

    pub(crate) fn polygon(&mut self, points: Vec<Point>, colour: Colour) {
        self.shapes.push((Shape::Polygon(points), colour));
    }

    pub(crate) fn disc(&mut self, centre: Point, radius: f32, colour: Colour) {
        self.shapes.push((Shape::Disc(centre, radius), colour));
    }

    /// The scene as an SVG document with so many pixels a cell.
    pub(crate) fn svg(&self, cell: usize) -> String {
        let (wide, high) = (self.width * cell as f32, self.height * cell as f32);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"0 0 {} {}\">\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            self.width,
            self.height,
            hex(self.ground)
        );
        for (shape, colour) in &self.shapes {
            let colour = hex(*colour);
            // Writing to a string cannot fail.
            let _ = match shape {
                Shape::Disc((x, y), r) => {
                    writeln!(
                        out,
                        "<circle cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"{r}\" fill=\"{colour}\"/>"
                    )
                }
                Shape::Polygon(points) => {
                    let points: Vec<String> =
                        points.iter().map(|(x, y)| format!("{x:.3},{y:.3}")).collect();
                    writeln!(out, "<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "))
                }
            };
        }
        out + "</svg>\n"
    }

    /// The scene as rows of red, green and blue bytes; with the picture's height and width.
    pub(crate) fn pixels(&self, cell: usize) -> PyResult<(Vec<u8>, usize, usize)> {
        let (wide, high) = (self.width as usize * cell, self.height as usize * cell);
        crate::memory::check("this picture", 3 * wide * high)?;
        let mut out = self.ground.repeat(wide * high);
        let scale = cell as f32;
        for (shape, colour) in &self.shapes {
            let ((left, top), (right, bottom)) = shape.corners();
            let first = |low: f32| ((low * scale).floor().max(0.0)) as usize;
            let past = |high: f32, most: usize| ((high * scale).ceil().max(0.0) as usize).min(most);
            for row in first(top)..past(bottom, high) {
                for column in first(left)..past(right, wide) {
                    let at = ((column as f32 + 0.5) / scale, (row as f32 + 0.5) / scale);
                    if shape.contains(at) {
                        out[(row * wide + column) * 3..][..3].copy_from_slice(colour);
                    }
                }
            }
        }
        Ok((out, high, wide))
    }
}

impl Shape {
    fn corners(&self) -> (Point, Point) {
        match self {
            Self::Disc((x, y), r) => ((x - r, y - r), (x + r, y + r)),
            Self::Polygon(points) => {
                let start = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
                points.iter().fold(start, |((a, b), (c, d)), (x, y)| {
                    ((a.min(*x), b.min(*y)), (c.max(*x), d.max(*y)))
                })
            }
        }
    }

    fn contains(&self, (x, y): Point) -> bool {
        match self {
            Self::Disc((cx, cy), r) => (x - cx).powi(2) + (y - cy).powi(2) <= r * r,
            Self::Polygon(points) => {
                // Inside is where a ray to the east crosses the outline an odd number of times.
                let mut inside = false;
                let mut last = points[points.len() - 1];
                for point in points {
                    let ((ax, ay), (bx, by)) = (last, *point);
                    if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                        inside = !inside;
                    }
                    last = *point;
                }
                inside
            }
        }
    }
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Refuses pictures that nobody could look at, or hold.
pub(crate) fn check_cell(cell: usize) -> PyResult<()> {
    match (1..=256).contains(&cell) {
        true => Ok(()),
        false => Err(value_error(format!("cell={cell}: a cell has 1 to 256 pixels a side"))),
    }
}
