//! What a person types, and what it means at a position.

use carcassonne::{Carcassonne, Cell, Move, MoveKind, Rotation, Segment, Side, Terrain};
use game::Game;

/// Something a person types that is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    Help,
    Hint,
    Undo,
    Board,
    Tiles,
    Scores,
    Moves,
    Record,
    Save(&'a str),
    Quit,
}

/// The word that a line is, if it is one.
pub(super) fn word(line: &str) -> Option<Word<'_>> {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some(match first {
        "save" => Word::Save(rest.trim()),
        _ if !rest.is_empty() => return None,
        "help" | "h" | "?" => Word::Help,
        "hint" => Word::Hint,
        "undo" | "u" | "back" => Word::Undo,
        "board" | "b" => Word::Board,
        "tiles" | "t" => Word::Tiles,
        "scores" | "s" => Word::Scores,
        "moves" | "m" => Word::Moves,
        "record" => Word::Record,
        "quit" | "q" | "exit" => Word::Quit,
        _ => return None,
    })
}

/// The legal spots for the tile in hand, in reading order, each with the rotations that fit and
/// look different.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Spots {
    all: Vec<(Cell, Vec<Rotation>)>,
}

impl Spots {
    /// The spots of a position; none unless a tile is to be placed.
    pub(super) fn of(game: &Carcassonne) -> Self {
        let (mut moves, mut spots) = (Vec::new(), Self::default());
        let Some(tile) = game.tile_in_hand() else { return spots };
        game.moves(&mut moves);
        for m in moves {
            let MoveKind::Place { cell, rotation } = m.kind() else { continue };
            let at = match spots.all.iter().position(|(known, _)| *known == cell) {
                Some(at) => at,
                None => {
                    spots.all.push((cell, Vec::new()));
                    spots.all.len() - 1
                }
            };
            if rotation.quarters() < tile.distinct_rotations() {
                spots.all[at].1.push(rotation);
            }
        }
        spots.all.sort_by_key(|(cell, _)| (-cell.y, cell.x));
        spots
    }

    /// The cells in the order of their numbers.
    pub(super) fn cells(&self) -> Vec<Cell> {
        self.all.iter().map(|(cell, _)| *cell).collect()
    }

    /// The number of a cell, from 1.
    pub(super) fn number(&self, cell: Cell) -> Option<usize> {
        self.all.iter().position(|(known, _)| *known == cell).map(|at| at + 1)
    }

    /// All rotations that fit somewhere.
    pub(super) fn rotations(&self) -> Vec<Rotation> {
        let fits = |rotation: &Rotation| self.all.iter().any(|(_, all)| all.contains(rotation));
        Rotation::ALL.into_iter().filter(fits).collect()
    }

    /// What may be typed, for a prompt: the first spot with its first rotation.
    pub(super) fn example(&self) -> String {
        let first = self.all.first().and_then(|(_, rotations)| rotations.first());
        format!("1 {}", first.copied().unwrap_or_default())
    }

    /// Each spot with its rotations, as text: `1: r0 r2`.
    pub(super) fn listed(&self) -> String {
        let line = |(at, (cell, rotations)): (usize, &(Cell, Vec<Rotation>))| {
            let names: Vec<String> = rotations.iter().map(ToString::to_string).collect();
            format!("  {:>3}  {:<7} {}\n", at + 1, cell.to_string(), names.join(" "))
        };
        self.all.iter().enumerate().map(line).collect()
    }

    /// The placement a line means: `4`, `4 r1`, `3,-1 r2`.
    ///
    /// # Errors
    /// What is wrong, and what is possible.
    pub(super) fn choose(&self, line: &str) -> Result<Move, String> {
        if line.contains(',') {
            return line.parse().map_err(|error: carcassonne::ParseError| error.to_string());
        }
        let (number, turned) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let most = self.all.len();
        let (cell, rotations) = number
            .parse::<usize>()
            .ok()
            .and_then(|number| self.all.get(number.checked_sub(1)?))
            .ok_or_else(|| {
                format!("'{number:.40}' is no spot; type a number from 1 to {most}, or 'help'")
            })?;
        let names: Vec<String> = rotations.iter().map(ToString::to_string).collect();
        let turned = turned.trim();
        match rotations.as_slice() {
            [only] if turned.is_empty() => Ok(Move::place(*cell, *only)),
            _ if turned.is_empty() => Err(format!(
                "on spot {number} it fits in {} ways: type {number} and one of {}",
                rotations.len(),
                names.join(" ")
            )),
            _ => {
                let rotation: Rotation = turned
                    .trim_start_matches('r')
                    .parse::<u8>()
                    .ok()
                    .filter(|r| *r < 4)
                    .map(Rotation::new)
                    .ok_or_else(|| {
                        format!("'{turned:.40}' is no rotation; one of {}", names.join(" "))
                    })?;
                Ok(Move::place(*cell, rotation))
            }
        }
    }
}

/// The choices after a tile was placed: no meeple, then the spots.
pub(super) fn meeple_choices(game: &Carcassonne) -> Vec<(Move, String)> {
    let mut choices = vec![(Move::PASS, "no meeple".to_owned())];
    let Some(placed) = game.last_placed() else { return choices };
    for (segment, feature) in game.spots() {
        let mut text = where_it_is(segment, placed);
        if let Some(feature) = game.feature(feature) {
            let summary = feature.summary;
            text += &match (summary.terrain, summary.finished) {
                (Terrain::Field, _) => format!(
                    ", touches {} finished and {} unfinished cities",
                    summary.finished_cities,
                    summary.cities - summary.finished_cities
                ),
                (_, true) => format!(", finished: {} points now", summary.points),
                (Terrain::Monastery | Terrain::Garden, false) => {
                    format!(", {} neighbours missing", summary.open)
                }
                (_, false) => {
                    format!(", {} points so far, open ends: {}", summary.points, summary.open)
                }
            };
        }
        choices.push((Move::meeple(segment), text));
    }
    choices
}

/// Where a segment is on the tile as it lies.
fn where_it_is(segment: Segment, placed: carcassonne::PlacedTile) -> String {
    let printed = segment.index_on(placed.tile).map(|at| &placed.tile.printed().segments[at]);
    let Some(printed) = printed.filter(|printed| printed.terrain != Terrain::Monastery) else {
        return "the monastery".to_owned();
    };
    let reached = printed.sides_turned(placed.rotation);
    let names = ["north", "east", "south", "west"];
    let sides: Vec<&str> = Side::ALL
        .into_iter()
        .filter(|side| reached >> *side as u8 & 1 == 1)
        .map(|side| names[side as usize])
        .collect();
    format!("{} {}", printed.terrain, sides.join(", "))
}

/// The meeple move a line means: a number of the list, a segment's name, or `pass`.
///
/// # Errors
/// What is possible.
pub(super) fn choose_meeple(game: &Carcassonne, line: &str) -> Result<Move, String> {
    let choices = meeple_choices(game);
    if let Ok(number) = line.parse::<usize>() {
        return choices.get(number).map(|(m, _)| *m).ok_or_else(|| {
            format!("'{number}' is not in the list; type a number from 0 to {}", choices.len() - 1)
        });
    }
    if line == "none" {
        return Ok(Move::PASS);
    }
    let named = game.last_placed().and_then(|placed| Segment::named(placed.tile, line));
    match named {
        Some(segment) => Ok(Move::meeple(segment)),
        None => line.parse().map_err(|_| {
            format!("'{line:.40}' is neither a number of the list nor a segment nor 'pass'")
        }),
    }
}
