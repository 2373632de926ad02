//! Figures: our villager, standing or lying, in a player's colour and with its mark; a big one, a
//! builder with a hat, a pig, an abbot with a mitre.

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

/// A broad hat over a long coat.
const BUILDER: &str =
    "M-7.5-4.5L-6-11.5H6L7.5-4.5H10.8V-1.4H6.2L9.4 12.2H-9.4L-6.2-1.4H-10.8V-4.5Z";
/// Ears and snout to the right.
const PIG: &str = "M-12 3C-12-4-7-7.5-1-7.5C1-7.5 3-7.2 4.6-6.5L7.5-9.8L8.6-5C11-3.5 12.2-1 12.4 1.5L14 \
    2V6H11.5C10.8 7.4 9.6 8.5 8.2 9.2V12.2H4.2V10.2H-4.6V12.2H-8.6V8.8C-10.8 7.6-12 5.6-12 3Z";
/// A high mitre over a robe.
const ABBOT: &str = "M0-17C3.6-13.6 5.2-10.4 5-7C4.9-5 4.3-3.6 3.4-2.6C7-1.4 9.8 2.6 10.6 12.2H-10.6C-9.8 \
    2.6-7-1.4-3.4-2.6C-4.3-3.6-4.9-5-5-7C-5.2-10.4-3.6-13.6 0-17Z";
const MITRE: &str = "M-.7-13.4H.7V-11.2H2.6V-9.8H.7V-6.4H-.7V-9.8H-2.6V-11.2H-.7Z";

/// How much larger a big meeple is.
const BIG: f32 = 1.42;

/// A figure of a seat with its middle at a point. In a field a meeple lies.
pub(crate) fn figure(figure: Figure, seat: usize, at: Point, in_field: bool) -> Drawing {
    let (own, mark) = PLAYERS[seat % PLAYERS.len()];
    let lies = in_field && matches!(figure, Figure::Meeple | Figure::Big);
    let (sin, cos) = if lies { LYING_DEGREES.to_radians().sin_cos() } else { (0.0, 1.0) };
    let scale = if figure == Figure::Big { BIG } else { 1.0 };
    let place = move |[x, y]: Point| {
        let [x, y] = [x * scale, y * scale];
        [at[0] + x * cos - y * sin, at[1] + x * sin + y * cos]
    };
    let outline = match figure {
        Figure::Meeple | Figure::Big => CLOAK,
        Figure::Builder => BUILDER,
        Figure::Pig => PIG,
        Figure::Abbot => ABBOT,
    };
    let body = Path::parse(outline).map(place);
    let low = if figure == Figure::Pig { 1.6 } else { 4.4 };
    let badge = Path::parse(MARKS[seat % MARKS.len()]).map(|[x, y]| [x * 0.78, y * 0.78 + low]);
    let shade = Path::ellipse([at[0] + 1.5, at[1] + 11.5 * scale], 11.0 * scale, 3.6 * scale);
    let mut drawing = vec![
        fill(shade, rgba(SHADE, 0.28)),
        stroke(body.clone(), rgb(0xfffdf8), 4.6),
        fill(body, rgb(own)),
    ];
    match figure {
        Figure::Meeple | Figure::Big => {
            drawing.push(fill(Path::parse(LIGHT).map(place), rgba(0xffffff, 0.28)));
        }
        Figure::Abbot => drawing.push(fill(Path::parse(MITRE).map(place), rgb(0xfffdf8))),
        Figure::Builder | Figure::Pig => {}
    }
    drawing.push(fill(badge.map(place), rgb(mark)));
    drawing
}
