//! The options of a game of Tinytown as JSON, and their schema.

use super::MOST_SQUARES;
use crate::games::OptionsError;
use serde_json::{Map, Value, json};
use tinytown::{Setup, Size, Variant};

/// The JSON Schema of the options.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "title": "Options of the puzzle",
        "description": format!("A grid has at most {MOST_SQUARES} squares."),
        "additionalProperties": false,
        "properties": {
            "rows": {
                "type": "integer", "title": "Rows", "minimum": 1, "maximum": MOST_SQUARES,
                "description": format!("Rows times columns is at most {MOST_SQUARES}."),
                "default": 4,
            },
            "columns": {
                "type": "integer", "title": "Columns", "minimum": 1, "maximum": MOST_SQUARES,
                "description": format!("Rows times columns is at most {MOST_SQUARES}."),
                "default": 4,
            },
            "variant": {
                "type": "string",
                "title": "Rules",
                "description": "When a game ends and what feeds a cottage.",
                "enum": ["spec", "older"],
                "oneOf": [
                    {"const": "spec", "title": "A greenhouse feeds four cottages"},
                    {"const": "older", "title": "One greenhouse feeds all cottages"},
                ],
                "default": "spec",
            },
        },
    })
}

/// All options of a setup.
pub(super) fn write(setup: Setup) -> Value {
    json!({
        "rows": setup.size.rows(),
        "columns": setup.size.cols(),
        "variant": setup.variant.name(),
    })
}

/// The setup that options mean; what is left out has its default.
pub(super) fn read(options: &Value, players: usize) -> Result<Setup, OptionsError> {
    if players != 1 {
        return Err(OptionsError::Alone { game: "Tinytown", seats: players });
    }
    let allowed = format!(
        "rows and columns (together at most {MOST_SQUARES} squares), variant (\"spec\" or \"older\")"
    );
    let none = Map::new();
    let map = match options {
        Value::Null => &none,
        Value::Object(map) => map,
        other => {
            let found = game::excerpt(&other.to_string(), 40);
            return Err(OptionsError::NotAnObject { allowed, found });
        }
    };
    let (mut rows, mut columns, mut variant) = (4, 4, Variant::Spec);
    for (key, value) in map {
        let wrong = || {
            let (key, found) = (key.clone(), game::excerpt(&value.to_string(), 40));
            OptionsError::Value { key, found, allowed: allowed.clone() }
        };
        let number = || value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(wrong);
        match key.as_str() {
            "rows" => rows = number()?,
            "columns" => columns = number()?,
            "variant" => {
                let name = value.as_str().ok_or_else(wrong)?;
                variant = name.parse().map_err(|_| wrong())?;
            }
            "players" if value.as_u64() == Some(1) => {}
            _ => {
                let key = game::excerpt(key, 40);
                return Err(OptionsError::Unknown { key, allowed });
            }
        }
    }
    let size = Size::new(rows, columns).map_err(|error| OptionsError::Rules(error.to_string()))?;
    check(Setup { size, variant })
}

/// Refuses grids that are too large to be hosted.
pub(super) fn check(setup: Setup) -> Result<Setup, OptionsError> {
    let size = setup.size;
    if size.cells() > MOST_SQUARES {
        let squares = size.cells();
        return Err(OptionsError::TooLarge { size: size.to_string(), squares, most: MOST_SQUARES });
    }
    Ok(setup)
}
