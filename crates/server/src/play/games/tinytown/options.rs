//! The options of a game of Tinytown as JSON, and their schema.

use super::MOST_SQUARES;
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
pub(super) fn read(options: &Value, players: usize) -> Result<Setup, String> {
    if players != 1 {
        return Err(format!("Tinytown is played alone; the seats are {players}"));
    }
    let allowed = format!(
        "rows and columns (together at most {MOST_SQUARES} squares), variant (\"spec\" or \"older\")"
    );
    let none = Map::new();
    let map = match options {
        Value::Null => &none,
        Value::Object(map) => map,
        _ => return Err(format!("options are an object with {allowed}")),
    };
    let (mut rows, mut columns, mut variant) = (4, 4, Variant::Spec);
    for (key, value) in map {
        let shown = game::excerpt(&value.to_string(), 40);
        let wrong = || format!("{key}={shown}: allowed are {allowed}");
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
                return Err(format!("'{key}' is no option; allowed are {allowed}"));
            }
        }
    }
    let size = Size::new(rows, columns).map_err(|error| error.to_string())?;
    check(Setup { size, variant })
}

/// Refuses grids that are too large to be hosted.
pub(super) fn check(setup: Setup) -> Result<Setup, String> {
    let size = setup.size;
    if size.cells() > MOST_SQUARES {
        return Err(format!(
            "a {size} grid has {} squares; at most {MOST_SQUARES} are hosted here",
            size.cells()
        ));
    }
    Ok(setup)
}
