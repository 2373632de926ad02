//! The board on a terminal: coloured where it can be, legal spots numbered.

use carcassonne::{Carcassonne, Cell, PlacedTile, Rotation, Sketch, Tile};

const WIDE: usize = 7;
const HIGH: usize = 3;

/// Whether and how to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paint {
    /// Whether colours are shown at all.
    pub(super) colours: bool,
}

/// The colours of the players' meeples: red, blue, green, yellow, black, magenta.
const MEEPLES: [&str; 6] = ["1;97;41", "1;97;44", "1;30;42", "1;30;43", "1;97;40", "1;97;45"];

impl Paint {
    /// Text in a colour.
    pub(super) fn text(self, style: &str, text: &str) -> String {
        match self.colours && !style.is_empty() {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// A player's name in the colour of the player's meeples.
    pub(super) fn player(self, seat: usize, text: &str) -> String {
        self.text(MEEPLES.get(seat).copied().unwrap_or_default(), text)
    }

    /// A line of a tile; `new` marks the letter of the tile placed last.
    fn tile_line(self, line: &[char], new: bool) -> String {
        let style = |c: char| match c {
            '#' => "33",
            '.' => "32",
            '-' | '|' => "1;37",
            '[' | ']' => "1;35",
            '*' => "1;36",
            'A'..='X' if new => "1;7",
            'A'..='X' => "1",
            '0'..='5' => MEEPLES[c as usize - '0' as usize],
            _ => "",
        };
        self.runs(line, style)
    }

    /// A line with a style for each sign, neighbours of one style together.
    fn runs(self, line: &[char], style: impl Fn(char) -> &'static str) -> String {
        line.chunk_by(|a, b| style(*a) == style(*b))
            .map(|run| self.text(style(run[0]), &run.iter().collect::<String>()))
            .collect()
    }
}

/// How many columns the window has, if there is one.
pub(super) fn window() -> Option<usize> {
    #[cfg(unix)]
    return rustix::termios::tcgetwinsize(std::io::stdout())
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0);
    #[cfg(not(unix))]
    None
}

/// Text whose parts are three spaces apart, in lines that fit the window.
pub(super) fn fold(text: &str, window: Option<usize>) -> String {
    const GAP: &str = "   ";
    let mut lines: Vec<String> = Vec::new();
    for part in text.split(GAP) {
        match lines.last_mut() {
            Some(line) if window.is_none_or(|w| line.len() + GAP.len() + part.len() <= w) => {
                line.push_str(GAP);
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines.join("\n")
}

/// The board; each of the spots shows its number, from 1. One that is wider than the window comes
/// in parts from west to east: lines that the terminal breaks could not be read.
pub(super) fn board(
    game: &Carcassonne,
    spots: &[Cell],
    paint: Paint,
    window: Option<usize>,
) -> String {
    let cells = game.tiles().map(|placed| placed.cell).chain(spots.iter().copied());
    let corners = cells.map(|cell| (cell, cell)).reduce(|(low, high), (cell, _)| {
        let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        (low, Cell::new(high.x.max(cell.x), high.y.max(cell.y)))
    });
    let Some((low, high)) = corners else { return "(no tile lies)\n".to_owned() };
    let margin = low.y.to_string().len().max(high.y.to_string().len());
    let columns: Vec<_> = (low.x..=high.x).collect();
    let fit = window.map_or(columns.len(), |window| window.saturating_sub(margin + 1) / WIDE);
    let parts = columns.len().div_ceil(fit.max(1));
    let mut text = String::new();
    for (number, part) in columns.chunks(columns.len().div_ceil(parts)).enumerate() {
        if number > 0 {
            text += &paint.text("2", "\nfurther east:\n");
        }
        let header: String = part.iter().map(|x| format!("{x:^WIDE$}")).collect();
        text += &(paint.text("2", &format!("{:margin$} {}", "", header.trim_end())) + "\n");
        for (y, row) in (low.y..=high.y).rev().flat_map(|y| (0..HIGH).map(move |row| (y, row))) {
            let label = if row == 1 { y.to_string() } else { String::new() };
            let mut line = paint.text("2", &format!("{label:>margin$} "));
            for x in part {
                line += &cell_line(game, spots, Cell::new(*x, y), row, paint);
            }
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}

fn cell_line(game: &Carcassonne, spots: &[Cell], cell: Cell, row: usize, paint: Paint) -> String {
    if let Some(sketch) = game.sketch_at(cell) {
        let new = game.last_placed().is_some_and(|last| last.cell == cell);
        return paint.tile_line(&sketch[row], new);
    }
    match spots.iter().position(|spot| *spot == cell) {
        Some(index) if row == 1 => {
            paint.text("1;93", &format!("{:^WIDE$}", format!("<{}>", index + 1)))
        }
        _ => " ".repeat(WIDE),
    }
}

/// The tile turned in each of these ways, side by side with their names.
pub(super) fn rotations(tile: Tile, rotations: &[Rotation], paint: Paint) -> String {
    let sketches: Vec<Sketch> = rotations
        .iter()
        .map(|rotation| PlacedTile { tile, cell: Cell::ORIGIN, rotation: *rotation }.sketch())
        .collect();
    let mut text = String::new();
    for row in 0..HIGH {
        let lines: Vec<String> =
            sketches.iter().map(|sketch| paint.tile_line(&sketch[row], false)).collect();
        text += &format!("    {}\n", lines.join("   "));
    }
    let names: Vec<String> =
        rotations.iter().map(|r| format!("{:^WIDE$}", r.to_string())).collect();
    text + &format!("    {}\n", names.join("   ").trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Record;

    fn after(moves: &str) -> Carcassonne {
        format!("carcassonne\n{moves}").parse::<Record<_>>().unwrap().replay().unwrap()
    }

    #[test]
    fn spots_stand_beside_the_tiles() {
        let game = after("U; 1,0 r0; road0");
        let plain = Paint { colours: false };
        assert_eq!(
            board(&game, &[Cell::new(2, 0), Cell::new(0, -1)], plain, None),
            "      0      1      2\n   .#####........\n 0 ---D------U--0  <1>\n   .............. \n\n-1   <2>\n\n"
                .replace(" \n", "\n")
        );
    }

    #[test]
    fn a_wide_board_comes_in_parts_that_fit_the_window() {
        let game = after("U; 1,0 r0; road0; V; -1,0 r2; pass; U; 2,0 r0; pass");
        let plain = Paint { colours: false };
        let whole = board(&game, &[], plain, Some(30));
        assert_eq!(whole, board(&game, &[], plain, None), "it fits to the last column");
        let parts = board(&game, &[], plain, Some(29));
        assert_eq!(
            parts,
            "    -1      0\n  ...|....#####.\n0 ...V------D---\n  ..............\n\n\
             further east:\n     1      2\n  ..............\n0 ---U--0---U---\n  ..............\n"
        );
        // Even where nothing fits, everything is shown.
        assert_eq!(board(&game, &[], plain, Some(1)).matches("further east").count(), 3);
    }

    #[test]
    fn a_legend_is_folded_between_its_parts() {
        let lines = fold(carcassonne::LEGEND, Some(80));
        assert!(lines.lines().count() == 2 && lines.lines().all(|line| line.len() <= 80));
        assert_eq!(lines.replace('\n', "   "), carcassonne::LEGEND);
        assert_eq!(fold(carcassonne::LEGEND, None), carcassonne::LEGEND);
    }

    #[test]
    fn colours_only_wrap_the_same_signs() {
        let game = after("U; 1,0 r0; road0; B; 0,-1 r0; monastery");
        let plain = board(&game, &[], Paint { colours: false }, None);
        let painted = board(&game, &[], Paint { colours: true }, None);
        let mut bare = String::new();
        let mut parts = painted.split('\x1b');
        bare += parts.next().unwrap();
        for part in parts {
            bare += part.split_once('m').unwrap().1;
        }
        let trimmed: Vec<&str> = bare.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, plain.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_tile_is_shown_in_each_rotation() {
        let text = rotations(
            "V".parse().unwrap(),
            &[Rotation::new(0), Rotation::new(1)],
            Paint { colours: false },
        );
        assert_eq!(
            text,
            "    .......   ...|...\n    ---V...   ---V...\n    ...|...   .......\n      r0        r1\n"
        );
    }
}
