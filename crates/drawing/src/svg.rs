//! A scene as an SVG document: every tile and symbol once, used wherever it lies.

use crate::geometry::SIZE;
use crate::palette::Colour;
use crate::path::{Path, short};
use crate::raster::LINE_WIDTH;
use crate::scene::{Item, Scene};
use crate::shape::{Shape, stroke};
use crate::symbols::Symbol;
use crate::tile::Sprite;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What a document defines before it draws.
#[derive(Default)]
struct Definitions {
    glows: BTreeMap<u32, f32>,
    symbols: BTreeSet<Symbol>,
    sprites: BTreeSet<Sprite>,
}

pub(crate) fn document(scene: &Scene, cell: u32) -> String {
    let (wide, high) = scene.size(cell);
    let (columns, rows) = (u32::from(scene.columns) * 100, u32::from(scene.rows) * 100);
    let mut used = Definitions::default();
    let mut body = String::new();
    for item in &scene.items {
        match item {
            Item::Shape(shape) => write_shape(&mut body, shape, &mut used),
            Item::Lines(colour) => {
                let mut lines = Path::default();
                let (right, bottom) = (columns as f32, rows as f32);
                for x in (1..scene.columns).map(|column| f32::from(column) * SIZE) {
                    lines.add_line(&[[x, 0.0], [x, bottom]]);
                }
                for y in (1..scene.rows).map(|row| f32::from(row) * SIZE) {
                    lines.add_line(&[[0.0, y], [right, y]]);
                }
                write_shape(&mut body, &stroke(lines, *colour, LINE_WIDTH), &mut used);
            }
            Item::Tile(sprite, [x, y]) => {
                used.sprites.insert(*sprite);
                let (name, x, y) = (sprite.name(), short(*x), short(*y));
                // Writing to a string cannot fail.
                let _ = write!(body, "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>");
            }
        }
        body.push('\n');
    }
    let definitions = used.write();
    let (ground, opacity) = paint("fill", scene.ground);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {columns} {rows}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
         <defs>\n{definitions}</defs>\n<path d=\"M0 0H{columns}V{rows}H0Z\" {ground}{opacity}/>\n\
         {body}</svg>\n"
    )
}

impl Definitions {
    fn write(mut self) -> String {
        let mut tiles = String::new();
        for sprite in std::mem::take(&mut self.sprites) {
            let _ = write!(tiles, "<g id=\"{}\">", sprite.name());
            sprite.drawing().iter().for_each(|shape| write_shape(&mut tiles, shape, &mut self));
            tiles.push_str("</g>\n");
        }
        let mut out = String::new();
        for symbol in std::mem::take(&mut self.symbols) {
            let _ = write!(out, "<g id=\"{}\">", symbol.name());
            symbol.drawing().iter().for_each(|shape| write_shape(&mut out, shape, &mut self));
            out.push_str("</g>\n");
        }
        for (rgb, alpha) in self.glows {
            let _ = writeln!(
                out,
                "<radialGradient id=\"glow-{rgb:06x}\"><stop offset=\"0\" \
                 stop-color=\"#{rgb:06x}\" stop-opacity=\"{alpha}\"/><stop offset=\"1\" \
                 stop-color=\"#{rgb:06x}\" stop-opacity=\"0\"/></radialGradient>"
            );
        }
        out + &tiles
    }
}

fn write_shape(out: &mut String, shape: &Shape, used: &mut Definitions) {
    // Writing to a string cannot fail.
    let _ = match shape {
        Shape::Fill { path, colour } => {
            let (fill, opacity) = paint("fill", *colour);
            write!(out, "<path d=\"{}\" {fill}{opacity}/>", path.data())
        }
        Shape::Stroke { path, colour, width, dash } => {
            let (stroke, opacity) = paint("stroke", *colour);
            let dash = dash.map_or(String::new(), |[on, off]| {
                format!(" stroke-dasharray=\"{on} {off}\" stroke-linecap=\"butt\"")
            });
            write!(
                out,
                "<path d=\"{}\" fill=\"none\" {stroke}{opacity} stroke-width=\"{width}\"{dash}/>",
                path.data()
            )
        }
        Shape::Glow { centre: [x, y], radius, colour } => {
            used.glows.insert(colour.rgb, colour.alpha);
            let (x, y, radius, rgb) = (short(*x), short(*y), short(*radius), colour.rgb);
            write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"url(#glow-{rgb:06x})\"/>"
            )
        }
        Shape::Symbol { symbol, at: [x, y], scale } => {
            used.symbols.insert(*symbol);
            let (name, x, y) = (symbol.name(), short(*x), short(*y));
            write!(
                out,
                "<use href=\"#{name}\" transform=\"translate({x} {y}) scale({scale:.2})\"/>"
            )
        }
    };
}

/// The attributes of a colour; an opacity only where it is not whole.
fn paint(attribute: &str, Colour { rgb, alpha }: Colour) -> (String, String) {
    let opacity = match alpha {
        1.0 => String::new(),
        alpha => format!(" {attribute}-opacity=\"{alpha}\""),
    };
    (format!("{attribute}=\"#{rgb:06x}\""), opacity)
}
