//! The action form of moves: `place_tile`, `place_meeple`, `recall`, `skip`, wrapped or bare.

use crate::games::ActionError;
use carcassonne::{Cell, Edition, Figure, Move, Position, Rotation, Segment, Tile};
use serde_json::{Map, Value};

/// What is read, for messages.
const FORMS: &str = r#"{"x": 1, "y": 0, "rotation": 90}, {"meeple_spot": "road_EW"} (with sets also "figure": "big"), {"recall": true}, {"skip": true}, a placement and one of the others in one object, or one of these as "payload" beside "action_type" ("place_tile", "place_meeple" or "recall"), bare or as "action""#;

/// Keys of the request around an action; they are not the action's business.
const ENVELOPE: [&str; 5] = ["version", "player_id", "id", "type", "game_id"];

/// The moves that an action means in this position. Whether they are legal, the rules say.
pub(super) fn read<E: Edition>(
    game: &Position<E>,
    action: &Value,
) -> Result<Vec<Move>, ActionError> {
    let outer = object(action)?;
    let inner = match outer.get("action") {
        None => outer,
        Some(inner) => {
            let beside: Vec<&str> = vec!["action"];
            only_known(outer, &beside)?;
            object(inner)?
        }
    };
    let (payload, kind) = match inner.get("payload") {
        None => (inner.clone(), inner.get("action_type")),
        Some(payload) => {
            only_known(inner, &["payload", "action_type"])?;
            (object(payload)?.clone(), inner.get("action_type"))
        }
    };
    let kind = match kind {
        None => None,
        Some(Value::String(kind)) => Some(kind.as_str()),
        Some(other) => {
            return Err(ActionError::NoKind { found: short(other), forms: FORMS });
        }
    };
    read_payload(game, &payload, kind)
}

fn read_payload<E: Edition>(
    game: &Position<E>,
    payload: &Map<String, Value>,
    kind: Option<&str>,
) -> Result<Vec<Move>, ActionError> {
    const KEYS: [&str; 8] =
        ["x", "y", "rotation", "meeple_spot", "figure", "recall", "skip", "action_type"];
    only_known(payload, &KEYS)?;
    let has = |key: &str| payload.contains_key(key);
    let (place, meeple) = (has("x") || has("y") || has("rotation"), has("meeple_spot"));
    let skip = is_set(payload, "skip")?;
    // The kind alone says it all.
    let recall = is_set(payload, "recall")? || (kind == Some("recall") && !has("recall"));
    check_kind(kind, place, meeple || skip || recall, recall)?;
    match [meeple, skip, recall].iter().filter(|chosen| **chosen).count() {
        0 | 1 => {}
        _ => {
            let one = "meeple_spot, skip and recall exclude each other";
            return Err(ActionError::Incomplete(one));
        }
    }
    if has("figure") && !meeple {
        return Err(ActionError::Incomplete("a figure needs meeple_spot"));
    }
    let mut moves = Vec::new();
    if place {
        moves.push(placement(payload)?);
    }
    if meeple {
        let tile = if place { game.tile_in_hand() } else { None };
        let tile = tile.or(game.last_placed().map(|placed| placed.tile));
        let segment = spot(tile, &payload["meeple_spot"])?;
        moves.push(Move::figure(figure(payload.get("figure"))?, segment));
    } else if recall {
        moves.push(Move::RECALL);
    } else if skip {
        moves.push(Move::PASS);
    }
    if moves.is_empty() {
        return Err(ActionError::Form { forms: FORMS });
    }
    Ok(moves)
}

/// Whether the kind of action that is named is the one that the payload has.
fn check_kind(
    kind: Option<&str>,
    place: bool,
    figure: bool,
    recall: bool,
) -> Result<(), ActionError> {
    let needs = |what| Err(ActionError::Incomplete(what));
    match kind {
        None => Ok(()),
        Some("place_tile") if place => Ok(()),
        Some("place_meeple") if !place && figure => Ok(()),
        Some("recall") if !place && recall => Ok(()),
        Some("place_tile") => needs("place_tile needs x, y and rotation in its payload"),
        Some("place_meeple") => needs("place_meeple needs meeple_spot or skip in its payload"),
        Some("recall") => needs("recall needs nothing in its payload, or recall: true"),
        Some(other) => {
            let kind = game::excerpt(other, 40);
            let known = "place_tile, place_meeple and recall";
            Err(ActionError::UnknownKind { kind, known })
        }
    }
}

/// A key that is true, or false or left out.
fn is_set(payload: &Map<String, Value>, key: &'static str) -> Result<bool, ActionError> {
    match payload.get(key) {
        None | Some(Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => Ok(true),
        Some(other) => Err(wrong(key, other, "it is true or false")),
    }
}

/// Which figure is put down; a meeple if none is named.
fn figure(named: Option<&Value>) -> Result<Figure, ActionError> {
    let Some(value) = named else { return Ok(Figure::Meeple) };
    let known = value.as_str().and_then(|name| name.parse().ok());
    known.ok_or_else(|| wrong("figure", value, "there are meeple, big, builder, pig and abbot"))
}

fn placement(payload: &Map<String, Value>) -> Result<Move, ActionError> {
    let coordinate = |key: &'static str| {
        let value = payload.get(key).ok_or(ActionError::Missing(key))?;
        let number = value.as_i64().and_then(|number| i8::try_from(number).ok());
        number.ok_or_else(|| wrong(key, value, "a whole number from -128 to 127"))
    };
    let cell = Cell::new(coordinate("x")?, coordinate("y")?);
    let turned = payload.get("rotation").ok_or(ActionError::Missing("rotation"))?;
    let rotation = turned.as_i64().and_then(Rotation::from_degrees);
    let rotation =
        rotation.ok_or_else(|| wrong("rotation", turned, "clockwise degrees 0, 90, 180 or 270"))?;
    Ok(Move::place(cell, rotation))
}

/// The segment that a spot names, in either way of naming.
fn spot(tile: Option<Tile>, value: &Value) -> Result<Segment, ActionError> {
    let tile = tile.ok_or(ActionError::NoTile)?;
    let named = value.as_str().and_then(|name| Segment::named(tile, name));
    named.ok_or_else(|| {
        let segments = (0..tile.printed().segments.len()).filter_map(|i| Segment::at(tile, i));
        let names = segments.map(|segment| match segment.side_name(tile) {
            Some(other) if other != segment.to_string() => format!("{segment} or {other}"),
            _ => segment.to_string(),
        });
        let spots = names.collect::<Vec<_>>().join(", ");
        ActionError::Spot { tile: tile.to_string(), found: short(value), spots }
    })
}

fn object(value: &Value) -> Result<&Map<String, Value>, ActionError> {
    let wrong = || ActionError::NotAnObject { found: short(value), forms: FORMS };
    value.as_object().ok_or_else(wrong)
}

fn only_known(map: &Map<String, Value>, known: &[&str]) -> Result<(), ActionError> {
    let unknown =
        |key: &&String| !known.contains(&key.as_str()) && !ENVELOPE.contains(&key.as_str());
    match map.keys().find(unknown) {
        None => Ok(()),
        Some(key) => Err(ActionError::UnknownKey { key: game::excerpt(key, 40), forms: FORMS }),
    }
}

fn wrong(key: &'static str, found: &Value, allowed: &'static str) -> ActionError {
    ActionError::Value { key, found: short(found), allowed }
}

fn short(value: &Value) -> String {
    game::excerpt(&value.to_string(), 40)
}
