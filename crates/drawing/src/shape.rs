//! What a drawing is made of: filled and stroked outlines, soft pools of colour, symbols.

use crate::geometry::Point;
use crate::palette::Colour;
use crate::path::Path;
use crate::symbols::Symbol;

/// Shapes one above the other, in units of a hundredth of a cell.
pub(crate) type Drawing = Vec<Shape>;

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Fill {
        path: Path,
        colour: Colour,
    },
    Stroke {
        path: Path,
        colour: Colour,
        width: f32,
        dash: Option<[f32; 2]>,
    },
    /// A disc that fades towards its rim.
    Glow {
        centre: Point,
        radius: f32,
        colour: Colour,
    },
    /// Something that is drawn in many places.
    Symbol {
        symbol: Symbol,
        at: Point,
        scale: f32,
    },
}

pub(crate) fn fill(path: Path, colour: Colour) -> Shape {
    Shape::Fill { path, colour }
}

pub(crate) fn stroke(path: Path, colour: Colour, width: f32) -> Shape {
    Shape::Stroke { path, colour, width, dash: None }
}

pub(crate) fn dashed(path: Path, colour: Colour, width: f32, dash: [f32; 2]) -> Shape {
    Shape::Stroke { path, colour, width, dash: Some(dash) }
}

impl Shape {
    /// The same shape grown about the origin, then moved.
    pub(crate) fn placed(&self, at: Point, scale: f32) -> Self {
        let to = |[x, y]: Point| [at[0] + x * scale, at[1] + y * scale];
        match self {
            Self::Fill { path, colour } => Self::Fill { path: path.map(to), colour: *colour },
            Self::Stroke { path, colour, width, dash } => Self::Stroke {
                path: path.map(to),
                colour: *colour,
                width: width * scale,
                dash: dash.map(|lengths| lengths.map(|length| length * scale)),
            },
            Self::Glow { centre, radius, colour } => {
                Self::Glow { centre: to(*centre), radius: radius * scale, colour: *colour }
            }
            Self::Symbol { symbol, at, scale: own } => {
                Self::Symbol { symbol: *symbol, at: to(*at), scale: own * scale }
            }
        }
    }
}
