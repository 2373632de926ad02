//! Small line charts as SVG, for the pages that show measurements.

use crate::markup::escaped;
use std::fmt::Write;

/// A line on a chart.
pub(crate) struct Series {
    /// What it is, for the legend.
    pub(crate) name: String,
    /// Its points, each with the half-length of its error bar; without one where that is not finite.
    pub(crate) points: Vec<(f64, f64, f64)>,
}

/// A chart of one or more lines.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) series: Vec<Series>,
    /// Words along the upper edge, each at its place on the x axis.
    pub(crate) above: Vec<(f64, String)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 56.0;
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#842644"];

/// The half-length of an error bar that can be drawn.
const fn bar(error: f64) -> f64 {
    if error.is_finite() { error } else { 0.0 }
}

impl Chart {
    /// The chart as an SVG document.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let (low_x, high_x) = span(points().map(|(x, _, _)| *x));
        let (low_y, high_y) = span(points().flat_map(|(_, y, e)| [y - bar(*e), y + bar(*e)]));
        let at_x = |x: f64| LEFT + (x - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT);
        let at_y =
            |y: f64| HEIGHT - BOTTOM - (y - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\" fill=\"#25211b\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fffdf8\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}</text>\n",
            escaped(&self.title)
        );
        for tick in ticks(low_y, high_y) {
            let y = at_y(tick);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#e3dccb\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                number(tick)
            );
        }
        for tick in ticks(low_x, high_x) {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                at_x(tick),
                HEIGHT - BOTTOM + 20.0,
                number(tick)
            );
        }
        for (x, words) in &self.above {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                at_x(*x),
                TOP - 4.0,
                escaped(words)
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 12.0,
            escaped(&self.x),
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escaped(&self.y)
        );
        for (index, series) in self.series.iter().enumerate() {
            draw(&mut out, series, index, &at_x, &at_y);
        }
        out.push_str("</svg>\n");
        out
    }
}

fn draw(
    out: &mut String,
    series: &Series,
    index: usize,
    at_x: &impl Fn(f64) -> f64,
    at_y: &impl Fn(f64) -> f64,
) {
    let colour = COLOURS[index % COLOURS.len()];
    let line: Vec<String> =
        series.points.iter().map(|(x, y, _)| format!("{:.1},{:.1}", at_x(*x), at_y(*y))).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        line.join(" ")
    );
    for (x, y, error) in &series.points {
        let (x, low, high) = (at_x(*x), at_y(y - bar(*error)), at_y(y + bar(*error)));
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{colour}\"/>\
             <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
            at_y(*y)
        );
    }
    let y = TOP + 18.0 * index as f64 + 12.0;
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
         <text x=\"{}\" y=\"{y}\">{}</text>",
        LEFT + 12.0,
        y - 11.0,
        LEFT + 30.0,
        escaped(&series.name)
    );
}

fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|v| v.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    if low < high { (low.min(0.0), high) } else { (0.0, 1.0) }
}

/// About five round numbers between two.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|tick| *tick <= high + step * 1e-9).collect()
}

fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 10_000.0 => format!("{}k", (value / 1000.0).round()),
        v if v >= 10.0 || v == v.round() => format!("{}", value.round()),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_span() {
        assert_eq!(ticks(0.0, 54.0), [0.0, 20.0, 40.0]);
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
    }

    #[test]
    fn a_chart_holds_every_point_and_no_markup_from_names() {
        let series =
            Series { name: "a<b".into(), points: vec![(0.0, 1.0, 0.1), (2.0, 3.0, f64::INFINITY)] };
        let above = vec![(2.0, "1 & 2 h".into())];
        let (title, x, y) = ("t".into(), "x".into(), "y".into());
        let svg = Chart { title, x, y, series: vec![series], above }.svg();
        assert!(svg.contains(">1 &amp; 2 h<"));
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
        assert!(svg.contains("a&lt;b"));
    }
}
