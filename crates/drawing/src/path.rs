//! Outlines: steps of straight lines and curves, read from path data and written as path data.

use crate::geometry::{Cubic, Point};
use std::fmt::Write;

/// An outline of one part or several.
#[derive(Clone, Default, Debug)]
pub(crate) struct Path(Vec<Step>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Move(Point),
    Line(Point),
    Curve(Point, Point, Point),
    Close,
}

/// The control points of a quarter circle lie this part of the radius from its ends.
const ROUND: f32 = 0.552_284_8;

impl Path {
    /// A line through points, closed to an area or not.
    pub(crate) fn line(points: &[Point], closed: bool) -> Self {
        let mut path = Self::default();
        path.add_line(points);
        if closed {
            path.0.push(Step::Close);
        }
        path
    }

    pub(crate) fn add_line(&mut self, points: &[Point]) {
        let step = |(i, p): (usize, &Point)| if i == 0 { Step::Move(*p) } else { Step::Line(*p) };
        self.0.extend(points.iter().enumerate().map(step));
    }

    pub(crate) fn add_curve(&mut self, [a, b, c, d]: Cubic) {
        self.0.extend([Step::Move(a), Step::Curve(b, c, d)]);
    }

    /// Goes on from where the outline is.
    pub(crate) fn line_to(&mut self, point: Point) {
        self.0.push(if self.0.is_empty() { Step::Move(point) } else { Step::Line(point) });
    }

    /// Goes on from where the outline is.
    pub(crate) fn curve_to(&mut self, b: Point, c: Point, d: Point) {
        self.0.push(Step::Curve(b, c, d));
    }

    pub(crate) fn close(&mut self) {
        self.0.push(Step::Close);
    }

    pub(crate) fn rectangle([x, y]: Point, width: f32, height: f32) -> Self {
        Self::line(&[[x, y], [x + width, y], [x + width, y + height], [x, y + height]], true)
    }

    pub(crate) fn ellipse([x, y]: Point, rx: f32, ry: f32) -> Self {
        let (kx, ky) = (rx * ROUND, ry * ROUND);
        Self(vec![
            Step::Move([x - rx, y]),
            Step::Curve([x - rx, y - ky], [x - kx, y - ry], [x, y - ry]),
            Step::Curve([x + kx, y - ry], [x + rx, y - ky], [x + rx, y]),
            Step::Curve([x + rx, y + ky], [x + kx, y + ry], [x, y + ry]),
            Step::Curve([x - kx, y + ry], [x - rx, y + ky], [x - rx, y]),
            Step::Close,
        ])
    }

    pub(crate) fn circle(centre: Point, radius: f32) -> Self {
        Self::ellipse(centre, radius, radius)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The same outline with every point moved.
    pub(crate) fn map(&self, to: impl Fn(Point) -> Point) -> Self {
        let moved = |step: &Step| match *step {
            Step::Move(p) => Step::Move(to(p)),
            Step::Line(p) => Step::Line(to(p)),
            Step::Curve(b, c, d) => Step::Curve(to(b), to(c), to(d)),
            Step::Close => Step::Close,
        };
        Self(self.0.iter().map(moved).collect())
    }

    /// The outline as path data, with one decimal.
    pub(crate) fn data(&self) -> String {
        let mut out = String::new();
        for step in &self.0 {
            // Writing to a string cannot fail.
            let _ = match step {
                Step::Move(p) => write!(out, "M{}", pair(*p)),
                Step::Line(p) => write!(out, "L{}", pair(*p)),
                Step::Curve(b, c, d) => write!(out, "C{} {} {}", pair(*b), pair(*c), pair(*d)),
                Step::Close => write!(out, "Z"),
            };
        }
        out
    }

    /// Reads path data. It is for our own drawings: the commands M, L, H, V, C, Q and Z.
    ///
    /// # Panics
    /// If the data has another command; a test reads all that there is.
    pub(crate) fn parse(data: &str) -> Self {
        Reader { rest: data, at: [0.0, 0.0], start: [0.0, 0.0], path: Self::default() }.read()
    }
}

fn pair([x, y]: Point) -> String {
    format!("{} {}", short(x), short(y))
}

/// A number with one decimal, and none where it would be zero.
pub(crate) fn short(value: f32) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        (whole, part) => {
            let sign = if tenths < 0 { "-" } else { "" };
            format!("{sign}{}.{}", whole.abs(), part.abs())
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    at: Point,
    start: Point,
    path: Path,
}

impl Reader<'_> {
    fn read(mut self) -> Path {
        let mut command = 'M';
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',']);
            let Some(next) = self.rest.chars().next() else { return self.path };
            if next.is_ascii_alphabetic() {
                command = next;
                self.rest = &self.rest[1..];
            }
            self.step(command);
            // Pairs that follow a move are lines.
            command = match command {
                'M' => 'L',
                'm' => 'l',
                other => other,
            };
        }
    }

    fn step(&mut self, command: char) {
        let from = if command.is_ascii_lowercase() { self.at } else { [0.0, 0.0] };
        match command.to_ascii_uppercase() {
            'M' => {
                self.at = self.point(from);
                self.start = self.at;
                self.path.0.push(Step::Move(self.at));
            }
            'L' => {
                let to = self.point(from);
                self.line(to);
            }
            'H' => {
                let to = [from[0] + self.number(), self.at[1]];
                self.line(to);
            }
            'V' => {
                let to = [self.at[0], from[1] + self.number()];
                self.line(to);
            }
            'C' => {
                let [b, c, d] = [self.point(from), self.point(from), self.point(from)];
                self.path.curve_to(b, c, d);
                self.at = d;
            }
            'Q' => {
                let [a, q, d] = [self.at, self.point(from), self.point(from)];
                let towards = |p: Point| crate::geometry::mix(p, q, 2.0 / 3.0);
                self.path.curve_to(towards(a), towards(d), d);
                self.at = d;
            }
            'Z' => {
                self.path.close();
                self.at = self.start;
            }
            other => panic!("no command '{other}' in path data"),
        }
    }

    fn line(&mut self, to: Point) {
        self.path.0.push(Step::Line(to));
        self.at = to;
    }

    fn point(&mut self, from: Point) -> Point {
        [from[0] + self.number(), from[1] + self.number()]
    }

    /// The next number; a sign or a second point begins another one.
    fn number(&mut self) -> f32 {
        self.rest = self.rest.trim_start_matches([' ', ',']);
        let mut points = 0;
        let end = self.rest.char_indices().position(|(i, letter)| match letter {
            '-' => i > 0,
            '.' => {
                points += 1;
                points > 1
            }
            _ => !letter.is_ascii_digit(),
        });
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        number.parse().expect("path data has numbers where they belong")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_data_is_read_as_it_is_written() {
        for (data, same) in [
            ("M1 2L3 4Z", "M1 2L3 4Z"),
            ("m1 2l3 4h-1v.5z", "M1 2L4 6L3 6L3 6.5Z"),
            ("M-.5-1.5.5.5", "M-0.5 -1.5L0.5 0.5"),
            ("M0 0C1 2 3 4 5 6", "M0 0C1 2 3 4 5 6"),
            ("M0 0q3 0 3 3", "M0 0C2 0 3 1 3 3"),
            ("M1 1h2zm1 0h3", "M1 1L3 1ZM2 1L5 1"),
        ] {
            assert_eq!(Path::parse(data).data(), same, "{data}");
        }
    }

    #[test]
    fn numbers_have_a_decimal_only_where_it_says_something() {
        assert_eq!([0.0, -0.04, 1.25, -0.5, 12.0].map(short), ["0", "0", "1.3", "-0.5", "12"]);
    }
}
