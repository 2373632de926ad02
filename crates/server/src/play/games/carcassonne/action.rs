//! The action form of moves: `place_tile`, `place_meeple`, `skip`, wrapped or bare.

use crate::play::games::ActionError;
use carcassonne::{Carcassonne, Cell, Move, Rotation, Segment, Tile};
use serde_json::{Map, Value};

/// What is read, for messages.
const FORMS: &str = r#"{"x": 1, "y": 0, "rotation": 90}, {"meeple_spot": "road_EW"}, {"skip": true}, a placement and a meeple in one object, or one of these as "payload" beside "action_type" ("place_tile" or "place_meeple"), bare or as "action""#;

/// Keys of the request around an action; they are not the action's business.
const ENVELOPE: [&str; 5] = ["version", "player_id", "id", "type", "game_id"];

/// The moves that an action means in this position. Whether they are legal, the rules say.
pub(super) fn read(game: &Carcassonne, action: &Value) -> Result<Vec<Move>, ActionError> {
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

fn read_payload(
    game: &Carcassonne,
    payload: &Map<String, Value>,
    kind: Option<&str>,
) -> Result<Vec<Move>, ActionError> {
    only_known(payload, &["x", "y", "rotation", "meeple_spot", "skip", "action_type"])?;
    let has = |key: &str| payload.contains_key(key);
    let (place, meeple) = (has("x") || has("y") || has("rotation"), has("meeple_spot"));
    let skip = match payload.get("skip") {
        None | Some(Value::Bool(false)) => false,
        Some(Value::Bool(true)) => true,
        Some(other) => return Err(wrong("skip", other, "it is true or false")),
    };
    match kind {
        None => {}
        Some("place_tile") if place => {}
        Some("place_meeple") if !place && (meeple || skip) => {}
        Some("place_tile") => {
            let needs = "place_tile needs x, y and rotation in its payload";
            return Err(ActionError::Incomplete(needs));
        }
        Some("place_meeple") => {
            let needs = "place_meeple needs meeple_spot or skip in its payload";
            return Err(ActionError::Incomplete(needs));
        }
        Some(other) => {
            let kind = game::excerpt(other, 40);
            return Err(ActionError::UnknownKind { kind, known: "place_tile and place_meeple" });
        }
    }
    if meeple && skip {
        return Err(ActionError::Incomplete("meeple_spot and skip exclude each other"));
    }
    let mut moves = Vec::new();
    if place {
        moves.push(placement(payload)?);
    }
    if meeple {
        let tile = if place { game.tile_in_hand() } else { None };
        let tile = tile.or(game.last_placed().map(|placed| placed.tile));
        moves.push(Move::meeple(spot(tile, &payload["meeple_spot"])?));
    } else if skip {
        moves.push(Move::PASS);
    }
    if moves.is_empty() {
        return Err(ActionError::Form { forms: FORMS });
    }
    Ok(moves)
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
