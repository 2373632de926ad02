//! Scenes one after another as an animated GIF, which every chat and document shows.

use crate::raster::{Painter, TooLarge};
use crate::scene::Scene;
use color_quant::NeuQuant;
use std::collections::HashMap;

/// Why an animation could not be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnimationError {
    /// There is nothing to show.
    NoFrames,
    /// The scenes are not all of one size.
    Sizes,
    /// A frame would be too large.
    TooLarge(TooLarge),
}

impl std::fmt::Display for AnimationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoFrames => f.write_str("an animation needs a frame at least"),
            Self::Sizes => f.write_str("all frames of an animation have one size"),
            Self::TooLarge(too_large) => too_large.fmt(f),
        }
    }
}

impl std::error::Error for AnimationError {}

impl From<TooLarge> for AnimationError {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}

/// How long the last frame stands, in hundredths of a second.
const LAST_DELAY: u16 = 400;

/// How carefully colours are chosen, 1 (best) to 30 (fastest).
const SAMPLING: i32 = 10;

/// Writes scenes as a GIF that repeats, with so many pixels a cell and hundredths of a second a
/// frame. All frames share the colours of the last one.
///
/// # Errors
/// If there is no scene, they differ in size, or are too large.
pub fn gif(scenes: &[Scene], cell: u32, delay: u16) -> Result<Vec<u8>, AnimationError> {
    let last = scenes.last().ok_or(AnimationError::NoFrames)?;
    if scenes.iter().any(|scene| scene.size(cell) != last.size(cell)) {
        return Err(AnimationError::Sizes);
    }
    let (wide, high) = last.size(cell);
    let too_large = AnimationError::TooLarge(TooLarge { width: wide, height: high });
    let (Ok(width), Ok(height)) = (u16::try_from(wide), u16::try_from(high)) else {
        return Err(too_large);
    };
    let mut painter = Painter::new(cell);
    let mut colours = Colours::of(painter.draw(last)?.data());
    let mut out = Vec::new();
    let written = "writing to memory cannot fail";
    let mut encoder = gif::Encoder::new(&mut out, width, height, &colours.palette).expect(written);
    encoder.set_repeat(gif::Repeat::Infinite).expect(written);
    let mut shown: Vec<u8> = Vec::new();
    for (number, scene) in scenes.iter().enumerate() {
        let pixels = colours.indices(painter.draw(scene)?.data());
        let changed = match shown.is_empty() {
            true => Some(Area { left: 0, top: 0, width, height }),
            false => Area::of_change(&shown, &pixels, width),
        };
        // A frame that changes nothing still takes its time: it repeats one pixel.
        let area = changed.unwrap_or(Area { left: 0, top: 0, width: 1, height: 1 });
        let is_last = number + 1 == scenes.len();
        let frame = gif::Frame {
            delay: if is_last { LAST_DELAY } else { delay },
            left: area.left,
            top: area.top,
            width: area.width,
            height: area.height,
            buffer: area.cut(&pixels, width).into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).expect(written);
        shown = pixels;
    }
    drop(encoder);
    Ok(out)
}

/// The 256 colours of an animation, and which of them is nearest to any other.
struct Colours {
    chosen: NeuQuant,
    palette: Vec<u8>,
    nearest: HashMap<[u8; 3], u8>,
}

impl Colours {
    fn of(rgba: &[u8]) -> Self {
        let chosen = NeuQuant::new(SAMPLING, 256, rgba);
        let palette = chosen.color_map_rgb();
        Self { chosen, palette, nearest: HashMap::new() }
    }

    fn indices(&mut self, rgba: &[u8]) -> Vec<u8> {
        let Self { chosen, nearest, .. } = self;
        let index = |pixel: &[u8]| {
            let key = [pixel[0], pixel[1], pixel[2]];
            *nearest.entry(key).or_insert_with(|| chosen.index_of(pixel) as u8)
        };
        rgba.chunks_exact(4).map(index).collect()
    }
}

/// A part of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
}

impl Area {
    /// The least area that holds all that differs; `None` if nothing does.
    fn of_change(before: &[u8], after: &[u8], width: u16) -> Option<Self> {
        let row_length = usize::from(width);
        let rows = || before.chunks(row_length).zip(after.chunks(row_length));
        let top = rows().position(|(a, b)| a != b)?;
        let bottom = rows().rposition(|(a, b)| a != b)?;
        let differing = |(a, b): (&[u8], &[u8])| {
            let differs = |i: &usize| a[*i] != b[*i];
            Some(((0..row_length).find(differs)?, (0..row_length).rfind(differs)?))
        };
        let (left, right) =
            rows().filter_map(differing).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))?;
        let short = |length: usize| u16::try_from(length).expect("within the picture");
        Some(Self {
            left: short(left),
            top: short(top),
            width: short(right - left + 1),
            height: short(bottom - top + 1),
        })
    }

    fn cut(&self, pixels: &[u8], width: u16) -> Vec<u8> {
        let rows = pixels.chunks(usize::from(width)).skip(usize::from(self.top));
        let columns = usize::from(self.left)..usize::from(self.left + self.width);
        rows.take(usize::from(self.height)).flat_map(|row| row[columns.clone()].to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_holds_only_what_changed() {
        let before = [0; 12];
        let mut after = before;
        after[5] = 1;
        after[10] = 1;
        let area = Area::of_change(&before, &after, 4).unwrap();
        assert_eq!(area, Area { left: 1, top: 1, width: 2, height: 2 });
        assert_eq!(area.cut(&after, 4), [1, 0, 0, 1]);
        assert_eq!(Area::of_change(&before, &before, 4), None);
    }
}
