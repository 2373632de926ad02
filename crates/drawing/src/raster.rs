//! A scene as pixels. Each tile is drawn once in the size of the picture and copied from there.

use crate::geometry::Point;
use crate::palette::Colour;
use crate::path::{Path, Step};
use crate::scene::{Item, Scene};
use crate::shape::{Shape, stroke};
use crate::tile::Sprite;
use std::collections::HashMap;
use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PixmapPaint,
    RadialGradient, Shader, SpreadMode, Stroke, StrokeDash, Transform,
};

/// A picture would have more pixels than anybody could look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The width it would have.
    pub width: u32,
    /// The height it would have.
    pub height: u32,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { width, height } = self;
        write!(f, "a picture of {width} × {height} pixels is too large; the most is {MOST} pixels")
    }
}

impl std::error::Error for TooLarge {}

/// The most pixels of a picture: 400 MiB of memory while it is drawn.
const MOST: u64 = 100 << 20;

/// How wide the lines of the table are, in hundredths of a cell.
pub(crate) const LINE_WIDTH: f32 = 1.2;

/// Draws scenes of one size of cells; a tile that was drawn once is kept.
pub(crate) struct Painter {
    cell: u32,
    sprites: HashMap<Sprite, Pixmap>,
}

impl Painter {
    pub(crate) fn new(cell: u32) -> Self {
        Self { cell, sprites: HashMap::new() }
    }

    pub(crate) fn draw(&mut self, scene: &Scene) -> Result<Pixmap, TooLarge> {
        let (width, height) = scene.size(self.cell);
        let mut picture = blank(width, height)?;
        picture.fill(color(scene.ground));
        self.draw_at(&mut picture, scene, [0, 0]);
        Ok(picture)
    }

    /// Draws a scene in the middle of a picture; the table's lines go on to its edges.
    pub(crate) fn draw_within(&mut self, scene: &Scene, picture: &mut Pixmap) {
        picture.fill(color(scene.ground));
        let (wide, high) = scene.size(self.cell);
        let middle =
            |whole: u32, part: u32| (i64::from(whole) - i64::from(part)).div_euclid(2) as i32;
        let [x, y] = [middle(picture.width(), wide), middle(picture.height(), high)];
        self.draw_at(picture, scene, [x, y]);
    }

    /// Draws what lies on a scene, its corner at a pixel.
    fn draw_at(&mut self, picture: &mut Pixmap, scene: &Scene, [left, top]: [i32; 2]) {
        let scale = self.cell as f32 / 100.0;
        for item in &scene.items {
            match item {
                Item::Shape(shape) => draw_shape(picture, shape, [left as f32, top as f32], scale),
                Item::Lines(colour) => self.draw_lines(picture, *colour, [left, top]),
                Item::Tile(sprite, [x, y]) => {
                    let (x, y) = ((x * scale).round() as i32, (y * scale).round() as i32);
                    let (plain, whole) = (PixmapPaint::default(), Transform::identity());
                    let tile = self.tile(*sprite).as_ref();
                    picture.draw_pixmap(left + x, top + y, tile, &plain, whole, None);
                }
            }
        }
    }

    /// The lines between cells, from edge to edge of the picture; the edges themselves have none.
    fn draw_lines(&self, picture: &mut Pixmap, colour: Colour, [left, top]: [i32; 2]) {
        let (wide, high) = (picture.width() as i32, picture.height() as i32);
        let cell = self.cell as i32;
        let between = |from: i32, length: i32| {
            let first = from.rem_euclid(cell);
            (first..length).step_by(self.cell as usize).filter(|at| *at > 0).map(|at| at as f32)
        };
        let mut lines = Path::default();
        between(left, wide).for_each(|x| lines.add_line(&[[x, 0.0], [x, high as f32]]));
        between(top, high).for_each(|y| lines.add_line(&[[0.0, y], [wide as f32, y]]));
        let width = LINE_WIDTH * self.cell as f32 / 100.0;
        draw_shape(picture, &stroke(lines, colour, width), [0.0, 0.0], 1.0);
    }

    fn tile(&mut self, sprite: Sprite) -> &Pixmap {
        let cell = self.cell;
        self.sprites.entry(sprite).or_insert_with(|| {
            let mut tile = Pixmap::new(cell, cell).expect("a cell has a pixel at least");
            for shape in sprite.drawing() {
                draw_shape(&mut tile, shape, [0.0, 0.0], cell as f32 / 100.0);
            }
            tile
        })
    }
}

/// A picture with nothing on it.
pub(crate) fn blank(width: u32, height: u32) -> Result<Pixmap, TooLarge> {
    let too_large = TooLarge { width, height };
    if u64::from(width) * u64::from(height) > MOST {
        return Err(too_large);
    }
    Pixmap::new(width, height).ok_or(too_large)
}

/// Draws a shape; `at` is where its origin lies, in the units of the scene.
fn draw_shape(on: &mut Pixmap, shape: &Shape, at: Point, scale: f32) {
    let place = Transform::from_row(scale, 0.0, 0.0, scale, at[0], at[1]);
    let flat = |colour: Colour| Paint {
        shader: Shader::SolidColor(color(colour)),
        anti_alias: true,
        ..Paint::default()
    };
    match shape {
        Shape::Fill { path, colour } => {
            if let Some(path) = outline(path) {
                on.fill_path(&path, &flat(*colour), FillRule::Winding, place, None);
            }
        }
        Shape::Stroke { path, colour, width, dash } => {
            let Some(path) = outline(path) else { return };
            let stroke = Stroke {
                width: *width,
                line_cap: if dash.is_some() { LineCap::Butt } else { LineCap::Round },
                line_join: LineJoin::Round,
                dash: dash.and_then(|lengths| StrokeDash::new(lengths.to_vec(), 0.0)),
                ..Stroke::default()
            };
            on.stroke_path(&path, &flat(*colour), &stroke, place, None);
        }
        Shape::Glow { centre, radius, colour } => {
            let middle = tiny_skia::Point::from_xy(centre[0], centre[1]);
            let stops = vec![
                GradientStop::new(0.0, color(*colour)),
                GradientStop::new(1.0, color(Colour { alpha: 0.0, ..*colour })),
            ];
            let whole = Transform::identity();
            let glow =
                RadialGradient::new(middle, 0.0, middle, *radius, stops, SpreadMode::Pad, whole);
            if let (Some(shader), Some(path)) = (glow, outline(&Path::circle(*centre, *radius))) {
                let paint = Paint { shader, anti_alias: true, ..Paint::default() };
                on.fill_path(&path, &paint, FillRule::Winding, place, None);
            }
        }
        Shape::Symbol { symbol, at: foot, scale: own } => {
            let to = [at[0] + foot[0] * scale, at[1] + foot[1] * scale];
            for part in symbol.drawing() {
                draw_shape(on, part, to, scale * own);
            }
        }
    }
}

fn outline(path: &Path) -> Option<tiny_skia::Path> {
    let mut out = PathBuilder::new();
    for step in path.steps() {
        match *step {
            Step::Move([x, y]) => out.move_to(x, y),
            Step::Line([x, y]) => out.line_to(x, y),
            Step::Curve(b, c, d) => out.cubic_to(b[0], b[1], c[0], c[1], d[0], d[1]),
            Step::Close => out.close(),
        }
    }
    out.finish()
}

fn color(Colour { rgb, alpha }: Colour) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let opacity = (alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
    Color::from_rgba8(red, green, blue, opacity)
}
