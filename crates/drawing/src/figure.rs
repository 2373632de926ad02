//! Meeples: our villager, standing or lying, in a player's colour and with its mark.

use crate::geometry::Point;
use crate::palette::{Colour, PLAYERS, SHADE, rgb, rgba};
use crate::path::Path;
use crate::shape::{Drawing, fill, stroke};

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

/// A meeple of a seat with its middle at a point.
pub(crate) fn meeple(seat: usize, at: Point, lies: bool) -> Drawing {
    let (own, mark) = PLAYERS[seat % PLAYERS.len()];
    let (sin, cos) = if lies { LYING_DEGREES.to_radians().sin_cos() } else { (0.0, 1.0) };
    let place = move |[x, y]: Point| [at[0] + x * cos - y * sin, at[1] + x * sin + y * cos];
    let cloak = Path::parse(CLOAK).map(place);
    let badge = Path::parse(MARKS[seat % MARKS.len()]).map(|[x, y]| [x * 0.78, y * 0.78 + 4.4]);
    vec![
        fill(Path::ellipse([at[0] + 1.5, at[1] + 11.5], 11.0, 3.6), rgba(SHADE, 0.28)),
        stroke(cloak.clone(), rgb(0xfffdf8), 4.6),
        fill(cloak, rgb(own)),
        fill(Path::parse(LIGHT).map(place), rgba(0xffffff, 0.28)),
        fill(badge.map(place), rgb(mark)),
    ]
}
