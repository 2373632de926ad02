//! The JSON list of moves: a tile entry, then a meeple entry, in turn.
//!
//! ```json
//! [{"tile":"D","rotation":0,"position":[0,0]}, {},
//!  {"tile":"U","rotation":0,"position":[1,0]}, {"meeple":0,"spot":"road0"}]
//! ```
//!
//! `{}` is no meeple; with sets `{"figure":"big","spot":"city0"}` is another figure, and
//! `{"recall":true}` takes the abbot back. With a start tile the list begins with it and `{}`; on an
//! empty board with the first player's tile. `docs/notation.md` tells the rest. Only this module
//! knows JSON.

use self::error::EntryError;
use crate::edition::Edition;
use crate::event::Event;
use crate::figure::Figure;
use crate::game::{Position, start_tile};
use crate::geometry::{Cell, Rotation};
use crate::interpreter::{InterpretError, Interpreted, shorten};
use crate::moves::Move;
use crate::segment::Segment;
use crate::tile::Tile;
use crate::views::PlacedMeeple;
use game::{Game, Record, ReplayError};
use serde_json::{Map, Value};

/// No list of a whole game is nearly as long.
const LONGEST: usize = 1 << 20;

/// What a list begins with where this tile lies before the first move.
fn opening(start: Tile) -> String {
    format!(r#"{{"tile":"{start}","rotation":0,"position":[0,0]}}, {{}}"#)
}

/// One entry of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry<'a> {
    /// A tile drawn and placed.
    Placed(Tile, Cell, Rotation),
    /// A tile drawn that fits nowhere.
    Discarded(Tile),
    /// A tile drawn and not placed yet.
    InHand(Tile),
    /// A meeple or another figure, with its number if it is given.
    Figure(Figure, Option<i64>, &'a str),
    /// The abbot is taken back.
    Recall,
    /// No meeple.
    Pass,
}

/// Reads a list of moves, or `{"setup":"…","moves":[…]}`, and plays it.
pub(crate) fn read<E: Edition>(
    text: &str,
    setup: &E::Setup,
) -> Result<Interpreted<E>, InterpretError> {
    let whole = |reason: String| InterpretError::text("the list".to_owned(), reason);
    if text.len() > LONGEST {
        return Err(whole("it is longer than 1 MiB, which no game needs".to_owned()));
    }
    let value: Value =
        serde_json::from_str(text).map_err(|error| whole(format!("this is no JSON: {error}")))?;
    let (setup, moves) = match &value {
        Value::Array(moves) => (*setup, moves),
        Value::Object(map) => {
            let wrong = || whole(r#"expected [ … ] or {"setup":"…","moves":[ … ]}"#.to_owned());
            known_keys(map, &["setup", "moves"]).map_err(|error| whole(error.to_string()))?;
            let named = match map.get("setup") {
                None => *setup,
                Some(Value::String(text)) => text.parse().map_err(|e| whole(format!("{e}")))?,
                Some(_) => return Err(wrong()),
            };
            (named, map.get("moves").and_then(Value::as_array).ok_or_else(wrong)?)
        }
        _ => return Err(whole("expected a list [ … ]".to_owned())),
    };
    let mut so_far = Interpreted::<E>::start(&setup);
    let skipped = start_tile(&setup).map_or(Ok(0), |tile| skip_start(tile, moves))?;
    for (index, value) in moves.iter().enumerate().skip(skipped) {
        let ply = so_far.next_ply();
        let played = match parse(value) {
            Ok(entry) => apply(&mut so_far, entry),
            Err(error) => {
                // If its tile can be read and drawn, it is the placement that is wrong.
                let later = draw_of(&mut so_far, value);
                Err(Refusal { reason: error.to_string(), later })
            }
        };
        played.map_err(|refusal| InterpretError {
            place: format!("entry {}", index + 1),
            ply: ply + refusal.later,
            moved: shorten(&value.to_string()),
            reason: refusal.reason,
            // After a tile that is set aside another may be drawn, but that is not what is wrong.
            legal: match so_far.next_ply() > ply && so_far.game.tile_in_hand().is_none() {
                true => Vec::new(),
                false => so_far.legal(),
            },
        })?;
    }
    Ok(so_far)
}

/// How many entries only say that the start tile lies.
fn skip_start(tile: Tile, moves: &[Value]) -> Result<usize, InterpretError> {
    let start = Entry::Placed(tile, Cell::ORIGIN, Rotation::default());
    let lies = moves.first().is_some_and(|value| parse(value) == Ok(start));
    let alone = moves.get(1).is_some_and(|value| parse(value) == Ok(Entry::Pass));
    if lies && alone {
        return Ok(2);
    }
    let place = if lies { "entry 2" } else { "entry 1" };
    let reason = format!("with start=tile a list begins with {}", opening(tile));
    Err(InterpretError::text(place.to_owned(), reason))
}

/// Why an entry cannot be played.
struct Refusal {
    reason: String,
    /// 1 if it is the second move of the entry that is refused.
    later: usize,
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self { reason, later: 0 }
    }
}

/// Draws the tile of an entry that is wrong elsewhere; gives how many moves that made.
fn draw_of<E: Edition>(so_far: &mut Interpreted<E>, value: &Value) -> usize {
    let tile = value.get("tile").and_then(Value::as_str).and_then(|tile| tile.parse().ok());
    usize::from(tile.is_some_and(|tile| so_far.play(Move::draw(tile)).is_ok()))
}

fn apply<E: Edition>(so_far: &mut Interpreted<E>, entry: Entry<'_>) -> Result<(), Refusal> {
    let play = |so_far: &mut Interpreted<E>, m| so_far.play(m).map_err(|illegal| illegal.reason);
    match entry {
        Entry::Placed(tile, cell, rotation) => {
            play(so_far, Move::draw(tile))?;
            if so_far.game.tile_in_hand().is_none() {
                return Err(format!(
                    "tile {tile} fits nowhere and is set aside: \
                     {{\"tile\":\"{tile}\",\"discarded\":true}}"
                )
                .into());
            }
            play(so_far, Move::place(cell, rotation)).map_err(|reason| Refusal { reason, later: 1 })
        }
        Entry::Discarded(tile) => {
            play(so_far, Move::draw(tile))?;
            match so_far.game.tile_in_hand() {
                Some(_) => Err(format!("tile {tile} fits, so it cannot be set aside").into()),
                None => Ok(()),
            }
        }
        Entry::InHand(tile) => Ok(play(so_far, Move::draw(tile))?),
        Entry::Pass => Ok(play(so_far, Move::PASS)?),
        Entry::Recall => Ok(play(so_far, Move::RECALL)?),
        Entry::Figure(figure, number, spot) => {
            let m = Move::figure(figure, named(&so_far.game, spot)?);
            let (free, of) = match figure {
                Figure::Meeple => (lowest_free(&so_far.game), "lowest free meeple"),
                other => (other.number().into(), other.name()),
            };
            if number.is_some_and(|number| number != free) && so_far.game.is_legal(m) {
                return Err(format!("the {of} is number {free}").into());
            }
            Ok(play(so_far, m)?)
        }
    }
}

/// The number of the meeple that the player to move puts down next.
fn lowest_free<E: Edition>(game: &Position<E>) -> i64 {
    let stands = |number: &i64| {
        let own = |meeple: PlacedMeeple| {
            meeple.player == game.player() && i64::from(meeple.number) == *number
        };
        game.meeples().any(own)
    };
    (0..).find(|number| !stands(number)).unwrap_or_default()
}

/// The segment of the last tile that a spot names, in either way of naming.
fn named<E: Edition>(game: &Position<E>, spot: &str) -> Result<Segment, Refusal> {
    let Some(placed) = game.last_placed() else {
        return Err("no tile has been placed yet".to_owned().into());
    };
    Segment::named(placed.tile, spot).ok_or_else(|| {
        let segments = (0..placed.tile.printed().segments.len())
            .filter_map(|index| Segment::at(placed.tile, index));
        let names = segments.map(|segment| match segment.side_name(placed.tile) {
            Some(other) if other != segment.to_string() => format!("{segment} or {other}"),
            _ => segment.to_string(),
        });
        let names = names.collect::<Vec<_>>().join(", ");
        format!("tile {} has no spot '{}'; it has {names}", placed.tile, shorten(spot)).into()
    })
}

fn parse(value: &Value) -> Result<Entry<'_>, EntryError> {
    let map = value.as_object().ok_or(EntryError::Unknown)?;
    if map.is_empty() {
        return Ok(Entry::Pass);
    }
    if map.contains_key("recall") {
        known_keys(map, &["recall"])?;
        return (map["recall"] == true).then_some(Entry::Recall).ok_or(EntryError::Unknown);
    }
    if !map.contains_key("tile") {
        known_keys(map, &["meeple", "figure", "spot"])?;
        let figure = match map.get("figure") {
            None => Figure::Meeple,
            Some(name) => name.as_str().unwrap_or_default().parse()?,
        };
        let spot = map.get("spot").and_then(Value::as_str).ok_or(EntryError::Unknown)?;
        let number = match map.get("meeple") {
            None => None,
            Some(number) => Some(number.as_i64().ok_or(EntryError::MeepleNumber)?),
        };
        return Ok(Entry::Figure(figure, number, spot));
    }
    known_keys(map, &["tile", "rotation", "position", "discarded"])?;
    let tile: Tile = map["tile"].as_str().unwrap_or_default().parse()?;
    let lies = map.contains_key("rotation") || map.contains_key("position");
    match map.get("discarded") {
        Some(Value::Bool(true)) if !lies => Ok(Entry::Discarded(tile)),
        Some(Value::Bool(true)) => Err(EntryError::PlacedAndDiscarded),
        Some(Value::Bool(false)) | None if !lies => Ok(Entry::InHand(tile)),
        Some(Value::Bool(false)) | None => {
            Ok(Entry::Placed(tile, cell(map.get("position"))?, rotation(map.get("rotation"))?))
        }
        Some(_) => Err(EntryError::Discarded),
    }
}

fn known_keys(map: &Map<String, Value>, known: &[&str]) -> Result<(), EntryError> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(EntryError::UnknownKey(shorten(key))),
        None => Ok(()),
    }
}

/// Quarter turns 0 to 3, or degrees 90, 180, 270.
fn rotation(value: Option<&Value>) -> Result<Rotation, EntryError> {
    match value.and_then(Value::as_i64) {
        Some(quarters @ 0..=3) => Ok(Rotation::new(quarters as u8)),
        Some(degrees) => Rotation::from_degrees(degrees).ok_or(EntryError::Rotation),
        None => Err(EntryError::Rotation),
    }
}

/// `[x, y]`, `{"x": x, "y": y}`, or either text of a cell: `"3,-1"`, `"P14"`.
fn cell(value: Option<&Value>) -> Result<Cell, EntryError> {
    let number = |value: &Value| i8::try_from(value.as_i64()?).ok();
    if let Some(Value::String(text)) = value {
        return Ok(text.parse()?);
    }
    let cell = match value {
        Some(Value::Array(list)) => match list.as_slice() {
            [x, y] => number(x).zip(number(y)),
            _ => None,
        },
        Some(Value::Object(map)) if map.len() == 2 => {
            map.get("x").and_then(number).zip(map.get("y").and_then(number))
        }
        _ => None,
    };
    cell.map(|(x, y)| Cell::new(x, y)).ok_or(EntryError::Position)
}

/// Writes a record as a JSON list of moves, one turn a line. The list does not tell the setup.
///
/// # Errors
/// If the record does not replay, or begins with a position laid by hand.
pub fn write_list<E: Edition>(record: &Record<Position<E>>) -> Result<String, ReplayError> {
    record.must_begin_at_start().map_err(|reason| ReplayError {
        ply: 0,
        moved: String::new(),
        reason,
    })?;
    let mut turns: Vec<String> = start_tile(&record.setup).map(opening).into_iter().collect();
    let mut hand = None;
    record.replay_to(record.moves.len(), |_, event| match event {
        Event::TileDrawn { tile, .. } => hand = Some(tile),
        Event::TileDiscarded { tile, .. } => {
            turns.push(format!(r#"{{"tile":"{tile}","discarded":true}}"#));
        }
        Event::TilePlaced { tile, cell: Cell { x, y }, rotation, .. } => {
            let turns_clockwise = rotation.quarters();
            turns.push(format!(
                r#"{{"tile":"{tile}","rotation":{turns_clockwise},"position":[{x},{y}]}}"#
            ));
            hand = None;
        }
        Event::MeeplePlaced { meeple, segment, .. } => {
            let entry = match Figure::of_number(meeple) {
                Figure::Meeple => format!(r#"{{"meeple":{meeple},"spot":"{segment}"}}"#),
                other => format!(r#"{{"figure":"{other}","spot":"{segment}"}}"#),
            };
            push_to_last(&mut turns, &entry);
        }
        // Nothing else scores unfinished before the end.
        Event::FeatureScored(score) if !score.finished => {
            push_to_last(&mut turns, r#"{"recall":true}"#);
        }
        Event::MeepleSkipped { .. } => push_to_last(&mut turns, "{}"),
        _ => {}
    })?;
    if let Some(tile) = hand {
        turns.push(format!(r#"{{"tile":"{tile}"}}"#));
    }
    Ok(format!("[{}]\n", turns.join(",\n ")))
}

fn push_to_last(turns: &mut [String], entry: &str) {
    if let Some(last) = turns.last_mut() {
        *last += &format!(", {entry}");
    }
}

mod error;
#[cfg(test)]
mod tests;
