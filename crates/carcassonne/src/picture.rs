//! The board as text: three lines of seven characters a tile.
//!
//! ```text
//!      -1      0      1
//!           ...|..#
//!  1        ---O*#0
//!           .######
//!    ........#####........
//!  0 ...V------D------U--1
//!    ...|.................
//!           .......
//! -1        ..[B1..
//!           .......
//! ```
//!
//! `#` is city, `-` and `|` road, `.` field, `[ ]` a monastery, `*` a pennant; the letter is the
//! tile's kind, a digit a meeple of that player.
//!
//! A meeple stands on the edge, or for a field on the half edge, that its segment reaches first
//! (clockwise from the north, as the tile lies); on a monastery it stands behind the letter.
//!
//! The sets add `o` an inn, `+` a cathedral, `w g c` goods, `( )` a garden, `~` a river. The kind of
//! their tiles is the small first letter of the set. Beside the digit of another figure stands its
//! letter: `B` big meeple, `b` builder, `p` pig, `a` abbot. A tile holds at most one figure.

use crate::edition::{Base, Edition};
use crate::figure::Figure;
use crate::game::Position;
use crate::geometry::{Cell, Side};
use crate::segment::Segment;
use crate::tile::{PrintedSegment, Terrain};
use crate::views::PlacedTile;
use std::fmt;

const WIDE: usize = 7;
const HIGH: usize = 3;

/// What the signs of a picture mean, in one line.
pub const LEGEND: &str = "# city   - | road   . field   [ ] monastery   * pennant   \
                          letter = kind of tile   digit = meeple of that player";

/// What the signs mean that only pictures of games with sets have, in one line.
pub const LEGEND_OF_SETS: &str = "o inn   + cathedral   w g c goods   ( ) garden   ~ river   \
                                  i t r = tile of a set   \
                                  beside a digit: B big meeple, b builder, p pig, a abbot";

/// The board of a game as text; see `docs/notation.md`.
#[derive(Clone, Copy)]
pub struct Picture<'a, E: Edition = Base>(&'a Position<E>);

impl<E: Edition> Position<E> {
    /// The board as text, for people.
    #[must_use]
    pub const fn picture(&self) -> Picture<'_, E> {
        Picture(self)
    }
}

impl<E: Edition> fmt::Display for Picture<'_, E> {
    /// North is up. Each column has its x above it, each row its y before it. An empty board
    /// says so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((low, high)) = corners(self.0) else { return writeln!(f, "(no tile lies)") };
        let margin = low.y.to_string().len().max(high.y.to_string().len());
        write!(f, "{:margin$}", "")?;
        let mut header = String::new();
        for x in low.x..=high.x {
            header += &format!("{x:^WIDE$}");
        }
        writeln!(f, " {}", header.trim_end())?;
        for y in (low.y..=high.y).rev() {
            let mut lines = [const { String::new() }; HIGH];
            for x in low.x..=high.x {
                let drawn = self.0.tile_at(Cell::new(x, y)).map(|placed| draw(self.0, placed));
                for (line, row) in lines.iter_mut().zip(drawn.unwrap_or([[' '; WIDE]; HIGH])) {
                    line.extend(row);
                }
            }
            for (number, line) in lines.iter().enumerate() {
                match number {
                    1 => write!(f, "{y:>margin$}")?,
                    _ => write!(f, "{:margin$}", "")?,
                }
                writeln!(f, " {}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

/// The south-west and north-east corners of what is on the board.
fn corners<E: Edition>(game: &Position<E>) -> Option<(Cell, Cell)> {
    let cells = game.tiles().map(|placed| (placed.cell, placed.cell));
    cells.reduce(|(low, high), (cell, _)| {
        let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        (low, Cell::new(high.x.max(cell.x), high.y.max(cell.y)))
    })
}

/// One tile of a picture, line by line.
pub type Sketch = [[char; WIDE]; HIGH];

impl<E: Edition> Position<E> {
    /// What a picture shows on a cell, if a tile lies there.
    #[must_use]
    pub fn sketch_at(&self, cell: Cell) -> Option<Sketch> {
        self.tile_at(cell).map(|placed| draw(self, placed))
    }
}

impl PlacedTile {
    /// The tile as a picture shows it, without meeples.
    #[must_use]
    pub fn sketch(&self) -> Sketch {
        let mut drawn = [['.'; WIDE]; HIGH];
        for segment in self.tile.printed().segments {
            let reached = segment.sides_turned(self.rotation);
            match segment.terrain {
                Terrain::City => draw_city(&mut drawn, reached, sign(segment)),
                Terrain::Road => {
                    draw_road(&mut drawn, reached);
                    if segment.special {
                        drawn[2][4] = 'o';
                    }
                }
                Terrain::Garden => (drawn[1][2], drawn[1][4]) = ('(', ')'),
                Terrain::Monastery => (drawn[1][2], drawn[1][4]) = ('[', ']'),
                Terrain::Field => {}
            }
        }
        draw_river(&mut drawn, *self);
        drawn[1][3] = self.tile.letter();
        drawn
    }
}

/// Draws one tile with the meeples on it.
fn draw<E: Edition>(game: &Position<E>, placed: PlacedTile) -> Sketch {
    let mut drawn = placed.sketch();
    for meeple in game.meeples().filter(|meeple| meeple.cell == placed.cell) {
        let (row, column) = spot(meeple.segment, placed);
        drawn[row][column] = char::from(b'0' + meeple.player.index() as u8);
        if let Some(letter) = letter(meeple.figure()) {
            let towards_middle =
                if column < 3 || (row, column) == BESIDE_LETTER { column + 1 } else { column - 1 };
            drawn[row][towards_middle] = letter;
        }
    }
    drawn
}

/// The letter of a figure that is no meeple.
const fn letter(figure: Figure) -> Option<char> {
    match figure {
        Figure::Meeple => None,
        Figure::Big => Some('B'),
        Figure::Builder => Some('b'),
        Figure::Pig => Some('p'),
        Figure::Abbot => Some('a'),
    }
}

/// The sign of a city: a cathedral, a token, a pennant, or nothing of these.
fn sign(city: &PrintedSegment) -> char {
    match (city.special, city.good, city.pennants) {
        (true, ..) => '+',
        (_, Some(good), _) => good.name().chars().next().unwrap_or('#'),
        (_, None, 0) => '#',
        (_, None, _) => '*',
    }
}

/// A river flows from the middle to the edges it reaches.
fn draw_river(drawn: &mut Sketch, placed: PlacedTile) {
    for side in Side::ALL.into_iter().filter(|side| placed.tile.river_on(*side, placed.rotation)) {
        match side {
            Side::North => drawn[0][3] = '~',
            Side::East => drawn[1][4..].fill('~'),
            Side::South => drawn[2][3] = '~',
            Side::West => drawn[1][..3].fill('~'),
        }
    }
}

fn draw_city(drawn: &mut Sketch, reached: u8, sign: char) {
    let on = |side: Side| reached >> side as u8 & 1 == 1;
    for (side, row) in [(Side::North, 0), (Side::South, 2)] {
        if on(side) {
            drawn[row][1..6].fill('#');
        }
    }
    let (west, east) = (on(Side::West), on(Side::East));
    for row in drawn.iter_mut() {
        row[0] = if west { '#' } else { row[0] };
        row[6] = if east { '#' } else { row[6] };
    }
    if reached.count_ones() < 2 {
        return;
    }
    // A city that reaches several edges fills the middle between them.
    let through = on(Side::North) && on(Side::South);
    if west {
        drawn[1][1..3].fill('#');
    }
    if east {
        drawn[1][4..6].fill('#');
    }
    if through {
        (drawn[1][2], drawn[1][4]) = ('#', '#');
    }
    drawn[1][if west || through { 2 } else { 4 }] = sign;
}

fn draw_road(drawn: &mut Sketch, reached: u8) {
    for side in Side::ALL.into_iter().filter(|side| reached >> *side as u8 & 1 == 1) {
        match side {
            Side::North => drawn[0][3] = '|',
            Side::East => drawn[1][4..].fill('-'),
            Side::South => drawn[2][3] = '|',
            Side::West => drawn[1][..3].fill('-'),
        }
    }
}

/// Where a figure on a monastery or garden is drawn.
const BESIDE_LETTER: (usize, usize) = (1, 4);

/// Where a meeple on the segment is drawn: row and column.
fn spot(segment: Segment, placed: PlacedTile) -> (usize, usize) {
    const EDGES: [(usize, usize); 4] = [(0, 3), (1, 6), (2, 3), (1, 0)];
    const HALVES: [(usize, usize); 8] =
        [(0, 1), (0, 5), (0, 6), (2, 6), (2, 5), (2, 1), (2, 0), (0, 0)];
    let segments = placed.tile.printed().segments;
    let printed: Option<&PrintedSegment> =
        segment.index_on(placed.tile).and_then(|index| segments.get(index));
    let first = |bits: u8| bits.trailing_zeros() as usize;
    printed
        .and_then(|printed| match printed.terrain {
            Terrain::City | Terrain::Road => {
                EDGES.get(first(printed.sides_turned(placed.rotation))).copied()
            }
            Terrain::Field => HALVES.get(first(printed.halves_turned(placed.rotation))).copied(),
            Terrain::Monastery | Terrain::Garden => None,
        })
        .unwrap_or(BESIDE_LETTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Carcassonne, Expanded};
    use crate::tile::Tile;
    use game::{Game, Random, Record};

    fn picture(record: &str) -> String {
        let record: Record<Carcassonne> = format!("carcassonne {record}").parse().unwrap();
        record.replay().unwrap().picture().to_string()
    }

    #[test]
    fn a_small_board() {
        let record =
            "\nV; -1,0 r3; pass; U; 1,0 r0; road0; O; 0,1 r2; city0; B; 0,-1 r0; monastery";
        let expected = [
            "     -1      0      1",
            "          ...|..#",
            " 1        ---O*#0",
            "          .######",
            "   ........#####........",
            " 0 ...V------D------U--1",
            "   ...|.................",
            "          .......",
            "-1        ..[B1..",
            "          .......",
        ];
        assert_eq!(picture(record).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn figures_of_the_sets_have_their_letters() {
        let record = "carcassonne sets=inns,traders,gardens\nIC/RFr.i; 1,0 r0; big road0\n\
                      U-garden; -1,0 r0; abbot garden\nU; 2,0 r0; builder road0\n\
                      B; 0,-1 r0; field0\nB; 1,-1 r0; pass\nB; -1,-1 r0; pig field0\n";
        let record: Record<Expanded> = record.parse().unwrap();
        let drawn = record.replay().unwrap().picture().to_string();
        let drawn: Vec<&str> = drawn.lines().collect();
        assert_eq!(
            &drawn[1..4],
            [
                "   ........#####...............",
                " 0 --(U1a----D------i-B0---U-b0",
                "   ..................o.........",
            ],
            "{drawn:#?}"
        );
    }

    #[test]
    fn an_empty_board_says_so() {
        assert_eq!(picture("start=empty"), "(no tile lies)\n");
    }

    #[test]
    fn every_meeple_of_a_tile_has_a_place_of_its_own() {
        for tile in Tile::all_sets() {
            for rotation in crate::Rotation::ALL {
                let placed = PlacedTile { tile, cell: Cell::ORIGIN, rotation };
                let count = tile.printed().segments.len();
                let mut spots: Vec<_> =
                    (0..count).map(|at| spot(Segment::at(tile, at).unwrap(), placed)).collect();
                spots.sort_unstable();
                spots.dedup();
                assert_eq!(spots.len(), count, "{tile} {rotation}");
                assert!(!spots.contains(&(1, 3)), "the letter stays");
            }
        }
    }

    #[test]
    fn every_meeple_on_the_board_is_drawn() {
        fn check<E: Edition>(setup: &E::Setup) {
            let mut random = Random::new(3);
            let mut moves = Vec::new();
            let mut game = Position::<E>::new(setup);
            loop {
                game.moves(&mut moves);
                let Some(m) = random.pick(&moves) else { break };
                game.play_unchecked(*m, |_| {});
                let signs = game.tiles().flat_map(|placed| draw(&game, placed)).flatten();
                assert_eq!(signs.filter(char::is_ascii_digit).count(), game.meeples().count());
            }
        }
        check::<Base>(&"players=6".parse().unwrap());
        let sets = "players=6 sets=inns,traders,river,gardens";
        check::<crate::edition::AllSets>(&sets.parse().unwrap());
    }
}
