//! Figures: our villager, standing or lying, in a player's colour and with its mark; the
//! figures of sets, told apart by their outline.

use crate::geometry::Point;
use crate::palette::{Colour, PLAYERS, SHADE, rgb, rgba};
use crate::path::Path;
use crate::shape::{Drawing, fill, stroke};
use carcassonne::Figure;

/// A hood over a bell-shaped cloak around (0, 0), 24 units high and wide.
const CLOAK: &str = "M0-12.2C3.2-12.2 5.2-9.7 5.1-6.8C5-4.8 4.2-3.5 3.2-2.6C6.6-1.4 9.6 1.6 10.9 \
    5.2C11.3 6.4 10.6 7.3 9.5 7.2L7.6 7C8.3 8.4 8.8 9.7 9.1 10.7C9.4 11.6 8.9 12.2 8 12.2H-8C-8.9 \
    12.2-9.4 11.6-9.1 10.7C-8.8 9.7-8.3 8.4-7.6 7L-9.5 7.2C-10.6 7.3-11.3 6.4-10.9 5.2C-9.6 \
    1.6-6.6-1.4-3.2-2.6C-4.2-3.5-5-4.8-5.1-6.8C-5.2-9.7-3.2-12.2 0-12.2Z";
const LIGHT: &str = "M-.6-11.4C-3-11.1-4.4-9.1-4.3-6.8C-4.2-5.6-3.7-4.5-2.9-3.6C-2.6-6.6-1.8-9.4-.6\
    -11.4ZM-4-1.4C-6.9-.2-9.2 2.4-10.1 5.3C-8 3.4-5.6 1.6-4-1.4Z";

/// The players' marks, told apart without colour: disc, triangle, square, diamond, cross, star.
const MARKS: [&str; 6] = [
    "M-4.4 0C-4.4-5.9 4.4-5.9 4.4 0C4.4 5.9-4.4 5.9-4.4 0Z",
    "M0-4.9L5 3.9H-5Z",
    "M-4-4H4V4H-4Z",
    "M0-5.4L5 0L0 5.4L-5 0Z",
    "M-1.7-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",
    "M0-5.4L1.5-1.8 5.3-1.6 2.3.9 3.3 4.7 0 2.5-3.3 4.7-2.3.9-5.3-1.6-1.5-1.8Z",
];

/// A farmer lies on its side.
const LYING_DEGREES: f32 = -78.0;

/// The colour of a seat.
pub(crate) fn colour_of(seat: usize) -> Colour {
    rgb(PLAYERS[seat % PLAYERS.len()].0)
}

/// A lord with a crown and broad shoulders.
const BIG: &str = "M-7.2-17L-3.6-13.6L0-18L3.6-13.6L7.2-17L6.3-9C6.1-6.4 5.2-4.6 4-3.4\
    C9-2.4 13.4 1 14.6 6.4C15 8.2 13.8 9.2 12.3 8.9L10.2 8.5C10.9 10.5 11.4 12.4 11.8 13.8\
    C12.1 15 11.5 15.8 10.4 15.8H-10.4C-11.5 15.8-12.1 15-11.8 13.8\
    C-11.4 12.4-10.9 10.5-10.2 8.5L-12.3 8.9C-13.8 9.2-15 8.2-14.6 6.4C-13.4 1-9-2.4-4-3.4\
    C-5.2-4.6-6.1-6.4-6.3-9Z";
const BIG_LIGHT: &str = "M-6.3-15.4L-3.4-12.4L-.6-15.8L-.6-11.2H-5.8ZM-5-2.2\
    C-9-1.2-12.4 2-13.6 6.4C-11 4-7.4 2-5-2.2Z";
/// A mason in a broad hat, with a hammer over the shoulder.
const BUILDER: &str = "M-4.8-8.2L-4-12.4H4L4.8-8.2H9L8.4-5.4H4.6C4.4-4.2 3.9-3.2 3.3-2.5\
    L5.6-1.8L9-8.6L7.2-9.5L9-13.2L14.4-10.5L12.6-6.8L10.9-7.6L7.4-.6C8.8 3.4 9.2 8 9.4 12.2H-9.4\
    C-9.2 5.6-8.4-1-3.3-2.5C-3.9-3.2-4.4-4.2-4.6-5.4H-8.4L-9-8.2Z";
const BUILDER_LIGHT: &str = "M-3.9-8.6L-3.3-11.6H0V-8.6ZM-4-1.2C-7.2.8-8.2 5.6-8.5 11.4H-6.6\
    C-6.4 6.6-5.8 2.4-4-1.2Z";
/// A pig with its snout to the right.
const PIG: &str = "M-12 2.4C-12-4.2-7.2-7.6-1-7.6C1-7.6 3-7.3 4.6-6.6L7.6-10L8.7-5\
    C11-3.6 12.2-1.2 12.5 1.2L14.6 1.6V6.2H11.6C10.9 7.6 9.7 8.7 8.3 9.4V12.6H4.1V10.4H-4.6V12.6\
    H-8.8V8.8C-10.4 8-11.4 6.6-11.8 5C-14 4.8-15 3-14.6 1C-13.8 1.9-13 2.4-12 2.4Z";
const PIG_LIGHT: &str = "M-10.4.4C-9.4-4.2-5.6-6.2-1-6.2C.6-6.2 2.4-6 3.8-5.4\
    C-1.6-5.4-6.8-3.6-10.4.4Z";
/// An abbot with a mitre and a crook.
const ABBOT: &str = "M0-17.4C3.6-14 5.2-10.8 5-7.2C4.9-5.2 4.3-3.7 3.4-2.7\
    C4.9-2.2 6.2-1.3 7.3-.1V-9.2C7.3-12 9-13.6 11-13.6C13-13.6 14.4-12.1 14.4-10.3\
    C14.4-8.4 13-7.2 11.2-7.4V-9.6C11.9-9.5 12.4-9.8 12.4-10.4C12.4-11 11.9-11.5 11.1-11.5\
    C10.1-11.5 9.5-10.7 9.5-9.3V12.2H-10.6C-9.8 2.8-7-1.4-3.4-2.7C-4.3-3.7-4.9-5.2-5-7.2\
    C-5.2-10.8-3.6-14 0-17.4Z";
const ABBOT_LIGHT: &str = "M-.7-15.4C-3.2-12.8-4.3-10-4.2-7.4C-4.1-6-3.6-4.7-2.9-3.8\
    C-2.5-8-1.8-12-.7-15.4ZM-4-1.6C-7 .2-8.8 5-9.4 11.4H-7.4C-7 6.4-6 2-4-1.6Z";
/// The cross on the mitre.
const MITRE: &str = "M-.7-14.2H.7V-11.6H2.6V-10.2H.7V-6.2H-.7V-10.2H-2.6V-11.6H-.7Z";

/// How a figure is drawn around (0, 0); the page draws it so too.
struct Body {
    outline: &'static str,
    light: &'static str,
    /// How far below the middle the mark stands.
    mark_at: f32,
    mark_scale: f32,
    /// How far below the middle the feet are.
    feet: f32,
}

impl Body {
    const fn of(figure: Figure) -> Self {
        let (outline, light, mark_at, mark_scale, feet) = match figure {
            Figure::Meeple => (CLOAK, LIGHT, 4.4, 0.78, 11.5),
            Figure::Big => (BIG, BIG_LIGHT, 5.6, 1.0, 15.0),
            Figure::Builder => (BUILDER, BUILDER_LIGHT, 4.6, 0.78, 11.5),
            Figure::Pig => (PIG, PIG_LIGHT, 1.6, 0.74, 11.5),
            Figure::Abbot => (ABBOT, ABBOT_LIGHT, 4.8, 0.78, 11.5),
        };
        Self { outline, light, mark_at, mark_scale, feet }
    }
}

/// A figure of a seat with its middle at a point. In a field a meeple lies.
pub(crate) fn figure(figure: Figure, seat: usize, at: Point, in_field: bool) -> Drawing {
    let (own, mark) = PLAYERS[seat % PLAYERS.len()];
    let lies = in_field && matches!(figure, Figure::Meeple | Figure::Big);
    let (sin, cos) = if lies { LYING_DEGREES.to_radians().sin_cos() } else { (0.0, 1.0) };
    let place = move |[x, y]: Point| [at[0] + x * cos - y * sin, at[1] + x * sin + y * cos];
    let body = Body::of(figure);
    let outline = Path::parse(body.outline).map(place);
    let scaled = |[x, y]: Point| [x * body.mark_scale, y * body.mark_scale + body.mark_at];
    let badge = Path::parse(MARKS[seat % MARKS.len()]).map(scaled);
    let shade = Path::ellipse([at[0] + 1.5, at[1] + body.feet], 0.96 * body.feet, 3.6);
    let mut drawing = vec![
        fill(shade, rgba(SHADE, 0.28)),
        stroke(outline.clone(), rgb(0xfffdf8), 4.6),
        fill(outline, rgb(own)),
        fill(Path::parse(body.light).map(place), rgba(0xffffff, 0.28)),
    ];
    if figure == Figure::Abbot {
        drawing.push(fill(Path::parse(MITRE).map(place), rgb(0xfffdf8)));
    }
    drawing.push(fill(badge.map(place), rgb(mark)));
    drawing
}
