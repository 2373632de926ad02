//! The options of a game of Carcassonne as JSON, and their schema.

use crate::play::games::OptionsError;
use carcassonne::{Extent, Setup, SetupError, Start, TinyCity};
use serde_json::{Map, Value, json};

/// The JSON Schema of the options: what the create form is rendered from.
pub(super) fn schema() -> Value {
    let setup = Setup::default();
    let default = write(&setup);
    json!({
        "type": "object",
        "title": "Options of the game",
        "additionalProperties": false,
        "properties": {
            "farmers": {
                "type": "boolean",
                "title": "Farmers",
                "description": "Meeples may lie in fields, which score at the end.",
                "default": default["farmers"],
            },
            "start": {
                "type": "string",
                "title": "Start",
                "description": "What lies on the table before the first move.",
                "enum": ["tile", "empty"],
                "oneOf": [
                    {"const": "tile", "title": "The start tile lies in the middle"},
                    {"const": "empty", "title": "Nothing; the first player begins in the middle"},
                ],
                "default": default["start"],
            },
            "board": {
                "type": "string",
                "title": "Board",
                "description": "As far as the tiles go, or a square of N×N cells (1 to 145) \
                                around the first tile, such as 35x35.",
                "pattern": r"^(unlimited|([1-9]|[1-9][0-9]|1[0-3][0-9]|14[0-5])x\2)$",
                "examples": ["unlimited", "35x35", "30x30", "15x15", "9x9"],
                "default": default["board"],
            },
            "tiny_city": {
                "type": "integer",
                "title": "City of two tiles",
                "description": "What a finished city of two tiles is worth.",
                "enum": [4, 2],
                "oneOf": [
                    {"const": 4, "title": "4 points, as any city (today's rule)"},
                    {"const": 2, "title": "2 points (the early rule)"},
                ],
                "default": default["tiny_city"],
            },
        },
    })
}

/// All options of a setup.
pub(super) fn write(setup: &Setup) -> Value {
    json!({
        "farmers": setup.farmers,
        "start": match setup.start {
            Start::Tile => "tile",
            Start::Empty => "empty",
        },
        "board": match setup.board() {
            Extent::Unlimited => "unlimited".to_owned(),
            Extent::Square(n) => format!("{n}x{n}"),
        },
        "tiny_city": match setup.tiny_city {
            TinyCity::Four => 4,
            TinyCity::Two => 2,
        },
    })
}

/// What is allowed, for messages.
const ALLOWED: &str = "farmers (true or false), start (\"tile\" or \"empty\"), board \
                       (\"unlimited\" or \"NxN\" from 1x1 to 145x145), tiny_city (4 or 2)";

/// The setup that options mean; what is left out has its default.
pub(super) fn read(options: &Value, players: usize) -> Result<Setup, OptionsError> {
    let rules = |error: SetupError| OptionsError::Rules(error.to_string());
    let allowed = || ALLOWED.to_owned();
    let mut setup = Setup::new(players).map_err(rules)?;
    let none = Map::new();
    let map = match options {
        Value::Null => &none,
        Value::Object(map) => map,
        other => {
            return Err(OptionsError::NotAnObject { allowed: allowed(), found: short(other) });
        }
    };
    for (key, value) in map {
        let wrong = || {
            let (key, found) = (key.clone(), short(value));
            OptionsError::Value { key, found, allowed: allowed() }
        };
        match (key.as_str(), value) {
            ("farmers", Value::Bool(farmers)) => setup.farmers = *farmers,
            ("start", Value::String(start)) => {
                setup.start = match start.as_str() {
                    "tile" => Start::Tile,
                    "empty" => Start::Empty,
                    _ => return Err(wrong()),
                }
            }
            // The rules read this text already, with every check.
            ("board", Value::String(board)) if !board.contains(char::is_whitespace) => {
                let read: Setup = format!("board={board}").parse().map_err(|_| wrong())?;
                setup = setup.with_board(read.board()).map_err(rules)?;
            }
            ("tiny_city", value) => {
                setup.tiny_city = match value.as_i64() {
                    Some(4) => TinyCity::Four,
                    Some(2) => TinyCity::Two,
                    _ => return Err(wrong()),
                }
            }
            ("players", value) if value.as_u64() == Some(players as u64) => {}
            ("players", value) => {
                return Err(OptionsError::Players { found: short(value), seats: players });
            }
            ("expansions", Value::Array(none)) if none.is_empty() => {}
            ("expansions", names) => {
                return Err(OptionsError::Expansions { found: short(names) });
            }
            ("farmers" | "start" | "board", _) => return Err(wrong()),
            _ => {
                let key = game::excerpt(key, 40);
                return Err(OptionsError::Unknown { key, allowed: allowed() });
            }
        }
    }
    Ok(setup)
}

fn short(value: &Value) -> String {
    game::excerpt(&value.to_string(), 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_left_out_have_the_defaults_of_the_schema() {
        let read = |options: Value| read(&options, 3).map(|setup| setup.to_string());
        let default = "players=3 farmers=on start=tile board=unlimited tiny-city=4";
        assert_eq!(read(Value::Null).unwrap(), default);
        assert_eq!(read(json!({})).unwrap(), default);
        let schema = schema();
        let properties = schema["properties"].as_object().unwrap();
        let defaults = properties.iter().map(|(key, p)| (key.clone(), p["default"].clone()));
        assert_eq!(read(Value::Object(defaults.collect())).unwrap(), default);
        for (key, property) in properties {
            for word in ["title", "description", "type"] {
                assert!(property[word].is_string(), "{key} has a {word}");
            }
            let choices = property["enum"].as_array().or(property["examples"].as_array());
            for choice in choices.into_iter().flatten() {
                let options = json!({key: choice});
                let setup = super::read(&options, 2).unwrap();
                assert_eq!(&write(&setup)[key], choice, "{key} is written as it is read");
            }
        }
    }

    #[test]
    fn wrong_options_are_refused_with_what_is_allowed() {
        for (options, word) in [
            (json!([]), "an object"),
            (json!("farmers"), "an object"),
            (json!({"farmers": "on"}), "true or false"),
            (json!({"farmers": 1}), "true or false"),
            (json!({"start": "city"}), "\"empty\""),
            (json!({"board": "30x31"}), "NxN"),
            (json!({"board": "0x0"}), "145x145"),
            (json!({"board": "146x146"}), "145x145"),
            (json!({"board": 30}), "NxN"),
            (json!({"board": "9x9 farmers=off"}), "NxN"),
            (json!({"tiny_city": 3}), "4 or 2"),
            (json!({"tiny_city": null}), "4 or 2"),
            (json!({"expansions": ["inns_and_cathedrals"]}), "tables play the base game alone"),
            (json!({"expansions": "river"}), "expansions=\"river\""),
            (json!({"players": 3}), "the seats are 2"),
        ] {
            let error = read(&options, 2).unwrap_err().to_string();
            assert!(error.contains(word), "{options}: {error}");
        }
        assert!(read(&Value::Null, 1).unwrap_err().to_string().contains("2 to 6"));
        assert!(read(&Value::Null, 7).unwrap_err().to_string().contains("2 to 6"));
        assert!(read(&json!({"players": 2}), 2).is_ok());
        assert!(read(&json!({"expansions": []}), 2).is_ok());
    }
}
