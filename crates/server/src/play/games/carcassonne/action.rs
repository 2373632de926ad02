//! The action form of moves: `place_tile`, `place_meeple`, `skip`, wrapped or bare.

use carcassonne::{Carcassonne, Cell, Move, Rotation, Segment, Tile};
use serde_json::{Map, Value};

/// What is read, for messages.
const FORMS: &str = r#"{"x": 1, "y": 0, "rotation": 90}, {"meeple_spot": "road_EW"}, {"skip": true}, a placement and a meeple in one object, or one of these as "payload" beside "action_type" ("place_tile" or "place_meeple"), bare or as "action""#;

/// Keys of the request around an action; they are not the action's business.
const ENVELOPE: [&str; 5] = ["version", "player_id", "id", "type", "game_id"];

/// The moves that an action means in this position. Whether they are legal, the rules say.
pub(super) fn read(game: &Carcassonne, action: &Value) -> Result<Vec<Move>, String> {
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
        Some(other) => return Err(format!("action_type is {}; expected {FORMS}", short(other))),
    };
    read_payload(game, &payload, kind)
}

fn read_payload(
    game: &Carcassonne,
    payload: &Map<String, Value>,
    kind: Option<&str>,
) -> Result<Vec<Move>, String> {
    only_known(payload, &["x", "y", "rotation", "meeple_spot", "skip", "action_type"])?;
    let has = |key: &str| payload.contains_key(key);
    let (place, meeple) = (has("x") || has("y") || has("rotation"), has("meeple_spot"));
    let skip = match payload.get("skip") {
        None | Some(Value::Bool(false)) => false,
        Some(Value::Bool(true)) => true,
        Some(other) => return Err(format!("skip is {}; it is true or false", short(other))),
    };
    match kind {
        None => {}
        Some("place_tile") if place => {}
        Some("place_meeple") if !place && (meeple || skip) => {}
        Some("place_tile") => {
            return Err("place_tile needs x, y and rotation in its payload".to_owned());
        }
        Some("place_meeple") => {
            return Err("place_meeple needs meeple_spot or skip in its payload".to_owned());
        }
        Some(other) => {
            let other = game::excerpt(other, 40);
            return Err(format!("'{other}' is no action; there are place_tile and place_meeple"));
        }
    }
    if meeple && skip {
        return Err("meeple_spot and skip exclude each other".to_owned());
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
        return Err(format!("expected {FORMS}"));
    }
    Ok(moves)
}

fn placement(payload: &Map<String, Value>) -> Result<Move, String> {
    let coordinate = |key: &str| {
        let value = payload.get(key).ok_or_else(|| format!("a placement needs '{key}'"))?;
        let number = value.as_i64().and_then(|number| i8::try_from(number).ok());
        number.ok_or_else(|| format!("{key} is {}; a whole number from -128 to 127", short(value)))
    };
    let cell = Cell::new(coordinate("x")?, coordinate("y")?);
    let turned = payload.get("rotation").ok_or("a placement needs 'rotation'")?;
    let rotation = turned.as_i64().and_then(Rotation::from_degrees);
    let rotation = rotation.ok_or_else(|| {
        format!("rotation is {}; clockwise degrees 0, 90, 180 or 270", short(turned))
    })?;
    Ok(Move::place(cell, rotation))
}

/// The segment that a spot names, in either way of naming.
fn spot(tile: Option<Tile>, value: &Value) -> Result<Segment, String> {
    let tile = tile.ok_or("no tile has been placed yet")?;
    let named = value.as_str().and_then(|name| Segment::named(tile, name));
    named.ok_or_else(|| {
        let segments = (0..tile.printed().segments.len()).filter_map(|i| Segment::at(tile, i));
        let names = segments.map(|segment| match segment.side_name(tile) {
            Some(other) if other != segment.to_string() => format!("{segment} or {other}"),
            _ => segment.to_string(),
        });
        let names = names.collect::<Vec<_>>().join(", ");
        format!("tile {tile} has no spot {}; it has {names}", short(value))
    })
}

fn object(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| format!("found {}; expected {FORMS}", short(value)))
}

fn only_known(map: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    let unknown =
        |key: &&String| !known.contains(&key.as_str()) && !ENVELOPE.contains(&key.as_str());
    match map.keys().find(unknown) {
        None => Ok(()),
        Some(key) => Err(format!("'{}' is no key here; expected {FORMS}", game::excerpt(key, 40))),
    }
}

fn short(value: &Value) -> String {
    game::excerpt(&value.to_string(), 40)
}
