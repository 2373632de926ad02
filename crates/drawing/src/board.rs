//! A game of Carcassonne as a scene: the table, the tiles, the meeples.

use crate::figure::{colour_of, figure};
use crate::geometry::{CENTRE, Point, SIZE, turn};
use crate::palette::{SHADE, TABLE, TABLE_LINE, THICKNESS, rgba};
use crate::path::Path;
use crate::scene::Scene;
use crate::shape::{fill, stroke};
use crate::tile::Sprite;
use crate::tile_shape::TileShape;
use carcassonne::{
    BASE_KINDS, Cell, Edition, Phase, PlacedTile, Position, Rotation, Segment, Terrain, Tile,
};
use game::{Game, Turn};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The cells that a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The westernmost column.
    pub west: i16,
    /// The northernmost row.
    pub north: i16,
    /// Columns, at least 1.
    pub columns: u16,
    /// Rows, at least 1.
    pub rows: u16,
}

impl Frame {
    /// The tiles that lie, with one cell around them.
    #[must_use]
    pub fn close<E: Edition>(game: &Position<E>) -> Self {
        Self::around(game.tiles().map(|placed| placed.cell))
    }

    /// Some cells and the origin, with one cell around them.
    #[must_use]
    pub fn around(cells: impl IntoIterator<Item = Cell>) -> Self {
        let (mut west, mut east, mut south, mut north) = (0, 0, 0, 0);
        for Cell { x, y } in cells {
            (west, east) = (i16::from(x).min(west), i16::from(x).max(east));
            (south, north) = (i16::from(y).min(south), i16::from(y).max(north));
        }
        Self {
            west: west - 1,
            north: north + 1,
            columns: (east - west).unsigned_abs() + 3,
            rows: (north - south).unsigned_abs() + 3,
        }
    }

    /// The north-west corner of a cell, in hundredths of a cell.
    fn corner(&self, cell: Cell) -> Point {
        let column = f32::from(i16::from(cell.x) - self.west);
        let row = f32::from(self.north - i16::from(cell.y));
        [column * SIZE, row * SIZE]
    }
}

/// Draws a game: what lies within the frame, meeples, and a border around the last tile.
#[must_use]
pub fn board<E: Edition>(game: &Position<E>, frame: Frame) -> Scene {
    let mut scene = Scene::new(frame.columns, frame.rows, TABLE);
    scene.add_lines(TABLE_LINE);
    for placed in game.tiles() {
        let [x, y] = frame.corner(placed.cell);
        scene.add(fill(Path::rectangle([x - 3.0, y + 2.0], 106.0, 108.0), rgba(SHADE, 0.10)));
        scene.add(fill(Path::rectangle([x, y + SIZE], SIZE, 5.0), THICKNESS));
    }
    for placed in game.tiles() {
        scene.add_tile(Sprite::of(&placed), frame.corner(placed.cell));
    }
    if let Some(placed) = game.last_placed().filter(|_| game.turn() != Turn::Over) {
        let seat = last_mover(game);
        let [x, y] = frame.corner(placed.cell);
        let border = Path::rectangle([x + 2.0, y + 2.0], 96.0, 96.0);
        scene.add(stroke(border, colour_of(seat), 4.0));
    }
    for standing in game.meeples() {
        let Some(placed) = game.tile_at(standing.cell) else { continue };
        let [x, y] = frame.corner(standing.cell);
        let [dx, dy] = anchor(&placed, standing.segment);
        let lies = standing.segment.terrain() == Terrain::Field;
        let at = [x + dx, y + dy];
        for shape in figure(standing.figure(), standing.player.index(), at, lies) {
            scene.add(shape);
        }
    }
    scene
}

/// The seat that laid the last tile.
fn last_mover<E: Edition>(game: &Position<E>) -> usize {
    let players = game.players();
    let now = game.player().index();
    // While the tile's own meeple is chosen, the turn is still that player's; a second part of a turn
    // follows the first one of the same player.
    match game.phase() {
        Phase::PlaceMeeple => now,
        _ if game.is_second_part() => now,
        _ => (now + players - 1) % players,
    }
}

/// Where meeples stand on the drawn tiles, as JSON: kind, segment, a point for each rotation, in
/// hundredths of a tile from the north-west corner. The page's drawings write it; this is a copy of
/// `web/src/art/anchors.json`, so that everything else builds without the page.
pub const ANCHORS: &str = include_str!("../assets/anchors.json");

type Anchors = BTreeMap<String, BTreeMap<String, [Point; 4]>>;

/// Where a figure stands on a segment of a kind, for each rotation: in hundredths of a tile from the
/// north-west corner. On the tiles of the base game as the page has it, on those of the sets as they
/// are drawn here.
#[must_use]
pub fn anchors(tile: Tile, segment: Segment) -> [[f32; 2]; 4] {
    static BASE: LazyLock<Anchors> =
        LazyLock::new(|| serde_json::from_str(ANCHORS).expect("the asset is checked by a test"));
    static SETS: LazyLock<BTreeMap<(Tile, Segment), [Point; 4]>> = LazyLock::new(set_anchors);
    let points = match tile.index() {
        0..BASE_KINDS => BASE.get(tile.name()).and_then(|kind| kind.get(&segment.to_string())),
        _ => SETS.get(&(tile, segment)),
    };
    points.copied().unwrap_or([CENTRE; 4])
}

fn set_anchors() -> BTreeMap<(Tile, Segment), [Point; 4]> {
    let mut all = BTreeMap::new();
    for tile in Tile::all_sets().skip(BASE_KINDS) {
        let shape = TileShape::of(tile);
        for index in 0..tile.printed().segments.len() {
            let Some(segment) = Segment::at(tile, index) else { continue };
            let at = shape.anchor(tile, segment);
            all.insert((tile, segment), Rotation::ALL.map(|rotation| turn(at, rotation)));
        }
    }
    all
}

/// The middle of a figure on a segment of a tile that lies.
fn anchor(placed: &PlacedTile, segment: Segment) -> Point {
    anchors(placed.tile, segment)[usize::from(placed.rotation.quarters())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::{Carcassonne, Expanded, Setup};
    use game::Record;
    use std::collections::HashSet;

    #[test]
    fn every_segment_of_every_tile_has_an_anchor() {
        let table: Anchors = serde_json::from_str(ANCHORS).unwrap();
        for tile in Tile::all_sets() {
            for index in 0..tile.printed().segments.len() {
                let segment = Segment::at(tile, index).expect("it is printed");
                let named = || table[&tile.to_string()].contains_key(&segment.to_string());
                assert!(tile.index() >= BASE_KINDS || named());
                let points = anchors(tile, segment);
                assert!(points.iter().flatten().all(|axis| (0.0..=SIZE).contains(axis)));
                let placed = PlacedTile { tile, cell: Cell::ORIGIN, rotation: Rotation::new(1) };
                assert_eq!(anchor(&placed, segment), points[1]);
            }
        }
    }

    #[test]
    fn the_last_tile_of_a_first_part_is_marked_for_who_plays_on() {
        let text = "carcassonne sets=traders\nU; 1,0 r0; road0\nE; 0,1 r2; pass\n\
                    U; 2,0 r0; builder road0\nB; 0,-1 r0; pass\nU; 3,0 r0; pass\nV";
        let record: Record<Expanded> = text.parse().unwrap();
        let game = record.replay().unwrap();
        assert!(game.is_second_part());
        assert_eq!((last_mover(&game), game.player().index()), (0, 0));
    }

    #[test]
    fn a_card_has_exactly_its_size_and_the_table_to_its_edges() {
        let game = Carcassonne::new(&Setup::default());
        let png = board(&game, Frame::close(&game)).card(1200, 630).unwrap();
        let card = tiny_skia::Pixmap::decode_png(&png).unwrap();
        assert_eq!((card.width(), card.height()), (1200, 630));
        let bytes =
            |pixel: tiny_skia::PremultipliedColorU8| (pixel.red(), pixel.green(), pixel.blue());
        let colours =
            |x: u32| (0..630).map(|y| bytes(card.pixel(x, y).unwrap())).collect::<HashSet<_>>();
        assert!(colours(2).len() > 1, "lines of the table at the edge");
        assert!(colours(600).len() > 20, "the tile in the middle");
    }

    #[test]
    fn a_frame_holds_what_lies_and_a_cell_around() {
        let frame = Frame::close(&Carcassonne::new(&Setup::default()));
        assert_eq!(frame, Frame { west: -1, north: 1, columns: 3, rows: 3 });
        let far = Frame::around([Cell::new(-70, 3), Cell::new(2, -60)]);
        assert_eq!(far, Frame { west: -71, north: 4, columns: 75, rows: 66 });
        assert_eq!(far.corner(Cell::new(-70, 3)), [100.0, 100.0]);
    }
}
